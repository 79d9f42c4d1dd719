package dock

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// Actions returns the actions available now: book, count all, mark damaged, enter a
// lot. While the lot form is open, damaged serials are marked, or a booking is
// unfinished, it returns only the actions of that state.
func (b *CountPanel) Actions() []tui.Action {
	t := b.T()

	if b.form != nil {
		return []tui.Action{{ID: "dock.form.close", Keys: []string{"esc"}, Label: t.Get("back"), Short: t.Get("back"),
			Run: func() tea.Cmd { b.form = nil; return nil }}}
	}
	if b.markingDamaged {
		return []tui.Action{{ID: "dock.mark.close", Keys: []string{"esc"}, Label: t.Get("done"), Short: t.Get("done"),
			Run: func() tea.Cmd { b.markingDamaged = false; return nil }}}
	}
	if b.unfinished() {
		again := tui.Action{ID: "dock.again", Keys: []string{"enter"}, Label: t.Get("retry"), Short: t.Get("retry"),
			Disabled: b.sendingReason, Run: b.Book}
		if b.submission.Next > 0 {
			return []tui.Action{again, b.discardRest()}
		}
		return []tui.Action{again, b.discard()}
	}
	total := t.Count(b.Total())
	actions := []tui.Action{
		{ID: "dock.book", Keys: []string{"enter"}, Command: tui.DoConfirm, Label: b.Verb + " " + total, Short: b.Verb,
			Help: t.Get("Book the counted quantity"), Disabled: b.cannotBook, Run: b.Book},
		{ID: "dock.all", Keys: []string{"+"}, Command: tui.DoAll, Label: t.Get("all %s", t.Count(b.Line().Pending)), Short: t.Get("all"),
			Help: t.Get("Count everything pending"), Disabled: b.cannotAdd, Run: b.CountAll},
	}
	if b.AllowDamaged {
		actions = append(actions, tui.Action{ID: "dock.damaged", Keys: []string{"f4"}, Command: tui.DoDamaged, Label: t.Get("damaged"), Short: t.Get("dm"),
			Help: t.Get("Enter how many of the counted items are damaged"), Disabled: b.noLines, Run: b.askDamaged})
	}
	if !b.Line().BySerial() {
		actions = append(actions, tui.Action{ID: "dock.lot", Keys: []string{"f7"}, Label: t.Get("lot"), Short: t.Get("lot"),
			Help: t.Get("Type the lot and its expiration date"), Disabled: b.notEditable, Run: b.openLotForm})
	}
	if b.wrongLocation() {
		actions = append(actions, b.switchLocation(b.Location))
	}
	return actions
}

// ExceptionActions returns the actions for exceptions, which a screen lists after its
// own: recount the pick location and undo the last scan.
func (b *CountPanel) ExceptionActions() []tui.Action {
	actions := []tui.Action{b.undoAction()}
	if b.canCheckStock() {
		actions = append([]tui.Action{b.recountAction()}, actions...)
	}
	return actions
}

func (b *CountPanel) sendingReason() string {
	if b.sending {
		return b.T().Get("Still sending")
	}
	return ""
}

func (b *CountPanel) notEditable() string {
	switch {
	case b.ClosedReason != "":
		return b.ClosedReason
	case len(b.Lines) == 0:
		return b.T().Get("The document is still loading")
	case b.unfinished():
		return b.T().Get("A booking has no answer yet: press enter")
	}
	return b.sendingReason()
}

func (b *CountPanel) noLines() string {
	if why := b.notEditable(); why != "" {
		return why
	}
	if b.Total() == 0 && !b.Line().Count.None {
		return b.T().Get("Nothing is counted yet")
	}
	return ""
}

// cannotBook returns why nothing can be booked now, or "".
func (b *CountPanel) cannotBook() string {
	if why := b.noLines(); why != "" {
		return why
	}
	return b.Site.MissingRights(b.Writes...)
}

func (b *CountPanel) cannotAdd() string {
	if why := b.notEditable(); why != "" {
		return why
	}
	if l := b.Line(); l.BySerial() {
		return b.T().Get("Scan each serial number")
	} else if l.Count.Quantity == l.Pending {
		return b.T().Get("Everything pending is counted")
	}
	return ""
}

// askDamaged asks how many of the counted items are damaged. If serials are counted,
// the next scans mark serials as damaged instead.
func (b *CountPanel) askDamaged() tea.Cmd {
	t := b.T()

	line := b.Line()
	if len(line.Count.Serials) > 0 {
		b.markingDamaged = true
		return nil
	}
	number := func(text string) (int64, error) {
		n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
		if err != nil || n < 0 {
			return 0, errors.New(t.Get("%q is not a quantity: type how many are damaged", text))
		}
		return n, nil
	}
	return tui.Prompt(tui.Request{Text: t.Get("How many of the %s are damaged?", t.Count(line.Count.Quantity)),
		Check: func(text string) error {
			n, err := number(text)
			if err != nil {
				return err
			}
			l := *line
			return l.SetDamaged(t, n)
		},
		OnText: func(text string) tea.Cmd {
			n, _ := number(text)
			b.countsBefore = b.snapshotCounts()
			if err := line.SetDamaged(t, n); err != nil {
				return tui.Fail(err)
			}
			b.addFeed(FeedEntry{Source: t.GetC("damaged", "dock"), SKU: line.Item.SKU, Lot: line.Count.Lot, Change: t.Count(n), Total: t.Count(line.Count.Quantity)})
			return nil
		}})
}

