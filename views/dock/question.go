package dock

import (
	"bincard/tui"
)

// questionText returns the prompt for the current state.
func (b *CountPanel) questionText(small bool) string {
	t := b.T()

	l := b.Line()
	switch {
	case small && b.sending:
		return t.Get("sending…")
	case small && b.unfinished():
		return t.Get("no answer: enter")
	case small && b.ClosedReason != "" && b.ClosedShort != "":
		return b.ClosedShort
	case small && b.submission != nil:
		return t.Get("not sent: enter")
	case b.sending:
		return t.Get("Sending: %s", b.stepHint())
	case b.unfinished():
		return t.Get("No answer yet for: %s. Press enter to retry", b.stepHint())
	case b.ClosedReason != "":
		return b.ClosedReason
	case b.submission != nil:
		return t.Get("Not sent yet: press enter to retry")
	case b.markingDamaged && small:
		return t.Get("scan damaged item")
	case b.markingDamaged:
		return t.Get("Scan the serial number of the damaged item")
	case b.wantsSerial && small:
		return t.Get("scan serial number")
	case b.wantsSerial:
		return t.Get("Scan the serial number of %s", l.Item.SKU)
	case b.Question != nil && b.Question(small) != "":
		return b.Question(small)
	case small:
		return t.GetC("scan or number", "dock")
	case l.BySerial():
		return t.Get("Scan each serial number")
	case b.Incoming && l.ByLot() && l.Count.Lot == "" && l.Count.Quantity > 0:
		return t.Get("Scan the lot, or press F7 to type it")
	case l.toleranceText(t) != "":
		return t.Get("%s: press enter to %s", l.toleranceText(t), b.Verb)
	case l.Count.Quantity > l.Pending:
		return t.Get("Too many: only %s %s. Type the quantity, or +", t.Count(l.Pending), l.pendingWord(t))
	case l.Pending > 0 && l.Remaining() == 0:
		return t.Get("All counted: press enter to %s", b.Verb)
	case l.ByLot():
		return t.Get("Scan a box, item, or lot, or type a quantity")
	}
	return t.Get("Scan a box or item, or type a quantity")
}

func (b *CountPanel) stepHint() string {
	if b.submission == nil || b.submission.Next >= len(b.submission.Steps) {
		return b.Verb
	}
	return b.submission.Steps[b.submission.Next].Text
}

// QuestionView renders the prompt, or the lot form if it is open.
func (b *CountPanel) QuestionView(size tui.Size) string {
	t := b.Env.Theme
	if b.form != nil {
		return indent(b.form.View(t, size.Width-margin(size)), size)
	}
	b.question.Ask = b.questionText(size.Small())
	return indent(b.question.View(t, size.Width-margin(size)), size)
}
