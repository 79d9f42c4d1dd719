package reports

import (
	"cmp"
	"slices"

	"bincard/tui"
)

// flow is what went in and out under one name.
type flow struct {
	Name string `json:"name"`
	Rows int64  `json:"rows"`
	In   int64  `json:"in"`
	Out  int64  `json:"out"` // not positive
}

func (f flow) netQuantity() int64 { return f.In + f.Out }

// grouping is one way to add rows up.
type grouping[T any] struct {
	title  string // "by operation"
	header string // of the names in a file: "operation"
	column string // the same as shown
	// addRow tells under which names a row counts, and by how much: a quantity of
	// which rows is false goes in or out without being a row more.
	addRow func(env tui.Env, f filter, row *T, note func(name string, rows bool, q int64))
	// displayName is a name in words; nil leaves it as it is.
	displayName func(env tui.Env, name string) string
	// order compares two lines; nil is the most rows first.
	order func(a, b flow) int
	// filterBy is the filter of one name alone; nil where there is none.
	filterBy func(env tui.Env, f filter, name string) filter
}

// groupSums are rows added up, part by part.
type groupSums struct {
	rows  int64
	parts []map[string]*flow
}

func newSums(parts int) *groupSums {
	s := &groupSums{parts: make([]map[string]*flow, parts)}
	for i := range s.parts {
		s.parts[i] = map[string]*flow{}
	}
	return s
}

// add adds rows.
func add[T any](s *groupSums, parts []grouping[T], env tui.Env, f filter, rows []T) {
	s.rows += int64(len(rows))
	for i := range rows {
		for k := range parts {
			parts[k].addRow(env, f, &rows[i], func(name string, row bool, q int64) {
				x := s.parts[k][name]
				if x == nil {
					x = &flow{Name: name}
					s.parts[k][name] = x
				}
				if row {
					x.Rows++
				}
				x.In += max(0, q)
				x.Out += min(0, q)
			})
		}
	}
}

// lines are those of one part, in its order.
func (s *groupSums) lines(k int, order func(a, b flow) int) []flow {
	out := make([]flow, 0, len(s.parts[k]))
	for _, x := range s.parts[k] {
		out = append(out, *x)
	}
	slices.SortFunc(out, func(a, b flow) int {
		if order != nil {
			return cmp.Or(order(a, b), cmp.Compare(a.Name, b.Name))
		}
		return cmp.Or(cmp.Compare(b.Rows, a.Rows), cmp.Compare(a.Name, b.Name))
	})
	return out
}
