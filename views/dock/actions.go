package dock

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"bincard/tui"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// Actions are what can be done on the bench now: book, all, damaged, lot; the
// screen adds its own. Actions of goods that come in are left out when they go.
func (b *Bench) Actions() []tui.Action {
	if b.form != nil {
		return []tui.Action{{ID: "dock.form.close", Keys: []string{"esc"}, Label: labelLeaveLot, Short: shortBack,
			Run: func() tea.Cmd { b.form = nil; return nil }}}
	}
	if b.marking {
		return []tui.Action{{ID: "dock.mark.close", Keys: []string{"esc"}, Label: labelMarked, Short: shortDone,
			Run: func() tea.Cmd { b.marking = false; return nil }}}
	}
	if b.waiting() {
		again := tui.Action{ID: "dock.again", Keys: []string{"enter"}, Label: labelAgain, Short: shortAgain,
			Disabled: b.whileSending, Run: b.Book}
		if b.plan.Next > 0 {
			return []tui.Action{again, b.leaveRest()}
		}
		return []tui.Action{again, b.giveUp()}
	}
	total := widget.Count(b.Total())
	actions := []tui.Action{
		{ID: "dock.book", Keys: []string{"enter"}, Command: tui.DoConfirm, Label: b.Verb + " " + total, Short: b.Verb,
			Help: helpBook, Disabled: b.unbookable, Run: b.Book},
		{ID: "dock.all", Keys: []string{"+"}, Command: tui.DoAll, Label: fmt.Sprintf(labelAll, widget.Count(b.Line().Pending)), Short: shortAll,
			Help: helpAll, Disabled: b.full, Run: b.Fill},
	}
	if b.Damages {
		actions = append(actions, tui.Action{ID: "dock.damaged", Keys: []string{"f4"}, Command: tui.DoDamaged, Label: labelDamaged, Short: shortDamaged,
			Help: helpDamaged, Disabled: b.nothing, Run: b.askDamaged})
	}
	if !b.Line().BySerial() {
		actions = append(actions, tui.Action{ID: "dock.lot", Keys: []string{"f7"}, Label: labelLot, Short: labelLot,
			Help: helpLot, Disabled: b.closed, Run: b.openForm})
	}
	if b.astray() {
		actions = append(actions, b.goThere(b.Where))
	}
	return actions
}

// Exceptions are what can be done on the bench when something is amiss, for the
// end of a screen's actions: count the shelf, take the last scan back.
func (b *Bench) Exceptions() []tui.Action {
	actions := []tui.Action{b.undo()}
	if b.shelved() {
		actions = append([]tui.Action{b.emptied()}, actions...)
	}
	return actions
}

func (b *Bench) whileSending() string {
	if b.sending {
		return offSending
	}
	return ""
}

func (b *Bench) closed() string {
	switch {
	case b.Closed != "":
		return b.Closed
	case len(b.Lines) == 0:
		return offAbsent
	case b.waiting():
		return offWaiting
	}
	return b.whileSending()
}

func (b *Bench) nothing() string {
	if why := b.closed(); why != "" {
		return why
	}
	if b.Total() == 0 && !b.Line().Count.None {
		return offNothing
	}
	return ""
}

// unbookable tells why nothing can be booked now.
func (b *Bench) unbookable() string {
	if why := b.nothing(); why != "" {
		return why
	}
	return b.Site.Lacks(b.Writes...)
}

func (b *Bench) full() string {
	if why := b.closed(); why != "" {
		return why
	}
	if l := b.Line(); l.BySerial() {
		return askSerials
	} else if l.Count.Now == l.Pending {
		return offFull
	}
	return ""
}

