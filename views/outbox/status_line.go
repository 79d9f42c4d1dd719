package outbox

import (
	"fmt"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/session"
)

// reloadInterval is the age at which screens reload what has not changed.
const reloadInterval = 15 * time.Second

// statusLine renders the sync status and the counts of the work in at most width
// cells.
func statusLine(t *i18n.Translator, th widget.Theme, st *api.Sync, now time.Time, width int) string {
	if st == nil {
		return ""
	}

	line := th.Strong.Render(t.Get("ONLINE"))
	if st.State != api.SyncOnline {
		line = th.Warning.Render(t.Get("OFFLINE"))
		if st.State != api.SyncOffline {
			line = ""
		}
	}

	parts := []string{line}
	if since := sinceText(t, st, now); since != "" {
		parts = append(parts, th.Muted.Render(since))
	}
	if n := st.ToDecide(); n > 0 {
		parts = append(parts, th.Refused(t.Get("%s to decide", t.Count(n))))
	}

	parts = append(parts, th.Pending(t.Get("%s pending", t.Count(st.Waiting))))
	if st.Sent > 0 {
		parts = append(parts, th.Unconfirmed(t.Get("%s awaiting answer", t.Count(st.Sent))))
	}

	age := th.Muted.Render(ageText(t, st, now))
	line = strings.TrimLeft(strings.Join(append(parts, age), "   "), " ")
	if widget.Width(line) > width && st.State == api.SyncOffline { // the age of the data says more than since when
		line = strings.Join(append([]string{parts[0]}, append(parts[2:], age)...), "   ")
	}

	return widget.Clip(line, width)
}

// sinceText says since when the node is offline, or why it does not sync.
func sinceText(t *i18n.Translator, st *api.Sync, now time.Time) string {
	switch {
	case st.State == api.SyncOnline:
		return ""
	case st.State == api.SyncOffline && st.Heard == nil:
		return t.Get("not connected yet")
	case st.State == api.SyncOffline:
		return t.Get("since %s", t.TimeOrDay(*st.Heard, now))
	case st.State == api.SyncQuota && st.Next != nil:
		return t.Get("Monthly quota used up. Sync resumes %s.", t.TimeOrDay(*st.Next, now))
	case st.State == api.SyncForeign && st.Why != nil:
		return t.Message(st.Why.Message)
	case st.State == api.SyncDenied && st.Why != nil && st.Next != nil:
		return t.Get("Key rejected, next try %s: %s", t.TimeOrDay(*st.Next, now), t.Message(st.Why.Message))
	case st.State == api.SyncDenied && st.Why != nil:
		return t.Get("Key rejected: %s", t.Message(st.Why.Message))
	}

	return ""
}

// ageText says from when the data is.
func ageText(t *i18n.Translator, st *api.Sync, now time.Time) string {
	if st.Read == nil {
		return t.Get("no data yet")
	}
	return t.Get("data from %s", t.TimeOrDay(*st.Read, now))
}

// problems renders the worries in lines.
func problems(t widget.Theme, site *session.Site, width int) (lines []string) {
	for _, text := range worries(site) {
		for _, line := range widget.Wrap(widget.Clean(text), width-2) {
			lines = append(lines, t.Warn(line))
		}
	}

	return lines
}

// worries returns the node's troubles and a warning about a wrong clock.
func worries(site *session.Site) (texts []string) {
	if st := site.SyncStatus(); st != nil {
		for _, text := range st.Troubles {
			texts = append(texts, site.T().Message(text))
		}
	}

	if warning := site.ClockWords(false); warning != "" {
		texts = append(texts, warning)
	}

	return texts
}

// statusKeyOf returns a key that changes when the list shows something else.
func statusKeyOf(st *api.Sync) string {
	if st == nil {
		return ""
	}
	var newest time.Time
	if st.Read != nil {
		newest = *st.Read
	}
	return fmt.Sprint(st.State, st.Waiting, st.Sent, st.Refused, st.Held, st.Oldest, newest)
}

// outdated reports whether what was loaded with a status key has changed, or is old.
func outdated(site *session.Site, statusKey string, age time.Duration) bool {
	return statusKeyOf(site.SyncStatus()) != statusKey || age >= reloadInterval
}
