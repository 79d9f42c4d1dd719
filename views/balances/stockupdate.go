package balances

import (
	"cmp"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
)

func (s *stock) Init(env tui.Env) tea.Cmd {
	s.Env = env
	if sku := env.Route.Query.Get("sku"); sku != "" {
		return s.find(sku)
	}
	return s.load()
}

func (s *stock) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		if s.AcceptsKey(msg) {
			s.question.Key(msg)
			s.applyFilter()
			return s, s.loadNear()
		}

		if cmd, handled := s.pages.Key(msg); handled {
			return s, tea.Batch(cmd, s.readExpired())
		}

	case tea.MouseMsg:
		return s, tea.Batch(s.pages.Mouse(msg, s.top), s.readExpired())
	case expiredMsg:
		s.expired.show(msg)
	default:
		if cmd, handled := s.Found(s.site, msg); handled {
			return s, cmd
		}
		s.handle(msg)
		return s, s.loadNear()
	}

	return s, nil
}

// handle stores a page and applies the filter.
func (s *stock) handle(msg tea.Msg) {
	if !s.pages.Owns(msg) {
		return
	}

	s.pages.List.SetRows(s.rows)
	if s.pages.Handle(msg) {
		empty := len(s.rows) == 0
		s.rows = slices.Clone(s.pages.List.Rows()) // the list finds the selected row in its own
		s.sort()
		if s.applyFilter(); empty {
			s.pages.List.MoveTo(0)
		}

		s.digits, s.shelved = 6, false
		for _, row := range s.rows {
			r := row.(*api.SnapshotRow)
			s.digits = max(s.digits, widget.Width(s.T.Count(max(r.OnHand, r.Incoming))))
			s.shelved = s.shelved || r.Shelf != ""
		}
	}

	s.applyFilter()
}

// sort sorts the rows by SKU and location, or as the operator chose. Rows that are not all
// loaded keep the order of the service, because others would come between them.
func (s *stock) sort() {
	if !s.pages.Complete() {
		return
	}
	slices.SortStableFunc(s.rows, func(x, y any) int {
		a, b := x.(*api.SnapshotRow), y.(*api.SnapshotRow)
		return cmp.Or(cmp.Compare(a.ProductSKU, b.ProductSKU), cmp.Compare(a.LocationCode, b.LocationCode))
	})
	s.sorter.Sort(s.rows)
}

// sortAction returns the action that chooses the order.
func (s *stock) sortAction() []tui.Action {
	return s.sorter.Action(s.pages.WhyUnsorted, func() tea.Cmd {
		s.rows = slices.Clone(s.rows)
		s.sort()
		s.applyFilter()
		s.pages.List.MoveTo(0)
		return nil
	})
}
