package intake

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
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
	return cmp.Or(slices.Compare(k.product[:], o.product[:]), strings.Compare(k.line, o.line), strings.Compare(k.sscc, o.sscc), strings.Compare(k.lot, o.lot))
}

// documents checks a table of documents.
func (c *checker) documents() error {
	if err := c.loadPlaces(); err != nil {
		return err
	}
	if err := c.loadProducts(); err != nil {
		return err
	}
	c.catalogue.lots = map[string]*lot{}
	g := &grouping{checker: c, byReference: map[string]*document{}, serials: map[string]int{}}
	for _, row := range c.table.Rows {
		c.row, c.bad = row, false
		g.add()
	}
	if err := c.compareDocuments(g.documents); err != nil {
		return err
	}
	return c.checkPlanLimit()
}

// compareDocuments compares the documents with the existing ones, several at a time, and adds
// the steps that create the new ones.
func (c *checker) compareDocuments(documents []*document) error {
	c.Plan.Documents = &DocumentCount{Total: len(documents)}
	results := make([]comparison, len(documents))
	work, ctx := errgroup.WithContext(c.ctx)
	work.SetLimit(concurrency)
	find := newFinder(c.svc, c.Kind)
	var mu sync.Mutex
	done, total := 0, len(c.table.Rows)
	for i, d := range documents {
		work.Go(func() (err error) {
			if !d.bad {
				results[i], err = c.compare(ctx, find, d)
			}
			mu.Lock()
			defer mu.Unlock()
			done += len(d.lines)
			c.options.Progress(min(done, total-1), total)
			return err
		})
	}
	if err := work.Wait(); err != nil {
		return err
	}
	for i, d := range documents {
		c.note(d, &results[i])
	}
	if c.Kind == Outbounds {
		sortOutbounds(c.steps)
	}
	c.options.Progress(total, total)
	return nil
}

// note adds the result of comparing a document to the plan.
func (c *checker) note(d *document, r *comparison) {
	count := c.Plan.Documents
	c.Problems = append(c.Problems, r.problems...)
	switch {
	case len(r.differences) > 0:
		count.Differ++
		advice := "cancel it first, or use another reference"
		if r.done > 0 {
			advice = "use another reference for what changed"
		}
		text := fmt.Sprintf("%s already exists and differs: %s. An import does not change it: %s", d.reference, limited(r.differences), advice)
		if c.options.OnlyNew {
			count.addKnown(d, r, text)
			return
		}
		c.Problems = append(c.Problems, sheet.Problem{Line: d.first, Column: "reference", Message: text})
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
