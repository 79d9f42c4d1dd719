package home

import (
	"fmt"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui/theme"
	"bincard/tui/widget"
)

// pollInterval is how often home reads the sync status, which makes no request.
const pollInterval = time.Second

type pollMsg struct{}

func (s *screen) pollStatus() tea.Cmd {
	return s.env.After(pollInterval, func(time.Time) tea.Msg { return pollMsg{} })
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
	stamp := fmt.Sprint(st.State, st.Waiting, st.Refused, st.Held, timeOrDay(s.site.T(), st.Read, s.env.Now()))
	if stamp == s.syncStamp {
		return nil
	}
	s.syncStamp = stamp
	s.countLoaded(countMsg{route: "sync", counts: workCounts(s.site.T(), st, s.env.Now())})
	return nil
}

// alertLine returns the most urgent sync alert in one line, or "".
func (s *screen) alertLine(t theme.Theme, width int) string {
	words := s.alertText()
	if words == "" {
		return ""
	}
	return t.Warn(widget.Clip(words, width-2))
}

func (s *screen) alertText() string {
	t := s.site.T()

	st := s.site.SyncStatus()
	if st == nil || len(st.Alarms) == 0 {
		return s.site.ClockWords(false)
	}
	switch st.Alarms[0] {
	case api.AlarmKey:
		return t.Get("The service rejected the key, so nothing is sent. Press 8.")
	case api.AlarmDecision:
		return t.Get("Decisions needed in Sync: %s. Press 8.", t.Count(st.Refused+st.Held))
	case api.AlarmDamage:
		return t.Get("Some saved work cannot be read. Press 8.")
	case api.AlarmLate:
		if st.Oldest != nil {
			return t.Get("Work from %s has not synced yet. Press 8.", timeOrDay(t, st.Oldest, s.env.Now()))
		}
		return t.Get("Some work has been waiting to sync for a long time. Press 8.")
	}
	return ""
}
