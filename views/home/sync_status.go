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

// pollInterval is how often home looks whether something else waits to be sent: it
// asks nobody.
const pollInterval = time.Second

type pollMsg struct{}

func (s *screen) pollStatus() tea.Cmd {
	return s.env.After(pollInterval, func(time.Time) tea.Msg { return pollMsg{} })
}

// showStatus takes what is known of the way to the service into the row of its job.
func (s *screen) showStatus() tea.Cmd {
	st := s.site.SyncStatus()
	if st == nil {
		return nil
	}
	if s.syncStamp == "" {
		s.loadEntries()
	}
	now := fmt.Sprint(st.State, st.Waiting, st.Refused, st.Held, timeOrDay(st.Read, s.env.Now()))
	if now == s.syncStamp {
		return nil
	}
	s.syncStamp = now
	s.countLoaded(countMsg{route: "sync", counts: workCounts(st, s.env.Now())})
	return nil
}

// countWork counts what is not in the service.
func countWork(ctx context.Context, site *dock.Site, now time.Time) (counts, error) {
	st, err := site.FetchSyncStatus(ctx)
	if err != nil {
		return counts{}, err
	}
	return workCounts(&st, now), nil
}

func workCounts(st *api.Sync, now time.Time) counts {
	t := counts{number: widget.Count(st.Waiting), noun: toldDecide, late: st.Refused + st.Held}
	t.cells[0] = toldNothing
	if st.Waiting > 0 {
		t.cells[0] = fmt.Sprintf(toldWait, widget.Count(st.Waiting))
	}
	if st.State != api.SyncOnline && st.Read != nil {
		t.cells[1] = fmt.Sprintf(toldData, timeOrDay(st.Read, now))
	}
	return t
}

func timeOrDay(at *time.Time, now time.Time) string {
	switch {
	case at == nil:
		return ""
	case widget.Today(*at, now):
		return at.In(now.Location()).Format("15:04")
	}
	return widget.Day(*at, now)
}

// alertLine is what a person must see to at the way to the service, in a line; ""
// where there is nothing.
func (s *screen) alertLine(t theme.Theme, width int) string {
	words := s.alarmWords()
	if words == "" {
		return ""
	}
	return t.Warn(widget.Clip(words, width-2))
}

func (s *screen) alarmWords() string {
	st := s.site.SyncStatus()
	if st == nil || len(st.Alarms) == 0 {
		return s.site.ClockWords(false)
	}
	switch st.Alarms[0] {
	case api.AlarmKey:
		return alarmKey
	case api.AlarmDecision:
		return fmt.Sprintf(alarmDecide, widget.Count(st.Refused+st.Held))
	case api.AlarmDamage:
		return alarmDamage
	case api.AlarmLate:
		if st.Oldest != nil {
			return fmt.Sprintf(alarmLateSince, timeOrDay(st.Oldest, s.env.Now()))
		}
		return alarmLate
	}
	return ""
}
