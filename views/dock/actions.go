package dock

import (
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
		return []tui.Action{{ID: "dock.form.close", Keys: []string{"esc"}, Label: "leave the lot", Short: "back",
			Run: func() tea.Cmd { b.form = nil; return nil }}}
	}
	if b.marking {
		return []tui.Action{{ID: "dock.mark.close", Keys: []string{"esc"}, Label: "no more damaged", Short: "done",
			Run: func() tea.Cmd { b.marking = false; return nil }}}
	}
	if b.waiting() {
		again := tui.Action{ID: "dock.again", Keys: []string{"enter"}, Label: "send again", Short: "again",
			Disabled: b.whileSending, Run: b.Book}
		if b.plan.Next > 0 {
			return []tui.Action{again, b.leaveRest()}
		}
		return []tui.Action{again, b.giveUp()}
	}
	total := widget.Count(b.Total())
	actions := []tui.Action{
		{ID: "dock.book", Keys: []string{"enter"}, Label: b.Verb + " " + total, Short: b.Verb,
			Help: "Send what is counted to the books", Disabled: b.nothing, Run: b.Book},
		{ID: "dock.all", Keys: []string{"+"}, Label: "all " + widget.Count(b.Line().Pending), Short: "all",
			Help: "Count all that is pending", Disabled: b.full, Run: b.Fill},
	}
	if b.In {
		actions = append(actions, tui.Action{ID: "dock.damaged", Keys: []string{"f4"}, Label: "damaged", Short: "ds",
			Help: "Say how many of the counted are damaged", Disabled: b.nothing, Run: b.askDamaged})
	}
	return append(actions, tui.Action{ID: "dock.lot", Keys: []string{"f7"}, Label: "lot", Short: "lot",
		Help: "Type the lot and the day it ends", Disabled: b.closed, Run: b.openForm})
}

func (b *Bench) whileSending() string {
	if b.sending {
		return "It is being sent"
	}
	return ""
}

func (b *Bench) closed() string {
	switch {
	case b.Closed != "":
		return b.Closed
	case len(b.Lines) == 0:
		return "The document is not here yet"
	case b.waiting():
		return "A booking waits for its answer: press enter"
	}
	return b.whileSending()
}

func (b *Bench) nothing() string {
	if why := b.closed(); why != "" {
		return why
	}
	if b.Total() == 0 {
		return "Nothing is counted yet"
	}
	return ""
}

func (b *Bench) full() string {
	if why := b.closed(); why != "" {
		return why
	}
	if l := b.Line(); l.BySerial() {
		return "Scan the serial number of each piece"
	} else if l.Count.Now == l.Pending {
		return "All that is pending is counted"
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
			return 0, errorf("%q is not a number of pieces: type how many are damaged", text)
		}
		return n, nil
	}
	return tui.Prompt(tui.Request{Text: "How many of the " + widget.Count(line.Count.Now) + " are damaged?",
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
			return tui.Fail(line.Damage(n))
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
	if err := line.DamagePiece(serial); err != nil {
		return tui.Fail(err)
	}
	b.note(Said{What: "damaged", SKU: line.Goods.SKU, Lot: serial, Now: widget.Count(line.Count.Damaged)})
	return tui.Accepted()
}

// openForm asks for the lot and its day by hand.
func (b *Bench) openForm() tea.Cmd {
	c := b.Line().Count
	b.form = widget.NewForm(
		widget.Field{Name: "lot", Label: "Lot", Hint: "scan it, or type it"},
		widget.Field{Name: "ends", Label: "Ends", Kind: widget.DateField, Hint: "2027-03-31"})
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
		return tui.Fail(errorf("%s names no lot. Nothing was changed: scan the lot's label, or type it.", r.Name()))
	}
	return tui.Accepted()
}

func (b *Bench) closeForm() tea.Cmd {
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
		return widget.Count(n) + " are counted and not booked: book them first, or set it to 0"
	}
	return ""
}

// Modal tells whether the bench asks something of its own, and only its own
// actions make sense.
func (b *Bench) Modal() bool { return b.form != nil || b.marking || b.waiting() }

// Reason is the check of a reason that must be given.
func Reason(text string) error {
	if strings.TrimSpace(text) == "" {
		return errorf("A reason is needed: it stays with the document")
	}
	return nil
}

// Positive is the check of a quantity that must be at least 1.
func Positive(text string) error {
	if n, err := strconv.ParseInt(text, 10, 64); err != nil || n < 1 {
		return errorf("at least 1")
	}
	return nil
}
