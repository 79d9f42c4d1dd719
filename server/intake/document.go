package intake

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
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
	due                          *time.Time
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
	checked := make(chan int, len(documents))
	for i, d := range documents {
		work.Go(func() (err error) {
			if !d.bad {
				results[i], err = c.compare(ctx, find, d)
			}
			checked <- len(d.lines)
			return err
		})
	}
	done, total := 0, len(c.table.Rows)
	for range documents {
		select {
		case n := <-checked:
			done += n
			c.options.Progress(min(done, total-1), total)
		case <-ctx.Done():
		}
	}
	if err := work.Wait(); err != nil {
		return err
	}
	for i, d := range documents {
		c.note(d, &results[i])
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
		text := fmt.Sprintf("%s already exists and differs: %s. An import does not change it: cancel it first, or use another reference", d.reference, limited(r.differences))
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

// digest identifies the content of a document, whatever the order of its lines.
func (d *document) digest(kind Kind) string {
	type line struct {
		Key, Batch string
		Expires    *time.Time
		Quantity   int64
		Serials    []string
	}
	content := struct {
		Kind                                             Kind
		Reference, Location, Destination, Owner, Channel string
		Party, PartyReference, Order                     string
		Due                                              *time.Time
		Lines                                            []line
	}{Kind: kind, Reference: d.reference, Location: idOf(d.location).String(), Destination: idOf(d.destination).String(),
		Owner: idOf(d.owner).String(), Channel: idOf(d.channel).String(), Party: d.party, PartyReference: d.partyReference, Order: d.order, Due: d.due}
	for _, l := range d.sorted() {
		content.Lines = append(content.Lines, line{fmt.Sprintf("%q", []string{l.product.ID.String(), l.line, l.sscc, l.lot}), l.batch, l.expires, l.quantity, slices.Sorted(slices.Values(l.serials))})
	}
	data, err := json.Marshal(content)
	if err != nil {
		panic(err) // it has only texts and numbers
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:16])
}

// sorted returns the lines in the order of their keys.
func (d *document) sorted() []*documentLine {
	return slices.SortedFunc(slices.Values(d.lines), func(a, b *documentLine) int { return a.compare(b.lineKey) })
}

// loadProducts reads the products that the table names.
func (c *checker) loadProducts() error {
	k := &c.catalogue
	k.products, k.gtins = map[string]*api.Product{}, map[string]*api.Match{}
	var skus, gtins []string
	for _, c.row = range c.table.Rows {
		if sku := c.cell("sku"); sku != "" {
			skus = append(skus, foldName(sku))
		}
		if gtin := c.cell("gtin"); checkGTIN(gtin) == "" {
			gtins = append(gtins, normalizeGTIN(gtin))
		}
	}
	err := readEach(c.ctx, skus, k.products, func(ctx context.Context, sku string) (*api.Product, error) {
		list, err := api.ListProducts.Call(ctx, c.svc, api.ListProductsInput{SKU: sku})
		if err != nil || len(list.Items) == 0 {
			return nil, err
		}
		return &list.Items[0], nil
	})
	if err != nil {
		return err
	}
	return readEach(c.ctx, gtins, k.gtins, func(ctx context.Context, gtin string) (*api.Match, error) {
		found, err := api.LookUp.Call(ctx, c.svc, api.LookupInput{Code: gtin, Kind: api.KindProduct})
		if err != nil || len(found.Matches) == 0 {
			return nil, err
		}
		return &found.Matches[0], nil
	})
}
