package dock

import (
	"errors"
	"fmt"
	"slices"

	"bincard/server/api"
	"bincard/tui"

	tea "github.com/charmbracelet/bubbletea"
)

// failed keeps what may be sent again, gives up what was refused, and says which.
func (b *Bench) failed(m stepMsg) tea.Cmd {
	step := b.plan.Steps[b.plan.Next]
	if api.HasCode(m.err, api.AtRisk) {
		return b.atRisk()
	}
	if Unsure(m.err) {
		b.plan.Sent = m.was || !neverSent(m.err)
		words := wordsOfSending(m.err, b.plan.Sent)
		if b.plan.Touched == 0 && !b.waiting() {
			b.plan = nil // it never left and holds no count: it can be asked for again
		}
		return tui.Fail(errorf("%s", words))
	}
	b.plan.Sent = false
	if b.plan.Next > 0 {
		return tui.Fail(errorf(partlyDone,
			b.plan.Steps[0].Words, step.Words, Words(m.err)), append(b.insist(m.err), b.leaveRest())...)
	}
	offers := b.insist(m.err)
	b.plan = nil
	b.learnTracking(m.err)
	if api.HasCode(m.err, api.InsufficientStock) && b.shelved() {
		offers = append(offers, b.emptied())
	}
	cmds := []tea.Cmd{tui.Fail(errorf("%s", Words(m.err)), offers...)}
	if b.Refused != nil {
		cmds = append(cmds, b.Refused(m.err))
	}
	return tea.Batch(cmds...)
}

// insist offers to have the refused step kept, where the goods have moved
// already and it can be.
func (b *Bench) insist(err error) []tui.Action {
	var e *api.Error
	if !errors.As(err, &e) || e.Details["insist"] != true {
		return nil
	}
	plan := *b.plan
	plan.Steps = slices.Clone(plan.Steps)
	plan.Steps[plan.Next].Insist = true
	return []tui.Action{{ID: "dock.insist", Keys: []string{"f10"}, Label: labelInsist, Short: shortInsist, Help: helpInsist,
		Run: func() tea.Cmd {
			if b.sending {
				return tui.Fail(errors.New(sendingAlready))
			}
			b.plan = &plan
			return b.send()
		}}}
}

// atRisk goes on after a step that is kept although it looks wrong.
func (b *Bench) atRisk() tea.Cmd {
	res := &api.Response{}
	over, err := b.plan.Answered(res)
	switch {
	case err != nil:
		return tui.Fail(err)
	case !over:
		return b.send()
	}
	done := b.finish(res, keptAtRisk)
	if b.Refused != nil { // what shows is without it
		return tea.Batch(done, b.Refused(nil))
	}
	return done
}

// learnTracking takes from a refusal how the goods are told apart, where there
// is no catalogue to say so.
func (b *Bench) learnTracking(err error) {
	line := b.Line()
	if line.Goods.Known {
		return
	}
	switch {
	case api.HasCode(err, api.SerialCountMismatch):
		line.Goods.Tracking = api.TrackSerial
		line.Count.Now, line.Count.Serials = 0, nil
	case api.HasCode(err, api.LotRequired):
		line.Goods.Tracking = api.TrackLot
	}
}

// leaveRest ends a booking of which the first step is done.
func (b *Bench) leaveRest() tui.Action {
	return tui.Action{ID: "dock.leave", Keys: []string{"f8"}, Label: labelLeave, Short: shortLeave,
		Help: helpLeave,
		Run: func() tea.Cmd {
			done, left := b.plan.Steps[0].Words, b.plan.Steps[b.plan.Next].Words
			return b.finish(nil, fmt.Sprintf(doneAndLeft, done, left))
		}}
}

// giveUp forgets a booking of which nobody knows whether it was done.
func (b *Bench) giveUp() tui.Action {
	return tui.Action{ID: "dock.giveup", Keys: []string{"f8"}, Label: labelGiveUp, Short: shortGiveUp, Dangerous: true,
		Ask:  askForget,
		Help: helpGiveUp,
		Run: func() tea.Cmd {
			if b.plan == nil {
				return nil // it was answered while one was asked
			}
			b.clear()
			b.sending = false
			if b.Refused != nil {
				return b.Refused(nil)
			}
			return nil
		}}
}
