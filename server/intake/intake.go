// Package intake imports products, locations, opening stock and documents from tables.
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
	"context"
	"fmt"
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
	p := &Plan{Kind: kind, Format: Plain, Lines: len(table.Rows), Problems: slices.Clone(table.Problems), options: options,
		batch: "import-" + string(kind) + "-" + table.Hash[:32]}
	if p.Problems == nil {
		p.Problems = []sheet.Problem{}
	}
	if kind == Stock && table.Has("Handle", "Title", "SKU", "Location") {
		p.Format = Shopify
	} else if bad := checkColumns(table, kind); len(bad) > 0 {
		p.Problems = append(p.Problems, bad...)
		p.limitProblems()
		return p, nil
	}
	c := &checker{Plan: p, ctx: ctx, svc: svc, table: table, columns: map[string]int{}}
	if err := c.run(); err != nil {
		return nil, err
	}
	p.limitProblems()
	return p, nil
}

// limitProblems sorts the problems by line and keeps the first ones.
func (p *Plan) limitProblems() {
	slices.SortStableFunc(p.Problems, func(a, b sheet.Problem) int { return a.Line - b.Line })
	if n := len(p.Problems); n > maxProblems {
		p.Problems, p.MoreProblems = slices.Clip(p.Problems[:maxProblems]), n-maxProblems
	}
}

// maxDocumentLines limits the lines of a table of documents, which is in memory as a whole.
const maxDocumentLines = 250_000

// checkColumns checks the columns of a table, which must have rows if they form documents.
func checkColumns(table *sheet.Table, kind Kind) []sheet.Problem {
	bad := table.CheckColumns(kind.Columns())
	switch {
	case !kind.Documents():
	case !table.Has("sku") && !table.Has("gtin"):
		bad = append(bad, sheet.Problem{Line: 1, Message: "the column sku is missing; it may be gtin instead"})
	case len(table.Rows) > maxDocumentLines:
		bad = append(bad, sheet.Problem{Message: fmt.Sprintf("the file has %d lines; split it into files of at most %d", len(table.Rows), maxDocumentLines)})
	case len(table.Rows) == 0 && len(table.Problems) == 0:
		bad = append(bad, sheet.Problem{Message: "the file has no lines below its header"})
	}
	return bad
}

// run checks all rows.
func (c *checker) run() error {
	if c.Kind.Documents() {
		return c.documents()
	}
	if err := c.load(); err != nil {
		return err
	}
	lines := map[Kind]func() error{Products: c.product, Locations: c.location, Stock: c.stock}
	for i, row := range c.table.Rows {
		c.row, c.bad = row, false
		if err := lines[c.Kind](); err != nil {
			return err
		}
		c.options.Progress(i+1, len(c.table.Rows))
	}
	return c.checkPlanLimit()
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
	more := int64(len(c.steps))
	limit, used := access.Limits.ActiveProducts, access.Usage.ActiveProducts
	if c.Kind == Products && limit != nil && used+more > *limit {
		c.Problems = append(c.Problems, sheet.Problem{Message: fmt.Sprintf(
			"the plan allows %d active products and there are %d; the file adds %d more", *limit, used, more)})
	}
	limit, used = access.Limits.BillableOperations, access.Usage.BillableOperations
	if c.Kind == Inbounds && limit != nil && used+more > *limit {
		c.Problems = append(c.Problems, sheet.Problem{Message: fmt.Sprintf(
			"the plan allows %d operations a month and %d are used; the file needs %d more", *limit, used, more)})
	}
	return nil
}
