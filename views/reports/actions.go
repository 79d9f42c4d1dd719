package reports

import (
	"strings"
	"time"

	"bincard/tui"
	"bincard/tui/i18n"

	tea "github.com/charmbracelet/bubbletea"
)

func (s *screen) Actions() []tui.Action {
	t := s.T

	switch {
	case s.form != nil:
		return []tui.Action{
			{
				ID:  s.route + ".apply",
				Key: "ctrl+s", MoreKeys: []string{"f10"},
				Label: t.Get("show"),
				Help:  t.Get("Show the matching rows"),
				Run:   s.apply,
			},
			{ID: s.route + ".leave", Key: "esc", Label: t.Get("back"), Short: t.Get("back"),
				Run: func() tea.Cmd { s.form = nil; return nil }},
		}

	case s.totals.open:
		return append(s.totalActions(), s.exporter.Actions(nil, s.exportContent)...)
	}

	exportActions := s.exporter.Actions(s.unavailable, s.exportContent)
	explain := tui.Action{
		ID:       s.route + ".explain",
		Key:      "enter",
		Label:    t.Get("explain"),
		Help:     t.Get("Explain the balance of this row"),
		Disabled: s.unavailable,
		Run: func() tea.Cmd {
			row := s.pages.List.Selected()
			return tui.Open(s.open(s.filter, row))
		},
	}

	filters := tui.Action{
		ID:    s.route + ".filter",
		Key:   "f3",
		Label: t.Get("filter"),
		Help:  t.Get("Filter by product, location, operation, state, period, owner or channel"),
		Run: func() tea.Cmd {
			s.form = newForm(t, s.filter, s.balances, s.Now())
			return nil
		},
	}

	refresh := tui.Action{
		ID:       s.route + ".refresh",
		Key:      "f5",
		Label:    t.Get("refresh"),
		Help:     t.Get("Load the latest data"),
		NoFooter: s.pages.Err() == nil,
		Run:      s.pages.Retry,
	}

	totalsHelp := t.Get("Total all rows of the filter by operation, state, day, location, product, person or reason")
	if s.balances {
		totalsHelp = t.Get("Total all rows of the filter by state, location, product or owner")
	}

	totals := tui.Action{
		ID:       s.route + ".totals",
		Key:      "f8",
		Label:    t.Get("totals"),
		Short:    t.GetC("sum", "reports"),
		Help:     totalsHelp,
		Disabled: s.unavailable,
		Run:      s.totals.show,
	}

	actions := []tui.Action{explain, filters, totals}
	if s.exporter.Active() {
		actions = append(exportActions, actions...)
	} else {
		actions = append(actions, exportActions...)
	}

	if s.balances {
		actions = append(actions, tui.Action{
			ID:    s.route + ".asof",
			Key:   "f7",
			Label: t.Get("as of"),
			Help:  t.Get("Show the balances as of a date and time"),
			Run:   s.chooseInstant,
		})
	}

	actions = append(
		actions,
		refresh,
		tui.Action{
			ID:    s.route + ".saved",
			Key:   "ctrl+o",
			Label: t.Get("saved"),
			Help:  t.Get("Saved filters: choose, save, share, rename, delete"),
			Run:   s.chooseSaved,
		},
		tui.Action{
			ID:    s.route + ".clear",
			Key:   "f4",
			Label: t.Get("clear filter"),
			Short: t.Get("clear"),
			Disabled: func() string {
				if s.filter == (filter{Days: s.days}) {
					return t.Get("There is no filter to clear")
				}
				return ""
			},
			Run: func() tea.Cmd { return s.reopen(filter{Days: s.days}) },
		},
		tui.Action{
			ID:       s.route + ".save",
			Key:      "ctrl+s",
			Label:    t.Get("save filter"),
			NoFooter: true,
			Run:      s.save,
		},
	)

	if s.documentRoute != nil {
		actions = append(actions, tui.Action{
			ID:       s.route + ".document",
			Key:      "f7",
			Label:    t.Get("document"),
			Short:    t.Get("document"),
			Help:     t.Get("Open the document of this movement"),
			Disabled: s.unavailable,
			Run:      s.openDocument,
		})
	}

	actions = append(actions, s.sortAction()...)

	return append(
		actions,
		// Update handles the arrow keys; this entry is for help.
		tui.Action{
			ID:       s.route + ".day",
			Key:      "left",
			Label:    t.Get("day"),
			NoFooter: true,
			Help:     t.Get("← previous day, → next day"),
			Run:      func() tea.Cmd { return s.key(tea.KeyMsg{Type: tea.KeyLeft}) },
		},
		tui.Action{
			ID:       s.route + ".copy",
			Key:      "ctrl+y",
			Label:    t.Get("copy row"),
			Help:     t.Get("Copy the selected row"),
			NoFooter: true,
			Disabled: s.unavailable,
			Run: func() tea.Cmd {
				row := s.pages.List.Selected()
				return tui.Copy(strings.Join(s.cells(row), "\t"))
			},
		},
	)
}

