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
	"strings"

	"bincard/server/api"
	"bincard/server/sheet"
)

// A Kind is what the lines of a table describe.
type Kind string

const (
	Products  Kind = "products"
	Locations Kind = "locations"
	Stock     Kind = "stock"
)

// Kinds are all kinds.
var Kinds = []Kind{Products, Locations, Stock}

// A Format is where a table comes from.
type Format string

const (
	// Plain tables have the columns that Columns returns.
	Plain Format = "plain"
	// Shopify is Shopify's inventory export, imported as stock.
	Shopify Format = "shopify"
)

// Columns returns the columns that a plain table must have, and those that it
// may have.
func (k Kind) Columns() (required, optional []string) {
	switch k {
	case Products:
		return []string{"sku", "name"}, []string{"barcode", "unit", "box factor", "box barcode", "tracking", "reorder point"}
	case Locations:
		return []string{"code", "name", "type"}, nil
	}
	return []string{"sku", "location", "quantity"}, []string{"owner", "channel", "lot", "expiry"}
}

// Options are the options of Prepare.
type Options struct {
	// Add permits opening stock on balances with stock from elsewhere.
	Add bool
	// Progress is called with the number of lines checked or applied so far;
	// it may be nil.
	Progress func(done, total int)
}

// A Plan is a checked table: its problems, and the operations to perform.
type Plan struct {
	Kind   Kind   `json:"kind"`
	Format Format `json:"form"`
	// Lines is the number of rows; Unchanged of them describe existing data,
	// Skipped have no quantity.
	Lines     int `json:"lines"`
	Unchanged int `json:"unchanged"`
	Skipped   int `json:"skipped"`
	// Problems are all problems, by line. A plan with problems cannot be
	// applied.
	Problems []sheet.Problem `json:"problems"`

	options Options
	batch   string // prefix of the file's idempotency keys
	steps   []step
}

// A step is the operation of one line.
type step struct {
	line int
	do   func(ctx context.Context, svc api.Service, key api.Option) (*api.Response, error)
}

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

// Steps returns the number of operations that Apply performs.
func (p *Plan) Steps() int { return len(p.steps) }

// A checker checks one table.
type checker struct {
	*Plan
	ctx       context.Context
	svc       api.Service
	table     *sheet.Table
	row       sheet.Row // the current row
	bad       bool      // whether the row has a problem
	catalogue catalogue
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

// cell returns a cell of the row.
func (c *checker) cell(column string) string { return c.table.Cell(c.row, column) }

// problem adds a problem of the row; column may be empty.
func (c *checker) problem(column, format string, args ...any) {
	c.bad = true
	c.Problems = append(c.Problems, sheet.Problem{Line: c.row.Line, Column: column, Message: fmt.Sprintf(format, args...)})
}

// checkRules checks an input against its own rules. columns maps prefixes of
// field paths to columns.
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

// addStep adds the operation of the row, unless the row has a problem.
func addStep[I, O any](c *checker, op api.Operation[I, O], in I) {
	if c.bad {
		return
	}
	c.steps = append(c.steps, step{c.row.Line, func(ctx context.Context, svc api.Service, key api.Option) (*api.Response, error) {
		return op.Do(ctx, svc, in, key)
	}})
}
