package watchlist

import (
	"strings"

	"bincard/tui"
	"bincard/views/listscreen"

	tea "github.com/charmbracelet/bubbletea"
)

// actions returns the actions that change the scope and copy or refresh rows.
func actions[T any](s *listscreen.Screen[T], k kind[T], scope *scope) []tui.Action {
	t := s.T()

	var actions []tui.Action
	if k.days > 0 {
		actions = append(actions, tui.Action{ID: k.route + ".days", Keys: []string{"f4"}, Label: t.Get("days"), Help: t.Get("Choose how far to look ahead"), Run: func() tea.Cmd { return chooseDays(s, scope) }})
	}
	actions = append(actions, s.ExportActions()...)
	reload := func() tea.Cmd { // without the cache
		s.Site.Invalidate(k.route)
		return s.Reload()
	}
	here, other := s.Site.Location(), t.Get("all locations")
	if scope.all {
		other = t.Get("only %s", here.Code)
	}
	return append(actions, tui.Action{ID: k.route + ".place", Keys: []string{"f6"}, Label: other, Short: t.Get("all"), Help: t.Get("Show this location or all locations"),
		Disabled: func() string {
			if scope.all && !here.IsSet() {
				return t.Get("No location selected. Scan one")
			}
			return ""
		}, Run: func() tea.Cmd { scope.all = !scope.all; return reload() }},
		tui.Action{ID: k.route + ".copy", Keys: []string{"ctrl+y"}, Label: t.Get("copy row"), NoFooter: true, Disabled: s.EmptyReason, Run: func() tea.Cmd {
			row, _ := s.List.Selected()
			cells := make([]string, len(k.exportColumns))
			for i, c := range k.exportColumns {
				cells[i] = c.Value(&row)
			}
			return tui.Copy(strings.Join(cells, "\t"))
		}},
		tui.Action{ID: k.route + ".refresh", Keys: []string{"f5"}, Label: t.Get("refresh"), Help: t.Get("Refresh the list"), NoFooter: true, Run: reload})
}

// chooseDays asks how far to look ahead.
func chooseDays[T any](s *listscreen.Screen[T], scope *scope) tea.Cmd {
	t := s.T()

	choices := []int{7, 30, 90, 365, 0}
	var options []string
	for _, n := range choices {
		if n == 0 {
			options = append(options, t.Get("any time"))
		} else {
			options = append(options, t.GetC("%d days", "watchlist", n))
		}
	}
	return tui.Choose(tui.Choice{Text: t.Get("Lots that expire within"), Options: options, OnChoice: func(i int) tea.Cmd { scope.days = choices[i]; return s.Reload() }})
}
