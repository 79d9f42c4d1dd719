package stock

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/count"
	"bincard/views/panel"
	"bincard/views/session"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// reconcileSpec returns the operation that corrects a balance.
func reconcileSpec(site *session.Site) *api.Spec {
	if site.Supports(api.ReconcileStock.Spec) {
		return api.ReconcileStock.Spec
	}
	return api.AdjustStock.Spec
}

// A countPlan makes the writes that post the differences of a count. Every write requires
// the version of the balance that was counted against, so that concurrent changes are not
// lost.
type countPlan struct {
	comparison
	env         tui.Env
	site        *session.Site
	location    session.Location
	found       foundSerials
	corrections session.Corrections
	reason      string // why a large difference is posted without a second count
	approvedBy  string // the supervisor who approved that; "" if none did
}

func (s *countScreen) plan(reason, approvedBy string) countPlan {
	return countPlan{
		comparison:  s.comparison(),
		env:         s.env,
		site:        s.site,
		location:    s.location,
		found:       s.Found,
		corrections: s.corrections,
		reason:      reason,
		approvedBy:  approvedBy,
	}
}

// needs returns what posting the differences needs of the operator's role.
func (p countPlan) needs() (out []tui.Need) {
	for _, l := range p.lines {
		if v := p.verdict(l); v == differing || v == unconfirmed {
			out = append(out, p.need(l))
		}
	}
	return out
}

// need returns what posting the difference of a line needs of the operator's role.
func (p countPlan) need(l *count.Line) tui.Need {
	recorded := p.rows.forLine(l).Expected
	return tui.Need{
		Permission: tui.MayCount,
		Change:     l.Count.Quantity - recorded,
		Recorded:   recorded,
		Earlier:    p.corrections.Of(p.site.Operator(), l.Item.ID),
	}
}

// writes returns the writes for all differences, product by product.
func (p countPlan) writes() (out []queuedStep, err error) {
	seen := map[api.ID]bool{}
	for _, l := range p.lines {
		if seen[l.Item.ID] {
			continue
		}
		seen[l.Item.ID] = true
		steps, err := p.itemWrites(l.Item)
		if err != nil {
			return nil, err
		}
		out = append(out, steps...)
	}
	return out, nil
}

// itemWrites returns the writes for all rows of an item: first its lots and serials,
// then the stock without a lot, as the rest of the total.
func (p countPlan) itemWrites(item count.Item) (out []queuedStep, err error) {
	var total int64
	var noLot *count.Line
	for _, l := range p.lines {
		if l.Item.ID != item.ID {
			continue
		}
		r, verdict := p.rows.forLine(l), p.verdict(l)
		if hasCount(l) && verdict != refused {
			total += l.Count.Quantity
		} else {
			total += r.Expected
		}
		switch {
		case verdict != differing && verdict != unconfirmed:
			continue
		case !l.BySerial() && r.Lot == "":
			noLot = l
			continue
		}
		steps, err := p.lineWrites(l, r)
		if err != nil {
			return nil, err
		}
		out = append(out, p.sign(l, steps)...)
	}
	if noLot != nil {
		step, err := p.reconcile(noLot, p.rows.forLine(noLot), total, api.ID{})
		if err != nil {
			return nil, err
		}
		out = append(out, p.sign(noLot, queueSteps(noLot, step))...)
	}
	p.rows.requireVersion(out)
	return out, nil
}

// requireVersion makes the first of the writes at this location require the version of the
// balance that was counted against.
func (x rowsByKey) requireVersion(queue []queuedStep) {
	i := slices.IndexFunc(queue, func(q queuedStep) bool { return q.Left == "" })
	if i >= 0 && x[queue[i].Key] != nil {
		queue[i].Step.IfMatch = x[queue[i].Key].Version
	}
}

