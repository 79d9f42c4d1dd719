package dock

import (
	"fmt"

	"bincard/tui"
	"bincard/tui/widget"
)

// questionText is the question of the bench as things stand.
func (b *CountPanel) questionText(small bool) string {
	l := b.Line()
	switch {
	case small && b.sending:
		return askSending
	case small && b.unfinished():
		return askNoAnswer
	case small && b.ClosedReason != "" && b.ClosedShort != "":
		return b.ClosedShort
	case small && b.submission != nil:
		return askNotSent
	case b.sending:
		return fmt.Sprintf(askSendingOf, b.stepHint())
	case b.unfinished():
		return fmt.Sprintf(askNoAnswerFor, b.stepHint())
	case b.ClosedReason != "":
		return b.ClosedReason
	case b.submission != nil:
		return askNotSentYet
	case b.markingDamaged && small:
		return askMark
	case b.markingDamaged:
		return askMarkPiece
	case b.wantsSerial && small:
		return askSerial
	case b.wantsSerial:
		return fmt.Sprintf(askSerialOf, l.Item.SKU)
	case b.Question != nil && b.Question(small) != "":
		return b.Question(small)
	case small:
		return askScan
	case l.BySerial():
		return askSerials
	case b.Incoming && l.ByLot() && l.Count.Lot == "" && l.Count.Quantity > 0:
		return askLot
	case l.toleranceText() != "":
		return fmt.Sprintf(askBookOver, l.toleranceText(), b.Verb)
	case l.Count.Quantity > l.Pending:
		return fmt.Sprintf(askFewer, widget.Count(l.Pending), l.pendingWord())
	case l.Pending > 0 && l.Remaining() == 0:
		return fmt.Sprintf(askBook, b.Verb)
	case l.ByLot():
		return askGoodsByLot
	}
	return askGoods
}

func (b *CountPanel) stepHint() string {
	if b.submission == nil || b.submission.Next >= len(b.submission.Steps) {
		return b.Verb
	}
	return b.submission.Steps[b.submission.Next].Text
}

// QuestionView is the question as it stands on the screen, or the form in its place.
func (b *CountPanel) QuestionView(size tui.Size) string {
	t := b.Env.Theme
	if b.form != nil {
		return indent(b.form.View(t, size.Width-margin(size)), size)
	}
	b.question.Ask = b.questionText(size.Small())
	return indent(b.question.View(t, size.Width-margin(size)), size)
}
