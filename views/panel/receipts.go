package panel

import (
	"cmp"
	"context"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/label"
	"bincard/tui/label/printing"
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
	jobs []printing.Job
	err  error
}

// receipts are the labels of what was received, and what was printed of them.
type receipts struct {
	latest []printing.Copies // of the last receipt, of this many pieces
	pieces int64
	queued map[string]*queueResult // of the submission, by the key of the receipt
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
	return &receiptLabels{site: p.Site, service: service, operator: p.Site.Operator(), now: p.Env.Now(),
		at: cmp.Or(p.Document.Location.Code, p.Site.Location().Code)}
}

// printWhenRecorded returns what adds the labels of a receipt that are printed without asking
// to their queue when its step is recorded, before the draft of the count is removed: a
// program that is killed meanwhile sends the step again and comes back to its labels. It
// returns nil if there is nothing to do.
func (s *receipts) printWhenRecorded(r *receiptLabels, rec receipt) func(context.Context, submit.Answer) {
	if r == nil || !r.printsAny(rec) {
		return nil
	}
	if s.queued == nil {
		s.queued = map[string]*queueResult{}
	}

	result := &queueResult{}
	s.queued[rec.key] = result

	return func(ctx context.Context, a submit.Answer) {
		if a.Err != nil && !a.AtRisk() {
			return
		}

		var recorded []api.Movement
		if a.Response != nil {
			recorded = a.Response.Movements()
		}

		_, batch := r.build(ctx, rec, recorded)
		*result = r.print(batch, rec.key)
	}
}

// makeLabels makes the labels of what was received, so that they can be printed, and prints
// those that are printed without asking and are not in the queue yet. It delays nothing: the
// receipts are recorded.
func (s *receipts) makeLabels(env tui.Env, r *receiptLabels, received []receipt) tea.Cmd {
	done := s.queued
	s.queued = nil
	if r == nil || len(received) == 0 {
		return nil
	}

	return env.Do(func(ctx context.Context) tea.Msg {
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

// offer offers the labels that were made. It returns the message about those that are printed
// without asking, and whether it says that they are not.
func (s *receipts) offer(site *session.Site, m labelsMsg) (text string, failed bool) {
	t := site.T()
	s.latest, s.pieces = m.batch, m.pieces
	switch {
	case m.err != nil && !site.HasPrinter():
		return t.Get("Labels not printed: %s", labels.NoPrinterText(site)), true
	case m.err != nil:
		return t.Get("Labels not printed: %s", m.err), true
	case m.queued > 0:
		return t.Get("%s to %s", labels.CountText(t, int64(m.queued)), m.printer), false
	}

	return "", false
}

// actions returns the action that prints the labels of the last receipt, if there are any.
func (s *receipts) actions(site *session.Site) []tui.Action {
	if len(s.latest) == 0 {
		return nil
	}

	t, batch := site.T(), s.latest
	n := int64(printing.Total(batch))

	return []tui.Action{{ID: "labels.received", Key: labels.PrintKey,
		Label: t.Get("labels for the %s received: %s", t.Count(s.pieces), t.Count(n)), Short: labels.CountText(t, n),
		Help: t.Get("Print the labels of what was just received"), NoFooter: !site.HasPrinter(),
		Run: func() tea.Cmd {
			site.SetReceived(batch)
			return tui.Open(labels.ReceivedRoute)
		}}}
}

// WithLabels adds the actions that print labels: those of what was just received, and that
// of the document with an ID. Labels of new serial numbers, or of a new lot, count as those of
// a supplier when they are scanned.
func (p *CountPanel) WithLabels(actions []tui.Action, id api.ID) []tui.Action {
	of := labels.Request{Kind: label.KindDocument, Subject: id.String()}
	document := labels.PrintActions(p.Site, labels.Always(of))
	if p.Job.Receives {
		if r, ok := labels.NewNumbers(p.Site, p.Line().Item, p.Line().Remaining()); ok {
			document = append(document, labels.NewNumbersAction(p.T(), r))
		}
	}

	received := p.receipts.actions(p.Site)
	if len(received) > 0 && len(document) > 0 { // in the palette
		document[0].Key, document[0].NoFooter = "", true
		document[0].Label = p.T().Get("print label of the document")
	}

	return append(slices.Insert(actions, min(2, len(actions)), received...), document...)
}

// printsAny reports whether labels of a receipt are printed without asking.
func (r *receiptLabels) printsAny(rec receipt) bool {
	return slices.ContainsFunc(rec.lines, func(l count.Line) bool {
		return r.service.Settings.IsAutomatic(r.at, l.Item.SKU)
	})
}

// build returns the labels of a receipt, and those of them that are printed without asking.
// The expiration dates of their lots are those of the movements, or else the service's.
func (r *receiptLabels) build(ctx context.Context, rec receipt, recorded []api.Movement) (
	all, automatic []printing.Copies) {

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
		opts := printing.Options{Location: r.at, Language: r.site.T(), Receipt: key}
		q.jobs, q.err = r.service.PrintAll(batch, opts, r.operator)
	}
	return q
}

// receivedLines returns copies of the lines with a counted quantity.
func receivedLines(lines []*count.Line) (received []count.Line) {
	for _, l := range lines {
		if l.Count.Quantity+l.Count.OverReceipt > 0 {
			received = append(received, *l)
		}
	}

	return received
}