// lineWrites returns the writes for a lot or a serialized item.
func (p countPlan) lineWrites(l *count.Line, r *stockRow) ([]queuedStep, error) {
	t := p.env.T
	c := stateChange{
		stockItem: stockItem{item: l.Item, location: p.location},
		state:     api.OnHand,
		reason:    p.reasonFor(l),
		ref:       p.reference(),
	}
	switch {
	case !l.BySerial() && r.LotID == api.ID{}: // no recorded stock of the lot here
		lot := lotQuantity{quantity: l.Count.Quantity, lotCode: r.Lot, lotLine: l}
		steps, err := c.receiveSteps(t, lot, stepText(t, l))
		return queueSteps(l, steps...), err
	case !l.BySerial():
		step, err := p.reconcile(l, r, l.Count.Quantity, r.LotID)
		return queueSteps(l, step), err
	}

	var out []queuedStep
	missing, extra := p.serialDifferences(l)
	if len(missing) > 0 {
		steps, err := c.writeOffSteps(lotQuantity{quantity: int64(len(missing)), serials: missing}, stepText(t, l))
		if err != nil {
			return nil, err
		}
		out = queueSteps(l, steps...)
	}
	found, extra, err := p.foundWrites(l, extra)
	if err != nil {
		return nil, err
	}
	out = append(out, found...)
	if len(extra) > 0 {
		pieces := lotQuantity{quantity: int64(len(extra)), serials: extra, lotCode: l.Count.Lot, lotLine: l}
		steps, err := c.receiveSteps(t, pieces, stepText(t, l))
		if err != nil {
			return nil, err
		}
		for i := range steps {
			steps[i].Approve(p.found.approvedBy(l, extra))
		}
		out = append(out, queueSteps(l, steps...)...)
	}
	return out, nil
}

// foundWrites returns the writes that bring found serials of a line here: those that are
// recorded at another location are written off there, and all that the ledger knows are
// returned here. rest are the serials that were never received.
func (p countPlan) foundWrites(l *count.Line, serials []string) (out []queuedStep, rest []string, err error) {
	t, by := p.env.T, p.found.approvedBy(l, serials)
	var known []string
	for _, number := range serials {
		key := foundKey(l.Item.ID, number)
		found := p.found[key]
		if found.Status == "" {
			rest = append(rest, number)
			continue
		}
		known = append(known, number)
		if found.Status != api.InStock {
			continue
		}
		c := stateChange{
			stockItem: stockItem{item: l.Item, location: session.Location{ID: found.Location}},
			state:     api.OnHand,
			reason:    t.Get("found at %s", p.location.Code),
			ref:       p.reference(),
		}
		steps, err := c.writeOffSteps(lotQuantity{quantity: 1, serials: []string{number}}, stepText(t, l))
		if err != nil {
			return nil, nil, err
		}
		steps[0].Approve(by)
		out = append(out, queuedStep{Key: l.Key, Step: steps[0], Left: key})
	}
	if len(known) > 0 {
		step, err := submit.NewStep(api.ReturnStock, api.ReturnStockInput{
			StockKey:     api.StockKey{ProductID: l.Item.ID, LocationID: p.location.ID},
			Reason:       p.reasonFor(l),
			SerialChoice: api.SerialChoice{SerialNumbers: known},
			Reference:    p.reference(),
		}, stepText(t, l))
		if err != nil {
			return nil, nil, err
		}
		step.Approve(by)
		out = append(out, queueSteps(l, step)...)
	}
	return out, rest, nil
}

func stepText(t *i18n.Translator, l *count.Line) string {
	return t.Get("count %s %s", t.Count(l.Count.Quantity), l.Item.SKU)
}

// reconcile returns the write that sets the quantity of a lot or of the whole balance.
// If the service cannot reconcile, it adjusts by the difference.
func (p countPlan) reconcile(l *count.Line, r *stockRow, n int64, lot api.ID) (submit.Step, error) {
	stock, text := api.StockKey{ProductID: r.Product, LocationID: p.location.ID}, stepText(p.env.T, l)
	if lot == (api.ID{}) && !p.site.Supports(api.ReconcileStock.Spec) {
		return submit.NewStep(api.AdjustStock, api.AdjustStockInput{
			StockKey:       stock,
			InventoryState: api.OnHand,
			QuantityDelta:  l.Count.Quantity - r.Expected,
			Reason:         p.reasonFor(l),
			Reference:      p.reference(),
		}, text)
	}
	return submit.NewStep(api.ReconcileStock, api.ReconcileStockInput{
		StockKey:        stock,
		CountedQuantity: &n,
		LotID:           lot,
		Reason:          p.reasonFor(l),
		Reference:       p.reference(),
	}, text)
}

