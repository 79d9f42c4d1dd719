package status

import (
	"fmt"
	"slices"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/views/session"
)

// Header returns the shell's header: location, operator and connection.
func (m *Monitor) Header(site *session.Site) tui.Status {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.status
	s.Location = site.Location().String()
	switch {
	case !m.lostSince.IsZero():
		if st := site.SyncStatus(); st != nil { // pending work remains pending
			setSync(&s, st, m.Now())
		}
		s.Connection, s.Offline = "OFFLINE "+formatSpan(m.Now().Sub(m.lostSince)), true
	case site.SyncStatus() != nil:
		setSync(&s, site.SyncStatus(), m.Now())
	case !m.Remote:
		s.Connection = "LOCAL"
	case !m.silentSince.IsZero():
		s.Connection, s.Offline = "OFFLINE "+formatAge(m.Now().Sub(m.silentSince)), true
	case m.lastAnswer.IsZero():
		s.Connection = "CONNECTING"
	default:
		s.Connection = "ONLINE " + formatAge(m.Now().Sub(m.lastAnswer))
	}
	return s
}

// setSync sets the header's connection and pending counts from a node's sync status.
// If something blocks the queue, it is shown instead of the connection.
func setSync(s *tui.Status, st *api.Sync, now time.Time) {
	s.Pending, s.Refused, s.Offline = int(st.Waiting), int(st.Refused+st.Held), true
	since := func(word string, at *time.Time) {
		if s.Connection = word; at != nil {
			s.Connection += " " + formatSpan(now.Sub(*at))
		}
	}
	switch {
	case st.State == api.SyncDenied:
		s.Connection = "DENIED"
	case st.State == api.SyncOffline && st.Heard == nil:
		since("OFFLINE", st.Read)
	case st.State == api.SyncOffline:
		since("OFFLINE", st.Heard)
	case st.State == api.SyncQuota && st.Next != nil:
		s.Connection = "QUOTA until " + st.Next.Local().Format("15:04")
	case st.State == api.SyncQuota:
		s.Connection = "QUOTA"
	case st.Waiting > 0 && slices.Contains(st.Alarms, api.AlarmLate):
		since("STUCK", st.Oldest)
	default:
		s.Connection, s.Offline = "ONLINE", false
		if st.Heard != nil {
			s.Connection += " " + formatAge(now.Sub(*st.Heard))
		}
	}
}

// formatSpan is formatAge with minutes after the hours: 3 h 12 m.
func formatSpan(d time.Duration) string {
	if d < time.Hour {
		return formatAge(d)
	}
	return fmt.Sprintf("%d h %d m", int(d.Hours()), int(d.Minutes())%60)
}

// formatAge formats a duration with its largest unit: 2s, 5m, 3h.
func formatAge(d time.Duration) string {
	d = max(0, d) // a clock may have been set back
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	}
	return fmt.Sprintf("%dh", int(d.Hours()))
}
