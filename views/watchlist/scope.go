package watchlist

import (
	"fmt"
	"strings"

	"bincard/tui/widget"
	"bincard/views/alerts"
	"bincard/views/listscreen"
	"bincard/views/session"
)

// The rows of the lists.
type (
	lowProduct   = alerts.LowProduct
	lateDocument = alerts.LateDocument
	expiringLot  = alerts.ExpiringLot
)

// scope is the part of the stock that a list covers.
type scope struct {
	*listscreen.Screen
	route   string // of the list
	hasDays bool   // the list covers a number of days
	days    int    // days ahead; 0 for any time
	all     bool   // all locations
}

// newScope returns the scope that the route of a screen asks for. days is the default
// number of days ahead, or 0 if the list has no days.
func newScope(screen *listscreen.Screen, route string, days int) *scope {
	query := screen.Route.Query
	s := &scope{
		Screen:  screen,
		route:   route,
		hasDays: days > 0,
		days:    days,
		all:     query.Get("location") == "all" || !screen.Site.Location().IsSet(),
	}

	if text := query.Get("days"); text != "" && s.hasDays {
		if _, err := fmt.Sscan(text, &s.days); err != nil || s.days < 0 {
			s.days = days
		}
	}

	return s
}

// location returns the location shown, or zero for all.
func (s *scope) location() session.Location {
	if s.all {
		return session.Location{}
	}
	return s.Site.Location()
}

// title adds the scope to the title of a list.
func (s *scope) title(list string) string {
	parts := []string{list, s.locationText()}
	if s.hasDays {
		parts = append(parts, s.withinText())
	}
	return widget.Clean(strings.Join(parts, " › "))
}

func (s *scope) locationText() string {
	at := s.location()
	if !at.IsSet() {
		return s.T.Get("everywhere")
	}
	return s.T.Get("at %s", at.Code)
}

// anywhereText is locationText after "no".
func (s *scope) anywhereText() string {
	if !s.location().IsSet() {
		return s.T.Get("anywhere")
	}
	return s.locationText()
}

// withinText describes the days ahead: "within 30 days".
func (s *scope) withinText() string {
	if s.days == 0 {
		return s.T.Get("at any time")
	}
	return s.T.Get("within %d days", s.days)
}
