package panel

import (
	"errors"

	"bincard/server/api"
	"bincard/tui"
	"bincard/views/count"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// stepFailed handles the error of a step. A step with an unknown outcome can be
// retried; a rejected one is discarded, unless steps before it are done.
func (p *CountPanel) stepFailed(err error) tea.Cmd {
	sub := p.sender.submission
	text := sub.FailureText(p.T(), err, "")
	switch {
	case sub.State() != submit.Refused:
		if sub.Pieces == 0 && !sub.Unfinished() {
			p.sender.discard() // it never left and holds no count: it can be asked for again
		}
		return fail(text)
	case sub.Next > 0:
		return fail(p.T().Get("Done: %s. Failed: %s. %s Press enter to retry.",
			sub.DoneText(), sub.Steps[sub.Next].Text, text), append(p.insistActions(err), p.skipAction())...)
	}

	text, offers := p.refusal(err)
	p.sender.discard()
	p.waiting = waitingOrders{}
	if sub.Pieces > 0 {
		p.selectRefused(err)
	}

	learnTracking(p.Line(), err)

	return tea.Batch(fail(text, offers...), p.Job.Booking.Refresh())
}

// refusal says why the service refused the next step, and what can be done about it.
func (p *CountPanel) refusal(err error) (text string, offers []tui.Action) {
	sub := p.sender.submission
	text, offers = sub.FailureText(p.T(), err, ""), p.insistActions(err)
	if p.Job.Recover != nil && (sub.Pieces > 0 || p.sender.byLine()) {
		if own, more := p.Job.Recover(err); own != "" {
			text, offers = own, append(more, offers...)
		}
	}

	if api.HasCode(err, api.LotRequired) {
		offers = append(offers, p.lotAction())
	}
	if check := p.stockCheck(); api.HasCode(err, api.InsufficientStock) && check.isPossible() {
		offers = append(offers, check.action(p.Frame))
	}
	if len(offers) == 0 {
		offers = countAgain(p, err)
	}

	return text, offers
}

// countAgain offers to begin again with the line that is refused for its lot. Until the count is
// 0, the right lot is another one of it.
func countAgain(p *CountPanel, err error) []tui.Action {
	if !api.HasCode(err, api.LotMismatch) {
		return nil
	}
	t := p.T()
	return []tui.Action{{ID: "panel.again", Key: "f8", Label: t.Get("count again"),
		Run: func() tea.Cmd { return p.SetCount(0, t.Get("typed")) }}}
}

// insistActions offers to save the rejected step anyway because the items have moved,
// if the error allows it.
func (p *CountPanel) insistActions(err error) []tui.Action {
	t := p.T()

	var e *api.Error
	if !errors.As(err, &e) || e.Details["insist"] != true {
		return nil
	}

	retry := p.sender.submission.Retry()
	retry.Steps[retry.Next].Insist = true

	return []tui.Action{{ID: "panel.keep", Key: "f10",
		Label: t.Get("save anyway: the items have moved"), Short: t.Get("keep"),
		Help: t.Get("Save it although the local ledger rejects it. The service decides when it syncs."),
		Run: func() tea.Cmd {
			if p.Sending() {
				return failUnfinished(t)
			}
			p.sender.submission = retry
			return p.sendNext()
		}}}
}

// learnTracking learns the tracking of an item that is not in the catalog from a
// rejection of its line.
func learnTracking(line *count.Line, err error) {
	if line.Item.InCatalog {
		return
	}

	switch {
	case api.HasCode(err, api.SerialCountMismatch):
		line.Item.Tracking = api.TrackSerial
		line.Count.Quantity, line.Count.Serials = 0, nil
	case api.HasCode(err, api.LotRequired):
		line.Item.Tracking = api.TrackLot
	}
}

// unfinishedActions returns the actions of a booking that has no answer or is partly done.
func (p *CountPanel) unfinishedActions() []tui.Action {
	t := p.T()

	retry := tui.Action{ID: "panel.retry", Key: "enter", Label: t.Get("retry"),
		Run: p.Book, Disabled: func() string {
			if p.Sending() {
				return t.Get("Still sending")
			}
			return ""
		}}

	if p.sender.inLine() || !p.sender.submission.Sent {
		return []tui.Action{retry, p.skipAction()}
	}

	return []tui.Action{retry, {ID: "panel.discard", Key: "f8", Label: t.Get("discard"), Dangerous: true,
		Ask: t.Get("This may already be recorded. Check the quantity first. Discard it?"),
		Yes: t.Get("discard the count"), No: t.Get("keep it"),
		Help: t.Get("Discard an entry that has no answer; it may already be recorded"), Run: p.discard}}
}

// discard discards a booking with an unknown outcome, or of a booking by line the line that
// has no answer. The lines after it stay counted.
func (p *CountPanel) discard() tea.Cmd {
	sub := p.sender.submission
	switch {
	case sub == nil:
		return nil // answered while the question was open
	case !p.sender.byLine():
		p.Clear()
		return p.Job.Booking.Refresh()
	}

	if l := lineWithKey(p.Lines, sub.Steps[sub.Next].Line); l != nil {
		l.Count = count.Count{}
	}

	sub.DropLine()

	return tea.Batch(p.finishDone(), p.Job.Booking.Refresh())
}

// skipAction returns the action that finishes a booking, or the line of one, without the
// remaining steps.
func (p *CountPanel) skipAction() tui.Action {
	t := p.T()

	return tui.Action{ID: "panel.skip", Key: "f8", Label: t.Get("skip failed steps"), Short: t.Get("skip"),
		Help: t.Get("Finish without the failed steps"),
		Run: func() tea.Cmd {
			sub := p.sender.submission
			switch {
			case sub == nil:
				return nil // answered meanwhile
			case p.sender.byLine():
				sub.DropLine()
				return p.proceed("")
			}

			return p.finish("", t.Get("done: %s. skipped: %s", sub.DoneText(), sub.LeftText()))
		}}
}
