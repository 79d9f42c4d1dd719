package home

import (
	"fmt"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui/widget"
	"bincard/views/session"
)

// pollInterval is how often home reads the sync status, which makes no request.
const pollInterval = time.Second

type pollMsg struct{}

func (s *screen) pollStatus() tea.Cmd {
	return s.After(pollInterval, func(time.Time) tea.Msg { return pollMsg{} })
}

// showStatus updates the count of the sync job if the sync status changed.
func (s *screen) showStatus() tea.Cmd {
	st := s.site.SyncStatus()
	if st == nil {
		return nil
	}
	if s.syncStamp == "" {
		s.loadEntries()
	}

	stamp := fmt.Sprint(st.State, st.Waiting, st.Refused, st.Held, timeOrDay(s.T, st.Read, s.Now()))
	if stamp == s.syncStamp {
		return nil
	}

	s.syncStamp = stamp
	s.countLoaded(countMsg{route: "sync", counts: workCounts(s.T, st, s.Now())})

	return nil
}

// alertLine returns the most urgent sync alert in one line, or "".
func (s *screen) alertLine(t widget.Theme, width int) string {
	words := s.alertText()
	if words == "" {
		return ""
	}
	return t.Warn(widget.Clip(words, width-2))
}

func (s *screen) alertText() string {
	t := s.T

	st := s.site.SyncStatus()
	if st == nil || len(st.Alarms) == 0 {
		return s.site.ClockWords(false)
	}
	if st.Alarms[0] == api.AlarmClock {
		return s.site.ClockWords(false)
	}

	return session.AlarmText(t, st, st.Alarms[0], s.Now()) + " " + t.Get("Press 8.")
}
