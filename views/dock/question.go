package dock

import (
	"bincard/tui"
	"bincard/tui/widget"
)

// ask is the question of the bench as things stand.
func (b *Bench) ask(small bool) string {
	l := b.Line()
	switch {
	case small && b.sending:
		return "sending…"
	case small && b.waiting():
		return "no answer: enter"
	case small && b.Closed != "" && b.Ended != "":
		return b.Ended
	case small && b.plan != nil:
		return "not sent: enter"
	case b.sending:
		return "Sending: " + b.step()
	case b.waiting():
		return "No answer yet for: " + b.step() + ". enter sends it again"
	case b.Closed != "":
		return b.Closed
	case b.plan != nil:
		return "Not sent yet: enter tries again"
	case b.marking && small:
		return "scan damaged piece"
	case b.marking:
		return "Scan the serial number of the damaged piece"
	case b.wants && small:
		return "scan serial number"
	case b.wants:
		return "Scan the serial number of " + l.Goods.SKU
	case small:
		return "scan or number"
	case l.BySerial():
		return "Scan the serial number of each piece"
	case b.In && l.ByLot() && l.Count.Lot == "" && l.Count.Now > 0:
		return "Scan the lot, or type it with F7"
	case l.Count.Now > l.Pending:
		return "Too many: only " + widget.Count(l.Pending) + " are pending. Type how many, or +"
	case l.Pending > 0 && l.Left() == 0:
		return "All is counted: enter to " + b.Verb
	case l.ByLot():
		return "Scan a box, a piece or a lot, or type a number"
	}
	return "Scan a box or a piece, or type a number"
}

func (b *Bench) step() string {
	if b.plan == nil || b.plan.Next >= len(b.plan.Steps) {
		return b.Verb
	}
	return b.plan.Steps[b.plan.Next].Words
}

// Ask is the question as it stands on the screen, or the form in its place.
func (b *Bench) Ask(size tui.Size) string {
	t := b.Env.Theme
	if b.form != nil {
		return indent(b.form.View(t, size.Width-margin(size)), size)
	}
	b.question.Ask = b.ask(size.Small())
	return indent(b.question.View(t, size.Width-margin(size)), size)
}
