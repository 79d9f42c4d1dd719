package home

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/names"
	"bincard/views/panel"
)

func (s *screen) Actions() []tui.Action {
	t := s.T

	actions := []tui.Action{{ID: "home.digits", Key: digitRange(s.entries), Label: t.GetC("open", "verb")}}
	if s.setup != nil {
		actions = append([]tui.Action{s.setup.createAction(t)}, actions...)
	}

	if len(s.unsent) > 0 {
		actions = append(actions, tui.Action{
			ID:    "home.unsent",
			Key:   "f4",
			Label: t.Get("unsent (%s)", t.Count(int64(len(s.unsent)))),
			Short: t.Get("unsent"),
			Help:  t.Get("Continue a draft that was counted but not sent"),
			Run:   s.resume,
		})
	}

	if s.overdue.Len() > 0 {
		actions = append(actions, tui.Action{
			ID:    "home.late",
			Key:   "enter",
			Label: t.Get("open overdue"),
			Short: t.GetC("late", "footer"),
			Help:  t.Get("Open the selected overdue document"),
			Run: func() tea.Cmd {
				if _, _, err := s.routes.Find("late"); s.small && err == nil {
					return tui.Open("late") // the selected one is not on the screen
				}
				l, _ := s.overdue.Selected()
				return tui.Open(l.Route)
			},
		})
	}

	actions = append(actions, s.paneActions()...)
	for _, j := range s.entries {
		id := "home." + j.route
		if len(j.menu) > 0 {
			id = "home.corrections" // the route of its first job opens that job
		}
		actions = append(actions, tui.Action{ID: id, Key: j.digit, Label: j.label, NoFooter: true,
			Run: func() tea.Cmd { return s.open(j) }})
	}

	return append(actions, panel.ChooseLocation(s.site, s.Env), tui.Action{
		ID:       "home.reload",
		Key:      "ctrl+r",
		Label:    t.Get("refresh"),
		NoFooter: true,
		Run:      func() tea.Cmd { return s.loadCounts(true) },
	})
}

// open opens a job, or asks which of its menu to open.
func (s *screen) open(j menuEntry) tea.Cmd {
	var known []menuEntry
	for _, x := range j.menu {
		if _, _, err := s.routes.Find(x.route); err == nil {
			known = append(known, x)
		}
	}

	switch {
	case len(known) == 0 && j.filter != nil:
		return tui.Open(j.route + j.filter(s.site))
	case len(known) == 0:
		return tui.Open(j.route)
	}

	if len(known) == 1 {
		return tui.Open(known[0].route)
	}

	labels := make([]string, len(known))
	for i := range known {
		labels[i] = known[i].label
	}

	return tui.Choose(tui.Choice{Text: j.label, Options: labels, Numbered: true,
		OnChoice: func(i int) tea.Cmd { return tui.Open(known[i].route) }})
}

// digitRange returns the keys of the jobs for the footer: "0-9", or "0-7 9" without 8.
func digitRange(entries []menuEntry) string {
	var runs []string
	list := slices.SortedFunc(
		slices.Values(entries),
		func(a, b menuEntry) int { return strings.Compare(a.digit, b.digit) },
	)
	for i := 0; i < len(list); {
		last := i
		for last+1 < len(list) && list[last+1].digit[0] == list[last].digit[0]+1 {
			last++
		}

		run := list[i].digit
		if last > i {
			run += "-" + list[last].digit
		}

		runs = append(runs, run)
		i = last + 1
	}

	return strings.Join(runs, " ")
}

// resume asks which draft to continue.
func (s *screen) resume() tea.Cmd {
	t := s.T

	options := make([]string, len(s.unsent))
	for i, u := range s.unsent {
		saved := u.Name
		if saved == u.Route {
			saved = ""
		}

		options[i] = names.Draft(t, u.Route, saved)
		switch {
		case u.AwaitingAnswer:
			options[i] += "   " + t.Get("sent, no answer yet")
		case u.Lines > 0:
			options[i] += "   " + t.Get("%s of %s lines counted", t.Count(int64(u.Counted)), t.Count(int64(u.Lines)))
		case u.Pieces > 0:
			options[i] += "   " + t.Get("%s counted", t.Count(u.Pieces))
		}

		if u.From != "" {
			options[i] += "   " + t.Get("from %s", widget.Clean(u.From))
		}
		if u.Owner != "" && u.Owner != s.Operator {
			options[i] = widget.Clean(u.Owner) + ": " + options[i]
		}
	}

	list := s.unsent

	return tui.Choose(tui.Choice{Text: t.Get("Continue which draft?"), Options: options,
		OnChoice: func(i int) tea.Cmd { return tui.OpenDraft(list[i].Route, list[i].Owner) }})
}
