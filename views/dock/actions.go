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
func (p *CountPanel) Actions() []tui.Action {
	t := p.T()

	if p.form != nil {
		return []tui.Action{{ID: "dock.form.close", Keys: []string{"esc"}, Label: t.Get("back"), Short: t.Get("back"),
			Run: func() tea.Cmd { p.form = nil; return nil }}}
	}
	if p.markingDamaged {
		return []tui.Action{{ID: "dock.mark.close", Keys: []string{"esc"}, Label: t.Get("done"), Short: t.Get("done"),
			Run: func() tea.Cmd { p.markingDamaged = false; return nil }}}
	}
	if p.unfinished() {
		again := tui.Action{ID: "dock.again", Keys: []string{"enter"}, Label: t.Get("retry"), Short: t.Get("retry"),
			Disabled: p.sendingReason, Run: p.Book}
		if p.submission.Next > 0 {
			return []tui.Action{again, p.discardRest()}
		}
		return []tui.Action{again, p.discard()}
	}
	total := t.Count(p.Total())
	actions := []tui.Action{
		{ID: "dock.book", Keys: []string{"enter"}, Command: tui.DoConfirm, Label: p.Verb + " " + total, Short: p.Verb,
			Help: t.Get("Book the counted quantity"), Disabled: p.cannotBook, Run: p.Book},
		{ID: "dock.all", Keys: []string{"+"}, Command: tui.DoAll, Label: t.Get("all %s", t.Count(p.Line().Pending)), Short: t.Get("all"),
			Help: t.Get("Count everything pending"), Disabled: p.cannotAdd, Run: p.CountAll},
	}
	if p.AllowDamaged {
		actions = append(actions, tui.Action{ID: "dock.damaged", Keys: []string{"f4"}, Command: tui.DoDamaged, Label: t.Get("damaged"), Short: t.Get("dm"),
			Help: t.Get("Enter how many of the counted items are damaged"), Disabled: p.noLines, Run: p.askDamaged})
	}
	if !p.Line().BySerial() {
		actions = append(actions, tui.Action{ID: "dock.lot", Keys: []string{"f7"}, Label: t.Get("lot"), Short: t.Get("lot"),
			Help: t.Get("Type the lot and its expiration date"), Disabled: p.notEditable, Run: p.openLotForm})
	}
	if p.wrongLocation() {
		actions = append(actions, p.switchLocation(p.Location))
	}
	return actions
}

// ExceptionActions returns the actions for exceptions, which a screen lists after its
// own: recount the pick location and undo the last scan.
func (p *CountPanel) ExceptionActions() []tui.Action {
	actions := []tui.Action{p.undoAction()}
	if p.canCheckStock() {
		actions = append([]tui.Action{p.recountAction()}, actions...)
	}
	return actions
}

func (p *CountPanel) sendingReason() string {
	if p.sending {
		return p.T().Get("Still sending")
	}
	return ""
}

func (p *CountPanel) notEditable() string {
	switch {
	case p.ClosedReason != "":
		return p.ClosedReason
	case len(p.Lines) == 0:
		return p.T().Get("The document is still loading")
	case p.unfinished():
		return p.T().Get("A booking has no answer yet: press enter")
	}
	return p.sendingReason()
}

func (p *CountPanel) noLines() string {
	if why := p.notEditable(); why != "" {
		return why
	}
	if p.Total() == 0 && !p.Line().Count.None {
		return p.T().Get("Nothing is counted yet")
	}
	return ""
}

// cannotBook returns why nothing can be booked now, or "".
func (p *CountPanel) cannotBook() string {
	if why := p.noLines(); why != "" {
		return why
	}
	return p.Site.MissingRights(p.Writes...)
}

func (p *CountPanel) cannotAdd() string {
	if why := p.notEditable(); why != "" {
		return why
	}
	if l := p.Line(); l.BySerial() {
		return p.T().Get("Scan each serial number")
	} else if l.Count.Quantity == l.Pending {
		return p.T().Get("Everything pending is counted")
	}
	return ""
}

// askDamaged asks how many of the counted items are damaged. If serials are counted,
// the next scans mark serials as damaged instead.
func (p *CountPanel) askDamaged() tea.Cmd {
	t := p.T()

	line := p.Line()
	if len(line.Count.Serials) > 0 {
		p.markingDamaged = true
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
			p.countsBefore = p.Counts()
			entry, err := p.SetDamaged(n)
			if err != nil {
				return tui.Fail(err)
			}
			p.addFeed(entry)
			return nil
		}})
}

// markDamaged toggles whether the scanned serial is damaged.
func (p *CountPanel) markDamaged(r Label) tea.Cmd {
	p.countsBefore = p.Counts()
	entry, err := p.ToggleDamaged(r)
	if err != nil {
		return tui.Fail(err)
	}
	p.addFeed(entry)
	return tui.Accepted()
}

// openLotForm opens the form for the lot and its expiration date.
func (p *CountPanel) openLotForm() tea.Cmd {
	t := p.T()

	c := p.Line().Count
	p.form = widget.NewForm(t,
		widget.Field{Name: "lot", Label: t.Get("Lot"), Hint: t.Get("scan or type it")},
		widget.Field{Name: "ends", Label: t.Get("Expires"), Kind: widget.DateField, Hint: "2027-03-31"})
	p.form.Fill("lot", c.Lot)
	if !c.ExpiresAt.IsZero() {
		p.form.Fill("ends", c.ExpiresAt.Format(time.DateOnly))
	}
	return nil
}

// fillLotForm fills the form from a scanned label.
func (p *CountPanel) fillLotForm(r Label) tea.Cmd {
	switch {
	case r.Problem != "" && !(r.Scan.GS1.Form == "number"):
		return tui.Fail(MisreadError(p.T(), r))
	case r.Lot != "" || !r.ExpiresAt.IsZero():
		if r.Lot != "" {
			p.form.Fill("lot", r.Lot)
		}
		if !r.ExpiresAt.IsZero() {
			p.form.Fill("ends", r.ExpiresAt.Format(time.DateOnly))
		}
	case r.Scan.GS1.Form == "" && p.form.Focused() == "lot":
		p.form.Fill("lot", widget.Clean(r.Scan.Text))
		p.form.Focus("ends")
	default:
		return tui.Fail(errors.New(p.T().Get("%s contains no lot. Nothing was changed: scan the lot label, or type the lot.", r.Name())))
	}
	return tui.Accepted()
}

// closeLotForm applies the form to the current line.
func (p *CountPanel) closeLotForm() tea.Cmd {
	p.countsBefore = p.Counts()
	expiresAt, _ := time.Parse(time.DateOnly, p.form.Value("ends"))
	entry := p.SetLot(p.form.Value("lot"), expiresAt)
	p.form = nil
	p.addFeed(entry)
	return nil
}

// UnbookedReason returns a message if there is a count that must be booked before the
// document is closed, or "".
func (p *CountPanel) UnbookedReason() string {
	if n := p.Total(); n > 0 {
		return p.T().Get("%s counted but not booked: book them first, or set the count to 0", p.T().Count(n))
	}
	return ""
}

// Modal reports whether only the panel's own actions apply: the lot form is open,
// damaged serials are marked, or a booking is unfinished.
func (p *CountPanel) Modal() bool { return p.form != nil || p.markingDamaged || p.unfinished() }

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