func (s *screen) unavailable() string {
	if s.pages.List.Len() == 0 {
		return s.T.Get("There is no row to select")
	}
	return ""
}

func (s *screen) openDocument() tea.Cmd {
	row := s.pages.List.Selected()
	route, operation := s.documentRoute(row)
	if route == "" {
		return tui.Warn(s.T.Get("No document: %s", operation))
	}
	return tui.Open(route)
}

// totalActions returns the actions while the totals are shown.
func (s *screen) totalActions() []tui.Action {
	t := &s.totals
	actions := []tui.Action{
		{
			ID:    s.route + ".narrow",
			Key:   "enter",
			Label: s.T.Get("show these"),
			Short: s.T.Get("show"),
			Help:  s.T.Get("Show only the rows of this line"),
			Disabled: func() string {
				if _, ok := t.selectedFilter(); !ok {
					return s.T.Get("This line cannot be used as a filter")
				}
				return ""
			},
			Run: func() tea.Cmd { f, _ := t.selectedFilter(); return s.reopen(f) },
		},
		// Update handles the arrow keys; this entry is for help.
		{
			ID:    s.route + ".turn",
			Key:   "right",
			Label: t.groupings[(t.current+1)%len(t.groupings)].title,
			Help:  s.T.Get("← → change the grouping"),
			Run:   func() tea.Cmd { t.switchGrouping(1); return nil },
		},
	}

	if !t.running && !t.done {
		actions = append(actions,
			tui.Action{ID: s.route + ".totals", Key: "f8", Label: s.T.Get("resume"), Run: t.show})
	}

	switch {
	case s.exporter.Active(): // esc belongs to the exporter
	case t.running:
		actions = append(actions,
			tui.Action{ID: s.route + ".stop", Key: "esc", Label: s.T.Get("stop"), Run: t.stop})
	default:
		actions = append(actions, tui.Action{
			ID:    s.route + ".rows",
			Key:   "esc",
			Label: s.T.Get("rows"),
			Help:  s.T.Get("Back to the rows"),
			Run:   func() tea.Cmd { t.open = false; return nil },
		})
	}

	return actions
}

// chooseInstant asks for the time of the snapshot.
func (s *screen) chooseInstant() tea.Cmd {
	t := s.T

	now := s.Now()
	today := startOfDay(now)
	week := today.AddDate(0, 0, -(int(today.Weekday())+6)%7) // Monday of this week
	month := today.AddDate(0, 0, 1-today.Day())
	year := time.Date(today.Year(), 1, 1, 0, 0, 0, 0, today.Location())
	options, ends := []string{t.Get("now")}, []string{""}
	for _, end := range []struct {
		words  string
		before time.Time
	}{{i18n.Text("yesterday, %s"), today}, {i18n.Text("end of last week, %s"), week}, {i18n.Text("end of last month, %s"), month}, {i18n.Text("end of last year, %s"), year}} {
		day := end.before.AddDate(0, 0, -1)
		options, ends = append(options, t.Get(end.words, t.Date(day))), append(ends, day.Format(time.DateOnly))
	}

	check := func(text string) error {
		_, err := filter{AsOf: text}.asOf(t, now)
		return err
	}
	set := func(text string) tea.Cmd {
		f := s.filter
		f.AsOf = normalizeTime(t, text, now)
		return s.reopen(f)
	}
	typed := func(text string) tea.Cmd {
		if err := check(text); err != nil {
			return tui.Fail(err)
		}
		return set(text)
	}

	return tui.Choose(tui.Choice{
		Text:    t.Get("Show stock as of which date?"),
		Options: append(options, t.Get("another time…")),
		OnText:  typed,
		OnChoice: func(i int) tea.Cmd {
			if i < len(ends) {
				return set(ends[i])
			}

			return tui.Prompt(tui.Request{
				Text:   t.Get("As of which date and time?"),
				Value:  now.Format(minute),
				Check:  check,
				OnText: set,
			})
		},
	})
}
