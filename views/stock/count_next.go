package stock

import (
	"context"
	"slices"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/views/session"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// nextQuery marks the route of a count after which the next one is offered.
const nextQuery = "next"

// nextMsg carries the products to count next. After a count, it asks first.
type nextMsg struct {
	skus []string
	ask  bool
	err  error
}

// countNext finds the shelves and products that were not counted for the longest time. It
// leaves out what was counted in the last 24 hours.
func (s *countScreen) countNext(ask bool) tea.Cmd {
	s.lookingUp = true
	location, after := s.location.ID, s.Now().Add(-24*time.Hour)

	return s.Do(func(ctx context.Context) tea.Msg {
		m := nextMsg{ask: ask}
		list, err := session.Call(ctx, s.site, api.ListNextCounts, api.ListNextCountsInput{LocationID: location})
		m.err = err
		if err == nil {
			for _, c := range list.Items {
				if c.Product != nil && c.CountedAt.Before(after) {
					m.skus = append(m.skus, c.Product.SKU)
				}
			}
		}

		slices.Sort(m.skus)

		return m
	})
}

// nextFound opens the count of the products that were found.
func (s *countScreen) nextFound(m nextMsg) tea.Cmd {
	t := s.T
	s.lookingUp = false
	switch {
	case m.err != nil:
		return tui.Fail(t.NewError("What to count next is not known. %s", submit.UserMessage(t, m.err)))
	case len(m.skus) == 0 && m.ask:
		return nil
	case len(m.skus) == 0:
		return tui.Fail(t.NewError("Everything at %s was counted in the last 24 hours.", s.location.Code))
	}

	open := tui.Replace(session.CountRoute(s.location.Code, m.skus...) + "&" + nextQuery + "=1")
	if !m.ask {
		return open
	}

	return tui.Confirm(tui.Question{
		Text:  t.Get("%s. Count the next %s products?", s.lastResult, t.Count(int64(len(m.skus)))),
		Yes:   t.Get("count next"),
		No:    t.Get("not now"),
		OnYes: func() tea.Cmd { return open },
	})
}

// nextAction returns the action that counts what was not counted for the longest time.
func (s *countScreen) nextAction(done int) tui.Action {
	t := s.T

	return tui.Action{
		ID:       "count.next",
		Key:      "f3",
		Label:    t.Get("count next"),
		Short:    t.GetC("next", "count"),
		Help:     t.Get("Count the ten shelves or products whose count is the longest ago"),
		NoFooter: done > 0 || s.listed,
		Run:      func() tea.Cmd { return s.countNext(false) },
	}
}
