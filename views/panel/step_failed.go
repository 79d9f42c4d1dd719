package panel

import (
	"errors"
	"slices"

	"bincard/server/api"
	"bincard/tui"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// stepFailed handles the error of a step. A step with an unknown outcome can be
// retried; a rejected one is discarded, unless steps before it are done.
func (p *CountPanel) stepFailed(m stepMsg) tea.Cmd {
	step := p.submission.Steps[p.submission.Next]
	if api.HasCode(m.err, api.AtRisk) {
		return p.acceptAtRisk()
	}
	if submit.OutcomeUnknown(m.err) {
		p.submission.Sent = m.wasSent || !submit.NeverSent(m.err)
		text := submit.UnansweredText(p.T(), m.err, p.submission.Sent, "")
		if p.submission.Pieces == 0 && !p.unfinished() {
			p.submission = nil // it never left and holds no count: it can be asked for again
		}
		return tui.Fail(errorf("%s", text))
	}
	p.submission.Sent = false
	if p.submission.Next > 0 {
		return tui.Fail(errors.New(p.T().Get("Done: %s. Failed: %s. %s Press enter to retry.",
			p.submission.Steps[0].Text, step.Text, submit.UserMessage(p.T(), m.err))), append(p.insistActions(m.err), p.discardRest())...)
	}
	offers := p.insistActions(m.err)
	p.submission = nil
	p.learnTracking(m.err)
	if api.HasCode(m.err, api.InsufficientStock) && p.canCheckStock() {
		offers = append(offers, p.recountAction())
	}
	cmds := []tea.Cmd{tui.Fail(errorf("%s", submit.UserMessage(p.T(), m.err)), offers...)}
	if p.OnRefused != nil {
		cmds = append(cmds, p.OnRefused(m.err))
	}
	return tea.Batch(cmds...)
}

// insistActions offers to save the rejected step anyway because the items have moved,
// if the error allows it.
func (p *CountPanel) insistActions(err error) []tui.Action {
	t := p.T()

	var e *api.Error
	if !errors.As(err, &e) || e.Details["insist"] != true {
		return nil
	}
	retry := *p.submission
	retry.Steps = slices.Clone(retry.Steps)
	retry.Steps[retry.Next].Insist = true
	return []tui.Action{{ID: "dock.insist", Keys: []string{"f10"}, Label: t.Get("keep anyway: items have moved"), Short: t.Get("keep"), Help: t.Get("Save it although the check here rejects it; the service decides when it syncs"),
		Run: func() tea.Cmd {
			if p.sending {
				return tui.Fail(errors.New(t.Get("Another booking is not finished. Press enter to continue with it first.")))
			}
			p.submission = &retry
			return p.sendNext()
		}}}
}

// acceptAtRisk continues after a step that was saved although the local check rejected
// it.
func (p *CountPanel) acceptAtRisk() tea.Cmd {
	res := &api.Response{}
	last, err := p.submission.Advance(res)
	switch {
	case err != nil:
		return tui.Fail(err)
	case !last:
		return p.sendNext()
	}
	done := p.finish(res, p.T().Get("kept, at risk: the service may reject it"))
	if p.OnRefused != nil { // the document shown does not include it
		return tea.Batch(done, p.OnRefused(nil))
	}
	return done
}

// learnTracking learns the tracking of an item that is not in the catalog from a
// rejection.
func (p *CountPanel) learnTracking(err error) {
	line := p.Line()
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

	return tui.Action{ID: "dock.leave", Keys: []string{"f8"}, Label: t.Get("skip failed steps"), Short: t.Get("skip"),
		Help: t.Get("Finish this booking without the failed steps"),
		Run: func() tea.Cmd {
			done, skipped := p.submission.Steps[0].Text, p.submission.Steps[p.submission.Next].Text
			return p.finish(nil, t.Get("done: %s. skipped: %s", done, skipped))
		}}
}

// discard discards a booking with an unknown outcome.
func (p *CountPanel) discard() tui.Action {
	t := p.T()

	return tui.Action{ID: "dock.giveup", Keys: []string{"f8"}, Label: t.Get("discard"), Short: t.Get("discard"), Dangerous: true,
		Ask:  t.Get("This may already be booked. Check the quantity first. Discard it?"),
		Help: t.Get("Discard a booking that has no answer; it may already be booked"),
		Run: func() tea.Cmd {
			if p.submission == nil {
				return nil // answered while the question was open
			}
			p.reset()
			p.sending = false
			if p.OnRefused != nil {
				return p.OnRefused(nil)
			}
			return nil
		}}
}
