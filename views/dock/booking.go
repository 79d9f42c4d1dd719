package dock

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"

	tea "github.com/charmbracelet/bubbletea"
)

func errorf(format string, args ...any) error { return fmt.Errorf(format, args...) }

type stepsMsg struct {
	steps  []Step
	pieces int64
	toast  string
	err    error
}

type stepMsg struct {
	step    Step
	res     *api.Response
	err     error
	wasSent bool // sent before without an answer
}

// Book books the count, or continues an unfinished booking.
func (b *CountPanel) Book() tea.Cmd {
	switch {
	case b.sending:
		return nil
	case b.submission != nil:
		return b.sendNext()
	}
	if ask := b.confirmWrongLocation(b.Book); ask != nil {
		return ask
	}
	return b.book("")
}

// BookThen books the count and then performs the steps. toast is shown at the end.
func (b *CountPanel) BookThen(toast string, then ...Step) tea.Cmd {
	if b.Busy() || b.unfinished() {
		return tui.Fail(errors.New(b.T().Get("Another booking is not finished. Press enter to continue with it first.")))
	}
	return b.book(toast, then...)
}

func (b *CountPanel) book(toast string, then ...Step) tea.Cmd {
	for _, l := range b.Lines {
		if err := l.checkBookable(b.T()); err != nil {
			return tui.Fail(err)
		}
	}
	var lines []Line
	for _, l := range b.Lines {
		if l.Count.Quantity > 0 || l.Count.None {
			line := *l
			line.Count.Serials = slices.Clone(l.Count.Serials)
			line.Count.DamagedSerials = slices.Clone(l.Count.DamagedSerials)
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		return tui.Fail(errors.New(b.T().Get("Nothing is counted yet: scan an item, or type the quantity.")))
	}
	b.sending = true
	pieces, prepare := b.Total(), b.PrepareSteps(lines)
	return b.Env.Do(func(ctx context.Context) tea.Msg {
		steps, err := prepare(ctx)
		for i := range then {
			then[i].DependsOnPrevious = true
		}
		return stepsMsg{steps: append(steps, then...), pieces: pieces, toast: toast, err: err}
	})
}

// checkBookable returns why the line cannot be booked yet, or nil.
func (l *Line) checkBookable(t *i18n.Translator) error {
	c, n := &l.Count, int64(len(l.Count.Serials))
	switch {
	case c.Quantity == 0:
		return nil
	case c.Quantity > l.limit():
		return errors.New(t.Get("Only %s of %s are %s, but %s are counted. Type at most %s.",
			t.Count(l.Pending), l.Item.SKU, l.pendingWord(t), t.Count(c.Quantity), t.Count(l.limit())))
	case (l.BySerial() || n > 0) && n != c.Quantity:
		return errors.New(t.Get("%s of %s items have a serial number. Scan the others, or set the count to 0 and start over.", t.Count(n), t.Count(c.Quantity)))
	}
	return nil
}

func (b *CountPanel) stepsReady(m stepsMsg) tea.Cmd {
	if m.err != nil {
		b.sending = false
		return tui.Fail(errorf("%s", UserMessage(b.T(), m.err)))
	}
	b.submission = &Submission{Steps: m.steps, Pieces: m.pieces, Toast: m.toast}
	return b.sendNext()
}

// Submit performs a write that is not a count, such as closing the document, and then
// the following steps. toast is shown at the end. Like a booking, the writes are saved
// in the draft and retried with the same keys.
func (b *CountPanel) Submit(toast string, step Step, err error, then ...Step) tea.Cmd {
	return b.submit(&Submission{Steps: append([]Step{step}, then...), Toast: toast}, err)
}

func (b *CountPanel) submit(submission *Submission, err error) tea.Cmd {
	if err != nil {
		return tui.Fail(err)
	}
	if b.sending || b.unfinished() {
		return tui.Fail(errors.New(b.T().Get("Another booking is not finished. Press enter to continue with it first.")))
	}
	b.submission = submission
	return b.sendNext()
}

// sendNext sends the next step. It sets Sent before it returns the command, because
// the shell saves the draft before it runs the command.
func (b *CountPanel) sendNext() tea.Cmd {
	b.sending = true
	wasSent := b.submission.Sent
	b.submission.Sent = true
	step := b.submission.Steps[b.submission.Next]
	return b.Env.Do(func(ctx context.Context) tea.Msg {
		res, err := b.Site.Send(ctx, step)
		return stepMsg{step: step, res: res, err: err, wasSent: wasSent}
	})
}

func (b *CountPanel) stepAnswered(m stepMsg) tea.Cmd {
	if b.submission == nil || b.submission.Steps[b.submission.Next].Key != m.step.Key {
		return b.lateAnswer(m)
	}
	b.sending = false
	if m.err != nil {
		return b.stepFailed(m)
	}
	step := b.submission.Steps[b.submission.Next]
	over, err := b.submission.Advance(m.res)
	if b.OnBooked != nil {
		b.OnBooked(step, m.res)
	}
	switch {
	case err != nil:
		return tui.Fail(err)
	case !over:
		return b.sendNext()
	}
	return b.finish(m.res, b.submission.Toast)
}

// lateAnswer handles the answer to a booking that was discarded meanwhile. It shows
// what was booked, so that nobody repeats it.
func (b *CountPanel) lateAnswer(m stepMsg) tea.Cmd {
	if b.submission == nil {
		b.sending = false
	}
	if m.err != nil {
		return nil
	}
	if b.OnBooked != nil {
		b.OnBooked(m.step, m.res)
	}
	return tui.Fail(errors.New(b.T().Get("The discarded booking went through: %s. Do not count those items again.", m.step.Text)))
}

// finish clears the panel and shows what was booked: text, or BookedText if text is
// empty.
func (b *CountPanel) finish(res *api.Response, text string) tea.Cmd {
	t := b.T()

	pieces, keep := b.submission.Pieces, b.submission.KeepCounts
	issued := b.issuedItems()
	if b.submission = nil; !keep {
		b.reset()
	}
	switch {
	case text != "":
	case b.BookedText != nil:
		text = b.BookedText(pieces)
	default:
		text = t.Get("booked %s", t.Count(pieces))
	}
	if res != nil && res.CommittedBy != "" {
		text += " " + t.Get("(saved here, waiting to sync)")
	}
	b.addFeed(FeedEntry{Source: text})
	cmds := []tea.Cmd{tui.Toast(text), tui.Accepted()}
	if b.nextScan != nil {
		cmds = append(cmds, tui.Scanned(*b.nextScan))
		b.nextScan = nil
	} else if b.canCheckStock() && !keep {
		cmds = append(cmds, b.checkPickLocation(false, issued...))
	}
	return tea.Batch(cmds...)
}

// issuedItems returns the counted items of the booking, except serialized ones.
func (b *CountPanel) issuedItems() (items []Item) {
	if b.submission.Pieces == 0 {
		return nil
	}
	for _, l := range b.Lines {
		if l.Count.Quantity > 0 && !l.BySerial() {
			items = append(items, l.Item)
		}
	}
	return items
}

func (b *CountPanel) reset() {
	b.submission, b.feed, b.wantsSerial, b.undoStack, b.countsBefore = nil, nil, false, nil, nil
	for _, l := range b.Lines {
		l.Count = Count{}
	}
}
