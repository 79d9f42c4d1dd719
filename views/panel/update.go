package panel

import (
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/count"
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
		if !p.sender.preparing {
			return nil, true
		}
		if err := p.sender.prepared(msg); err != nil {
			p.selectRefused(err)
			return fail(submit.UserMessage(p.T(), err), countAgain(p, err)...), true
		}
		return p.sendNext(), true
	case submit.Answer:
		return p.stepAnswered(msg), true
	case reloadLateMsg:
		if p.sender.result != msg.result {
			return nil, true
		}
		return p.reloaded(), true
	case wrongDateMsg:
		return msg.show(p), true
	case pickStockMsg:
		return p.stockCheck().loaded(msg), true
	case waitingMsg:
		p.waiting = msg.found
		p.waiting.since = p.Env.Now()
		return nil, true
	case serialMsg:
		return p.serialFound(msg), true
	case plateMsg:
		return countPlate(p, msg), true
	case pickableMsg:
		p.pickable.loaded(msg, p.Lines)
		return nil, true
	case trackMsg:
		return p.feed.readStates(p.Env, p.Site), true
	case trackedMsg:
		return p.feed.setStates(p.Env, msg), true
	case labelsMsg:
		text, failed := p.receipts.offer(p.Site, msg)
		switch {
		case failed:
			p.feed.add(count.FeedEntry{Source: text, Sync: count.NotPrinted}, p.Env.Now())
			return tui.Warn(text), true
		case text != "":
			return tui.Toast(text), true
		}

		return nil, true

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

func (p *CountPanel) key(k tea.KeyMsg) tea.Cmd {
	if p.lotForm != nil {
		return p.lotFormKey(k)
	}
	if p.phase() == loading {
		return tui.Warn(p.T().Get("The document is not loaded"))
	}
	if p.Document.ClosedReason != "" && k.Type == tea.KeyRunes && p.quantity.accepts(k) {
		p.quantity.digitsAt = p.Env.Now()
		return warnClosed(p.T(), p.Document)
	}

	now := p.Env.Now()
	p.guard.see(p.Line(), now)
	if p.quantity.number.Value() == "" {
		p.quantity.began = now
	}

	entry, err := p.quantity.key(p.T(), k, p.Line().ByLot())
	switch {
	case err != nil:
		return tui.Fail(err)
	case entry == nil:
		return nil
	case entry.barcode != nil:
		return p.OnScan(*entry.barcode)
	case p.guard.waits(p.quantity.began):
		return p.guard.ignore(p.T(), now)
	}

	return p.SetCount(entry.quantity, p.T().Get("typed"))
}

// A phase is what a panel is doing. What can be done in it is in the package comment.
type phase int

const (
	loading    phase = iota // the document is not there yet
	sending                 // steps are built or sent, or their result waits for the document
	unanswered              // a step may be recorded
	partDone                // a step was refused or not sent, and steps before it are recorded
	closed                  // nothing can be counted anymore
	unsent                  // steps are built and none of them arrived
	counting
)

// phase returns what the panel is doing.
func (p *CountPanel) phase() phase {
	switch sub := p.sender.submission; {
	case len(p.Lines) == 0 && p.AddLine == nil: // with AddLine, scans add the lines
		return loading
	case p.sender.isSending():
		return sending
	case sub.Unfinished() && sub.Sent:
		return unanswered
	case sub.Unfinished():
		return partDone
	case p.Document.ClosedReason != "":
		return closed
	case sub != nil:
		return unsent
	}

	return counting
}

// isUnfinished reports whether the operator must finish or give up earlier work first.
func (ph phase) isUnfinished() bool { return ph == unanswered || ph == partDone }

// refusal returns why nothing can be counted in the phase, in full and for an action that is
// disabled; both are "" if something can. step is the next step, and why says why the document
// is closed.
func (ph phase) refusal(t *i18n.Translator, step, why string) (full, short string) {
	switch ph {
	case loading:
		return t.Get("The document is not loaded. Nothing was counted: scan again, or press esc."),
			t.Get("The document is not loaded")
	case sending:
		return t.Get("Still sending. Nothing was counted: wait for the answer."), t.Get("Still sending")
	case unanswered:
		return t.Get("%q has no answer yet. Nothing was counted: press enter to retry it first.", step),
			t.Get("The last attempt has no answer yet: press enter")
	case partDone:
		return t.Get("%q is not recorded yet. Nothing was counted: press enter to retry it, or F8 to skip it.", step),
			t.Get("The last attempt is not recorded: press enter, or F8 to skip it")
	case closed:
		return t.Get("%s Nothing was counted.", why), why
	case unsent, counting:
	}

	return "", ""
}
