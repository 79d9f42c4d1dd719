package home

import (
	"context"
	"fmt"
	"time"

	"bincard/server/api"
	"bincard/tui/theme"
	"bincard/tui/widget"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

// lookEvery is how often home looks whether something else waits to be sent: it
// asks nobody.
const lookEvery = time.Second

type lookMsg struct{}

func (s *screen) look() tea.Cmd {
	return s.env.After(lookEvery, func(time.Time) tea.Msg { return lookMsg{} })
}

// stood takes what is known of the way to the service into the row of its job.
func (s *screen) stood() tea.Cmd {
	st := s.site.Stands()
	if st == nil {
		return nil
	}
	if s.stamp == "" {
		s.offer()
	}
	now := fmt.Sprint(st.State, st.Waiting, st.Refused, st.Held, clock(st.Read, s.env.Now()))
	if now == s.stamp {
		return nil
	}
	s.stamp = now
	s.counted(countMsg{route: "sync", tally: standing(st, s.env.Now())})
	return nil
}

// unsettled counts what is not in the service.
func unsettled(ctx context.Context, site *dock.Site, now time.Time) (tally, error) {
	st, err := site.Stand(ctx)
	if err != nil {
		return tally{}, err
	}
	return standing(&st, now), nil
}

func standing(st *api.Sync, now time.Time) tally {
	t := tally{number: widget.Count(st.Waiting), noun: toldDecide, late: st.Refused + st.Held}
	t.cells[0] = toldNothing
	if st.Waiting > 0 {
		t.cells[0] = fmt.Sprintf(toldWait, widget.Count(st.Waiting))
	}
	if st.State != api.SyncOnline && st.Read != nil {
		t.cells[1] = fmt.Sprintf(toldData, clock(st.Read, now))
	}
	return t
}

func clock(at *time.Time, now time.Time) string {
	switch {
	case at == nil:
		return ""
	case widget.Today(*at, now):
		return at.In(now.Location()).Format("15:04")
	}
	return widget.Day(*at, now)
}

// alarm is what a person must see to at the way to the service, in a line; ""
// where there is nothing.
func (s *screen) alarm(t theme.Theme, width int) string {
	words := s.alarmWords()
	if words == "" {
		return ""
	}
	return t.Warn(widget.Clip(words, width-2))
}

func (s *screen) alarmWords() string {
	st := s.site.Stands()
	if st == nil || len(st.Alarms) == 0 {
		return s.site.ClockWords(false)
	}
	switch st.Alarms[0] {
	case api.AlarmKey:
		return alarmKey
	case api.AlarmDecide:
		return fmt.Sprintf(alarmDecide, widget.Count(st.Refused+st.Held))
	case api.AlarmDamage:
		return alarmDamage
	case api.AlarmLate:
		if st.Oldest != nil {
			return fmt.Sprintf(alarmLateSince, clock(st.Oldest, s.env.Now()))
		}
		return alarmLate
	}
	return ""
}
