package watchlist

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/widget"
	"bincard/views/dock"
	"bincard/views/export"

	tea "github.com/charmbracelet/bubbletea"
)

// kind is what makes one list different from another.
type kind[T any] struct {
	route, title, noun string
	ask, short         string
	open               string // what enter does, in a word
	help               string
	days               int // looked ahead; 0 where the list knows no days
	// load reads the rows in their order; the zero place is everywhere.
	load    func(ctx context.Context, site *dock.Site, at dock.Place, days int, now time.Time) (rows []T, more bool, err error)
	key     func(row T) string
	text    func(row T) string // what is searched
	aside   func(row T) string // what a wrist has no column for
	columns func(env tui.Env, size tui.Size, at dock.Place) []widget.Column[T]
	opens   func(row T, at dock.Place) string
	sheet   []export.Column[T]
	empty   func(at dock.Place, days int) string
}

// screen is one list.
type screen[T any] struct {
	kind[T]
	env     tui.Env
	site    *dock.Site
	board   dock.Board[T]
	desk    export.Desk
	all     bool // places, not here alone
	within  int  // days
	finding bool
}

type foundMsg struct {
	targets []dock.Target
	err     error
}

func list[T any](site *dock.Site, k kind[T]) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		s := &screen[T]{kind: k, site: site, within: k.days, all: env.Route.Query.Get("place") == "all" || !site.Place().Chosen()}
		if text := env.Route.Query.Get("days"); text != "" && k.days > 0 {
			if _, err := fmt.Sscan(text, &s.within); err != nil || s.within < 0 {
				s.within = k.days
			}
		}
		return s, nil
	}
}

func (s *screen[T]) Init(env tui.Env) tea.Cmd {
	s.env = env
	s.desk.Open(env, s.site)
	s.board = dock.Board[T]{Ask: s.ask, Short: s.short, Noun: s.noun, Text: s.text, Aside: s.aside, List: widget.NewList(s.key),
		Load: func(ctx context.Context) ([]T, bool, error) {
			return s.load(ctx, s.site, s.at(), s.within, s.env.Now())
		}}
	return s.board.Init(env)
}

// at is the place shown, zero for everywhere.
func (s *screen[T]) at() dock.Place {
	if s.all {
		return dock.Place{}
	}
	return s.site.Place()
}

func where(at dock.Place) string {
	if !at.Chosen() {
		return everywhere
	}
	return fmt.Sprintf(here, at.Code)
}

func (s *screen[T]) Title() string {
	parts := []string{s.title, where(s.at())}
	if s.days > 0 {
		parts = append(parts, ahead(s.within))
	}
	return widget.Clean(strings.Join(parts, " › "))
}

// ahead says how far is looked: "within 30 days".
func ahead(days int) string {
	if days == 0 {
		return whenever
	}
	return fmt.Sprintf(withinDays, days)
}

func (s *screen[T]) ShortTitle() string           { return s.title }
func (s *screen[T]) AcceptsKey(k tea.KeyMsg) bool { return s.board.AcceptsKey(k) }
func (s *screen[T]) Refresh() tea.Cmd             { return s.board.Reload() }
func (s *screen[T]) Busy() bool                   { return s.finding }
func (s *screen[T]) CanLeave() (bool, string) {
	return s.desk.CanLeave()
}

// OnScan goes to whatever was scanned.
func (s *screen[T]) OnScan(got scan.Scan) tea.Cmd {
	s.finding = true
	r := dock.Read(got)
	return s.env.Do(func(ctx context.Context) tea.Msg {
		targets, err := s.site.Resolve(ctx, r)
		return foundMsg{targets, err}
	})
}

func (s *screen[T]) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	if found, ok := msg.(foundMsg); ok {
		s.finding = false
		if found.err != nil {
			return s, tui.Fail(errors.New(dock.Words(found.err)))
		}
		return s, dock.Follow(s.site, found.targets)
	}
	if cmd, mine := s.desk.Take(msg); mine {
		return s, cmd
	}
	cmd, _ := s.board.Update(msg)
	return s, cmd
}

func (s *screen[T]) Actions() []tui.Action {
	desk := s.desk.Actions(s.none, func() export.What {
		return export.What{Name: s.route, Source: export.Rows(s.sheet, s.board.List.Rows())}
	})
	actions := []tui.Action{{ID: s.route + ".open", Keys: []string{"enter"}, Label: s.open, Help: s.help, Disabled: s.none, Run: func() tea.Cmd {
		row, _ := s.board.Chosen()
		return tui.Open(s.opens(row, s.at()))
	}}}
	if s.days > 0 {
		actions = append(actions, tui.Action{ID: s.route + ".days", Keys: []string{"f4"}, Label: labelDays, Help: helpDays, Run: s.chooseDays})
	}
	if s.desk.Under() {
		actions = append(desk, actions...)
	} else {
		actions = append(actions, desk...)
	}
	other := allPlaces
	if s.all {
		other = fmt.Sprintf(onlyHere, s.site.Place().Code)
	}
	actions = append(actions, tui.Action{ID: s.route + ".place", Keys: []string{"f6"}, Label: other, Short: allShort, Help: helpPlaces,
		Disabled: func() string {
			if s.all && !s.site.Place().Chosen() {
				return noPlaceYet
			}
			return ""
		}, Run: func() tea.Cmd { s.all = !s.all; return s.again() }},
		tui.Action{ID: s.route + ".copy", Keys: []string{"ctrl+y"}, Label: labelCopyRow, NoFooter: true, Disabled: s.none, Run: s.copyRow},
		tui.Action{ID: s.route + ".refresh", Keys: []string{"f5"}, Label: labelRefresh, Help: helpRefresh, NoFooter: true, Run: s.again})
	return append(actions, s.board.Actions()...)
}

// again reads anew, not what is remembered.
func (s *screen[T]) again() tea.Cmd {
	s.site.Outdate(s.route)
	return s.board.Reload()
}

func (s *screen[T]) none() string {
	why := s.board.None()
	if why != "" && s.board.Loaded() {
		return nothingThere
	}
	return why
}

func (s *screen[T]) chooseDays() tea.Cmd {
	choices := []int{7, 30, 90, 365, 0}
	var options []string
	for _, n := range choices {
		if n == 0 {
			options = append(options, optionAll)
		} else {
			options = append(options, fmt.Sprintf(optionDays, n))
		}
	}
	return tui.Choose(tui.Choice{Text: askDays, Options: options, OnChoice: func(i int) tea.Cmd { s.within = choices[i]; return s.board.Reload() }})
}

func (s *screen[T]) copyRow() tea.Cmd {
	row, _ := s.board.Chosen()
	cells := make([]string, len(s.sheet))
	for i, c := range s.sheet {
		cells[i] = c.Of(&row)
	}
	return tui.Copy(strings.Join(cells, "\t"))
}

func (s *screen[T]) View(size tui.Size) string {
	s.board.List.Columns = s.columns(s.env, size, s.at())
	s.board.List.EmptyText = s.empty(s.at(), s.within)
	if file := s.desk.Status(s.env.Theme, size.Width-2); file != "" {
		size.Height--
		return s.board.View(size) + "\n" + file
	}
	return s.board.View(size)
}
