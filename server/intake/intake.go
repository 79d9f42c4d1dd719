// Package intake imports products, locations and opening stock from tables.
//
// A table is checked as a whole against the existing data before anything is
// written. Each line is then one operation, with an idempotency key made from
// the file and the line: importing a file again finishes an interrupted
// import, and changes nothing after a complete one.
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
	} else if bad := table.CheckColumns(kind.Columns()); len(bad) > 0 {
		p.Problems = append(p.Problems, bad...)
		return p, nil
	}
	c := &checker{Plan: p, ctx: ctx, svc: svc, table: table}
	if err := c.run(); err != nil {
		return nil, err
	}
	slices.SortStableFunc(p.Problems, func(a, b sheet.Problem) int { return a.Line - b.Line })
	return p, nil
}

// run checks all rows.
func (c *checker) run() error {
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

// checkPlanLimit checks the number of new products against the plan.
func (c *checker) checkPlanLimit() error {
	access, err := api.GetAccess.Call(c.ctx, c.svc, api.GetAccessInput{})
	if api.HasCode(err, api.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	limit, used := access.Limits.ActiveProducts, access.Usage.ActiveProducts
	if c.Kind == Products && limit != nil && used+int64(len(c.steps)) > *limit {
		c.Problems = append(c.Problems, sheet.Problem{Message: fmt.Sprintf(
			"the plan allows %d active products and there are %d; the file adds %d more", *limit, used, len(c.steps))})
	}
	return nil
}
