package panel

import (
	"bincard/tui"
	"bincard/views/count"

	tea "github.com/charmbracelet/bubbletea"
)

// undoAction returns the action that undoes the last scan or quantity.
func (p *CountPanel) undoAction() tui.Action {
	t := p.T()

	return tui.Action{ID: "dock.undo", Keys: []string{"ctrl+z"}, Command: tui.DoUndo, Label: t.Get("undo last scan"), Help: t.Get("Undo the last scan or number; repeat to go further back"), NoFooter: true,
		Disabled: func() string {
			if why := p.notEditable(); why != "" {
				return why
			}
			if len(p.undo.counts) == 0 {
				return t.Get("There is no scan to undo")
			}
			return ""
		}, Run: func() tea.Cmd {
			p.Restore(p.undo.pop())
			p.submission = nil
			p.changed(count.FeedEntry{Source: t.Get("undone"), SKU: p.Line().Item.SKU, Lot: p.Line().Count.Lot, Total: t.Count(p.Line().Count.Quantity)})
			return tui.Accepted()
		}}
}
