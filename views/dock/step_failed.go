package dock

import (
	"errors"
	"slices"

	"bincard/server/api"
	"bincard/tui"

	tea "github.com/charmbracelet/bubbletea"
)

// stepFailed keeps what may be sent again, gives up what was refused, and says which.
func (b *CountPanel) stepFailed(m stepMsg) tea.Cmd {
	step := b.submission.Steps[b.submission.Next]
	if api.HasCode(m.err, api.AtRisk) {
		return b.acceptAtRisk()
	}
	if OutcomeUnknown(m.err) {
		b.submission.Sent = m.wasSent || !neverSent(m.err)
		words := sendErrorText(b.T(), m.err, b.submission.Sent, "")
		if b.submission.Pieces == 0 && !b.unfinished() {
			b.submission = nil // it never left and holds no count: it can be asked for again
		}
		return tui.Fail(errorf("%s", words))
	}
	b.submission.Sent = false
	if b.submission.Next > 0 {
		return tui.Fail(errors.New(b.T().Get("Done: %s. Failed: %s. %s Press enter to retry.",
			b.submission.Steps[0].Text, step.Text, UserMessage(b.T(), m.err))), append(b.insistActions(m.err), b.discardRest())...)
	}
	offers := b.insistActions(m.err)
	b.submission = nil
	b.learnTracking(m.err)
	if api.HasCode(m.err, api.InsufficientStock) && b.canCheckStock() {
		offers = append(offers, b.recountAction())
	}
	cmds := []tea.Cmd{tui.Fail(errorf("%s", UserMessage(b.T(), m.err)), offers...)}
	if b.OnRefused != nil {
		cmds = append(cmds, b.OnRefused(m.err))
	}
	return tea.Batch(cmds...)
}

// insistActions offers to have the refused step kept, where the goods have moved
// already and it can be.
func (b *CountPanel) insistActions(err error) []tui.Action {
	t := b.T()

	var e *api.Error
	if !errors.As(err, &e) || e.Details["insist"] != true {
		return nil
	}
	plan := *b.submission
	plan.Steps = slices.Clone(plan.Steps)
	plan.Steps[plan.Next].Insist = true
	return []tui.Action{{ID: "dock.insist", Keys: []string{"f10"}, Label: t.Get("keep anyway: items have moved"), Short: t.Get("keep"), Help: t.Get("Save it although the check here rejects it; the service decides when it syncs"),
		Run: func() tea.Cmd {
			if b.sending {
				return tui.Fail(errors.New(t.Get("Another booking is not finished. Press enter to continue with it first.")))
			}
			b.submission = &plan
			return b.sendNext()
		}}}
}

// acceptAtRisk goes on after a step that is kept although it looks wrong.
func (b *CountPanel) acceptAtRisk() tea.Cmd {
	res := &api.Response{}
	over, err := b.submission.Advance(res)
	switch {
	case err != nil:
		return tui.Fail(err)
	case !over:
		return b.sendNext()
	}
	done := b.finish(res, b.T().Get("kept, at risk: the service may reject it"))
	if b.OnRefused != nil { // what shows is without it
		return tea.Batch(done, b.OnRefused(nil))
	}
	return done
}

// learnTracking takes from a refusal how the goods are told apart, where there
// is no catalogue to say so.
func (b *CountPanel) learnTracking(err error) {
	line := b.Line()
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

// discardRest ends a booking of which the first step is done.
func (b *CountPanel) discardRest() tui.Action {
	t := b.T()

	return tui.Action{ID: "dock.leave", Keys: []string{"f8"}, Label: t.Get("skip failed steps"), Short: t.Get("skip"),
		Help: t.Get("Finish this booking without the failed steps"),
		Run: func() tea.Cmd {
			done, left := b.submission.Steps[0].Text, b.submission.Steps[b.submission.Next].Text
			return b.finish(nil, t.Get("done: %s. skipped: %s", done, left))
		}}
}

// discard forgets a booking of which nobody knows whether it was done.
func (b *CountPanel) discard() tui.Action {
	t := b.T()

	return tui.Action{ID: "dock.giveup", Keys: []string{"f8"}, Label: t.Get("discard"), Short: t.Get("discard"), Dangerous: true,
		Ask:  t.Get("This may already be booked. Check the quantity first. Discard it?"),
		Help: t.Get("Discard a booking that has no answer; it may already be booked"),
		Run: func() tea.Cmd {
			if b.submission == nil {
				return nil // it was answered while one was asked
			}
			b.reset()
			b.sending = false
			if b.OnRefused != nil {
				return b.OnRefused(nil)
			}
			return nil
		}}
}
