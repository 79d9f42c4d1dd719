package dock

import (
	"fmt"

	"bincard/tui"
	"bincard/tui/widget"
)

// ask is the question of the bench as things stand.
func (b *Bench) ask(small bool) string {
	l := b.Line()
	switch {
	case small && b.sending:
		return askSending
	case small && b.waiting():
		return askNoAnswer
	case small && b.Closed != "" && b.Ended != "":
		return b.Ended
	case small && b.plan != nil:
		return askNotSent
	case b.sending:
		return fmt.Sprintf(askSendingOf, b.step())
	case b.waiting():
		return fmt.Sprintf(askNoAnswerFor, b.step())
	case b.Closed != "":
		return b.Closed
	case b.plan != nil:
		return askNotSentYet
	case b.marking && small:
		return askMark
	case b.marking:
		return askMarkPiece
	case b.wants && small:
		return askSerial
	case b.wants:
		return fmt.Sprintf(askSerialOf, l.Goods.SKU)
	case b.Question != nil && b.Question(small) != "":
		return b.Question(small)
	case small:
		return askScan
	case l.BySerial():
		return askSerials
	case b.In && l.ByLot() && l.Count.Lot == "" && l.Count.Now > 0:
		return askLot
	case l.within() != "":
		return fmt.Sprintf(askBookOver, l.within(), b.Verb)
	case l.Count.Now > l.Pending:
		return fmt.Sprintf(askFewer, widget.Count(l.Pending), l.pending())
	case l.Pending > 0 && l.Left() == 0:
		return fmt.Sprintf(askBook, b.Verb)
	case l.ByLot():
		return askGoodsByLot
	}
	return askGoods
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
