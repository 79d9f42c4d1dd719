package watchlist

import (
	"context"
	"fmt"
	"strings"
	"time"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/export"
	"bincard/views/listscreen"
	"bincard/views/session"

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
	load          func(ctx context.Context, at session.Location, days int, now time.Time) (rows []T, more bool, err error)
	key           func(row T) string
	text          func(row T) string // for search
	detail        func(row T) string // what narrow screens have no column for
	columns       func(env tui.Env, size tui.Size, at session.Location) []widget.Column[T]
	rowRoute      func(row T, at session.Location) string
	exportColumns []export.Column[T]
	empty         func(at session.Location, days int) string
}

// scope is the part of the stock that a list covers.
type scope struct {
	site *session.Site
	all  bool // all locations
	days int  // days ahead
}

// location returns the location shown, or zero for all.
func (s *scope) location() session.Location {
	if s.all {
		return session.Location{}
	}
	return s.site.Location()
}

// newScope returns the scope that the route asks for.
func newScope(env tui.Env, site *session.Site, days int) *scope {
	s := &scope{site: site, days: days, all: env.Route.Query.Get("place") == "all" || !site.Location().IsSet()}
	if text := env.Route.Query.Get("days"); text != "" && days > 0 {
		if _, err := fmt.Sscan(text, &s.days); err != nil || s.days < 0 {
			s.days = days
		}
	}
	return s
}

func list[T any](site *session.Site, make func(t *i18n.Translator) kind[T]) tui.Factory {
	return listscreen.New(site, func(s *listscreen.Screen[T]) listscreen.Kind[T] {
		k := make(s.T())
		scope := newScope(s.Env, site, k.days)

		return listscreen.Kind[T]{
			Texts: func() listscreen.Texts {
				at := scope.location()
				parts := []string{k.title, locationText(s.T(), at)}
				if k.days > 0 {
					parts = append(parts, withinText(s.T(), scope.days))
				}
				return listscreen.Texts{Title: widget.Clean(strings.Join(parts, " › ")), ShortTitle: k.title,
					Question: k.question, ShortQuestion: k.shortQuestion, Noun: k.noun, Empty: k.empty(at, scope.days)}
			},
			Key: k.key,
			Load: func() func(ctx context.Context) ([]T, bool, error) {
				at, days, now := scope.location(), scope.days, s.Env.Now()
				return func(ctx context.Context) ([]T, bool, error) { return k.load(ctx, at, days, now) }
			},
			Columns:    func(size tui.Size) []widget.Column[T] { return k.columns(s.Env, size, scope.location()) },
			Open:       tui.Action{ID: k.route + ".open", Label: k.open, Help: k.help},
			OpenRow:    func(row *T) tea.Cmd { return tui.Open(k.rowRoute(*row, scope.location())) },
			FilterText: k.text,
			Detail:     k.detail,
			Actions:    func() []tui.Action { return actions(s, k, scope) },
			Scan:       s.Resolve,
			Export:     &listscreen.Export[T]{Name: k.route, Columns: k.exportColumns},
		}
	})
}

func locationText(t *i18n.Translator, at session.Location) string {
	if !at.IsSet() {
		return t.Get("everywhere")
	}
	return t.Get("at %s", at.Code)
}

// withinText describes the days ahead: "within 30 days".
func withinText(t *i18n.Translator, days int) string {
	if days == 0 {
		return t.Get("at any time")
	}
	return t.Get("within %d days", days)
}
