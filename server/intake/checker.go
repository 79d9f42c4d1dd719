package intake

import (
	"context"
	"fmt"
	"strings"

	"bincard/server/api"
	"bincard/server/sheet"
)

// A checker checks one table.
type checker struct {
	*Plan
	ctx       context.Context
	svc       api.Service
	table     *sheet.Table
	row       sheet.Row // the current row
	bad       bool      // whether the row has a problem
	catalogue catalogue
	columns   map[string]int // the columns that were read, -1 for a missing one
}

// cell returns a cell of the row.
func (c *checker) cell(column string) string {
	at, known := c.columns[column]
	if !known {
		at = c.table.Index(column)
		c.columns[column] = at
	}
	if at < 0 {
		return ""
	}
	return c.row.Cells[at]
}

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
	c.steps = append(c.steps, newStep(op, in, c.row.Line, fmt.Sprintf("%s-%d", c.batch, c.row.Line)))
}

// newStep returns the step that performs an operation.
func newStep[I, O any](op api.Operation[I, O], in I, line int, key string) step {
	return step{line: line, key: key, do: func(ctx context.Context, svc api.Service, key api.Option) (*api.Response, error) {
		return op.Do(ctx, svc, in, key)
	}}
}
