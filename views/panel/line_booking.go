package panel

import (
	"errors"
	"slices"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/scan"
	"bincard/views/count"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// A lineBooking is what became of the lines of a booking whose steps book each line on its
// own. Its JSON is part of a draft.
type lineBooking struct {
	// Recorded has the counts of the lines that are recorded, by line. They are not among
	// the counts of the panel.
	Recorded map[string]count.Count `json:"recorded,omitempty"`
	// Refused says why lines were not recorded, by line. Their counts stay.
	Refused map[string]string `json:"refused,omitempty"`
	// Unsynced and AtRisk report whether lines were saved only on this machine, and
	// whether the service may reject some of them.
	Unsynced bool `json:"unsynced,omitempty"`
	AtRisk   bool `json:"atRisk,omitempty"`
	// Keys are the keys of the operations that were saved only on this machine.
	Keys []string `json:"keys,omitempty"`

	// receipts are the keys of the first steps of recorded lines, by line. After a crash the
	// submission has them.
	receipts map[string]string
	// offers are the actions for the line that was refused first.
	offers []tui.Action
}

// bookLineBefore books the count of the current line, and then counts a scan.
func (p *CountPanel) bookLineBefore(next *scan.Scan) tea.Cmd {
	if len(p.Lines) == 1 || p.submission != nil {
		return p.bookBefore(next)
	}
	if ask := p.location.question(p.Document.Location, p.verb(), func() tea.Cmd { return p.bookLineBefore(next) }); ask != nil {
		return ask
	}
	p.nextScan = next
	return p.book("", []*count.Line{p.Line()})
}

// lineAnswered handles the answer to a step of one line: err is what is wrong with it.
func (p *CountPanel) lineAnswered(a submit.Answer, err error) tea.Cmd {
	sub := p.submission
	if err == nil || a.Err == nil {
		p.lineRecorded(a)
	}
	switch {
	case a.Err == nil && err != nil:
		return tui.Fail(err)
	case err == nil && sub.State() == submit.Done:
		return p.finishAfterReload(sub.Toast)
	case err == nil:
		return p.sendNext()
	case sub.State() == submit.Refused && !a.Step.DependsOnPrevious:
		p.lineRefused(a.Step.Line, err)
		if sub.State() == submit.Done {
			return p.finishAfterReload(sub.Toast)
		}
		return p.sendNext()
	case sub.State() == submit.Refused && sub.PostponeLine():
		return p.sendNext()
	case sub.State() == submit.Idle && !a.Step.DependsOnPrevious && sub.Next > 0:
		return p.linesNotSent(err)
	}
	return p.stepFailed(err)
}

// lineRecorded takes a line out of the count when its first step is done.
func (p *CountPanel) lineRecorded(a submit.Answer) {
	b := &p.lines
	b.AtRisk = b.AtRisk || a.AtRisk()
	if a.AtRisk() || a.Response != nil && a.Response.CommittedBy != "" {
		b.Unsynced, b.Keys = b.Unsynced || !a.AtRisk(), append(b.Keys, a.Step.Key)
	}
	if l := p.lineWithKey(a.Step.Line); l != nil && !a.Step.DependsOnPrevious {
		if b.Recorded == nil {
			b.Recorded = map[string]count.Count{}
		}
		b.addReceipt(l.Key, a.Step.Key)
		b.Recorded[l.Key], l.Count = l.Count, count.Count{}
		delete(b.Refused, l.Key)
	}
	if a.Err == nil {
		p.Job.Booking.Booked(a.Step, a.Response)
	}
}

// addReceipt records the key of the first step of a line.
func (b *lineBooking) addReceipt(line, key string) {
	if b.receipts == nil {
		b.receipts = map[string]string{}
	}
	b.receipts[line] = key
}

// lineRefused keeps the count of a line that the service refuses, and drops its steps.
func (p *CountPanel) lineRefused(key string, err error) {
	sub, b := p.submission, &p.lines
	first := len(b.Refused) == 0
	if b.Refused == nil {
		b.Refused = map[string]string{}
	}
	b.Refused[key] = sub.FailureText(p.T(), err, "")
	var offers []tui.Action
	if p.Job.Recover != nil {
		if text, more := p.Job.Recover(err); text != "" {
			b.Refused[key], offers = text, more
		}
	}
	if first {
		b.offers = append(offers, p.insistActions(err)...)
		if api.HasCode(err, api.LotRequired) {
			b.offers = append(b.offers, p.lotAction())
		}
		if api.HasCode(err, api.InsufficientStock) && p.stockCheck().isPossible() {
			b.offers = append(b.offers, p.recountAction())
		}
	}
	if l := p.lineWithKey(key); l != nil {
		p.learnTracking(l, err)
	}
	sub.DropLine()
}

// linesNotSent ends a booking whose next line could not be sent. That line and those after
// it stay counted.
func (p *CountPanel) linesNotSent(err error) tea.Cmd {
	sub := p.submission
	why := sub.FailureText(p.T(), err, "")
	if submit.NeverSent(err) && api.HasCode(err, api.Unavailable) {
		why = p.T().Get("The service cannot be reached. What is not recorded stays counted. Retry.")
	}
	sub.DropDone()
	p.nextScan = nil
	done := p.finishLines("", sub.Skipped())
	p.submission = sub
	return tea.Batch(done, tui.Fail(errors.New(why)))
}

// reloadWait is how long the result of a booking waits for the document.
const reloadWait = 2 * time.Second

// A lineResult is the result of a booking by line that waits for the document.
type lineResult struct{ text, skipped string }

// reloadLateMsg ends the wait of a result.
type reloadLateMsg struct{ result *lineResult }

// finishAfterReload reads the document again, because others may have worked on it, and
// then calls finishLines. Until then, scans wait.
func (p *CountPanel) finishAfterReload(text string) tea.Cmd {
	result := &lineResult{text, p.submission.Skipped()}
	p.submission = nil
	if p.Job.Reload == nil {
		return p.finishLines(result.text, result.skipped)
	}
	p.result = result
	return tea.Batch(p.Job.Reload(), p.Env.After(reloadWait, func(time.Time) tea.Msg { return reloadLateMsg{result} }))
}

// reloaded shows the result that waits for the document.
func (p *CountPanel) reloaded() tea.Cmd {
	r := p.result
	if r == nil {
		return nil
	}
	p.result = nil
	return p.finishLines(r.text, r.skipped)
}

// finishLines ends a booking by line, and shows what was recorded and what was not. text
// says what was done if all of it was done, and skipped which steps were not; both may be
// empty.
func (p *CountPanel) finishLines(text, skipped string) tea.Cmd {
	t, b := p.T(), p.lines
	p.lines = lineBooking{Refused: b.Refused}
	p.undo, p.submission = undoStack{}, nil
	var recorded []count.Line
	var receipts []receipt
	var refused []string
	at, counted := -1, false
	for i, l := range p.Lines {
		if c, ok := b.Recorded[l.Key]; ok {
			line := *l
			line.Count = c
			recorded = append(recorded, line)
			receipts = append(receipts, receipt{b.receipts[l.Key], []count.Line{line}})
			counted = counted || c.Quantity+c.OverReceipt > 0
		}
		if why, ok := b.Refused[l.Key]; ok {
			refused = append(refused, t.Get("%s was not recorded: %s", l.Item.SKU, why))
			if at < 0 {
				at = i
			}
		}
	}
	switch all := text != "" && len(refused) == 0; {
	case !all && counted:
		text = p.Job.RecordedText(recorded)
	case !all:
		text = t.Get("lines done: %d", len(recorded))
	}
	entry := count.FeedEntry{Source: text, Keys: b.Keys}
	switch {
	case b.AtRisk:
		entry.Sync = count.AtRisk
	case b.Unsynced:
		entry.Sync = count.NotSynced
	}
	var cmds []tea.Cmd
	if len(recorded) > 0 {
		if p.Total() == 0 {
			p.feed.entries = nil
		}
		p.feed.add(entry, p.Env.Now())
		cmds = append(cmds, tui.Accepted(), p.feed.track(p.Env), p.makeLabels(receipts))
	}
	switch next := p.nextScan; {
	case len(refused) > 0:
		p.Current, p.completed = at, ""
		cmds = append(cmds, tui.Fail(errors.New(strings.Join(refused, " ")), b.offers...))
	case next != nil:
		cmds = append(cmds, tui.Scanned(*next))
	default:
		p.completed = ""
		p.selectUnfinished()
	}
	p.nextScan = nil
	if skipped != "" {
		cmds = append(cmds, tui.Fail(errors.New(t.Get("Not done: %s. Do it after the sync.", skipped))))
	}
	return tea.Batch(cmds...)
}

// skipLine skips the remaining steps of the line that the next step records, and continues
// with the next line.
func (p *CountPanel) skipLine() tea.Cmd {
	p.submission.DropLine()
	if p.submission.State() == submit.Done {
		return p.finishAfterReload("")
	}
	return p.sendNext()
}

// discardLine discards the count of the line whose first step has no answer. The lines
// after it stay counted.
func (p *CountPanel) discardLine() tea.Cmd {
	sub := p.submission
	if l := p.lineWithKey(sub.Steps[sub.Next].Line); l != nil {
		l.Count = count.Count{}
	}
	sub.DropLine()
	sub.DropDone()
	done := p.finishLines("", sub.Skipped())
	if len(sub.Steps) > 0 {
		p.submission = sub
	}
	return tea.Batch(done, p.Job.Booking.Refresh())
}

// byLine reports whether the next step books one line on its own.
func (p *CountPanel) byLine() bool {
	sub := p.submission
	return sub != nil && sub.Next < len(sub.Steps) && sub.Steps[sub.Next].Line != ""
}

func (p *CountPanel) lineWithKey(key string) *count.Line {
	if i := slices.IndexFunc(p.Lines, func(l *count.Line) bool { return l.Key == key }); i >= 0 {
		return p.Lines[i]
	}
	return nil
}
