package balances

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/views/session"
)

// listedSKUs returns the products of the list, each once, in its order. Stock of other owners
// is not counted.
func (s *stock) listedSKUs() (skus []string) {
	seen := map[api.ID]bool{}
	for _, row := range s.pages.List.Rows() {
		r := row.(*api.SnapshotRow)
		if !seen[r.ProductID] && s.site.IsDefaultStock(r.OwnerID, r.ChannelID) {
			seen[r.ProductID] = true
			skus = append(skus, r.ProductSKU)
		}
	}

	return skus
}

// countAction returns the action that counts the products of the list.
func (s *stock) countAction() tui.Action {
	t, skus, most := s.T, s.listedSKUs(), int64(session.MaxCountProducts)
	number := t.Count(int64(len(skus)))
	a := tui.Action{
		ID:       "stock.count",
		Key:      "f11",
		NoFooter: true,
		// The list shows the quantities, and a worker counts blind.
		Supervisor: true,
		Label:      t.Get("count these %s", number),
		Short:      t.Get("count"),
		Help:       t.Get("Count the products that are listed"),
		Disabled: func() string {
			switch {
			case s.site.Denied(api.AdjustStock.Spec) != "":
				return s.site.Denied(api.AdjustStock.Spec)
			case s.location == nil:
				return t.Get("Show one location first (F6)")
			case !s.pages.Complete():
				return t.Get("The list is still loading")
			case len(skus) == 0:
				return t.Get("No item is listed")
			case len(skus) > session.MaxCountProducts:
				return t.Get("Count at most %s products at once: type to search for fewer", t.Count(most))
			}

			return ""
		},
	}

	open := func() tea.Cmd {
		slices.Sort(skus) // the same list continues the same draft
		return tui.Open(session.CountRoute(s.location.Code, skus...))
	}
	a.Run = func() tea.Cmd {
		return tui.Confirm(tui.Question{
			Text:  t.Get("Count the %s products listed at %s?", number, s.location.Code),
			Yes:   t.Get("count them"),
			No:    t.Get("cancel"),
			OnYes: open,
		})
	}

	if len(skus) == 1 {
		a.Label, a.Run = t.Get("count only %s", skus[0]), open
	}

	return a
}
