package watchlist

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/scan"
	"bincard/tui/widget"
	"bincard/views/dock"
	"bincard/views/export"

	tea "github.com/charmbracelet/bubbletea"
)

// kind holds what differs between the lists.
type kind[T any] struct {
	route, title, noun      string
	question, shortQuestion string
	open                    string // label of enter
	help                    string
	days                    int // default days ahead; 0 if the list has no days
	// load reads the rows in order; the zero location means everywhere.
	load          func(ctx context.Context, site *dock.Site, at dock.Location, days int, now time.Time) (rows []T, more bool, err error)
	key           func(row T) string
	text          func(row T) string // for search
	detail        func(row T) string // what narrow screens have no column for
	columns       func(env tui.Env, size tui.Size, at dock.Location) []widget.Column[T]
	rowRoute      func(row T, at dock.Location) string
	exportColumns []export.Column[T]
	empty         func(at dock.Location, days int) string
}

// screen is one list.
type screen[T any] struct {
	kind[T]
	env        tui.Env
	site       *dock.Site
	panel      dock.ListPanel[T]
	exporter   export.Exporter
	all        bool // all locations
	withinDays int  // days ahead
	finding    bool
}

type foundMsg struct {
	destinations []dock.Destination
	err          error
}

func list[T any](site *dock.Site, make func(t *i18n.Translator) kind[T]) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		k := make(env.T)
		s := &screen[T]{kind: k, site: site, env: env, withinDays: k.days, all: env.Route.Query.Get("location") == "all" || !site.Location().IsSet()}
		if text := env.Route.Query.Get("days"); text != "" && k.days > 0 {
			if _, err := fmt.Sscan(text, &s.withinDays); err != nil || s.withinDays < 0 {
				s.withinDays = k.days
			}
		}
		return s, nil
	}
}

func (s *screen[T]) Init(env tui.Env) tea.Cmd {
	s.env = env
	s.exporter.Init(env, s.site)
	s.panel = dock.ListPanel[T]{Question: s.question, ShortQuestion: s.shortQuestion, Noun: s.noun, FilterText: s.text, Detail: s.detail, List: widget.NewList(s.key),
		Load: func(ctx context.Context) ([]T, bool, error) {
			return s.load(ctx, s.site, s.location(), s.withinDays, s.env.Now())
		}}
	return s.panel.Init(env)
}

// location returns the location shown, or zero for all.
func (s *screen[T]) location() dock.Location {
	if s.all {
		return dock.Location{}
	}
	return s.site.Location()
}

func locationText(t *i18n.Translator, at dock.Location) string {
	if !at.IsSet() {
		return t.Get("everywhere")
	}
	return t.Get("at %s", at.Code)
}

func (s *screen[T]) Title() string {
	parts := []string{s.title, locationText(s.env.T, s.location())}
	if s.days > 0 {
		parts = append(parts, withinText(s.env.T, s.withinDays))
	}
	return widget.Clean(strings.Join(parts, " › "))
}

// withinText describes the days ahead: "within 30 days".
func withinText(t *i18n.Translator, days int) string {
	if days == 0 {
		return t.Get("at any time")
	}
	return t.Get("within %d days", days)
}

func (s *screen[T]) ShortTitle() string           { return s.title }
func (s *screen[T]) AcceptsKey(k tea.KeyMsg) bool { return s.panel.AcceptsKey(k) }
func (s *screen[T]) Refresh() tea.Cmd             { return s.panel.Reload() }
func (s *screen[T]) Busy() bool                   { return s.finding }
func (s *screen[T]) CanLeave() (bool, string) {
	return s.exporter.CanLeave()
}

// OnScan opens what was scanned.
func (s *screen[T]) OnScan(got scan.Scan) tea.Cmd {
	s.finding = true
	r := dock.ParseLabel(s.env.T, got)
	return s.env.Do(func(ctx context.Context) tea.Msg {
		destinations, err := s.site.Resolve(ctx, r)
		return foundMsg{destinations, err}
	})
}

