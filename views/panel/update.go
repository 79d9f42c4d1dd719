package panel

import (
	"time"

	"bincard/tui"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// Update handles the panel's messages and keys; handled reports whether msg was one of
// them.
func (p *CountPanel) Update(msg tea.Msg) (cmd tea.Cmd, handled bool) {
	defer func() { p.guard.see(p.Line(), p.Env.Now()) }()
	switch msg := msg.(type) {
	case lookupMsg:
		return p.lookupAnswered(msg), true
	case stepsMsg:
		return p.stepsReady(msg), true
	case submit.Answer:
		return p.stepAnswered(msg), true
	case reloadLateMsg:
		if p.result != msg.result {
			return nil, true
		}
		return p.reloaded(), true
	case pickStockMsg:
		return p.pickStockRead(msg), true
	case serialMsg:
		return p.serialFound(msg), true
	case pickableMsg:
		p.pickableRead(msg)
		return nil, true
	case trackMsg:
		return p.readTracked(), true
	case trackedMsg:
		return p.tracked(msg), true
	case labelsMsg:
		return p.labelsMade(msg), true
	case tea.KeyMsg:
		return p.key(msg), true
	}
	return nil, false
}

// AcceptsKey reports whether k is text input for the panel: a number, a typed code, or
// input for its form.
func (p *CountPanel) AcceptsKey(k tea.KeyMsg) bool {
	switch {
	case p.lotForm != nil:
		return p.lotForm.AcceptsKey(k)
	case p.quantity.endsCode(k):
		return true
	}
	return p.Document.ClosedReason == "" && !p.markingDamaged && p.quantity.accepts(k)
}

func (p *CountPanel) lotFormKey(k tea.KeyMsg) tea.Cmd {
	if p.lotForm.Key(k) {
		return p.closeLotForm()
	}
	return nil
}

// nextField goes to the next field of the lot form, or applies it after the last.
func (p *CountPanel) nextField() tea.Cmd { return p.lotFormKey(tea.KeyMsg{Type: tea.KeyEnter}) }

// warnClosed says that nothing is counted on a finished document.
func (p *CountPanel) warnClosed() tea.Cmd {
	return tui.Warn(p.T().Get("%s Nothing was counted.", p.Document.ClosedReason))
}

// endsDigits reports whether enter ends a number that was typed on a finished document.
func (p *CountPanel) endsDigits() bool {
	at := p.digitsAt
	p.digitsAt = time.Time{}
	return p.Document.ClosedReason != "" && !at.IsZero() && p.Env.Now().Sub(at) < letterWindow
}

func (p *CountPanel) key(k tea.KeyMsg) tea.Cmd {
	if p.lotForm != nil {
		return p.lotFormKey(k)
	}
	if p.Document.ClosedReason != "" && k.Type == tea.KeyRunes && p.quantity.accepts(k) {
		p.digitsAt = p.Env.Now()
		return p.warnClosed()
	}
	now := p.Env.Now()
	p.guard.see(p.Line(), now)
	if p.quantity.number.Value() == "" {
		p.quantity.early = p.guard.waits(now)
	}
	entry, err := p.quantity.key(p.T(), k)
	switch {
	case err != nil:
		return tui.Fail(err)
	case entry == nil:
		return nil
	case entry.barcode != nil:
		return p.OnScan(*entry.barcode)
	case p.quantity.early:
		return p.guard.ignore(p.T(), now)
	}
	return p.setCount(entry.quantity, p.T().Get("typed"))
}
