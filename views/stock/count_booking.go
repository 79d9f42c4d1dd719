package stock

import (
	"errors"
	"slices"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/count"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// reconcileSpec returns the operation that corrects a balance.
func (s *countScreen) reconcileSpec() *api.Spec {
	if s.site.Supports(api.ReconcileStock.Spec) {
		return api.ReconcileStock.Spec
	}
	return api.AdjustStock.Spec
}

// bookAll books all differences, one write after the other. Every write requires the
// version of the balance that was counted against, so that concurrent changes are not
// lost. reason says why a large difference is posted without a second count, and
// approvedBy which supervisor approved that; "" if none did.
func (s *countScreen) bookAll(reason, approvedBy string) tea.Cmd {
	var queue []queuedStep
	var seen []api.ID
	for _, l := range s.panel.Lines {
		if slices.Contains(seen, l.Item.ID) {
			continue
		}
		seen = append(seen, l.Item.ID)
		steps, err := s.queueSteps(l.Item, reason, approvedBy)
		if err != nil {
			return tui.Fail(err)
		}
		queue = append(queue, steps...)
	}
	if len(queue) == 0 {
		return s.finish()
	}
	s.draft.Queue, s.draft.Booked = queue, 0
	return s.send()
}

// queueSteps returns the writes for all rows of an item: first its lots and serials,
// then the stock without a lot, as the rest of the total.
func (s *countScreen) queueSteps(item count.Item, reason, approvedBy string) ([]queuedStep, error) {
	var out []queuedStep
	var total int64
	var noLot *count.Line
	for _, l := range s.panel.Lines {
		if l.Item.ID != item.ID {
			continue
		}
		r := s.rowOf(l)
		if n := r.Expected; hasCount(l) && s.verdict(l) != refused {
			total += l.Count.Quantity
		} else {
			total += n
		}
		switch {
		case s.verdict(l) != differing && s.verdict(l) != unconfirmed:
			continue
		case !l.BySerial() && r.Lot == "":
			noLot = l
			continue
		}
		steps, err := s.lineSteps(l, r, s.reasonFor(l, reason))
		if err != nil {
			return nil, err
		}
		for i := range steps {
			s.signStep(&steps[i].Step, l, approvedBy)
		}
		out = append(out, steps...)
	}
	if noLot != nil {
		step, err := s.reconcile(noLot, s.rowOf(noLot), total, api.ID{}, s.reasonFor(noLot, reason))
		if err != nil {
			return nil, err
		}
		s.signStep(&step, noLot, approvedBy)
		out = append(out, queuedStep{Key: noLot.Key, Step: step})
	}
	s.requireVersion(out)
	return out, nil
}

// requireVersion makes the first of the writes at this location require the version of the
// balance that was counted against.
func (s *countScreen) requireVersion(queue []queuedStep) {
	if i := slices.IndexFunc(queue, func(x queuedStep) bool { return x.Left == "" }); i >= 0 && s.rows[queue[i].Key] != nil {
		queue[i].Step.IfMatch = s.rows[queue[i].Key].Version
	}
}

// lineSteps returns the writes for a lot or a serialized item.
func (s *countScreen) lineSteps(l *count.Line, r *stockRow, reason string) (out []queuedStep, err error) {
	add := func(steps ...submit.Step) {
		for _, step := range steps {
			out = append(out, queuedStep{Key: l.Key, Step: step})
		}
	}
	c := stateChange{stockItem: stockItem{item: l.Item, location: s.location}, state: api.OnHand, reason: reason, ref: s.countReference()}
	if !l.BySerial() {
		if r.LotID == (api.ID{}) { // no recorded stock of the lot here
			steps, err := c.receiveSteps(s.site.T(), lotQuantity{quantity: l.Count.Quantity, lotCode: r.Lot, lotLine: l}, stepText(s.site.T(), l))
			add(steps...)
			return out, err
		}
		step, err := s.reconcile(l, r, l.Count.Quantity, r.LotID, reason)
		add(step)
		return out, err
	}
	missing, extra := s.serialDifferences(l)
	if len(missing) > 0 {
		steps, err := c.writeOffSteps(lotQuantity{quantity: int64(len(missing)), serials: missing}, stepText(s.site.T(), l))
		if err != nil {
			return nil, err
		}
		add(steps...)
	}
	found, extra, err := s.foundSteps(l, extra, reason)
	if err != nil {
		return nil, err
	}
	out = append(out, found...)
	if len(extra) > 0 {
		steps, err := c.receiveSteps(s.site.T(), lotQuantity{quantity: int64(len(extra)), serials: extra, lotCode: l.Count.Lot, lotLine: l}, stepText(s.site.T(), l))
		if err != nil {
			return nil, err
		}
		for i := range steps {
			steps[i].Approve(s.foundBy(l, extra))
		}
		add(steps...)
	}
	return out, nil
}

// foundBy returns who approved the first of the serials that needed it.
func (s *countScreen) foundBy(l *count.Line, serials []string) string {
	for _, number := range serials {
		if by := s.draft.Found[foundKey(l.Item.ID, number)].By; by != "" {
			return by
		}
	}
	return ""
}

func stepText(t *i18n.Translator, l *count.Line) string {
	return t.Get("count %s %s", t.Count(l.Count.Quantity), l.Item.SKU)
}

// reconcile returns the write that sets the quantity of a lot or of the whole balance.
// If the service cannot reconcile, it adjusts by the difference.
func (s *countScreen) reconcile(l *count.Line, r *stockRow, n int64, lot api.ID, reason string) (submit.Step, error) {
	if lot == (api.ID{}) && !s.site.Supports(api.ReconcileStock.Spec) {
		return submit.NewStep(api.AdjustStock, api.AdjustStockInput{StockKey: api.StockKey{ProductID: r.Product, LocationID: s.location.ID}, InventoryState: api.OnHand,
			QuantityDelta: l.Count.Quantity - r.Expected, Reason: reason, Reference: s.countReference()}, stepText(s.site.T(), l))
	}
	return submit.NewStep(api.ReconcileStock, api.ReconcileStockInput{StockKey: api.StockKey{ProductID: r.Product, LocationID: s.location.ID}, CountedQuantity: &n,
		LotID: lot, Reason: reason, Reference: s.countReference()}, stepText(s.site.T(), l))
}

// send sends the next write of the queue, or retries the one without an answer.
func (s *countScreen) send() tea.Cmd {
	if s.draft.Sent = true; !s.submission.Unfinished() {
		s.submission = submit.New(s.draft.Queue[0].Step)
	}
	env := s.env
	env.Approver = nil // signStep chose what is approved
	return s.submission.Send(env, s.site)
}

// answered handles an answer and continues the queue. If a write was rejected, the row
// shows why, and the other writes of its product are dropped.
func (s *countScreen) answered(a submit.Answer) tea.Cmd {
	if len(s.draft.Queue) == 0 {
		return nil
	}
	t, done := s.site.T(), s.draft.Queue[0]
	err := s.submission.Answered(a)
	if err != nil && s.submission.State() != submit.Refused {
		unknown := t.Get("No answer came. Press enter to retry: it is recorded only once.")
		return tui.Fail(errors.New(s.submission.FailureText(t, err, unknown)))
	}
	s.draft.Queue, s.draft.Sent = s.draft.Queue[1:], false
	if out, ok := stockResult(a); ok {
		s.rowBooked(done, out)
	} else {
		product := s.rows[done.Key].Product
		s.draft.Queue = slices.DeleteFunc(s.draft.Queue, func(x queuedStep) bool { return s.rows[x.Key].Product == product })
		if !api.HasCode(err, api.VersionConflict) { // the review asks about changed stock
			s.rowErrors[done.Key] = s.submission.FailureText(t, a.Err, "")
		}
		s.draft.Failed++
	}
	if len(s.draft.Queue) > 0 {
		return s.send()
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
	if found, ok := s.draft.Found[done.Left]; ok {
		found.Status = api.WrittenOff
		s.draft.Found[done.Left] = found
	}
	if len(s.draft.Queue) > 0 && s.rows[s.draft.Queue[0].Key].Product == r.Product {
		s.requireVersion(s.draft.Queue)
		if s.draft.Queue[0].Key == done.Key {
			return
		}
	}
	s.draft.Booked++
	for _, l := range s.panel.Lines {
		if l.Key != done.Key {
			continue
		}
		r.Expected, r.Serials = l.Count.Quantity, slices.Sorted(slices.Values(l.Count.Serials))
		if r.Lot != "" && len(out.Movements) > 0 {
			r.LotID = out.Movements[0].LotID
		}
	}
}

// finish ends the count if all differences are booked; otherwise it returns to the
// review.
func (s *countScreen) finish() tea.Cmd {
	t := s.site.T()

	booked, failed, rejected := s.draft.Booked, s.draft.Failed, s.verdictCounts()[refused]
	s.draft.Booked, s.draft.Failed = 0, 0
	s.draft.Before += booked
	if failed > 0 {
		text := t.Get("%s adjusted, %s rejected. Review them.", t.Count(int64(booked)), t.Count(int64(failed)))
		return tea.Batch(tui.Bell(2), tui.Warn(text), s.load(true))
	}
	text := t.Get("%s counted: %s adjusted", s.ShortTitle(), t.Count(int64(s.draft.Before)))
	if rejected > 0 {
		text = t.Get("%s counted: %s adjusted, %s rejected", s.ShortTitle(), t.Count(int64(s.draft.Before)), t.Count(int64(rejected)))
	}
	left := s.verdictCounts()[uncounted]
	if all := len(s.panel.Lines); s.isList() {
		text = t.Get("%s: %s of %s lines counted, %s adjusted", s.ShortTitle(), t.Count(int64(all-left)), t.Count(int64(all)), t.Count(int64(s.draft.Before)))
		if rejected > 0 {
			text += ", " + t.Get("%s rejected", t.Count(int64(rejected)))
		}
	} else if left > 0 {
		text += ". " + t.Get("Lines not counted: %s", t.Count(int64(left)))
	}
	s.clearReview()
	s.lastResult = text
	return tea.Batch(tui.Toast(text), tui.Accepted(), s.load(false))
}
