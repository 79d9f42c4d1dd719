package panel

import (
	"time"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/names"
	"bincard/views/session"

	tea "github.com/charmbracelet/bubbletea"
)

// newLotForm returns the form for a lot and its expiration date.
func newLotForm(t *i18n.Translator, lot string, expiresAt time.Time) *widget.Form {
	form := widget.NewForm(t,
		widget.Field{Name: "lot", Label: t.Get("Lot"), Hint: t.Get("scan or type it")},
		widget.Field{Name: "ends", Label: t.Get("Expires"), Kind: widget.DateField})
	form.Fill("lot", lot)
	form.Select("lot")
	if !expiresAt.IsZero() {
		form.Fill("ends", expiresAt.Format(time.DateOnly))
	}

	return form
}

// fillLotForm fills the lot form from a scanned label. A lot ends its field as enter does.
func fillLotForm(p *CountPanel, r count.Label) tea.Cmd {
	t, form := p.T(), p.lotForm
	switch {
	case r.Problem != "" && !(r.Scan.GS1.Form == "number"):
		return tui.Fail(count.MisreadError(t, r))
	case p.NamesOtherItem(r):
		return fail(t.Get(
			"This label is not of %s. Nothing was changed: scan its lot label, or type the lot and the date.",
			p.Line().Item.SKU))
	case r.Lot != "" || !r.ExpiresAt.IsZero():
		if r.Lot != "" {
			form.Fill("lot", r.Lot)
		}
		if !r.ExpiresAt.IsZero() {
			form.Fill("ends", r.ExpiresAt.Format(time.DateOnly))
		}

	case r.Scan.GS1.Form == "" && form.Focused() == "lot":
		form.Fill("lot", widget.Clean(r.Scan.Text))
		return tea.Batch(tui.Accepted(), p.lotFormKey(tea.KeyMsg{Type: tea.KeyEnter}))
	default:
		return fail(t.Get("%s contains no lot. Nothing was changed: scan the lot label, or type the lot and the date.",
			r.Name()))
	}

	return tui.Accepted()
}

// lotFormKey handles a key of the lot form. At its end it applies the form to the current line,
// unless nothing was entered, and asks about a lot that is not the first to expire. The form
// stays open with an expired lot: enter does not accept it.
func (p *CountPanel) lotFormKey(k tea.KeyMsg) tea.Cmd {
	t := p.T()

	if k.Type == tea.KeyEnter && p.lotForm.Focused() == "lot" && p.lotForm.Value("ends") == "" {
		lot := p.lotForm.Value("lot")
		stocked, known := p.Line().StockedLot(lot)
		at := stocked.ExpiresAt
		if at.IsZero() {
			at = p.AnnouncedExpiry(p.Line(), lot)
		}
		if !at.IsZero() {
			p.lotForm.Fill("ends", at.Format(time.DateOnly))
		}
		if known {
			p.lotForm.Focus("ends")
		}
	}

	if !p.lotForm.Key(k) {
		return nil
	}

	lot, expires := p.lotForm.Value("lot"), p.lotForm.Value("ends")
	if c := p.Line().Count; lot == c.Lot && expires == "" && c.ExpiresAt.IsZero() {
		p.lotForm = nil
		return nil
	}

	expiresAt, _ := time.Parse(time.DateOnly, expires)
	set := func() tea.Cmd {
		p.lotForm = nil
		p.beginChange()
		return p.changed(p.SetLot(lot, expiresAt))
	}

	switch expired := p.ExpiredText(lot, expiresAt, p.Line()); {
	case expired != "" && p.Ships:
		return fail(t.Get("%s Nothing was counted: take another lot.", expired))
	case expired != "":
		return fail(t.Get("%s Change the lot, or press F8 to use it.", expired),
			tui.Action{ID: "panel.expired", Key: "f8", Run: set,
				Label: t.Get("use the expired lot"), Short: t.Get("use it")})
	}

	if earlier := p.Line().EarlierLotText(t, lot, expiresAt); earlier != "" {
		return tui.Confirm(tui.Question{Text: earlier, Yes: t.Get("take %s", widget.Clean(lot)), OnYes: set,
			No:   t.Get("change the lot"),
			OnNo: func() tea.Cmd { p.lotForm = newLotForm(t, lot, expiresAt); return nil }})
	}

	return set()
}

// askDamaged asks how many of the counted items are damaged, and by what. If serials are
// counted, the next scans mark serials as damaged instead.
func (p *CountPanel) askDamaged() tea.Cmd {
	t := p.T()

	if p.Line().Count.Quantity == 0 || p.guard.waits(p.Env.Now()) {
		p.selectCompleted()
	}

	line := p.Line()
	if len(line.Count.Serials) > 0 {
		p.markingDamaged = true
		return nil
	}

	number := func(text string) (int64, error) {
		return parseNumber(text, t.Get("%q is not a quantity: type how many are damaged", text))
	}
	ask := t.Get("How many of the %s are damaged?", t.Count(line.Count.Quantity))
	if len(p.Lines) > 1 {
		ask = t.Get("How many of the %s × %s are damaged?", t.Count(line.Count.Quantity), line.Item.SKU)
	}

	return tui.Prompt(tui.Request{Text: ask,
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
			set := func(cause string) tea.Cmd {
				p.beginChange()
				entry, err := p.SetDamaged(n, cause)
				if err != nil {
					return tui.Fail(err)
				}
				return p.changed(entry)
			}
			if n == 0 {
				return set("")
			}
			return askCause(p.Site, p.Line(), set)
		}})
}

// endDamaged ends the marking of damaged serials, and asks what damaged them.
func endDamaged(p *CountPanel) tea.Cmd {
	line := p.Line()
	p.markingDamaged = false
	p.advance()
	if line.Count.Damaged == 0 {
		return nil
	}

	return askCause(p.Site, line, func(cause string) tea.Cmd {
		if l := lineWithKey(p.Lines, line.Key); l != nil {
			l.Count.DamageCause = cause
		}
		return nil
	})
}

// askCause asks what damaged the items of a line.
func askCause(site *session.Site, l *count.Line, accept func(cause string) tea.Cmd) tea.Cmd {
	return AskReason(
		site,
		site.T().Get("What damaged them? Choose the cause, or type it"),
		names.DamageCauses,
		l.Count.DamageCause,
		accept,
	)
}
