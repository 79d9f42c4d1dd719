package stock

import (
	"slices"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

// reconcileSpec is the operation that corrects a balance.
func (s *count) reconcileSpec() *api.Spec {
	if s.site.Supports(api.ReconcileStock.Spec) {
		return api.ReconcileStock.Spec
	}
	return api.AdjustStock.Spec
}

// bookAll corrects the balances one after the other. Every write names the
// version that was counted against, so that nothing that moved since is lost.
func (s *count) bookAll() tea.Cmd {
	s.rowErrors = map[string]string{}
	var queue []queuedStep
	var done []api.ID
	for _, l := range s.panel.Lines {
		if slices.Contains(done, l.Item.ID) {
			continue
		}
		done = append(done, l.Item.ID)
		jobs, err := s.queueSteps(l.Item)
		if err != nil {
			return tui.Fail(err)
		}
		queue = append(queue, jobs...)
	}
	if len(queue) == 0 {
		return s.finish()
	}
	s.draft.Queue, s.draft.Booked = queue, 0
	return s.send()
}

// queueSteps are the writes for all rows of some goods: first its lots and pieces,
// then what is in no lot, as the rest of the whole.
func (s *count) queueSteps(goods dock.Item) ([]queuedStep, error) {
	var out []queuedStep
	var whole int64
	var loose *dock.Line
	for _, l := range s.panel.Lines {
		if l.Item.ID != goods.ID {
			continue
		}
		r := s.rowOf(l)
		if n := r.Expected; hasCount(l) {
			whole += l.Count.Quantity
		} else {
			whole += n
		}
		switch {
		case s.verdict(l) != differing:
			continue
		case !l.BySerial() && r.Lot == "":
			loose = l
			continue
		}
		steps, err := s.lineSteps(l, r)
		if err != nil {
			return nil, err
		}
		for _, step := range steps {
			out = append(out, queuedStep{l.Key, step})
		}
	}
	if loose != nil {
		step, err := s.reconcile(loose, s.rowOf(loose), whole, api.ID{})
		if err != nil {
			return nil, err
		}
		out = append(out, queuedStep{loose.Key, step})
	}
	if len(out) > 0 {
		for _, l := range s.panel.Lines {
			if l.Key == out[0].Key {
				out[0].Step.IfMatch = s.rowOf(l).Version
			}
		}
	}
	return out, nil
}

// lineSteps are the writes for a lot, or for goods kept by serial number.
func (s *count) lineSteps(l *dock.Line, r *stockRow) ([]dock.Step, error) {
	c := stateChange{stockItem: stockItem{item: l.Item, location: s.location}, state: api.OnHand, reason: s.site.T().Get("counted")}
	if !l.BySerial() {
		if r.LotID == (api.ID{}) { // the books do not know the lot here yet
			return c.receiveSteps(s.site.T(), lotQuantity{quantity: l.Count.Quantity, lotCode: r.Lot, lotLine: l}, stepText(s.site.T(), l))
		}
		step, err := s.reconcile(l, r, l.Count.Quantity, r.LotID)
		return []dock.Step{step}, err
	}
	var out []dock.Step
	lacking, extra := s.serialDifferences(l)
	if len(lacking) > 0 {
		steps, err := c.writeOffSteps(lotQuantity{quantity: int64(len(lacking)), serials: lacking}, stepText(s.site.T(), l))
		if err != nil {
			return nil, err
		}
		out = append(out, steps...)
	}
	if len(extra) > 0 {
		steps, err := c.receiveSteps(s.site.T(), lotQuantity{quantity: int64(len(extra)), serials: extra}, stepText(s.site.T(), l))
		if err != nil {
			return nil, err
		}
		out = append(out, steps...)
	}
	return out, nil
}

func stepText(t *i18n.Translator, l *dock.Line) string {
	return t.Get("count %s %s", t.Count(l.Count.Quantity), l.Item.SKU)
}

// reconcile says how many there are, of a lot or of the whole balance. A
// service that takes no counts is told the difference.
func (s *count) reconcile(l *dock.Line, r *stockRow, n int64, lot api.ID) (dock.Step, error) {
	if !s.site.Supports(api.ReconcileStock.Spec) {
		return dock.NewStep(api.AdjustStock, api.AdjustStockInput{ProductID: r.Product, LocationID: s.location.ID, InventoryState: api.OnHand,
			QuantityDelta: l.Count.Quantity - r.Expected, Reason: s.site.T().Get("counted"), ReferenceType: "count", ReferenceID: s.reference()}, stepText(s.site.T(), l))
	}
	return dock.NewStep(api.ReconcileStock, api.ReconcileStockInput{ProductID: r.Product, LocationID: s.location.ID, CountedQuantity: &n,
		LotID: lot, Reason: s.site.T().Get("counted"), ReferenceType: "count", ReferenceID: s.reference()}, stepText(s.site.T(), l))
}

// send sends the next write of the queue, or the one again that has no answer.
func (s *count) send() tea.Cmd {
	if s.draft.Sent = true; s.submitter.Step != nil {
		return s.submitter.Send(s.env)
	}
	return s.submitter.Submit(s.env, s.draft.Queue[0].Step)
}

// answered goes on with the queue. What was refused stays with its words, and the
// items after it are still booked.
func (s *count) answered(m dock.SubmittedMsg) tea.Cmd {
	if len(s.draft.Queue) == 0 {
		return nil
	}
	done := s.draft.Queue[0]
	fail := s.submitter.Answered(m)
	if fail != nil && dock.OutcomeUnknown(m.Err) {
		return fail
	}
	s.draft.Queue, s.draft.Sent = s.draft.Queue[1:], false
	if out, ok := stockResult(m); ok {
		s.rowBooked(done, out)
	} else {
		product := s.rows[done.Key].Product
		s.draft.Queue = slices.DeleteFunc(s.draft.Queue, func(x queuedStep) bool { return s.rows[x.Key].Product == product })
		if !api.HasCode(m.Err, api.VersionConflict) { // what moved is asked again
			s.rowErrors[done.Key] = dock.UserMessage(s.site.T(), m.Err)
		}
		s.draft.Failed++
	}
	if len(s.draft.Queue) > 0 {
		return s.send()
	}
	return s.finish()
}

func stockResult(m dock.SubmittedMsg) (*api.StockResult, bool) {
	if m.Err != nil {
		return nil, false
	}
	out, ok := m.Res.Output.(*api.StockResult)
	return out, ok
}

// rowBooked takes the balance as a write left it: what follows is counted against that.
func (s *count) rowBooked(done queuedStep, out *api.StockResult) {
	r := s.rows[done.Key]
	for _, x := range s.rows {
		if x.Product == r.Product {
			x.Version, x.Changed = out.Balance.Version, out.Balance.UpdatedAt
		}
	}
	if len(s.draft.Queue) > 0 && s.rows[s.draft.Queue[0].Key].Product == r.Product {
		s.draft.Queue[0].Step.IfMatch = out.Balance.Version
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

// finish ends the count where all of it is settled; else what was refused or
// moved is looked through again.
func (s *count) finish() tea.Cmd {
	t := s.site.T()

	booked, left := s.draft.Booked, s.draft.Failed
	s.draft.Booked, s.draft.Failed = 0, 0
	if left > 0 {
		text := t.Get("%s adjusted, %s failed. Review them.", t.Count(int64(booked)), t.Count(int64(left)))
		return tea.Batch(tui.Bell(2), tui.Warn(text), s.load(true))
	}
	text := t.Get("%s counted: %s adjusted", s.ShortTitle(), t.Count(int64(booked)))
	s.clearReview()
	s.lastResult = text
	return tea.Batch(tui.Toast(text), tui.Accepted(), s.load(false))
}
