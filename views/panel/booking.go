package panel

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"bincard/server/api"
	"bincard/tui"
	"bincard/views/count"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

func errorf(format string, args ...any) error { return fmt.Errorf(format, args...) }

type stepsMsg struct {
	steps  []submit.Step
	pieces int64
	toast  string
	err    error
}

type stepMsg struct {
	step    submit.Step
	res     *api.Response
	err     error
	wasSent bool // sent before without an answer
}

// Book books the count, or continues an unfinished booking.
func (p *CountPanel) Book() tea.Cmd {
	switch {
	case p.sending:
		return nil
	case p.submission != nil:
		return p.sendNext()
	}
	if ask := p.confirmWrongLocation(p.Book); ask != nil {
		return ask
	}
	return p.book("")
}

// BookThen books the count and then performs the steps. toast is shown at the end.
func (p *CountPanel) BookThen(toast string, then ...submit.Step) tea.Cmd {
	if p.Busy() || p.unfinished() {
		return tui.Fail(errors.New(p.T().Get("Another booking is not finished. Press enter to continue with it first.")))
	}
	return p.book(toast, then...)
}

func (p *CountPanel) book(toast string, then ...submit.Step) tea.Cmd {
	for _, l := range p.Lines {
		if err := l.CheckBookable(p.T()); err != nil {
			return tui.Fail(err)
		}
	}
	var lines []count.Line
	for _, l := range p.Lines {
		if l.Count.Quantity > 0 || l.Count.None {
			line := *l
			line.Count.Serials = slices.Clone(l.Count.Serials)
			line.Count.DamagedSerials = slices.Clone(l.Count.DamagedSerials)
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		return tui.Fail(errors.New(p.T().Get("Nothing is counted yet: scan an item, or type the quantity.")))
	}
	p.sending = true
	pieces, prepare := p.Total(), p.PrepareSteps(lines)
	return p.Env.Do(func(ctx context.Context) tea.Msg {
		steps, err := prepare(ctx)
		for i := range then {
			then[i].DependsOnPrevious = true
		}
		return stepsMsg{steps: append(steps, then...), pieces: pieces, toast: toast, err: err}
	})
}

func (p *CountPanel) stepsReady(m stepsMsg) tea.Cmd {
	if m.err != nil {
		p.sending = false
		return tui.Fail(errorf("%s", submit.UserMessage(p.T(), m.err)))
	}
	p.submission = &submit.Submission{Steps: m.steps, Pieces: m.pieces, Toast: m.toast}
	return p.sendNext()
}

// Submit performs a write that is not a count, such as closing the document, and then
// the following steps. toast is shown at the end. Like a booking, the writes are saved
// in the draft and retried with the same keys.
func (p *CountPanel) Submit(toast string, step submit.Step, err error, then ...submit.Step) tea.Cmd {
	return p.submit(&submit.Submission{Steps: append([]submit.Step{step}, then...), Toast: toast}, err)
}

func (p *CountPanel) submit(submission *submit.Submission, err error) tea.Cmd {
	if err != nil {
		return tui.Fail(err)
	}
	if p.sending || p.unfinished() {
		return tui.Fail(errors.New(p.T().Get("Another booking is not finished. Press enter to continue with it first.")))
	}
	p.submission = submission
	return p.sendNext()
}

// sendNext sends the next step. It sets Sent before it returns the command, because
// the shell saves the draft before it runs the command.
func (p *CountPanel) sendNext() tea.Cmd {
	p.sending = true
	wasSent := p.submission.Sent
	p.submission.Sent = true
	step := p.submission.Steps[p.submission.Next]
	return p.Env.Do(func(ctx context.Context) tea.Msg {
		res, err := step.Send(ctx, p.Site)
		return stepMsg{step: step, res: res, err: err, wasSent: wasSent}
	})
}

func (p *CountPanel) stepAnswered(m stepMsg) tea.Cmd {
	if p.submission == nil || p.submission.Steps[p.submission.Next].Key != m.step.Key {
		return p.lateAnswer(m)
	}
	p.sending = false
	if m.err != nil {
		return p.stepFailed(m)
	}
	step := p.submission.Steps[p.submission.Next]
	over, err := p.submission.Advance(m.res)
	if p.OnBooked != nil {
		p.OnBooked(step, m.res)
	}
	switch {
	case err != nil:
		return tui.Fail(err)
	case !over:
		return p.sendNext()
	}
	return p.finish(m.res, p.submission.Toast)
}

// lateAnswer handles the answer to a booking that was discarded meanwhile. It shows
// what was booked, so that nobody repeats it.
func (p *CountPanel) lateAnswer(m stepMsg) tea.Cmd {
	if p.submission == nil {
		p.sending = false
	}
	if m.err != nil {
		return nil
	}
	if p.OnBooked != nil {
		p.OnBooked(m.step, m.res)
	}
	return tui.Fail(errors.New(p.T().Get("The discarded booking went through: %s. Do not count those items again.", m.step.Text)))
}

// finish clears the panel and shows what was booked: text, or BookedText if text is
// empty.
func (p *CountPanel) finish(res *api.Response, text string) tea.Cmd {
	t := p.T()

	pieces, keep := p.submission.Pieces, p.submission.KeepCounts
	issued := p.issuedItems()
	if p.submission = nil; !keep {
		p.reset()
	}
	switch {
	case text != "":
	case p.BookedText != nil:
		text = p.BookedText(pieces)
	default:
		text = t.Get("booked %s", t.Count(pieces))
	}
	if res != nil && res.CommittedBy != "" {
		text += " " + t.Get("(saved here, waiting to sync)")
	}
	p.addFeed(count.FeedEntry{Source: text})
	cmds := []tea.Cmd{tui.Toast(text), tui.Accepted()}
	if p.nextScan != nil {
		cmds = append(cmds, tui.Scanned(*p.nextScan))
		p.nextScan = nil
	} else if p.canCheckStock() && !keep {
		cmds = append(cmds, p.checkPickLocation(false, issued...))
	}
	return tea.Batch(cmds...)
}

// issuedItems returns the counted items of the booking, except serialized ones.
func (p *CountPanel) issuedItems() (items []count.Item) {
	if p.submission.Pieces == 0 {
		return nil
	}
	for _, l := range p.Lines {
		if l.Count.Quantity > 0 && !l.BySerial() {
			items = append(items, l.Item)
		}
	}
	return items
}

func (p *CountPanel) reset() {
	p.submission, p.feed, p.undoStack, p.countsBefore = nil, nil, nil, nil
	p.Reset()
}
