package panel

import (
	"bincard/tui"
	"bincard/views/count"

	tea "github.com/charmbracelet/bubbletea"
)

// maxUndo limits how many changes can be undone.
const maxUndo = 50

// pushUndo records the counts before the change that was just made.
func (p *CountPanel) pushUndo() {
	if p.countsBefore == nil {
		return
	}
	p.undoStack = append(p.undoStack, p.countsBefore)
	p.undoStack = p.undoStack[max(0, len(p.undoStack)-maxUndo):]
	p.countsBefore = nil
}

// undoAction returns the action that undoes the last scan or quantity.
func (p *CountPanel) undoAction() tui.Action {
	t := p.T()

	return tui.Action{ID: "dock.undo", Keys: []string{"ctrl+z"}, Command: tui.DoUndo, Label: t.Get("undo last scan"), Help: t.Get("Undo the last scan or number; repeat to go further back"), NoFooter: true,
		Disabled: func() string {
			if why := p.notEditable(); why != "" {
				return why
			}
			if len(p.undoStack) == 0 {
				return t.Get("There is no scan to undo")
			}
			return ""
		}, Run: func() tea.Cmd {
			last := p.undoStack[len(p.undoStack)-1]
			p.undoStack, p.countsBefore, p.submission = p.undoStack[:len(p.undoStack)-1], nil, nil
			p.Restore(last)
			p.addFeed(count.FeedEntry{Source: t.Get("undone"), SKU: p.Line().Item.SKU, Lot: p.Line().Count.Lot, Total: t.Count(p.Line().Count.Quantity)})
			return tui.Accepted()
		}}
}
