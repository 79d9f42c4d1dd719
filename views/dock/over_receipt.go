package dock

import (
	"errors"

	"bincard/tui"

	tea "github.com/charmbracelet/bubbletea"
)

// An OverReceiptError refuses to count more than is pending.
type OverReceiptError struct {
	Over    int64 // how many are too many
	Instead bool  // the number was to stand in the place of what is counted
	text    string
}

func (e *OverReceiptError) Error() string { return e.text }

// An OtherLotError refuses goods of another lot than those that are counted.
type OtherLotError struct{ text string }

func (e *OtherLotError) Error() string { return e.text }

// recoveryActions are what can be done about a scan or a number that was refused.
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

// acceptOverReceipt counts what came beside the document.
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

// bookFirst books what is counted of one lot and counts the scan of the next.
func (b *CountPanel) bookFirst(r Label) tui.Action {
	t := b.T()

	n := t.Count(b.Line().Count.Quantity)
	return tui.Action{ID: "dock.lot.book", Keys: []string{"f8"}, Label: t.Get("%s %s, then count this lot", b.Verb, n), Short: b.Verb,
		Help: t.Get("Book the counted lot, then count this scan"), Run: func() tea.Cmd {
			b.nextScan = &r.Scan
			return b.Book()
		}}
}
