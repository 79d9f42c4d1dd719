package shell

import (
	"slices"

	"bincard/tui"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// sharePresence tells other terminals which documents are open here.
func (w *screens) sharePresence() {
	var open []tui.OpenWork
	for _, s := range w.list {
		if _, works := s.screen.(tui.DraftSaver); !works || !s.shared {
			continue
		}

		routes := []string{s.env.Route.Path}
		if r, ok := s.screen.(tui.Routed); ok {
			routes = append(routes, r.Routes()...)
		}

		slices.Sort(routes)
		for _, route := range slices.Compact(routes) {
			open = append(
				open,
				tui.OpenWork{Route: route, Person: s.env.Operator, Since: s.opened, Counted: s.hasDraft},
			)
		}
	}
	w.opts.Presence.SetOwn(open)
}

// openElsewhere returns who has a route open at another terminal.
func (w *screens) openElsewhere(route string) (work tui.OpenWork, ok bool) {
	others := w.opts.Presence.Others()
	i := slices.IndexFunc(others, func(o tui.OpenWork) bool { return o.On(route) })
	if i < 0 {
		return work, false
	}
	return others[i], true
}

// askShared asks whether to open what somebody has open at another terminal.
func (w *screens) askShared(o tui.OpenWork, msg tui.OpenMsg) tea.Cmd {
	t, person := w.t, widget.Clean(o.Person)
	text := t.Get("%s has this open at another terminal. Open it too?", person)
	age := t.Span(w.opts.screenClock().Now().Sub(o.Since))
	switch {
	case o.Pieces > 0 && o.Since.IsZero():
		text = t.Get("%s has counted %s here at another terminal. Open it too?", person, t.Count(o.Pieces))
	case o.Pieces > 0:
		text = t.Get("%s has counted %s here at another terminal in %s. Open it too?", person, t.Count(o.Pieces), age)
	}

	msg.Anyway = true

	return tui.Confirm(tui.Question{Text: text, Yes: t.GetC("open", "verb"), No: t.Get("keep as is"),
		OnYes: func() tea.Cmd { return func() tea.Msg { return msg } }})
}

// warnShared warns of who has opened the work of the screen on top at another terminal since.
func (w *screens) warnShared() tea.Cmd {
	s := w.top()
	if s == nil || !s.shared {
		return nil
	}

	o, ok := w.openElsewhere(s.env.Route.Path)
	before := s.sharedWith
	s.sharedWith = o.Person
	if !ok || o.Person == before {
		return nil
	}

	return w.alerts.warn(w.t.Get("%s has this open at another terminal, too.", widget.Clean(o.Person)))
}
