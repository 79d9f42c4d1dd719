package panel

import (
	"cmp"
	"context"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui/label/printing"
	"bincard/tui/label/queue"
	"bincard/views/count"
	"bincard/views/labels"
	"bincard/views/session"
	"bincard/views/submit"
)

// A receipt is what was received with one idempotency key.
type receipt struct {
	key   string
	lines []count.Line
}

// labelsMsg are the labels of what was received.
type labelsMsg struct {
	batch  []printing.Copies
	pieces int64
	// queued is how many of them are printed without asking, on the printer with this name.
	queued  int
	printer string
	err     error
}

// A queueResult is the labels of a receipt that were added to the queue without asking, or
// why they were not.
type queueResult struct {
	jobs []queue.Job
	err  error
}

// receiptLabels makes and prints the labels of receipts.
type receiptLabels struct {
	site         *session.Site
	service      *printing.Service
	at, operator string
	now          time.Time
}

// receiptLabels returns nil if no labels are printed here.
func (p *CountPanel) receiptLabels() *receiptLabels {
	service := p.Site.Labels()
	if service == nil || !p.Job.Receives {
		return nil
	}
	r := &receiptLabels{site: p.Site, service: service, at: p.Document.Location.Code, operator: p.Site.Operator(), now: p.Env.Now()}
	if r.at == "" {
		r.at = p.Site.Location().Code
	}
	return r
}

// printWhenRecorded returns what adds the labels that are printed without asking to their
// queue when the next step is recorded, before the draft of the count is removed: a program
// that is killed meanwhile sends the step again and comes back to its labels. It returns nil
// if there is nothing to do.
func (p *CountPanel) printWhenRecorded() func(context.Context, submit.Answer) {
	r, sub := p.receiptLabels(), p.submission
	if r == nil || sub.Pieces == 0 || sub.KeepCounts || !sub.EndsReceipt() {
		return nil
	}
	received := p.receiptOf(sub.Steps[sub.Next].Line)
	if !r.printsAny(received) {
		return nil
	}
	if p.queued == nil {
		p.queued = map[string]*queueResult{}
	}
	result := &queueResult{}
	p.queued[received.key] = result
	return func(ctx context.Context, a submit.Answer) {
		if a.Err != nil && !a.AtRisk() {
			return
		}
		var recorded []api.Movement
		if a.Response != nil {
			recorded = a.Response.Movements()
		}
		_, batch := r.build(ctx, received, recorded)
		*result = r.print(batch, received.key)
	}
}

// receiptOf returns what the submission receives of a line; of all lines if line is "".
func (p *CountPanel) receiptOf(line string) receipt {
	if line == "" {
		return receipt{p.submission.FirstKey(""), p.receivedLines()}
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

// labelsOf makes the labels of what was received, so that they can be printed, and prints
// those that are printed without asking and are not in the queue yet. It delays nothing: the
// receipts are recorded.
func (p *CountPanel) labelsOf(received []receipt) tea.Cmd {
	r, done := p.receiptLabels(), p.queued
	p.queued = nil
	if r == nil || len(received) == 0 {
		return nil
	}
	return p.Env.Do(func(ctx context.Context) tea.Msg {
		var m labelsMsg
		for _, rec := range received {
			all, automatic := r.build(ctx, rec, nil)
			m.batch = append(m.batch, all...)
			for _, l := range rec.lines {
				m.pieces += l.Count.Quantity + l.Count.OverReceipt
			}
			result := done[rec.key]
			if result == nil || result.jobs == nil && result.err == nil {
				q := r.print(automatic, rec.key)
				result = &q
			}
			for _, job := range result.jobs {
				m.queued, m.printer = m.queued+job.Copies, job.Printer
			}
			m.err = cmp.Or(m.err, result.err)
		}
		r.site.SetReceived(m.batch)
		return m
	})
}

// printsAny reports whether labels of a receipt are printed without asking.
func (r *receiptLabels) printsAny(rec receipt) bool {
	return slices.ContainsFunc(rec.lines, func(l count.Line) bool { return r.service.Settings.IsAutomatic(r.at, l.Item.SKU) })
}

// build returns the labels of a receipt, and those of them that are printed without asking.
// The expiration dates of their lots are those of the movements, or else the service's.
func (r *receiptLabels) build(ctx context.Context, rec receipt, recorded []api.Movement) (all, automatic []printing.Copies) {
	for _, l := range rec.lines {
		batch := labels.OfReceipt(l.Item, l.Count, r.now)
		if !labels.AddRecordedExpiry(recorded, batch) {
			labels.AddExpiry(ctx, r.site, l.Item, batch)
		}
		all = append(all, batch...)
		if r.service.Settings.IsAutomatic(r.at, l.Item.SKU) {
			automatic = append(automatic, batch...)
		}
	}
	return all, automatic
}

// print adds the labels of a receipt to the queue, once. A receipt of an earlier version has
// no key.
func (r *receiptLabels) print(batch []printing.Copies, key string) (q queueResult) {
	if len(batch) > 0 {
		q.jobs, q.err = r.service.PrintAll(batch, printing.Options{Location: r.at, Receipt: key}, r.operator)
	}
	return q
}

// receivedLines returns copies of the lines with a counted quantity.
func (p *CountPanel) receivedLines() (lines []count.Line) {
	for _, l := range p.Lines {
		if l.Count.Quantity+l.Count.OverReceipt > 0 {
			lines = append(lines, *l)
		}
	}
	return lines
}