// askDamaged asks how many of the counted pieces are damaged, or which.
func (b *Bench) askDamaged() tea.Cmd {
	line := b.Line()
	if len(line.Count.Serials) > 0 {
		b.marking = true
		return nil
	}
	number := func(text string) (int64, error) {
		n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
		if err != nil || n < 0 {
			return 0, errorf(notDamaged, text)
		}
		return n, nil
	}
	return tui.Prompt(tui.Request{Text: fmt.Sprintf(askDamaged, widget.Count(line.Count.Now)),
		Check: func(text string) error {
			n, err := number(text)
			if err != nil {
				return err
			}
			l := *line
			return l.Damage(n)
		},
		OnText: func(text string) tea.Cmd {
			n, _ := number(text)
			b.before = b.counts()
			if err := line.Damage(n); err != nil {
				return tui.Fail(err)
			}
			b.note(Said{What: wordDamaged, SKU: line.Goods.SKU, Lot: line.Count.Lot, Change: widget.Count(n), Now: widget.Count(line.Count.Now)})
			return nil
		}})
}

// mark calls the piece that was scanned damaged, or takes that back.
func (b *Bench) mark(r Reading) tea.Cmd {
	serial := r.Serial
	switch {
	case r.Fault != "" && r.Scan.GS1.Form != "number":
		return tui.Fail(misread(r).Err)
	case serial == "" && r.Scan.GS1.Form == "":
		serial = r.Codes[0]
	}
	line := b.Line()
	b.before = b.counts()
	if err := line.DamagePiece(serial); err != nil {
		return tui.Fail(err)
	}
	b.note(Said{What: wordDamaged, SKU: line.Goods.SKU, Lot: serial, Now: widget.Count(line.Count.Damaged)})
	return tui.Accepted()
}

// openForm asks for the lot and its day by hand.
func (b *Bench) openForm() tea.Cmd {
	c := b.Line().Count
	b.form = widget.NewForm(
		widget.Field{Name: "lot", Label: fieldLot, Hint: hintLot},
		widget.Field{Name: "ends", Label: fieldEnds, Kind: widget.DateField, Hint: "2027-03-31"})
	b.form.Fill("lot", c.Lot)
	if !c.Ends.IsZero() {
		b.form.Fill("ends", c.Ends.Format(time.DateOnly))
	}
	return nil
}

// fillForm puts what a label says into the form.
func (b *Bench) fillForm(r Reading) tea.Cmd {
	switch {
	case r.Fault != "" && !(r.Scan.GS1.Form == "number"):
		return tui.Fail(misread(r).Err)
	case r.Lot != "" || !r.Ends.IsZero():
		if r.Lot != "" {
			b.form.Fill("lot", r.Lot)
		}
		if !r.Ends.IsZero() {
			b.form.Fill("ends", r.Ends.Format(time.DateOnly))
		}
	case r.Scan.GS1.Form == "" && b.form.Focused() == "lot":
		b.form.Fill("lot", widget.Clean(r.Scan.Text))
		b.form.Focus("ends")
	default:
		return tui.Fail(errorf(noLotThere, r.Name()))
	}
	return tui.Accepted()
}

func (b *Bench) closeForm() tea.Cmd {
	b.before = b.counts()
	c := &b.Line().Count
	lot := b.form.Value("lot")
	if lot != c.Lot {
		c.Lot, c.LotID = lot, noID
	}
	c.Ends, _ = time.Parse(time.DateOnly, b.form.Value("ends"))
	b.form = nil
	b.note(Said{What: "lot", SKU: b.Line().Goods.SKU, Lot: lot, Now: widget.Count(c.Now)})
	return nil
}

// Unbooked tells that something is counted and not booked, which must be done
// before the document is ended; "" when nothing is.
func (b *Bench) Unbooked() string {
	if n := b.Total(); n > 0 {
		return fmt.Sprintf(offUnbooked, widget.Count(n))
	}
	return ""
}

// Modal tells whether the bench asks something of its own, and only its own
// actions make sense.
func (b *Bench) Modal() bool { return b.form != nil || b.marking || b.waiting() }

// Reason is the check of a reason that must be given.
func Reason(text string) error {
	if strings.TrimSpace(text) == "" {
		return errors.New(needReason)
	}
	return nil
}

// Positive is the check of a quantity that must be at least 1.
func Positive(text string) error {
	if n, err := strconv.ParseInt(text, 10, 64); err != nil || n < 1 {
		return errors.New(atLeastOne)
	}
	return nil
}
