package panel

import (
	"slices"
	"strings"
	"time"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/theme"
	"bincard/tui/widget"
	"bincard/views/count"
)

// maxFeed limits the feed, and maxSavedFeed what of it is saved in a draft.
const maxFeed, maxSavedFeed = 50, 20

// A feed lists what was counted, newest first.
type feed struct {
	entries []count.FeedEntry
	added   int // entries added so far
}

func (f *feed) add(e count.FeedEntry, now time.Time) {
	e.At = i18n.Clock(now, now)
	f.added++
	f.entries = append([]count.FeedEntry{e}, f.entries...)
	f.entries = f.entries[:min(maxFeed, len(f.entries))]
}

// unsynced reports whether operations of the feed are not known to be synced.
func (f *feed) unsynced() bool {
	return slices.ContainsFunc(f.entries, func(e count.FeedEntry) bool { return e.Sync == count.NotSynced || e.Sync == count.AtRisk })
}

// saved returns the entries for a draft.
func (f *feed) saved() []count.FeedEntry { return f.entries[:min(len(f.entries), maxSavedFeed)] }

// view returns the feed in at most height lines.
func (f *feed) view(t *i18n.Translator, th theme.Theme, size tui.Size, height int) (lines []string) {
	lead := ""
	if !size.Small() {
		lead = "   "
	}
	width := size.Width - len(lead) - 2 // the mark and a space
	for _, e := range f.entries {
		text := e.At + "   " + widget.Clean(e.Result(t))
		switch {
		case size.Small():
			text = strings.TrimSpace(e.Result(t) + " " + e.Change + "  " + e.Lot)
		case e.SKU != "":
			text = e.At + "   " + widget.Left(widget.Clean(e.Source), 12) + "  " + widget.Left(widget.Clean(e.SKU), 12) + "  " +
				widget.Left(widget.Clean(e.Lot), 12) + "  " + widget.Right(e.Change, 7) + "  " + widget.Right(e.Total, 7)
		}
		room := height - len(lines)
		if room <= 0 {
			break
		}
		rows := []string{widget.Clip(widget.Clean(text), width)}
		if e.SKU == "" { // a result, whose end matters
			first, _, _ := strings.Cut(widget.Clean(text), ". ")
			if wrapped := widget.Wrap(widget.Clean(text), width); len(wrapped) <= room {
				rows = wrapped
			} else if room == 1 && widget.Width(first) <= width {
				rows = []string{first}
			}
		}
		mark := th.OK
		if e.Sync == count.Rejected || e.Sync == count.NotPrinted {
			mark = th.Refused
		}
		for i, row := range rows {
			if i == 0 {
				lines = append(lines, lead+mark(row))
			} else {
				lines = append(lines, lead+"  "+row)
			}
		}
	}
	return lines
}
