package reports

import (
	"cmp"
	"slices"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/views/names"
)

// flow is the quantity in and out under one name.
type flow struct {
	Name string `json:"name"`
	Rows int64  `json:"rows"`
	In   int64  `json:"in"`
	Out  int64  `json:"out"` // not positive
}

func (f flow) netQuantity() int64 { return f.In + f.Out }

// movedQuantity returns how much moved in either direction.
func (f flow) movedQuantity() int64 { return f.In - f.Out }

// grouping is a way to total rows.
type grouping struct {
	title  string // "by operation"
	header string // title of the name column in a file: "operation"
	column string // translated header
	addRow rowAdder
	// displayName returns the display text of a name; nil shows the name.
	displayName func(name string) string
	// shortName is displayName for a narrow column; nil shows the display text.
	shortName func(name string, width int) string
	// order compares two lines; nil means the greatest quantity first.
	order func(a, b flow) int
	// member is what selects a single name in a filter, as routes call it.
	member string
	// filterBy returns the filter for a single name where no member does.
	filterBy func(f filter, name string) filter
}

// A rowAdder calls note with each name that a row counts under. If rows is false, the
// quantity is added without counting a row.
type rowAdder func(f filter, row any, note noter)

type noter func(name string, rows bool, q int64)

// byState is the grouping by stock state.
func byState(t *i18n.Translator, add rowAdder) grouping {
	return grouping{
		title:       t.Get("by state"),
		header:      "state",
		column:      t.Get("state"),
		addRow:      add,
		displayName: func(name string) string { return names.State(t, api.State(name)) },
		shortName:   func(name string, _ int) string { return names.ShortState(t, api.State(name)) },
		order:       func(a, b flow) int { return api.State(a.Name).Index() - api.State(b.Name).Index() },
		member:      "state",
	}
}

func byLocation(t *i18n.Translator, add rowAdder) grouping {
	return grouping{
		title:  t.Get("by location"),
		header: "location",
		column: t.Get("location"),
		addRow: add,
		member: "location",
	}
}

func byProduct(t *i18n.Translator, add rowAdder) grouping {
	return grouping{
		title:  t.Get("by product"),
		header: "product",
		column: t.Get("product"),
		addRow: add,
		member: "sku",
	}
}

// groupSums holds the totals of each grouping.
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

// add adds rows to the totals.
func add(s *groupSums, parts []grouping, f filter, rows []any) {
	s.rows += int64(len(rows))
	for _, row := range rows {
		for k := range parts {
			parts[k].addRow(f, row, func(name string, row bool, q int64) {
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

// lines returns the totals of one grouping in its order.
func (s *groupSums) lines(k int, order func(a, b flow) int) []flow {
	out := make([]flow, 0, len(s.parts[k]))
	for _, x := range s.parts[k] {
		out = append(out, *x)
	}

	slices.SortFunc(out, func(a, b flow) int {
		if order != nil {
			return cmp.Or(order(a, b), cmp.Compare(a.Name, b.Name))
		}
		return cmp.Or(cmp.Compare(b.movedQuantity(), a.movedQuantity()), cmp.Compare(b.Rows, a.Rows),
			cmp.Compare(a.Name, b.Name))
	})

	return out
}