// markDamaged toggles whether the scanned serial is damaged.
func (b *CountPanel) markDamaged(r Label) tea.Cmd {
	serial := r.Serial
	switch {
	case r.Problem != "" && r.Scan.GS1.Form != "number":
		return tui.Fail(rejectMisread(b.T(), r).Err)
	case serial == "" && r.Scan.GS1.Form == "":
		serial = r.Codes[0]
	}
	line := b.Line()
	b.countsBefore = b.snapshotCounts()
	if err := line.ToggleDamagedSerial(b.T(), serial); err != nil {
		return tui.Fail(err)
	}
	b.addFeed(FeedEntry{Source: b.T().GetC("damaged", "dock"), SKU: line.Item.SKU, Lot: serial, Total: b.T().Count(line.Count.Damaged)})
	return tui.Accepted()
}

// openLotForm opens the form for the lot and its expiration date.
func (b *CountPanel) openLotForm() tea.Cmd {
	t := b.T()

	c := b.Line().Count
	b.form = widget.NewForm(t,
		widget.Field{Name: "lot", Label: t.Get("Lot"), Hint: t.Get("scan or type it")},
		widget.Field{Name: "ends", Label: t.Get("Expires"), Kind: widget.DateField, Hint: "2027-03-31"})
	b.form.Fill("lot", c.Lot)
	if !c.ExpiresAt.IsZero() {
		b.form.Fill("ends", c.ExpiresAt.Format(time.DateOnly))
	}
	return nil
}

// fillLotForm fills the form from a scanned label.
func (b *CountPanel) fillLotForm(r Label) tea.Cmd {
	switch {
	case r.Problem != "" && !(r.Scan.GS1.Form == "number"):
		return tui.Fail(rejectMisread(b.T(), r).Err)
	case r.Lot != "" || !r.ExpiresAt.IsZero():
		if r.Lot != "" {
			b.form.Fill("lot", r.Lot)
		}
		if !r.ExpiresAt.IsZero() {
			b.form.Fill("ends", r.ExpiresAt.Format(time.DateOnly))
		}
	case r.Scan.GS1.Form == "" && b.form.Focused() == "lot":
		b.form.Fill("lot", widget.Clean(r.Scan.Text))
		b.form.Focus("ends")
	default:
		return tui.Fail(errors.New(b.T().Get("%s contains no lot. Nothing was changed: scan the lot label, or type the lot.", r.Name())))
	}
	return tui.Accepted()
}

// closeLotForm applies the form to the current line.
func (b *CountPanel) closeLotForm() tea.Cmd {
	b.countsBefore = b.snapshotCounts()
	c := &b.Line().Count
	lot := b.form.Value("lot")
	if lot != c.Lot {
		c.Lot, c.LotID = lot, noID
	}
	c.ExpiresAt, _ = time.Parse(time.DateOnly, b.form.Value("ends"))
	b.form = nil
	b.addFeed(FeedEntry{Kind: lotScan, Source: b.T().Get("lot"), SKU: b.Line().Item.SKU, Lot: lot, Total: b.T().Count(c.Quantity)})
	return nil
}

// UnbookedReason returns a message if there is a count that must be booked before the
// document is closed, or "".
func (b *CountPanel) UnbookedReason() string {
	if n := b.Total(); n > 0 {
		return b.T().Get("%s counted but not booked: book them first, or set the count to 0", b.T().Count(n))
	}
	return ""
}

// Modal reports whether only the panel's own actions apply: the lot form is open,
// damaged serials are marked, or a booking is unfinished.
func (b *CountPanel) Modal() bool { return b.form != nil || b.markingDamaged || b.unfinished() }

// CheckReason returns a check that rejects an empty reason.
func CheckReason(t *i18n.Translator) func(text string) error {
	return func(text string) error {
		if strings.TrimSpace(text) == "" {
			return errors.New(t.Get("Enter a reason: it is saved with the document"))
		}
		return nil
	}
}

// CheckPositive returns a check that rejects quantities less than 1.
func CheckPositive(t *i18n.Translator) func(text string) error {
	return func(text string) error {
		if n, err := strconv.ParseInt(text, 10, 64); err != nil || n < 1 {
			return errors.New(t.Get("at least 1"))
		}
		return nil
	}
}
