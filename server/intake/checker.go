package intake

import (
	"context"
	"fmt"
	"hash/maphash"
	"strings"

	"bincard/server/api"
	"bincard/server/sheet"
)

// A checker checks one table.
type checker struct {
	*Plan
	ctx       context.Context
	svc       api.Service
	part      []sheet.Row // the current rows
	row       sheet.Row   // the current row
	bad       bool        // whether the row has a problem
	steps     []step      // of the part
	catalogue catalogue
	columns   map[string]int // the columns that were read, -1 for a missing one
	seed      maphash.Seed
	lines     map[uint64]uint32 // the first line of each key in the file, by the key's hash
}

func newChecker(ctx context.Context, svc api.Service, p *Plan) *checker {
	return &checker{
		Plan:    p,
		ctx:     ctx,
		svc:     svc,
		columns: map[string]int{},
		seed:    maphash.MakeSeed(),
		lines:   map[uint64]uint32{},
	}
}

// firstLine returns the line of the first row with a key, which may be the current row's.
func (c *checker) firstLine(key string) int {
	hash := maphash.String(c.seed, key)
	if c.lines[hash] == 0 {
		c.lines[hash] = uint32(c.row.Line)
	}
	return int(c.lines[hash])
}

// withRow calls do with the row of a line as the current one.
func (c *checker) withRow(line int, do func()) {
	row := c.row
	c.row = c.table.RowAt(line)
	do()
	c.row = row
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
	c.report(sheet.Problem{Line: c.row.Line, Column: column, Message: api.Textf(format, args...)})
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

// addChange adds the step of the row that corrects what exists in a version. Its key has the
// version, so that importing the file again corrects what was changed in between.
func (c *checker) addChange(
	version int64, do func(ctx context.Context, svc api.Service, key string, version api.Option) error,
) {
	key := fmt.Sprintf("%s-%d-v%d", c.batch, c.row.Line, version)
	c.Changed++
	c.steps = append(c.steps, step{
		line: c.row.Line,
		key:  key,
		do: func(ctx context.Context, svc api.Service, _ api.Option) (*api.Response, error) {
			return &api.Response{}, do(ctx, svc, key, api.IfMatch(version))
		},
	})
}

// newStep returns the step that performs an operation.
func newStep[I, O any](op api.Operation[I, O], in I, line int, key string) step {
	return step{
		line: line,
		key:  key,
		do: func(ctx context.Context, svc api.Service, key api.Option) (*api.Response, error) {
			return op.Do(ctx, svc, in, key)
		},
	}
}
