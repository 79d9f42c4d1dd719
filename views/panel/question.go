package panel

import (
	"errors"
	"strconv"
	"strings"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// questionText returns the prompt for the current state.
func (p *CountPanel) questionText(small bool) string {
	t := p.T()

	l := p.Line()
	switch {
	case small && p.Sending():
		return t.Get("sending…")
	case small && p.sender.submission.Unfinished():
		return t.Get("no answer: enter")
	case small && p.Document.ClosedReason != "" && p.Document.ClosedShort != "":
		return p.Document.ClosedShort
	case small && p.sender.submission != nil:
		return t.Get("not sent: enter")
	case p.Sending():
		return t.Get("Sending: %s", p.stepHint())
	case p.sender.submission.Unfinished():
		return t.Get("No answer yet for: %s. Press enter to retry", p.stepHint())
	case p.Document.ClosedReason != "" && p.next.known():
		return p.Document.ClosedReason
	case p.Document.ClosedReason != "" && p.OpenDocument != nil:
		return t.Get("%s Scan the next document.", p.Document.ClosedReason)
	case p.Document.ClosedReason != "":
		return t.Get("%s Press esc to go back.", p.Document.ClosedReason)
	case p.sender.submission != nil:
		return t.Get("Not sent yet: press enter to retry")
	case p.markingDamaged && small:
		return t.Get("scan damaged item")
	case p.markingDamaged:
		return t.Get("Scan the serial number of the damaged item")
	case p.WantsSerial() && small:
		return t.Get("scan serial number")
	case p.WantsSerial():
		return t.Get("Scan the serial number of %s", l.Item.SKU)
	case p.Job.Question != nil && p.Job.Question(small) != "":
		return p.Job.Question(small)
	case p.sender.lines.Refused[l.Key] != "" && small:
		return t.Get("not recorded: enter")
	case p.sender.lines.Refused[l.Key] != "":
		return t.Get("%s was not recorded. Correct it, or press enter to retry", l.Item.SKU)
	case p.needsLot(p.Site, l) && small:
		return t.Get("scan lot, or F7")
	case p.needsLot(p.Site, l):
		return t.Get("Scan the lot, or press F7 to type it")
	}
	if text := p.completeText(small); text != "" {
		return text
	}
	switch {
	case small && l.BySerial():
		return t.Get("scan serial number")
	case small:
		return t.GetC("scan or number", "count")
	case l.BySerial() && len(l.SuggestedSerials()) > 0:
		return t.Get("Scan each serial number of %s, such as %s", l.Item.SKU, widget.Clean(l.SuggestedSerials()[0]))
	case l.BySerial():
		return t.Get("Scan each serial number")
	case l.ToleranceText(t) != "":
		return t.Get("%s: press enter to %s", l.ToleranceText(t), p.verb())
	case l.Count.Quantity > l.Pending:
		return t.Get("Too many: only %s %s. Type the quantity, or +", t.Count(l.Pending), l.PendingText(t))
	case l.Count.Lot == "" && l.Pending > 0 && len(l.TakeFrom()) > 0:
		return t.Get("Scan %s from lot %s, or type a quantity", l.Item.SKU, widget.Clean(l.TakeFrom()[0]))
	case l.ByLot():
		return t.Get("Scan a box, item, or lot, or type a quantity")
	}
	return t.Get("Scan a box or item, or type a quantity")
}

// completeText is the prompt if nothing is left to count on the current line: it names
// the next open line, or says that all is counted. It is "" otherwise.
func (p *CountPanel) completeText(small bool) string {
	t := p.T()

	l := p.Line()
	next, _ := p.NextOpen()
	if done := lineWithKey(p.Lines, p.completed); done != nil {
		l, next = done, l
	}
	switch {
	case l.Remaining() > 0 || l.Count.Quantity > l.Pending || l.Pending == 0 && next == nil && p.Total() == 0:
		return ""
	case next != nil && small:
		return t.Get("next: %s", next.Item.SKU)
	case next != nil && l.Stock.Waiting > 0:
		return t.Get("%s × %s wait for stock. Next: %s, %s to go", t.Count(l.Stock.Waiting), l.Item.SKU, next.Item.SKU, t.Count(next.Remaining()))
	case next != nil && l.Count.Empty():
		return t.Get("%s is done. Next: %s, %s to go", l.Item.SKU, next.Item.SKU, t.Count(next.Remaining()))
	case next != nil:
		return t.Get("%s is counted. Next: %s, %s to go", l.Item.SKU, next.Item.SKU, t.Count(next.Remaining()))
	case small:
		return t.Get("all counted: enter")
	case p.Ships && len(p.Lines) == 1 && l.ByLot() && l.Count.Lot == "" && l.LotHint() != "":
		return t.Get("All counted: press enter to %s from lot %s", p.verb(), widget.Clean(l.LotHint()))
	}
	return t.Get("All counted: press enter to %s", p.verb())
}

func (p *CountPanel) stepHint() string {
	if p.sender.submission == nil || p.sender.submission.Next >= len(p.sender.submission.Steps) {
		return p.verb()
	}
	return p.sender.submission.Steps[p.sender.submission.Next].Text
}

// nextLines returns the lines below the question that say which document is next.
func (p *CountPanel) nextLines(small bool, width int) []string {
	text := p.next.text(p.T(), p.Env.Now(), small)
	if text == "" || !p.Document.atEnd(p.Total()) || p.Sending() || p.HasSubmission() {
		return nil
	}
	return widget.Wrap(text, width)
}

// QuestionView renders the prompt, or the lot form if it is open.
func (p *CountPanel) QuestionView(size tui.Size) string {
	t := p.Env.Theme
	if p.lotForm != nil {
		return indent(p.lotForm.View(t, size.Width-margin(size)), size)
	}
	width := size.Width - margin(size)
	ask, rest := p.questionText(size.Small()), p.nextLines(size.Small(), width-2)
	if len(rest) == 1 && widget.Width(ask+" "+rest[0]) <= width-2 && !size.Small() {
		ask, rest = ask+" "+rest[0], nil
	}
	lines := []string{p.quantity.view(t, ask, width)}
	for i, text := range rest {
		if i == 0 { // an error stands in the place of what enter opens
			text = widget.QuestionMarker + text
		}
		lines = append(lines, "  "+text)
	}
	return indent(strings.Join(lines, "\n"), size)
}

// Choose opens the only row, or asks which one. line describes a row in the list.
func Choose[T any](question string, rows []T, line func(row *T) string, open func(row *T) tea.Cmd) tea.Cmd {
	if len(rows) == 1 {
		return open(&rows[0])
	}
	options := make([]string, len(rows))
	for i := range rows {
		options[i] = line(&rows[i])
	}
	return tui.Choose(tui.Choice{Text: question, Options: options, OnChoice: func(i int) tea.Cmd { return open(&rows[i]) }})
}

// AskReason asks for a reason, from a list or typed. old is the reason to change, if any.
func AskReason(t *i18n.Translator, question string, reasons []string, old string, accept func(reason string) tea.Cmd) tea.Cmd {
	trimmed := func(text string) tea.Cmd { return accept(strings.TrimSpace(text)) }
	list := append(reasons, t.Get("other reason…"))
	return tui.Choose(tui.Choice{Text: question, Options: list, OnText: trimmed, OnChoice: func(i int) tea.Cmd {
		if i < len(list)-1 {
			return trimmed(list[i])
		}
		return tui.Prompt(tui.Request{Text: t.Get("Type the reason"), Value: old, Check: CheckReason(t), OnText: trimmed})
	}})
}

// CheckReason returns a check that rejects an empty reason.
func CheckReason(t *i18n.Translator) func(text string) error {
	return func(text string) error {
		if strings.TrimSpace(text) == "" {
			return errors.New(t.Get("Enter a reason: it is saved with the document"))
		}
		return nil
	}
}

// CheckPositive returns a check that rejects quantities less than 1.
func CheckPositive(t *i18n.Translator) func(text string) error {
	return func(text string) error {
		if n, err := strconv.ParseInt(text, 10, 64); err != nil || n < 1 {
			return errors.New(t.Get("at least 1"))
		}
		return nil
	}
}