func (s *screen[T]) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	if found, ok := msg.(foundMsg); ok {
		s.finding = false
		if found.err != nil {
			return s, tui.Fail(errors.New(dock.UserMessage(s.env.T, found.err)))
		}
		return s, dock.Navigate(s.site, found.destinations)
	}
	if cmd, handled := s.exporter.Update(msg); handled {
		return s, cmd
	}
	cmd, _ := s.panel.Update(msg)
	return s, cmd
}

func (s *screen[T]) Actions() []tui.Action {
	t := s.env.T

	exportActions := s.exporter.Actions(s.emptyText, func() export.Content {
		return export.Content{Name: s.route, Source: export.FromRows(s.exportColumns, s.panel.List.Rows())}
	})
	actions := []tui.Action{{ID: s.route + ".open", Keys: []string{"enter"}, Label: s.open, Help: s.help, Disabled: s.emptyText, Run: func() tea.Cmd {
		row, _ := s.panel.Selected()
		return tui.Open(s.rowRoute(row, s.location()))
	}}}
	if s.days > 0 {
		actions = append(actions, tui.Action{ID: s.route + ".days", Keys: []string{"f4"}, Label: t.Get("days"), Help: t.Get("Choose how far to look ahead"), Run: s.chooseDays})
	}
	if s.exporter.Active() {
		actions = append(exportActions, actions...)
	} else {
		actions = append(actions, exportActions...)
	}
	other := t.Get("all locations")
	if s.all {
		other = t.Get("only %s", s.site.Location().Code)
	}
	actions = append(actions, tui.Action{ID: s.route + ".location", Keys: []string{"f6"}, Label: other, Short: t.Get("all"), Help: t.Get("Show this location or all locations"),
		Disabled: func() string {
			if s.all && !s.site.Location().IsSet() {
				return t.Get("No location selected. Scan one")
			}
			return ""
		}, Run: func() tea.Cmd { s.all = !s.all; return s.reload() }},
		tui.Action{ID: s.route + ".copy", Keys: []string{"ctrl+y"}, Label: t.Get("copy row"), NoFooter: true, Disabled: s.emptyText, Run: s.copyRow},
		tui.Action{ID: s.route + ".refresh", Keys: []string{"f5"}, Label: t.Get("refresh"), Help: t.Get("Refresh the list"), NoFooter: true, Run: s.reload})
	return append(actions, s.panel.Actions()...)
}

// reload reloads the list without the cache.
func (s *screen[T]) reload() tea.Cmd {
	s.site.Invalidate(s.route)
	return s.panel.Reload()
}

func (s *screen[T]) emptyText() string {
	why := s.panel.EmptyText()
	if why != "" && s.panel.Loaded() {
		return s.env.T.Get("There is no row to select")
	}
	return why
}

func (s *screen[T]) chooseDays() tea.Cmd {
	t := s.env.T

	choices := []int{7, 30, 90, 365, 0}
	var options []string
	for _, n := range choices {
		if n == 0 {
			options = append(options, t.Get("any time"))
		} else {
			options = append(options, t.GetC("%d days", "watchlist", n))
		}
	}
	return tui.Choose(tui.Choice{Text: t.Get("Lots that expire within"), Options: options, OnChoice: func(i int) tea.Cmd { s.withinDays = choices[i]; return s.panel.Reload() }})
}

func (s *screen[T]) copyRow() tea.Cmd {
	row, _ := s.panel.Selected()
	cells := make([]string, len(s.exportColumns))
	for i, c := range s.exportColumns {
		cells[i] = c.Value(&row)
	}
	return tui.Copy(strings.Join(cells, "\t"))
}

func (s *screen[T]) View(size tui.Size) string {
	s.panel.List.Columns = s.columns(s.env, size, s.location())
	s.panel.List.EmptyText = s.empty(s.location(), s.withinDays)
	if file := s.exporter.Status(s.env.Theme, size.Width-2); file != "" {
		size.Height--
		return s.panel.View(size) + "\n" + file
	}
	return s.panel.View(size)
}
