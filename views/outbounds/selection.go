package outbounds

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/listscreen"
)

// A selection is the orders of the list to pick together.
type selection struct {
	*listscreen.Screen
	chosen []string // their IDs
}

// mark returns what precedes the name of an order in the list.
func (s *selection) mark(id api.ID) string {
	if slices.Contains(s.chosen, id.String()) {
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
		actions = append(
			actions,
			tui.Action{
				ID:    "fulfill.together",
				Key:   "f4",
				Label: t.GetN(n, "pick %s order", "pick %s orders"),
				Short: t.Get(
					"pick",
				),
				Disabled: func() string { return s.Site.MissingRights(api.PickOutbound.Spec) },
				Run:      s.open,
			},
		)
	}

	return actions
}

// toggle selects the order under the cursor, or not any more.
func (s *selection) toggle() tea.Cmd {
	o, _ := listscreen.Selected[api.Outbound](s.Screen)
	switch at := slices.Index(s.chosen, o.ID.String()); {
	case at >= 0:
		s.chosen = slices.Delete(s.chosen, at, at+1)
	case o.PendingPickQuantity == 0:
		return tui.Warn(s.T.Get("Nothing is left to pick."))
	case len(s.chosen) == maxMerged:
		return tui.Warn(mergeError(s.T).Error())
	default:
		s.chosen = append(s.chosen, o.ID.String())
	}

	s.List.Move(1)

	return nil
}

// open opens the list to pick, and ends the selection.
func (s *selection) open() tea.Cmd {
	slices.Sort(s.chosen) // the same orders have the same draft
	route := tui.Path("pick", strings.Join(s.chosen, ","))
	s.chosen = nil
	return tui.Open(route)
}
