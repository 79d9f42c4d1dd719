// Package intake imports products, locations, shelves, opening stock and documents from tables.
//
// A table is checked as a whole against the existing data before anything is
// written. Each line is then one operation, with an idempotency key made from
// the file and the line: importing a file again finishes an interrupted
// import, and changes nothing after a complete one.
//
// The lines of inbounds, outbounds and transfers with the same reference form one
// document. It is found again by its reference, and its keys are made from its content.
package intake

import (
	"cmp"
	"context"
	"slices"

	"bincard/server/api"
	"bincard/server/sheet"
)

// Prepare checks a table against the data of svc without writing anything.
// Problems of the table are in the Plan; the error is of the service.
func Prepare(ctx context.Context, svc api.Service, kind Kind, table *sheet.Table, options Options) (*Plan, error) {
	if options.Progress == nil {
		options.Progress = func(int, int) {}
	}

	p := &Plan{
		Kind:         kind,
		Format:       Plain,
		Lines:        table.Len(),
		Problems:     append([]sheet.Problem{}, table.Problems...),
		MoreProblems: table.MoreProblems,
		options:      options,
		batch:        "import-" + string(kind) + "-" + table.Hash[:32],
		table:        table,
	}

	kind.nameColumns(table, options.Columns)
	if kind == Stock && table.Has("Handle", "Title", "SKU", "Location") {
		p.Format = Shopify
	} else if bad := checkColumns(table, kind); len(bad) > 0 {
		p.report(bad...)
		p.limitProblems()
		return p, nil
	}

	c := newChecker(ctx, svc, p)
	if err := c.run(func([]step) error { return nil }); err != nil {
		return nil, err
	}
	if err := c.checkPlanLimit(); err != nil {
		return nil, err
	}

	p.limitProblems()

	return p, nil
}

// limitProblems sorts the problems by line and keeps the first ones.
func (p *Plan) limitProblems() {
	slices.SortStableFunc(p.Problems, func(a, b sheet.Problem) int { return a.Line - b.Line })
	if n := len(p.Problems) - sheet.MaxProblems; n > 0 {
		p.Problems, p.MoreProblems = p.Problems[:sheet.MaxProblems], p.MoreProblems+n
	}
}

// report adds problems. It names their columns as the table does.
func (p *Plan) report(problems ...sheet.Problem) {
	for _, x := range problems {
		x.Column, x.Sheet = p.table.Heading(x.Column), p.table.Sheet
		p.Problems = append(p.Problems, x)
	}
	if len(p.Problems) > 2*sheet.MaxProblems {
		p.limitProblems()
	}
}

// maxDocumentLines limits the lines of a table of documents, whose order is in memory.
const maxDocumentLines = 250_000

// checkColumns checks the columns of a table, which must have rows if they form documents.
func checkColumns(table *sheet.Table, kind Kind) []sheet.Problem {
	bad := table.CheckColumns(kind.Columns())
	switch {
	case !kind.Documents():
	case !table.Has("sku") && !table.Has("gtin"):
		bad = append(
			bad,
			sheet.Problem{Line: 1, Message: api.Text("the column sku is missing; it may be gtin instead")},
		)
	case table.Len() > maxDocumentLines:
		bad = append(bad, sheet.Problem{
			Message: api.Textf("the file has %d lines; split it into files of at most %d", table.Len(),
				maxDocumentLines),
		})
	case table.Len() == 0 && len(table.Problems) == 0:
		bad = append(bad, sheet.Problem{Message: api.Text("the file has no lines below its header")})
	}

	return bad
}

// partRows is how many rows are in memory at once, besides the rest of their document.
const partRows = 500

// run checks the rows in parts, and passes the operations of each part to perform.
func (c *checker) run(perform func([]step) error) error {
	if err := c.loadPlaces(); err != nil {
		return err
	}
	if c.Kind.Documents() {
		return c.documents(perform)
	}

	lines := map[Kind]func() error{Products: c.product, Locations: c.location, Shelves: c.shelves, Stock: c.stock}
	for done := 0; done < c.Lines; {
		c.part = nil
		for i := done; i < min(done+partRows, c.Lines); i++ {
			c.part = append(c.part, c.table.Row(i))
		}
		if err := c.loadProducts(); err != nil {
			return err
		}

		for _, c.row = range c.part {
			c.bad = false
			if err := lines[c.Kind](); err != nil {
				return err
			}
			done++
			c.options.Progress(done, c.Lines)
		}

		if err := c.finishPart(perform); err != nil {
			return err
		}
	}

	return nil
}

// finishPart performs the operations of a part.
func (c *checker) finishPart(perform func([]step) error) error {
	steps := c.steps
	c.stepCount, c.steps = c.stepCount+len(steps), nil
	return cmp.Or(c.table.Err(), perform(steps))
}

// checkPlanLimit checks the number of new products, and of billable operations, against the
// plan.
func (c *checker) checkPlanLimit() error {
	access, err := api.GetAccess.Call(c.ctx, c.svc, api.GetAccessInput{})
	if api.HasCode(err, api.NotFound) || api.HasCode(err, api.Unavailable) { // offline, the service checks it later
		return nil
	}
	if err != nil {
		return err
	}

	more := int64(c.New())
	limit, used := access.Limits.ActiveProducts, access.Usage.ActiveProducts
	if c.Kind == Products && limit != nil && used+more > *limit {
		c.report(sheet.Problem{Message: api.Textf(
			"the plan allows %d active products and there are %d; the file adds %d more", *limit, used, more)})
	}

	limit, used = access.Limits.BillableOperations, access.Usage.BillableOperations
	if c.Kind == Inbounds && limit != nil && used+more > *limit {
		c.report(sheet.Problem{Message: api.Textf(
			"the plan allows %d operations a month and %d are used; the file needs %d more", *limit, used, more)})
	}

	return nil
}
