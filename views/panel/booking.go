package panel

import (
	"context"
	"slices"
	"strings"
	"time"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/scan"
	"bincard/views/count"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// Book books the count, or continues an unfinished booking.
func (p *CountPanel) Book() tea.Cmd { return p.bookBefore(nil, true) }

// bookBefore books the count of all lines, or that of the current one, and then counts a scan
// unless it is nil. It continues an unfinished booking.
func (p *CountPanel) bookBefore(next *scan.Scan, all bool) tea.Cmd {
	switch {
	case p.Sending():
		return nil
	case p.sender.submission != nil:
		return p.sendNext()
	}

	ask := p.location.question(p.Document.Location, p.Job.verb(p.T()), func() tea.Cmd {
		return p.bookBefore(next, all)
	})
	if ask != nil {
		return ask
	}

	lines := p.Lines
	if !all {
		lines = []*count.Line{p.Line()}
	}

	return p.book("", next, lines)
}

// BookThen books the count of the current line and then performs the steps. toast is
// shown at the end.
func (p *CountPanel) BookThen(toast string, then ...submit.Step) tea.Cmd {
	if p.Busy() || p.sender.submission.Unfinished() {
		return failUnfinished(p.T())
	}
	return p.book(toast, nil, []*count.Line{p.Line()}, then...)
}

func failUnfinished(t *i18n.Translator) tea.Cmd {
	return fail(t.Get("You have an unfinished entry. Press enter to finish it first."))
}

// book books the count of the lines, performs the steps, and then counts a scan unless it is
// nil.
func (p *CountPanel) book(toast string, next *scan.Scan, counted []*count.Line, then ...submit.Step) tea.Cmd {
	for _, l := range counted {
		err := l.CheckBookable(p.T())
		if err == nil && p.Ships {
			err = submit.CheckLot(p.Site, l)
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
		return fail(p.T().Get("Nothing is counted yet. Scan an item or type the quantity."))
	}

	p.sender.prepare(next)
	p.receipts.queued, p.waiting, p.opens = nil, waitingOrders{}, ""
	prepare, approvedBy := p.Job.Booking.PrepareSteps(lines), p.Env.ApprovedBy()

	return p.Env.Do(func(ctx context.Context) tea.Msg {
		steps, err := prepare(ctx)
		for i := range then {
			then[i].DependsOnPrevious = true
			if len(steps) > 0 {
				then[i].Line = steps[0].Line
			}
		}

		submission := &submit.Submission{Steps: append(steps, then...), Pieces: pieces, Toast: toast}
		if len(then) > 0 {
			submission.Approve(submission.Steps[len(steps):], approvedBy)
		}

		return stepsMsg{submission, err}
	})
}

// Submit performs a write that is not a count, such as closing the document, and then
// the following steps. toast is shown at the end. Like a booking, the writes are saved
// in the draft and retried with the same keys.
func (p *CountPanel) Submit(toast string, step submit.Step, err error, then ...submit.Step) tea.Cmd {
	steps := append([]submit.Step{step}, then...)
	return p.submit(&submit.Submission{Steps: steps, Toast: toast, KeepCounts: p.Total() > 0}, err)
}

func (p *CountPanel) submit(submission *submit.Submission, err error) tea.Cmd {
	p.opens = ""
	switch {
	case err != nil:
		return tui.Fail(err)
	case !p.sender.start(submission):
		return failUnfinished(p.T())
	}

	return p.sendNext()
}

// sendNext sends the next step, and adds the labels that are printed without asking to
// their queue when it is recorded.
func (p *CountPanel) sendNext() tea.Cmd {
	var recorded func(context.Context, submit.Answer)
	if received, ok := p.sender.receipt(p.Lines); ok {
		recorded = p.receipts.printWhenRecorded(p.receiptLabels(), received)
	}
	return p.sender.submission.SendThen(p.Env, p.Site, recorded)
}

// stepAnswered handles the answer to a step: it sends the next one, or finishes.
func (p *CountPanel) stepAnswered(a submit.Answer) tea.Cmd {
	if !p.sender.submission.Awaits(a) {
		return p.lateAnswer(a)
	}

	next, err := p.sender.answered(a, p.Lines)
	if a.Err == nil {
		p.Job.Booking.Booked(a.Step, a.Response)
		p.waiting.booked(p, a.Response)
	}

	toast := p.sender.submission.Toast
	switch next {
	case stepFailed:
		return p.stepFailed(err)
	case stepInvalid:
		return tui.Fail(err)
	case lineNotSent:
		why := p.sender.stop(p.T(), err)
		return tea.Batch(p.finishDone(), fail(why))
	case lineRefused:
		why, offers := p.refusal(err)
		if l := lineWithKey(p.Lines, a.Step.Line); l != nil {
			learnTracking(l, err)
		}
		p.sender.refuse(why, offers)

	case allDone:
		sync := count.SyncResult("")
		switch {
		case a.AtRisk():
			sync = count.AtRisk
		case a.Response != nil && a.Response.CommittedBy != "":
			sync = count.NotSynced
		}

		return p.finish(sync, toast)

	case stepDone:
	}

	return p.proceed(toast)
}

// lateAnswer handles the answer to a booking that was discarded meanwhile. It shows
// what was booked, so that nobody repeats it.
func (p *CountPanel) lateAnswer(a submit.Answer) tea.Cmd {
	if a.Err != nil {
		return nil
	}
	p.Job.Booking.Booked(a.Step, a.Response)
	return fail(p.T().Get("The discarded entry was recorded: %s. Do not count those items again.", a.Step.Text))
}

// proceed sends the next step. When all lines are done it reads the document again, because
// others may have worked on it; until then, scans wait. text says what was done.
func (p *CountPanel) proceed(text string) tea.Cmd {
	if p.sender.submission.State() != submit.Done {
		return p.sendNext()
	}
	result := p.sender.await(text)
	if p.Job.Reload == nil {
		return p.reloaded()
	}
	return tea.Batch(p.Job.Reload(), p.Env.After(reloadWait, func(time.Time) tea.Msg { return reloadLateMsg{result} }))
}

// reloaded shows the result that waits for the document.
func (p *CountPanel) reloaded() tea.Cmd {
	if r := p.sender.takeResult(); r != nil {
		return p.finishLines(*r)
	}
	return nil
}

// finishDone shows what is recorded of a booking by line. The rest stays to be sent.
func (p *CountPanel) finishDone() tea.Cmd {
	rest, done := p.sender.keepRest()
	cmd := p.finishLines(done)
	p.sender.submission = rest
	return cmd
}

// finish clears the panel and shows what was booked: text, or the text of the booking
// if it is empty. sync says that it was saved on this machine.
func (p *CountPanel) finish(sync count.SyncResult, text string) tea.Cmd {
	sub := p.sender.submission
	var received []receipt
	var issued []count.Item
	if sub.Pieces > 0 {
		for _, l := range p.Lines {
			if l.Count.Quantity > 0 && !l.BySerial() {
				issued = append(issued, l.Item)
			}
		}

		if !sub.KeepCounts {
			received = []receipt{{sub.FirstKey(""), receivedLines(p.Lines)}}
		}
	}

	if text == "" {
		text = p.Job.Booking.BookedText(sub.Pieces)
	}

	if sub.Pieces > 0 {
		text += putAwayText(p.T(), p.Job, p.Lines)
	}

	entry := count.FeedEntry{Source: text}
	if sync != "" {
		entry.Sync, entry.Keys = sync, sub.Keys()
	}
	if sync == count.AtRisk {
		entry.Source = Title(sub.Steps[0].Text) // the document shown does not include it
	}

	p.sender.discard()
	if !sub.KeepCounts {
		p.Clear()
		p.SelectOpen()
	}

	cmds := []tea.Cmd{p.changed(entry), tui.Accepted(), p.feed.track(p.Env),
		p.receipts.makeLabels(p.Env, p.receiptLabels(), received), p.waiting.read(p, received)}
	if p.opens != "" {
		cmds = append(cmds, tea.Sequence(tui.Open(p.opens), tui.Toast(text)))
	}
	if next := p.sender.takeScan(); next != nil {
		cmds = append(cmds, tui.Scanned(*next))
	} else if check := p.stockCheck(); check.isPossible() && !sub.KeepCounts {
		cmds = append(cmds, check.read(false, issued...))
	}

	if sync == count.AtRisk {
		cmds = append(cmds, failSkipped(p.T(), sub.Skipped()), p.Job.Booking.Refresh())
	}

	return tea.Batch(cmds...)
}

// putAwayText says where to put what was received, or returns "".
func putAwayText(t *i18n.Translator, job CountJob, lines []*count.Line) string {
	var all []string
	for _, l := range lines {
		if job.Receives && len(l.Shelves) > 0 && l.Count.Quantity+l.Count.OverReceipt > 0 {
			all = append(all, l.Item.SKU+" → "+l.MainShelf())
		}
	}
	if len(all) == 0 {
		return ""
	}

	return ". " + t.Get("Put away: %s", strings.Join(all, ", "))
}

// finishLines ends a booking by line, and shows what was recorded and what was not.
func (p *CountPanel) finishLines(done lineResult) tea.Cmd {
	t, report := p.T(), p.sender.endLines(p.T(), p.Lines)
	p.undo = undoStack{}
	text := done.text
	switch all := text != "" && report.first == nil; {
	case !all && report.pieces > 0:
		received := make([]*count.Line, len(report.recorded))
		for i := range report.recorded {
			received[i] = &report.recorded[i]
		}
		text = p.Job.RecordedText(report.recorded) + putAwayText(t, p.Job, received)
	case !all:
		text = t.Get("lines done: %d", len(report.recorded))
	}

	var cmds []tea.Cmd
	if len(report.recorded) > 0 {
		if p.Total() == 0 {
			p.feed.entries = nil
		}
		p.feed.add(count.FeedEntry{Source: text, Sync: report.sync, Keys: report.keys}, p.Env.Now())
		cmds = append(cmds, tui.Accepted(), p.feed.track(p.Env),
			p.receipts.makeLabels(p.Env, p.receiptLabels(), report.receipts), p.waiting.read(p, report.receipts))
	}

	switch next := p.sender.takeScan(); {
	case report.first != nil:
		p.Current, p.completed = slices.Index(p.Lines, report.first), ""
		cmds = append(cmds, fail(strings.Join(report.refused, " "), report.offers...))
	case next != nil:
		cmds = append(cmds, tui.Scanned(*next))
	default:
		p.selectUnfinished()
	}

	return tea.Batch(append(cmds, failSkipped(p.T(), done.skipped))...)
}

// failSkipped says which step was skipped, if one was.
func failSkipped(t *i18n.Translator, step string) tea.Cmd {
	if step == "" {
		return nil
	}
	return fail(t.Get("Not done: %s. Do it after the sync.", step))
}
