package dock

import (
	"errors"
	"fmt"

	"bincard/tui"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// A TooManyError refuses to count more than is pending.
type TooManyError struct {
	Over    int64 // how many are too many
	Instead bool  // the number was to stand in the place of what is counted
	text    string
}

func (e *TooManyError) Error() string { return e.text }

// An OtherLotError refuses goods of another lot than those that are counted.
type OtherLotError struct{ text string }

func (e *OtherLotError) Error() string { return e.text }

// offers are what can be done about a scan or a number that was refused.
func (b *Bench) offers(err error, r *Reading) []tui.Action {
	var many *TooManyError
	var lot *OtherLotError
	switch {
	case errors.As(err, &many) && b.Surplus && !b.Line().BySerial() && len(b.Line().Count.Serials) == 0:
		return []tui.Action{b.takeOver(many)}
	case errors.As(err, &lot) && r != nil && b.Line().bookable() == nil:
		return []tui.Action{b.bookFirst(*r)}
	}
	return nil
}

// takeOver counts what came beside the document.
func (b *Bench) takeOver(e *TooManyError) tui.Action {
	return tui.Action{ID: "dock.over", Keys: []string{"f8"}, Label: fmt.Sprintf(labelOver, widget.Count(e.Over)), Short: shortOver,
		Help: helpOver, Run: func() tea.Cmd {
			b.before = b.counts()
			c := &b.Line().Count
			if e.Instead {
				c.Over = 0
			}
			c.Now, c.Over = b.Line().most(), c.Over+e.Over
			b.note(Said{What: wordOver, SKU: b.Line().Goods.SKU, Lot: c.Lot, Change: widget.Change(e.Over), Now: widget.Count(c.Now + c.Over)})
			return tui.Accepted()
		}}
}

// bookFirst books what is counted of one lot and counts the scan of the next.
func (b *Bench) bookFirst(r Reading) tui.Action {
	n := widget.Count(b.Line().Count.Now)
	return tui.Action{ID: "dock.lot.book", Keys: []string{"f8"}, Label: fmt.Sprintf(labelBookFirst, b.Verb, n), Short: b.Verb,
		Help: helpBookFirst, Run: func() tea.Cmd {
			b.after = &r.Scan
			return b.Book()
		}}
}