// sign records with the writes of a line who counted its difference: both who counted a large
// one. It records the supervisor only if the difference needs one.
func (p countPlan) sign(l *count.Line, queue []queuedStep) []queuedStep {
	large := p.isLarge(l)
	confirmed := large && p.isConfirmed(l)
	for i := range queue {
		step := &queue[i].Step
		if confirmed {
			step.Operator = session.CountedAgain(p.First[l.Key].By, p.CountedBy)
		}
		if large && !confirmed || !p.env.Allows(p.need(l)) {
			step.Approve(cmp.Or(p.approvedBy, step.ApprovedBy))
		}
	}
	return queue
}

// reasonFor returns the reason of the movements of a line.
func (p countPlan) reasonFor(l *count.Line) string {
	text := p.env.T.Get("counted")
	if p.reason == "" || p.verdict(l) != unconfirmed {
		return text
	}
	return text + ": " + strings.TrimSpace(p.reason)
}

// reference returns the reference of the movements of this count.
func (p countPlan) reference() api.Reference {
	return api.Reference{
		ReferenceType: session.CountReference,
		ReferenceID:   p.location.Code + " " + p.env.Now().Format(time.DateOnly),
	}
}

// countQueue are the writes of a count that are sent one after the other.
type countQueue struct {
	Queue  []queuedStep `json:"queue,omitempty"`  // writes still to be booked
	Sent   bool         `json:"sent,omitempty"`   // the first write of Queue has no answer
	Booked int          `json:"booked,omitempty"` // differences booked
	Failed int          `json:"left,omitempty"`   // differences rejected
	Before int          `json:"before,omitempty"` // differences booked before the review was repeated

	submission *submit.Submission // of the first write
}

// queuedStep is a write and the key of the row that it corrects.
type queuedStep struct {
	Key  string      `json:"key"`
	Step submit.Step `json:"step"`
	// Left is set if the write takes a found serial off the location where it is recorded:
	// its key in countDraft.Found.
	Left string `json:"left,omitempty"`
}

// queueSteps returns the steps of a line as queued ones.
func queueSteps(l *count.Line, steps ...submit.Step) (out []queuedStep) {
	for _, step := range steps {
		out = append(out, queuedStep{Key: l.Key, Step: step})
	}
	return out
}

// resume continues a queue that was saved.
func (q *countQueue) resume() {
	if len(q.Queue) > 0 && q.Sent {
		q.submission = submit.Resume(&q.Queue[0].Step)
	}
}

// send sends the next write of the queue, or retries the one without an answer.
func (q *countQueue) send(env tui.Env, site *session.Site) tea.Cmd {
	if q.Sent = true; !q.submission.Unfinished() {
		q.submission = submit.New(q.Queue[0].Step)
	}
	env.Approver = nil // the plan chose what is approved
	return q.submission.Send(env, site)
}

// book posts the differences. If some are large and not confirmed, the supervisor who runs
// or approved it gives a reason first.
func (s *countScreen) book() tea.Cmd {
	t, v := s.env.T, s.view()
	n, approvedBy := v.counts(), s.env.ApprovedBy()
	if n[unconfirmed] == 0 {
		return s.bookAll("", approvedBy)
	}
	return tui.Prompt(tui.Request{
		Text:  t.Get("Large differences without a second count: %s. Reason?", t.Count(int64(n[unconfirmed]))),
		Check: panel.CheckReason(t),
		OnText: func(reason string) tea.Cmd {
			return tui.Confirm(tui.Question{
				Text:  v.confirmText(),
				Yes:   v.bookLabel(),
				OnYes: func() tea.Cmd { return s.bookAll(reason, approvedBy) },
			})
		},
	})
}

