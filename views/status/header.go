package status

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/session"
)

// Header returns the shell's header: location, operator and connection.
func (m *Monitor) Header(site *session.Site) tui.Status {
	m.mu.Lock()
	defer m.mu.Unlock()
	s, t := m.status, m.Translator
	s.Location = site.Location().String()
	switch {
	case !m.lostSince.IsZero():
		if st := site.SyncStatus(); st != nil { // pending work remains pending
			setSync(m.Translator, &s, st, m.Now())
		}
		s.Connection, s.Short, s.Offline = t.Get("OFFLINE")+" "+formatSpan(m.Now().Sub(m.lostSince)), "", true
	case site.SyncStatus() != nil:
		setSync(m.Translator, &s, site.SyncStatus(), m.Now())
	case !m.Remote:
		s.Connection = t.GetC("LOCAL", "status")
	case !m.silentSince.IsZero():
		s.Connection, s.Offline = t.Get("OFFLINE")+" "+formatAge(m.Now().Sub(m.silentSince)), true
	case m.lastAnswer.IsZero():
		s.Connection = t.Get("CONNECTING")
	default:
		s.Connection = t.Get("ONLINE") + " " + formatAge(m.Now().Sub(m.lastAnswer))
	}

	return s
}

// setSync sets the header's connection and pending counts from a node's sync status.
// If something blocks the queue, it is shown instead of the connection. An alarm that does
// not block it is shown before the connection.
func setSync(t *i18n.Translator, s *tui.Status, st *api.Sync, now time.Time) {
	s.Pending, s.Refused, s.Offline = int(st.Waiting), int(st.ToDecide()), true
	since := func(word string, at *time.Time) {
		if s.Connection = word; at != nil {
			s.Connection += " " + formatSpan(now.Sub(*at))
		}
	}

	switch {
	case st.State == api.SyncDenied:
		s.Connection = t.Get("DENIED")
	case st.State == api.SyncForeign && st.Why != nil:
		s.Connection, s.Short = t.Get("NO SERVICE (%s)", fmt.Sprint(st.Why.Details["status"])), t.Get("FOREIGN")
	case st.State == api.SyncForeign:
		s.Connection, s.Short = t.Get("NO SERVICE"), t.Get("FOREIGN")
	case slices.Contains(st.Alarms, api.AlarmDisk):
		s.Connection, s.Short = t.Get("DISK FULL"), t.GetC("DISK", "status")
	case st.State == api.SyncOffline && st.Heard == nil:
		since(t.Get("OFFLINE"), st.Read)
	case st.State == api.SyncOffline:
		since(t.Get("OFFLINE"), st.Heard)
	case slices.Contains(st.Alarms, api.AlarmCopy):
		s.Connection, s.Short = t.Get("IN USE TWICE"), t.Get("COPIED")
	case st.State == api.SyncQuota && st.Next != nil:
		s.Connection = t.Get("QUOTA until %s", st.Next.Local().Format("15:04"))
	case st.State == api.SyncQuota:
		s.Connection = t.Get("QUOTA")
	case st.Waiting > 0 && slices.Contains(st.Alarms, api.AlarmLate):
		since(t.Get("STUCK"), st.Oldest)
	default:
		s.Connection, s.Offline = t.Get("ONLINE"), false
		if st.Heard != nil {
			s.Connection += " " + formatAge(now.Sub(*st.Heard))
		}
	}

	addAlarm(t, s, st)
}

// addAlarm adds the most urgent alarm that does not block the queue. A small terminal has
// room for one word: damage, which may be lost work, or else that there is no connection.
func addAlarm(t *i18n.Translator, s *tui.Status, st *api.Sync) {
	word := ""
	switch {
	case slices.Contains(st.Alarms, api.AlarmDamage):
		word = t.GetC("DAMAGE", "status")
	case slices.Contains(st.Alarms, api.AlarmMirror):
		word = t.GetC("MIRROR", "status")
	case slices.Contains(st.Alarms, api.AlarmClock):
		word = t.GetC("CLOCK", "status")
	default:
		return
	}

	switch {
	case !s.Offline, s.Short == "" && slices.Contains(st.Alarms, api.AlarmDamage):
		s.Short = word
	case s.Short == "":
		s.Short, _, _ = strings.Cut(s.Connection, " ")
	}

	s.Connection, s.Offline = word+" · "+s.Connection, true
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

// notice returns what the operator must know about a change of the sync status,
// or "".
func notice(t *i18n.Translator, before, now *api.Sync) string {
	if now == nil {
		return ""
	}
	if before == nil {
		before = &api.Sync{}
	}

	fresh := func(a api.SyncAlarm) bool {
		return slices.Contains(now.Alarms, a) && !slices.Contains(before.Alarms, a)
	}
	switch more := now.ToDecide() - before.ToDecide(); {
	case fresh(api.AlarmDamage):
		return t.Get("Some saved entries cannot be read. See Sync.")
	case fresh(api.AlarmCopy):
		return session.AlarmText(t, now, api.AlarmCopy, time.Time{})
	case fresh(api.AlarmKey):
		return t.Get("The service rejected the key. Entries are saved but not sent.")
	case more > 0:
		return t.Get("Decisions needed in Sync: %s.", t.Count(more))
	case fresh(api.AlarmDisk):
		return session.AlarmText(t, now, api.AlarmDisk, time.Time{})
	case fresh(api.AlarmForeign):
		return session.AlarmText(t, now, api.AlarmForeign, time.Time{})
	case fresh(api.AlarmStuck):
		return session.AlarmText(t, now, api.AlarmStuck, time.Time{})
	case now.State == api.SyncQuota && before.State != api.SyncQuota:
		return t.Get("Monthly quota used up. Entries are saved and sync later.")
	case fresh(api.AlarmLate):
		return t.Get("Entries have been waiting to sync for a long time. See Sync.")
	}

	return ""
}
