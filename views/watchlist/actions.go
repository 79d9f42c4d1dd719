package watchlist

import (
	"bincard/tui"

	tea "github.com/charmbracelet/bubbletea"
)

// actions returns the actions that change the scope and copy or refresh rows.
func (s *scope) actions() []tui.Action {
	t := s.T

	var actions []tui.Action
	if s.hasDays {
		actions = append(actions, tui.Action{
			ID:    s.route + ".days",
			Key:   "f4",
			Label: t.Get("days"),
			Help:  t.Get("Choose how far to look ahead"),
			Run:   s.chooseDays,
		})
	}

	actions = append(actions, s.ExportActions()...)
	here, other, short := s.Site.Location(), t.Get("all locations"), t.Get("all")
	if s.all {
		other, short = t.Get("only %s", here.Code), t.Get("here")
	}

	return append(
		actions,
		tui.Action{
			ID:    s.route + ".location",
			Key:   "f6",
			Label: other,
			Short: short,
			Help:  t.Get("Show this location or all locations"),
			Disabled: func() string {
				if s.all && !here.IsSet() {
					return t.Get("No location selected. Scan one.")
				}
				return ""
			},
			Run: func() tea.Cmd { s.all = !s.all; return s.reload() },
		},
		s.CopyAction(s.route+".copy"),
		tui.Action{
			ID:       s.route + ".refresh",
			Key:      "f5",
			Label:    t.Get("refresh"),
			Help:     t.Get("Refresh the list"),
			NoFooter: true,
			Run:      s.reload,
		},
	)
}

// reload loads the rows without the cache.
func (s *scope) reload() tea.Cmd {
	s.Site.Invalidate(s.route)
	return s.Reload()
}

// chooseDays asks how far to look ahead.
func (s *scope) chooseDays() tea.Cmd {
	t := s.T

	choices := []int{7, 30, 90, 365, 0}
	var options []string
	for _, n := range choices {
		if n == 0 {
			options = append(options, t.Get("any time"))
		} else {
			options = append(options, t.GetC("%d days", "watchlist", n))
		}
	}

	return tui.Choose(tui.Choice{
		Text:     t.Get("Lots that expire within"),
		Options:  options,
		OnChoice: func(i int) tea.Cmd { s.days = choices[i]; return s.Reload() },
	})
}
