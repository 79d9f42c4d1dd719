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
	sub := p.submission
	text := sub.FailureText(p.T(), err, "")
	if sub.State() != submit.Refused {
		if sub.Pieces == 0 && !sub.Unfinished() {
			p.submission = nil // it never left and holds no count: it can be asked for again
		}
		return tui.Fail(errors.New(text))
	}
	if sub.Next > 0 {
		return tui.Fail(errors.New(p.T().Get("Done: %s. Failed: %s. %s Press enter to retry.",
			sub.DoneText(), sub.Steps[sub.Next].Text, text)), append(p.insistActions(err), p.discardRest())...)
	}
	offers := p.insistActions(err)
	if p.Job.Recover != nil && sub.Pieces > 0 {
		if own, more := p.Job.Recover(err); own != "" {
			text, offers = own, append(more, offers...)
		}
	}
	p.submission = nil
	if sub.Pieces > 0 {
		p.selectRefused(err)
	}
	p.learnTracking(p.Line(), err)
	if api.HasCode(err, api.LotRequired) {
		offers = append(offers, p.lotAction())
	}
	if api.HasCode(err, api.InsufficientStock) && p.stockCheck().isPossible() {
		offers = append(offers, p.recountAction())
	}
	return tea.Batch(tui.Fail(errors.New(text), offers...), p.Job.Booking.Refresh())
}

// insistActions offers to save the rejected step anyway because the items have moved,
// if the error allows it.
func (p *CountPanel) insistActions(err error) []tui.Action {
	t := p.T()

	var e *api.Error
	if !errors.As(err, &e) || e.Details["insist"] != true {
		return nil
	}
	retry := p.submission.Retry()
	retry.Steps[retry.Next].Insist = true
	return []tui.Action{{ID: "panel.keep", Keys: []string{"f10"}, Label: t.Get("save anyway: the items have moved"), Short: t.Get("keep"), Help: t.Get("Save it although the local ledger rejects it. The service decides when it syncs"),
		Run: func() tea.Cmd {
			if p.Sending() {
				return tui.Fail(errors.New(t.Get("Earlier work is not finished. Press enter to continue with it first.")))
			}
			p.submission = retry
			return p.sendNext()
		}}}
}

// finishAtRisk finishes a booking that was saved although the local check rejected it.
func (p *CountPanel) finishAtRisk() tea.Cmd {
	skipped := p.submission.Skipped()
	done := p.finish(count.AtRisk, p.submission.Toast)
	if skipped != "" {
		done = tea.Batch(done, tui.Fail(errors.New(p.T().Get("Not done: %s. Do it after the sync.", skipped))))
	}
	return tea.Batch(done, p.Job.Booking.Refresh()) // the document shown does not include it
}

// learnTracking learns the tracking of an item that is not in the catalog from a
// rejection of its line.
func (p *CountPanel) learnTracking(line *count.Line, err error) {
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

// discardRest finishes a booking without its remaining steps.
func (p *CountPanel) discardRest() tui.Action {
	t := p.T()

	return tui.Action{ID: "panel.skip", Keys: []string{"f8"}, Label: t.Get("skip failed steps"), Short: t.Get("skip"),
		Help: t.Get("Finish without the failed steps"),
		Run: func() tea.Cmd {
			if p.byLine() {
				return p.skipLine()
			}
			done, skipped := p.submission.Steps[0].Text, p.submission.Steps[p.submission.Next].Text
			return p.finish("", t.Get("done: %s. skipped: %s", done, skipped))
		}}
}

// discard discards a booking with an unknown outcome.
func (p *CountPanel) discard() tui.Action {
	t := p.T()

	return tui.Action{ID: "panel.discard", Keys: []string{"f8"}, Label: t.Get("discard"), Short: t.Get("discard"), Dangerous: true,
		Ask: t.Get("This may already be recorded. Check the quantity first. Discard it?"), Yes: t.Get("discard the count"), No: t.Get("keep it"),
		Help: t.Get("Discard work that has no answer; it may already be recorded"),
		Run: func() tea.Cmd {
			if p.submission == nil {
				return nil // answered while the question was open
			}
			if p.byLine() {
				return p.discardLine()
			}
			p.Clear()
			return p.Job.Booking.Refresh()
		}}
}
