package stock

import (
	"fmt"
	"slices"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

// spec is the operation that puts a balance right.
func (s *count) spec() *api.Spec {
	if s.site.Has(api.ReconcileStock.Spec) {
		return api.ReconcileStock.Spec
	}
	return api.AdjustStock.Spec
}

// book puts the books right, a balance after the other. Every write names the
// version that was counted against, so that nothing that moved since is lost.
func (s *count) book() tea.Cmd {
	s.failed = map[string]string{}
	var queue []job
	var done []api.ID
	for _, l := range s.bench.Lines {
		if slices.Contains(done, l.Goods.ID) {
			continue
		}
		done = append(done, l.Goods.ID)
		jobs, err := s.jobs(l.Goods)
		if err != nil {
			return tui.Fail(err)
		}
		queue = append(queue, jobs...)
	}
	if len(queue) == 0 {
		return s.finish()
	}
	s.kept.Queue, s.kept.Booked = queue, 0
	return s.send()
}

// jobs are the writes for all rows of some goods: first its lots and pieces,
// then what is in no lot, as the rest of the whole.
func (s *count) jobs(goods dock.Goods) ([]job, error) {
	var out []job
	var whole int64
	var loose *dock.Line
	for _, l := range s.bench.Lines {
		if l.Goods.ID != goods.ID {
			continue
		}
		r := s.rowOf(l)
		if n := r.Expected; counts(l) {
			whole += l.Count.Now
		} else {
			whole += n
		}
		switch {
		case s.verdict(l) != lacks:
			continue
		case !l.BySerial() && r.Lot == "":
			loose = l
			continue
		}
		steps, err := s.steps(l, r)
		if err != nil {
			return nil, err
		}
		for _, step := range steps {
			out = append(out, job{l.Key, step})
		}
	}
	if loose != nil {
		step, err := s.reconcile(loose, s.rowOf(loose), whole, api.ID{})
		if err != nil {
			return nil, err
		}
		out = append(out, job{loose.Key, step})
	}
	if len(out) > 0 {
		for _, l := range s.bench.Lines {
			if l.Key == out[0].Key {
				out[0].Step.Match = s.rowOf(l).Version
			}
		}
	}
	return out, nil
}

// steps are the writes for a lot, or for goods kept by serial number.
func (s *count) steps(l *dock.Line, r *row) ([]dock.Step, error) {
	c := correction{subject: subject{goods: l.Goods, place: s.place}, state: api.OnHand, reason: reasonCount}
	if !l.BySerial() {
		if r.LotID == (api.ID{}) { // the books do not know the lot here yet
			return c.bring(part{n: l.Count.Now, code: r.Lot, ends: l}, stepOf(l))
		}
		step, err := s.reconcile(l, r, l.Count.Now, r.LotID)
		return []dock.Step{step}, err
	}
	var out []dock.Step
	lacking, extra := s.swapped(l)
	if len(lacking) > 0 {
		steps, err := c.take(part{n: int64(len(lacking)), serials: lacking}, stepOf(l))
		if err != nil {
			return nil, err
		}
		out = append(out, steps...)
	}
	if len(extra) > 0 {
		steps, err := c.bring(part{n: int64(len(extra)), serials: extra}, stepOf(l))
		if err != nil {
			return nil, err
		}
		out = append(out, steps...)
	}
	return out, nil
}

func stepOf(l *dock.Line) string {
	return fmt.Sprintf(stepCount, widget.Count(l.Count.Now), l.Goods.SKU)
}

// reconcile says how many there are, of a lot or of the whole balance. A
// service that takes no counts is told the difference.
func (s *count) reconcile(l *dock.Line, r *row, n int64, lot api.ID) (dock.Step, error) {
	if !s.site.Has(api.ReconcileStock.Spec) {
		return dock.NewStep(api.AdjustStock, api.AdjustStockInput{ProductID: r.Product, LocationID: s.place.ID, InventoryState: api.OnHand,
			QuantityDelta: l.Count.Now - r.Expected, Reason: reasonCount, ReferenceType: "count", ReferenceID: s.reference()}, stepOf(l))
	}
	return dock.NewStep(api.ReconcileStock, api.ReconcileStockInput{ProductID: r.Product, LocationID: s.place.ID, CountedQuantity: &n,
		LotID: lot, Reason: reasonCount, ReferenceType: "count", ReferenceID: s.reference()}, stepOf(l))
}

// send sends the next write of the queue, or the one again that has no answer.
func (s *count) send() tea.Cmd {
	if s.kept.Sent = true; s.post.Step != nil {
		return s.post.Send(s.env)
	}
	return s.post.Freeze(s.env, s.kept.Queue[0].Step)
}

// posted goes on with the queue. What was refused stays with its words, and the
// goods after it are booked all the same.
func (s *count) posted(m dock.PostedMsg) tea.Cmd {
	if len(s.kept.Queue) == 0 {
		return nil
	}
	done := s.kept.Queue[0]
	fail := s.post.Answered(m)
	if fail != nil && dock.Unsure(m.Err) {
		return fail
	}
	s.kept.Queue, s.kept.Sent = s.kept.Queue[1:], false
	if out, ok := answered(m); ok {
		s.settled(done, out)
	} else {
		product := s.rows[done.Key].Product
		s.kept.Queue = slices.DeleteFunc(s.kept.Queue, func(x job) bool { return s.rows[x.Key].Product == product })
		if !api.HasCode(m.Err, api.VersionConflict) { // what moved is asked again
			s.failed[done.Key] = dock.Words(m.Err)
		}
		s.kept.Left++
	}
	if len(s.kept.Queue) > 0 {
		return s.send()
	}
	return s.finish()
}

func answered(m dock.PostedMsg) (*api.StockResult, bool) {
	if m.Err != nil {
		return nil, false
	}
	out, ok := m.Res.Output.(*api.StockResult)
	return out, ok
}

// settled takes the balance as a write left it: what follows is counted against that.
func (s *count) settled(done job, out *api.StockResult) {
	r := s.rows[done.Key]
	for _, x := range s.rows {
		if x.Product == r.Product {
			x.Version, x.Changed = out.Balance.Version, out.Balance.UpdatedAt
		}
	}
	if len(s.kept.Queue) > 0 && s.rows[s.kept.Queue[0].Key].Product == r.Product {
		s.kept.Queue[0].Step.Match = out.Balance.Version
		if s.kept.Queue[0].Key == done.Key {
			return
		}
	}
	s.kept.Booked++
	for _, l := range s.bench.Lines {
		if l.Key != done.Key {
			continue
		}
		r.Expected, r.Pieces = l.Count.Now, slices.Sorted(slices.Values(l.Count.Serials))
		if r.Lot != "" && len(out.Movements) > 0 {
			r.LotID = out.Movements[0].LotID
		}
	}
}

// finish ends the count where all of it is settled; else what was refused or
// moved is looked through again.
func (s *count) finish() tea.Cmd {
	booked, left := s.kept.Booked, s.kept.Left
	s.kept.Booked, s.kept.Left = 0, 0
	if left > 0 {
		text := fmt.Sprintf(countPartly, widget.Count(int64(booked)), widget.Count(int64(left)))
		return tea.Batch(tui.Bell(2), tui.Warn(text), s.load(true))
	}
	text := fmt.Sprintf(countDone, s.ShortTitle(), widget.Count(int64(booked)))
	s.forget()
	s.last = text
	return tea.Batch(tui.Toast(text), tui.Accepted(), s.load(false))
}
