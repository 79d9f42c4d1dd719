package panel

import (
	"context"
	"errors"
	"slices"

	"bincard/tui"
	"bincard/tui/scan"
	"bincard/views/count"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

type stepsMsg struct {
	steps  []submit.Step
	pieces int64
	toast  string
	err    error
}

// Book books the count, or continues an unfinished booking.
func (p *CountPanel) Book() tea.Cmd { return p.bookBefore(nil) }

// bookBefore is Book, and then counts a scan unless it is nil.
func (p *CountPanel) bookBefore(next *scan.Scan) tea.Cmd {
	switch {
	case p.Sending():
		return nil
	case p.submission != nil:
		return p.sendNext()
	}
	if ask := p.location.question(p.Document.Location, p.verb(), func() tea.Cmd { return p.bookBefore(next) }); ask != nil {
		return ask
	}
	p.nextScan = next
	return p.book("", p.Lines)
}

// BookThen books the count of the current line and then performs the steps. toast is
// shown at the end.
func (p *CountPanel) BookThen(toast string, then ...submit.Step) tea.Cmd {
	if p.Busy() || p.submission.Unfinished() {
		return tui.Fail(errors.New(p.T().Get("Earlier work is not finished. Press enter to continue with it first.")))
	}
	p.nextScan = nil
	return p.book(toast, []*count.Line{p.Line()}, then...)
}

// book books the count of the lines, and then performs the steps.
func (p *CountPanel) book(toast string, counted []*count.Line, then ...submit.Step) tea.Cmd {
	for _, l := range counted {
		err := l.CheckBookable(p.T())
		if err == nil && p.Ships {
			err = CheckLot(p.Site, l)
		}
		if err != nil {
			p.Current = slices.Index(p.Lines, l)
			return tui.Fail(err)
		}
	}
	var lines []count.Line
	pieces := int64(0)
	for _, l := range counted {
		if l.Count.Quantity > 0 || l.Count.OverReceipt > 0 || l.Count.None {
			pieces += l.Count.Quantity + l.Count.OverReceipt
			line := *l
			line.Count.Serials = slices.Clone(l.Count.Serials)
			line.Count.DamagedSerials = slices.Clone(l.Count.DamagedSerials)
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		return tui.Fail(errors.New(p.T().Get("Nothing is counted yet. Scan an item or type the quantity.")))
	}
	p.preparing, p.lines, p.receipts.queued = true, lineBooking{}, nil
	prepare := p.Job.Booking.PrepareSteps(lines)
	return p.Env.Do(func(ctx context.Context) tea.Msg {
		steps, err := prepare(ctx)
		for i := range then {
			then[i].DependsOnPrevious = true
			if len(steps) > 0 {
				then[i].Line = steps[0].Line
			}
		}
		return stepsMsg{steps: append(steps, then...), pieces: pieces, toast: toast, err: err}
	})
}

func (p *CountPanel) stepsReady(m stepsMsg) tea.Cmd {
	p.preparing = false
	if m.err != nil {
		return tui.Fail(errors.New(submit.UserMessage(p.T(), m.err)))
	}
	p.submission = &submit.Submission{Steps: m.steps, Pieces: m.pieces, Toast: m.toast}
	return p.sendNext()
}

// Submit performs a write that is not a count, such as closing the document, and then
// the following steps. toast is shown at the end. Like a booking, the writes are saved
// in the draft and retried with the same keys.
func (p *CountPanel) Submit(toast string, step submit.Step, err error, then ...submit.Step) tea.Cmd {
	return p.submit(&submit.Submission{Steps: append([]submit.Step{step}, then...), Toast: toast, KeepCounts: p.Total() > 0}, err)
}

func (p *CountPanel) submit(submission *submit.Submission, err error) tea.Cmd {
	if err != nil {
		return tui.Fail(err)
	}
	if p.Sending() || p.submission.Unfinished() {
		return tui.Fail(errors.New(p.T().Get("Earlier work is not finished. Press enter to continue with it first.")))
	}
	p.submission, p.nextScan, p.lines = submission, nil, lineBooking{}
	return p.sendNext()
}

// sendNext sends the next step, and adds the labels that are printed without asking to
// their queue when it is recorded.
func (p *CountPanel) sendNext() tea.Cmd {
	var printed func(context.Context, submit.Answer)
	if sub := p.submission; p.Job.Receives && sub.Pieces > 0 && !sub.KeepCounts && sub.EndsReceipt() {
		r := newReceiptLabels(p.Site, p.Document, p.Env.Now())
		printed = p.receipts.printWhenRecorded(r, p.receiptOf(sub.Steps[sub.Next].Line))
	}
	return p.submission.SendThen(p.Env, p.Site, printed)
}

// makeLabels makes the labels of what was received.
func (p *CountPanel) makeLabels(received []receipt) tea.Cmd {
	if !p.Job.Receives {
		return nil
	}
	return p.receipts.makeLabels(p.Env, newReceiptLabels(p.Site, p.Document, p.Env.Now()), received)
}

// receiptOf returns what the submission receives of a line; of all lines if line is "".
func (p *CountPanel) receiptOf(line string) receipt {
	if line == "" {
		return receipt{p.submission.FirstKey(""), receivedLines(p.Lines)}
	}
	l := p.lineWithKey(line)
	if l == nil {
		return receipt{}
	}
	received := *l
	if c, ok := p.lines.Recorded[line]; ok { // by an earlier step
		received.Count = c
		return receipt{p.lines.receipts[line], []count.Line{received}}
	}
	return receipt{p.submission.FirstKey(line), []count.Line{received}}
}

// stepAnswered handles the answer to a step: it sends the next one, or finishes.
func (p *CountPanel) stepAnswered(a submit.Answer) tea.Cmd {
	if !p.submission.Awaits(a) {
		return p.lateAnswer(a)
	}
	err := p.submission.Answered(a)
	if a.Step.Line != "" {
		return p.lineAnswered(a, err)
	}
	if a.Err == nil {
		p.Job.Booking.Booked(a.Step, a.Response)
	}
	switch {
	case a.Err != nil && err != nil:
		return p.stepFailed(err)
	case err != nil:
		return tui.Fail(err)
	case p.submission.State() != submit.Done:
		return p.sendNext()
	case a.AtRisk():
		return p.finishAtRisk()
	}
	sync := count.SyncResult("")
	if a.Response != nil && a.Response.CommittedBy != "" {
		sync = count.NotSynced
	}
	return p.finish(sync, p.submission.Toast)
}

// lateAnswer handles the answer to a booking that was discarded meanwhile. It shows
// what was booked, so that nobody repeats it.
func (p *CountPanel) lateAnswer(a submit.Answer) tea.Cmd {
	if a.Err != nil {
		return nil
	}
	p.Job.Booking.Booked(a.Step, a.Response)
	return tui.Fail(errors.New(p.T().Get("The discarded work was recorded: %s. Do not count those items again.", a.Step.Text)))
}

// finish clears the panel and shows what was booked: text, or the text of the booking
// if it is empty. sync says that it was saved on this machine.
func (p *CountPanel) finish(sync count.SyncResult, text string) tea.Cmd {
	pieces, keep := p.submission.Pieces, p.submission.KeepCounts
	issued := p.issuedItems()
	var received []receipt
	if pieces > 0 && !keep {
		received = []receipt{{p.submission.FirstKey(""), receivedLines(p.Lines)}}
	}
	if text == "" {
		text = p.Job.Booking.BookedText(pieces)
	}
	entry := count.FeedEntry{Source: text}
	if sync == count.AtRisk {
		entry.Source = title(p.submission.Steps[0].Text) // the document shown does not include it
	}
	if sync != "" {
		entry.Sync, entry.Keys = sync, p.submission.Keys()
	}
	if p.submission = nil; !keep {
		p.Clear()
		p.SelectOpen()
	}
	p.changed(entry)
	cmds := []tea.Cmd{tui.Accepted(), p.feed.track(p.Env), p.makeLabels(received)}
	if p.nextScan != nil {
		cmds = append(cmds, tui.Scanned(*p.nextScan))
		p.nextScan = nil
	} else if p.stockCheck().isPossible() && !keep {
		cmds = append(cmds, p.stockCheck().read(false, issued...))
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
