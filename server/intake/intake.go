// Package intake brings products, locations and opening stock from tables into
// a company. A table is checked as a whole, against what is there, before
// anything is written. Every line is then one operation whose idempotency key
// comes from the file and the line: an import that was interrupted is finished
// by importing the file again, and one that was finished changes nothing.
package intake

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"bincard/server/api"
	"bincard/server/sheet"
)

// Kind is what the lines of a table are.
type Kind string

const (
	Products  Kind = "products"
	Locations Kind = "locations"
	Stock     Kind = "stock"
)

// Kinds are all there are.
var Kinds = []Kind{Products, Locations, Stock}

// Format is how a table came about.
type Format string

const (
	// Plain tables have the columns that Columns lists.
	Plain Format = "plain"
	// Shopify is the inventory export of Shopify, as stock.
	Shopify Format = "shopify"
)

// Columns are those that a plain table must have, and those that it may have.
func (k Kind) Columns() (required, optional []string) {
	switch k {
	case Products:
		return []string{"sku", "name"}, []string{"barcode", "unit", "box factor", "box barcode", "tracking", "reorder point"}
	case Locations:
		return []string{"code", "name", "type"}, nil
	}
	return []string{"sku", "location", "quantity"}, []string{"owner", "channel", "lot", "expiry"}
}

// Options of Prepare.
type Options struct {
	// Add allows opening stock where something else has put stock already.
	Add bool
	// Progress is told how many of the lines are checked, or applied; it may be nil.
	Progress func(done, of int)
}

// A Plan is a table that was checked: what is wrong with it, and what is to be done.
type Plan struct {
	Kind   Kind   `json:"kind"`
	Format Format `json:"form"`
	// Lines counts the rows of the table, Unchanged those that say what is there
	// already, Skipped those without a quantity.
	Lines     int `json:"lines"`
	Unchanged int `json:"unchanged"`
	Skipped   int `json:"skipped"`
	// Problems are everything that is wrong, by line; none means it can be applied.
	Problems []sheet.Problem `json:"problems"`

	options Options
	batch   string // of the file: begins every key
	steps   []step
}

// A step is what one line does.
type step struct {
	line int
	do   func(ctx context.Context, svc api.Service, key api.Option) (*api.Response, error)
}

// Prepare checks a table against what svc has. It writes nothing. The error is
// of the service; what is wrong with the table is in the plan.
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

// Steps is how many operations Apply performs.
func (p *Plan) Steps() int { return len(p.steps) }

// A checker is the checking of one table.
type checker struct {
	*Plan
	ctx       context.Context
	svc       api.Service
	table     *sheet.Table
	row       sheet.Row // under the finger
	bad       bool      // whether it has a problem
	catalogue catalogue
}

// run checks row by row.
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

// checkPlanLimit holds the number of new products against what the plan allows.
func (c *checker) checkPlanLimit() error {
	access, err := api.GetAccess.Call(c.ctx, c.svc, api.GetAccessInput{})
	if api.HasCode(err, api.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	most, used := access.Limits.ActiveProducts, access.Usage.ActiveProducts
	if c.Kind == Products && most != nil && used+int64(len(c.steps)) > *most {
		c.Problems = append(c.Problems, sheet.Problem{Message: fmt.Sprintf(
			"the plan allows %d active products and there are %d; the file adds %d more", *most, used, len(c.steps))})
	}
	return nil
}

// cell is what the row says in a column.
func (c *checker) cell(column string) string { return c.table.Cell(c.row, column) }

// problem notes what is wrong with the row; column may be empty.
func (c *checker) problem(column, format string, args ...any) {
	c.bad = true
	c.Problems = append(c.Problems, sheet.Problem{Line: c.row.Line, Column: column, Message: fmt.Sprintf(format, args...)})
}

// checkRules holds an input against its own rules; columns say which column stands
// for which beginning of a path.
func (c *checker) checkRules(input any, columns [][2]string) {
	err := api.Check(input)
	if err == nil {
		return
	}
	fields, _ := api.AsError(err).Details["fields"].([]api.FieldProblem)
	for _, f := range fields {
		column := f.Path
		for _, x := range columns {
			if strings.HasPrefix(f.Path, x[0]) {
				column = x[1]
				break
			}
		}
		c.problem(column, "%s", f.Message)
	}
}

// addStep adds what the row does, unless it has a problem.
func addStep[I, O any](c *checker, op api.Operation[I, O], in I) {
	if c.bad {
		return
	}
	c.steps = append(c.steps, step{c.row.Line, func(ctx context.Context, svc api.Service, key api.Option) (*api.Response, error) {
		return op.Do(ctx, svc, in, key)
	}})
}
