package dock

import (
	"fmt"

	"bincard/server/api"
	"bincard/tui"

	tea "github.com/charmbracelet/bubbletea"
)

// failed keeps what may be sent again, gives up what was refused, and says which.
func (b *Bench) failed(m stepMsg) tea.Cmd {
	step := b.plan.Steps[b.plan.Next]
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
			b.plan.Steps[0].Words, step.Words, Words(m.err)), b.leaveRest())
	}
	b.plan = nil
	b.learnTracking(m.err)
	var offers []tui.Action
	if api.HasCode(m.err, api.InsufficientStock) && b.shelved() {
		offers = append(offers, b.emptied())
	}
	cmds := []tea.Cmd{tui.Fail(errorf("%s", Words(m.err)), offers...)}
	if b.Refused != nil {
		cmds = append(cmds, b.Refused(m.err))
	}
	return tea.Batch(cmds...)
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
			b.clear()
			if b.Refused != nil {
				return b.Refused(nil)
			}
			return nil
		}}
}