// bookAll books all differences, one write after the other.
func (s *countScreen) bookAll(reason, approvedBy string) tea.Cmd {
	queue, err := s.plan(reason, approvedBy).writes()
	switch {
	case err != nil:
		return tui.Fail(err)
	case len(queue) == 0:
		return s.finish()
	}
	s.Queue, s.Booked = queue, 0
	return s.send(s.env, s.site)
}

// answered handles an answer and continues the queue. If a write was rejected, the row
// shows why, and the other writes of its product are dropped.
func (s *countScreen) answered(a submit.Answer) tea.Cmd {
	if len(s.Queue) == 0 {
		return nil
	}
	t, done := s.env.T, s.Queue[0]
	err := s.submission.Answered(a)
	if err != nil && s.submission.State() != submit.Refused {
		unknown := t.Get("No answer came. Press enter to retry: it is recorded only once.")
		return tui.Fail(errors.New(s.submission.FailureText(t, err, unknown)))
	}

	s.Queue, s.Sent = s.Queue[1:], false
	if out, ok := stockResult(a); ok {
		s.rowBooked(done, out)
	} else {
		product := s.rows[done.Key].Product
		s.Queue = slices.DeleteFunc(s.Queue, func(q queuedStep) bool { return s.rows[q.Key].Product == product })
		if !api.HasCode(err, api.VersionConflict) { // the review asks about changed stock
			s.rejected[done.Key] = s.submission.FailureText(t, a.Err, "")
		}
		s.Failed++
	}
	if len(s.Queue) > 0 {
		return s.send(s.env, s.site)
	}
	return s.finish()
}

func stockResult(a submit.Answer) (*api.StockResult, bool) {
	if a.Err != nil {
		return nil, false
	}
	out, ok := a.Response.Output.(*api.StockResult)
	return out, ok
}

// rowBooked updates the rows of a product from the balance in the response, for the
// writes that follow.
func (s *countScreen) rowBooked(done queuedStep, out *api.StockResult) {
	r := s.rows[done.Key]
	for _, x := range s.rows {
		if x.Product == r.Product && done.Left == "" {
			x.Version, x.Changed = out.Balance.Version, out.Balance.UpdatedAt
		}
	}
	if found, ok := s.Found[done.Left]; ok {
		found.Status = api.WrittenOff
		s.Found[done.Left] = found
	}
	if len(s.Queue) > 0 && s.rows[s.Queue[0].Key].Product == r.Product {
		s.rows.requireVersion(s.Queue)
		if s.Queue[0].Key == done.Key {
			return
		}
	}

	s.Booked++
	for _, l := range s.panel.Lines {
		if l.Key != done.Key {
			continue
		}
		r.Expected, r.Serials = l.Count.Quantity, sorted(l.Count.Serials)
		if r.Lot != "" && len(out.Movements) > 0 {
			r.LotID = out.Movements[0].LotID
		}
	}
}

// finish ends the count if all differences are booked; otherwise it returns to the
// review.
func (s *countScreen) finish() tea.Cmd {
	t, n := s.env.T, s.comparison().counts()
	number := func(n int) string { return t.Count(int64(n)) }

	booked, failed := s.Booked, s.Failed
	s.Booked, s.Failed = 0, 0
	s.Before += booked
	if failed > 0 {
		text := t.Get("%s adjusted, %s rejected. Review them.", number(booked), number(failed))
		return tea.Batch(tui.Bell(2), tui.Warn(text), s.load(true))
	}
	text := t.Get("%s counted: %s adjusted", s.ShortTitle(), number(s.Before))
	if n[refused] > 0 {
		text = t.Get("%s counted: %s adjusted, %s rejected", s.ShortTitle(), number(s.Before), number(n[refused]))
	}
	left := n[uncounted]
	if all := len(s.panel.Lines); s.isList() {
		text = t.Get("%s: %s of %s lines counted, %s adjusted", s.ShortTitle(), number(all-left), number(all),
			number(s.Before))
		if n[refused] > 0 {
			text += ", " + t.Get("%s rejected", number(n[refused]))
		}
	} else if left > 0 {
		text += ". " + t.Get("Lines not counted: %s", number(left))
	}
	s.clearReview()
	s.lastResult = text
	return tea.Batch(tui.Toast(text), tui.Accepted(), s.load(false))
}
