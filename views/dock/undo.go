package dock

import (
	"slices"

	"bincard/tui"

	tea "github.com/charmbracelet/bubbletea"
)

// maxUndo limits how many changes can be undone.
const maxUndo = 50

// countsSnapshot is a copy of a panel's counts.
type countsSnapshot struct {
	current int
	counts  map[string]Count // by line
}

// snapshotCounts returns a copy of the current counts.
func (b *CountPanel) snapshotCounts() *countsSnapshot {
	c := &countsSnapshot{current: b.Current, counts: map[string]Count{}}
	for _, l := range b.Lines {
		count := l.Count
		count.Serials, count.DamagedSerials = slices.Clone(count.Serials), slices.Clone(count.DamagedSerials)
		c.counts[l.Key] = count
	}
	return c
}

// pushUndo records the counts before the change that was just made.
func (b *CountPanel) pushUndo() {
	if b.countsBefore == nil {
		return
	}
	b.undoStack = append(b.undoStack, *b.countsBefore)
	b.undoStack = b.undoStack[max(0, len(b.undoStack)-maxUndo):]
	b.countsBefore = nil
}

// undoAction returns the action that undoes the last scan or quantity.
func (b *CountPanel) undoAction() tui.Action {
	t := b.T()

	return tui.Action{ID: "dock.undo", Keys: []string{"ctrl+z"}, Command: tui.DoUndo, Label: t.Get("undo last scan"), Help: t.Get("Undo the last scan or number; repeat to go further back"), NoFooter: true,
		Disabled: func() string {
			if why := b.notEditable(); why != "" {
				return why
			}
			if len(b.undoStack) == 0 {
				return t.Get("There is no scan to undo")
			}
			return ""
		}, Run: func() tea.Cmd {
			last := b.undoStack[len(b.undoStack)-1]
			b.undoStack, b.countsBefore, b.wantsSerial, b.submission = b.undoStack[:len(b.undoStack)-1], nil, false, nil
			b.Current = last.current
			for _, l := range b.Lines {
				l.Count = last.counts[l.Key]
			}
			b.addFeed(FeedEntry{Source: t.Get("undone"), SKU: b.Line().Item.SKU, Lot: b.Line().Count.Lot, Total: t.Count(b.Line().Count.Quantity)})
			return tui.Accepted()
		}}
}
