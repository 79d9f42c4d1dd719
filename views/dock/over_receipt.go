package dock

import (
	"errors"

	"bincard/tui"

	tea "github.com/charmbracelet/bubbletea"
)

// An OverReceiptError rejects a count that exceeds what is pending.
type OverReceiptError struct {
	Over    int64 // by how many it exceeds the limit
	Instead bool  // the quantity was to replace the count, not to add to it
	text    string
}

func (e *OverReceiptError) Error() string { return e.text }

// An OtherLotError rejects another lot than the one being counted.
type OtherLotError struct{ text string }

func (e *OtherLotError) Error() string { return e.text }

// recoveryActions returns what can be done about a rejected scan or quantity.
func (b *CountPanel) recoveryActions(err error, r *Label) []tui.Action {
	var many *OverReceiptError
	var lot *OtherLotError
	switch {
	case errors.As(err, &many) && b.AllowOverReceipt && !b.Line().BySerial() && len(b.Line().Count.Serials) == 0:
		return []tui.Action{b.acceptOverReceipt(many)}
	case errors.As(err, &lot) && r != nil && b.Line().checkBookable(b.T()) == nil:
		return []tui.Action{b.bookFirst(*r)}
	}
	return nil
}

// acceptOverReceipt counts the excess as over-receipt.
func (b *CountPanel) acceptOverReceipt(e *OverReceiptError) tui.Action {
	t := b.T()

	return tui.Action{ID: "dock.over", Keys: []string{"f8"}, Label: t.Get("accept %s extra", t.Count(e.Over)), Short: t.Get("extra"),
		Help: t.Get("Receive the extra quantity as stock outside the document"), Run: func() tea.Cmd {
			b.countsBefore = b.snapshotCounts()
			c := &b.Line().Count
			if e.Instead {
				c.OverReceipt = 0
			}
			c.Quantity, c.OverReceipt = b.Line().limit(), c.OverReceipt+e.Over
			b.addFeed(FeedEntry{Source: t.Get("over"), SKU: b.Line().Item.SKU, Lot: c.Lot, Change: t.Change(e.Over), Total: t.Count(c.Quantity + c.OverReceipt)})
			return tui.Accepted()
		}}
}

// bookFirst books the counted lot and then counts the scan of the next one.
func (b *CountPanel) bookFirst(r Label) tui.Action {
	t := b.T()

	n := t.Count(b.Line().Count.Quantity)
	return tui.Action{ID: "dock.lot.book", Keys: []string{"f8"}, Label: t.Get("%s %s, then count this lot", b.Verb, n), Short: b.Verb,
		Help: t.Get("Book the counted lot, then count this scan"), Run: func() tea.Cmd {
			b.nextScan = &r.Scan
			return b.Book()
		}}
}
