package intake

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"bincard/server/api"
	"bincard/server/sheet"
)

// A document is the lines of a table with the same reference.
type document struct {
	header
	first int // the line of its first row
	lines []*documentLine
	byKey map[lineKey]*documentLine
	bad   bool
}

// A header is what all lines of a document have in common. Its empty fields are not known.
type header struct {
	reference             string
	location, destination *api.Place
	owner, channel        *api.Place
	// party is the supplier or the customer, partyReference the supplier's reference.
	party, partyReference, order string
	details                      api.InboundDetails
	due                          *time.Time
	dueDay                       bool // due is a day
}

// A documentLine is a line of a document. Rows that differ only in their serial numbers are
// one line.
type documentLine struct {
	lineKey
	row      int
	product  *api.Product
	quantity int64
	batch    string
	expires  *time.Time
	serials  []string
}

// A lineKey is what distinguishes the lines of a document.
type lineKey struct {
	product         api.ID
	line, sscc, lot string
}

// compare orders keys.
func (k lineKey) compare(o lineKey) int {
	return cmp.Or(slices.Compare(k.product[:], o.product[:]), strings.Compare(k.line, o.line),
		strings.Compare(k.sscc, o.sscc), strings.Compare(k.lot, o.lot))
}

// A group is the rows of a table with the same reference.
type group struct {
	rows []uint32 // their indexes
	due  int64    // orders the operations of outbounds
}

// group groups the rows by their references, in the order of their first rows.
func (c *checker) group() (groups []group) {
	known := map[uint64]int{}
	for i := range c.Lines {
		c.row = c.table.Row(i)
		hash := maphash.String(c.seed, foldName(c.cell("reference")))
		at, found := known[hash]
		if !found {
			at = len(groups)
			known[hash] = at
			groups = append(groups, group{})
		}

		groups[at].rows = append(groups[at].rows, uint32(i))
	}

	return groups
}

// documents checks a table of documents, several documents at a time. It keeps the groups
// with operations.
func (c *checker) documents(perform func([]step) error) error {
	groups := c.groups
	if groups == nil {
		groups = c.group()
	}

	c.groups, c.Plan.Documents = nil, &DocumentCount{Total: len(groups)}
	find := newFinder(c.svc, c.Kind)
	for from, to, done := 0, 0, 0; from < len(groups); from = to {
		c.part = nil
		for to < len(groups) && (to == from || len(c.part)+len(groups[to].rows) <= partRows) {
			for _, i := range groups[to].rows {
				c.part = append(c.part, c.table.Row(int(i)))
			}
			to++
		}

		if err := c.loadProducts(); err != nil {
			return err
		}

		g := &grouping{checker: c, byReference: map[string]*document{}}
		for _, c.row = range c.part {
			c.bad = false
			g.add()
		}
		if err := c.compareDocuments(find, g.documents, groups[from:to]); err != nil {
			return err
		}

		done += len(c.part)
		c.options.Progress(done, c.Lines)
		if err := c.finishPart(perform); err != nil {
			return err
		}
	}

	slices.SortStableFunc(c.groups, func(a, b group) int { return cmp.Compare(a.due, b.due) })

	return nil
}

// compareDocuments compares the documents with the existing ones, several at a time, and adds
// the steps that create the new ones.
func (c *checker) compareDocuments(find *finder, documents []*document, groups []group) error {
	results := make([]comparison, len(documents))
	work, ctx := errgroup.WithContext(c.ctx)
	work.SetLimit(concurrency)
	for i, d := range documents {
		if !d.bad {
			work.Go(func() (err error) {
				results[i], err = c.compare(ctx, find, d)
				return err
			})
		}
	}

	if err := work.Wait(); err != nil {
		return err
	}

	for i, d := range documents {
		before := len(c.steps)
		c.note(d, &results[i])
		if len(c.steps) > before {
			if !c.steps[before].due.IsZero() {
				groups[i].due = c.steps[before].due.Unix()
			}
			c.groups = append(c.groups, groups[i])
		}
	}

	if c.Kind == Outbounds {
		waitForStock(c.steps)
	}

	return nil
}

// note adds the result of comparing a document to the plan.
func (c *checker) note(d *document, r *comparison) {
	count := c.Plan.Documents
	c.report(r.problems...)
	switch {
	case len(r.differences) > 0:
		count.Differ++
		advice := api.Text("cancel it first, or use another reference")
		if r.done > 0 {
			advice = api.Text("use another reference for what changed")
		}

		text := api.Textf("%s already exists and differs: %s. An import does not change it: %v", d.reference,
			limited(r.differences), advice)
		if c.options.OnlyNew {
			count.addKnown(d, r, text)
			return
		}

		c.report(sheet.Problem{Line: d.first, Column: "reference", Message: text})

	case d.bad || len(r.problems) > 0:
	case len(r.steps) == 0:
		count.Existing++
		c.Unchanged += len(d.lines)
		count.addKnown(d, r, "")
	default:
		count.New++
		c.Unchanged += r.existing
		c.steps = append(c.steps, r.steps...)
	}
}

// limited joins texts, the first five of them.
func limited(texts []string) string {
	if n := len(texts) - 5; n > 0 {
		texts = append(slices.Clone(texts[:5]), fmt.Sprintf("and %d more", n))
	}
	return strings.Join(texts, "; ")
}
