package panel

import (
	"context"
	"slices"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/session"

	tea "github.com/charmbracelet/bubbletea"
)

// maxFeed limits the feed, and maxSavedFeed what of it is saved in a draft.
const maxFeed, maxSavedFeed = 50, 20

// trackEvery is how often the node is asked what became of the feed's operations.
const trackEvery = 2 * time.Second

// A feed lists what was counted, newest first, and what became of what was recorded.
type feed struct {
	entries  []count.FeedEntry
	added    int  // entries added so far
	tracking bool // the node is asked what became of the operations
}

type (
	trackMsg struct{}
	// trackedMsg has the states of operations by key.
	trackedMsg struct{ states map[string]api.WorkState }
)

func (f *feed) add(e count.FeedEntry, now time.Time) {
	e.At = i18n.Clock(now, now)
	f.added++
	f.entries = append([]count.FeedEntry{e}, f.entries...)
	f.entries = f.entries[:min(maxFeed, len(f.entries))]
}

// isUnsynced reports whether operations of an entry are not known to be synced.
func isUnsynced(e count.FeedEntry) bool { return e.Sync == count.NotSynced || e.Sync == count.AtRisk }

// track asks the node for the operations that were not synced, again and again until there
// are none.
func (f *feed) track(env tui.Env) tea.Cmd {
	if f.tracking || !slices.ContainsFunc(f.entries, isUnsynced) {
		return nil
	}
	f.tracking = true
	return env.After(trackEvery, func(time.Time) tea.Msg { return trackMsg{} })
}

// readStates reads the states of the operations.
func (f *feed) readStates(env tui.Env, site *session.Site) tea.Cmd {
	var keys []string
	for _, e := range f.entries {
		if isUnsynced(e) {
			keys = append(keys, e.Keys...)
		}
	}

	return env.Do(func(ctx context.Context) tea.Msg {
		m := trackedMsg{map[string]api.WorkState{}}
		for _, key := range keys {
			list, err := session.CallNode(ctx, site, api.ListWork, api.ListWorkInput{Key: key})
			if err == nil && len(list.Items) > 0 {
				m.states[key] = list.Items[0].State
			}
		}

		return m
	})
}

// setStates shows what became of the operations.
func (f *feed) setStates(env tui.Env, m trackedMsg) tea.Cmd {
	for i := range f.entries {
		e := &f.entries[i]
		if !isUnsynced(*e) {
			continue
		}

		done := 0
		for _, key := range e.Keys {
			switch state := m.states[key]; {
			case state == api.WorkDone:
				done++
			case state.NeedsDecision(), state == api.WorkDiscarded, state == api.WorkReplaced:
				e.Sync = count.Rejected
			}
		}

		if done == len(e.Keys) {
			e.Sync = count.Synced
		}
	}

	f.tracking = false

	return f.track(env)
}

// saved returns the entries for a draft.
func (f *feed) saved() []count.FeedEntry { return f.entries[:min(len(f.entries), maxSavedFeed)] }

// view returns the feed in at most height lines.
func (f *feed) view(t *i18n.Translator, th widget.Theme, size tui.Size, height int) (lines []string) {
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
			text = e.At + "   " + widget.Left(widget.Clean(e.Source), 12) + "  " +
				widget.Left(widget.Clean(e.SKU), 12) + "  " + widget.Left(widget.Clean(e.Lot), 12) + "  " +
				widget.Right(e.Change, 7) + "  " + widget.Right(e.Total, 7)
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
