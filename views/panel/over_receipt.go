package panel

import (
	"errors"

	"bincard/tui"
	"bincard/views/count"

	tea "github.com/charmbracelet/bubbletea"
)

// recoveryActions returns what can be done about a rejected scan or quantity.
func (p *CountPanel) recoveryActions(err error, r *count.Label) []tui.Action {
	var many *count.OverReceiptError
	var lot *count.OtherLotError
	switch {
	case errors.As(err, &many) && p.Document.AllowOverReceipt && !p.Line().BySerial() && len(p.Line().Count.Serials) == 0:
		return []tui.Action{p.acceptOverReceipt(many)}
	case errors.As(err, &lot) && r != nil && p.Line().CheckBookable(p.T()) == nil:
		return []tui.Action{p.bookFirst(*r)}
	}
	return nil
}

// acceptOverReceipt counts the excess as over-receipt.
func (p *CountPanel) acceptOverReceipt(e *count.OverReceiptError) tui.Action {
	t := p.T()

	return tui.Action{ID: "dock.over", Keys: []string{"f8"}, Label: t.Get("accept %s extra", t.Count(e.Over)), Short: t.Get("extra"),
		Help: t.Get("Receive the extra quantity as stock outside the document"), Run: func() tea.Cmd {
			p.beginChange()
			p.changed(p.AcceptOverReceipt(e))
			return tui.Accepted()
		}}
}

// bookFirst books the counted lot and then counts the scan of the next one.
func (p *CountPanel) bookFirst(r count.Label) tui.Action {
	t := p.T()

	n := t.Count(p.Line().Count.Quantity)
	return tui.Action{ID: "dock.lot.book", Keys: []string{"f8"}, Label: t.Get("%s %s, then count this lot", p.verb(), n), Short: p.verb(),
		Help: t.Get("Book the counted lot, then count this scan"), Run: func() tea.Cmd {
			p.nextScan = &r.Scan
			return p.Book()
		}}
}
