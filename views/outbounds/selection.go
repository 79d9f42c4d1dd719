package outbounds

import (
	"cmp"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/listscreen"
)

// maxPicked is how many orders are picked together.
const maxPicked = 12

// A selection is the orders of the list to pick together.
type selection struct {
	*listscreen.Screen
	chosen []api.Outbound
}

func (s *selection) index(id api.ID) int {
	return slices.IndexFunc(s.chosen, func(o api.Outbound) bool { return o.ID == id })
}

// mark returns what precedes the name of an order in the list.
func (s *selection) mark(id api.ID) string {
	if s.index(id) >= 0 {
		return widget.GlyphOK + " "
	}
	return s.Site.SyncBadge(id)
}

// actions returns the actions that select orders and pick them, if the service can do that.
func (s *selection) actions() []tui.Action {
	t, n := s.T, len(s.chosen)
	if !s.Site.Supports(api.PickOutbound.Spec) || !s.Site.Supports(api.ListOutboundLots.Spec) {
		return nil
	}

	actions := []tui.Action{{ID: "fulfill.select", Key: "space", Label: t.Get("select"), NoFooter: n > 0,
		Help: t.Get("Select the order, to pick several in one walk"), Disabled: s.EmptyReason, Run: s.toggle}}
	if n > 0 {
		actions = append(actions, tui.Action{ID: "fulfill.together", Key: "f4", Label: t.GetN(n, "pick %s order", "pick %s orders"),
			Short: t.Get("pick"), Disabled: func() string { return s.Site.MissingRights(api.PickOutbound.Spec) }, Run: s.open})
	}

	return actions
}

// toggle selects the order under the cursor, or not any more.
func (s *selection) toggle() tea.Cmd {
	o, _ := listscreen.Selected[api.Outbound](s.Screen)
	at := s.index(o.ID)
	if at >= 0 {
		s.chosen = slices.Delete(s.chosen, at, at+1)
		s.List.Move(1)
		return nil
	}

	first := o
	if len(s.chosen) > 0 {
		first = s.chosen[0]
	}

	switch {
	case o.PendingPickQuantity == 0:
		return tui.Warn(s.T.Get("Nothing is left to pick."))
	case len(s.chosen) == maxPicked:
		return tui.Warn(s.T.Get("At most %s orders are picked together.", s.T.Count(maxPicked)))
	case o.LocationID != first.LocationID || o.OwnerID != first.OwnerID || o.ChannelID != first.ChannelID:
		return tui.Warn(s.T.Get("Only orders of one location, owner and channel are picked together."))
	}

	s.chosen = append(s.chosen, o)
	s.List.Move(1)

	return nil
}

// open opens the list to pick, and ends the selection.
func (s *selection) open() tea.Cmd {
	slices.SortFunc(s.chosen, func(a, b api.Outbound) int { return cmp.Compare(a.ID.String(), b.ID.String()) })
	ids := make([]string, len(s.chosen))
	for i := range s.chosen {
		ids[i] = s.chosen[i].ID.String()
	}
	s.chosen = nil
	return tui.Open(tui.Path("pick", strings.Join(ids, ",")))
}
