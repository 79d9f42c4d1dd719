package sync

import (
	"fmt"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui/theme"
	"bincard/tui/widget"
	"bincard/views/dock"
)

// statusLine is how the line is and what waits, in at most width cells.
func statusLine(t theme.Theme, st *api.Sync, now time.Time, width int) string {
	if st == nil {
		return ""
	}
	line := t.Strong.Render(lineOnline)
	if st.State != api.SyncOnline {
		line = t.Warning.Render(lineOffline)
		if st.State != api.SyncOffline {
			line = ""
		}
	}
	parts := []string{line}
	if words := sinceText(st, now); words != "" {
		parts = append(parts, t.Muted.Render(words))
	}
	if n := st.Refused + st.Held; n > 0 {
		parts = append(parts, t.Refused(fmt.Sprintf(toldDecide, widget.Count(n))))
	}
	parts = append(parts, t.Pending(fmt.Sprintf(toldWaits, widget.Count(st.Waiting))))
	if st.Sent > 0 {
		parts = append(parts, t.Unconfirmed(fmt.Sprintf(toldSent, widget.Count(st.Sent))))
	}
	parts = append(parts, t.Muted.Render(ageText(st, now)))
	return widget.Clip(strings.TrimLeft(strings.Join(parts, "   "), " "), width)
}

// sinceText is since when the line is so.
func sinceText(st *api.Sync, now time.Time) string {
	switch {
	case st.State == api.SyncOnline:
		return ""
	case st.State == api.SyncOffline && st.Heard == nil:
		return lineNever
	case st.State == api.SyncOffline:
		return fmt.Sprintf(lineSince, timeOrDay(*st.Heard, now))
	case st.State == api.SyncQuota && st.Next != nil:
		return fmt.Sprintf(lineQuota, timeOrDay(*st.Next, now))
	case st.State == api.SyncDenied && st.Why != nil:
		return fmt.Sprintf(lineBarred, st.Why.Message)
	}
	return ""
}

// ageText is of when what shows is.
func ageText(st *api.Sync, now time.Time) string {
	if st.Read == nil {
		return dataNone
	}
	return fmt.Sprintf(dataOf, timeOrDay(*st.Read, now))
}

// problems are what a person must see to besides the decisions, in lines.
func problems(t theme.Theme, site *dock.Site, width int) (lines []string) {
	for _, text := range worries(site) {
		for _, line := range widget.Wrap(widget.Clean(text), width-2) {
			lines = append(lines, t.Warn(line))
		}
	}
	return lines
}

// worries are what the troubles say.
func worries(site *dock.Site) (texts []string) {
	if st := site.SyncStatus(); st != nil {
		texts = append(texts, st.Troubles...)
	}
	if words := site.ClockWords(false); words != "" {
		texts = append(texts, words)
	}
	return texts
}

// statusKeyOf tells two standings apart that show differently in a list.
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
