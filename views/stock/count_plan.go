package stock

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/count"
	"bincard/views/names"
	"bincard/views/session"
	"bincard/views/submit"
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
	tui.Env
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
		Env:         s.Env,
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
		Earlier:    p.corrections.ByOperator(p.site.Operator(), l.Item.ID),
	}
}

// approvalText describes the first line that needs an approval, and says how many others do.
// It contains hidden quantities only after the approval.
func (p countPlan) approvalText() (text string) {
	t, more := p.T, -1
	for _, l := range p.lines {
		if v := p.verdict(l); v != unconfirmed && (v != differing || p.Allows(p.need(l))) {
			continue
		}
		if more++; more > 0 {
			continue
		}

		name, counted, change := p.rows.name(l), t.Count(l.Count.Quantity), t.Change(p.difference(l))
		if p.difference(l) == 0 {
			change = t.Get("other serials")
		}

		text = t.Get("%s: %s counted", name, counted)
		if !p.hidesExpected || p.approvedBy != "" {
			text = t.Get("%s: %s counted, %s recorded (%s)", name, counted, t.Count(p.rows.forLine(l).Expected), change)
		}
	}

	if more > 0 {
		text = t.Get("%s and %s more", text, t.Count(int64(more)))
	}

	return text
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
	var noLot, last *count.Line
	counted := p.rows.version(item.ID) > 0 && p.site.Supports(api.ReconcileStock.Spec)
	for _, l := range p.lines {
		if l.Item.ID != item.ID {
			continue
		}

		r, verdict := p.rows.forLine(l), p.verdict(l)
		last = l
		if hasCount(l) && verdict != refused {
			total += l.Count.Quantity
		} else {
			total += r.Expected
			counted = false
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

	if noLot == nil && counted {
		noLot = last // records that the product was counted
	}
	if noLot != nil {
		step, err := p.reconcile(noLot, p.rows.forLine(noLot), total, api.NoID)
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
	t := p.T
	c := stateChange{
		stockItem: stockItem{item: l.Item, location: p.location},
		state:     api.OnHand,
		reason:    p.reasonFor(l),
		ref:       p.reference(),
	}

	switch {
	case !l.BySerial() && r.LotID == api.NoID: // no recorded stock of the lot here
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
	t, by := p.T, p.found.approvedBy(l, serials)
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
			reason:    fmt.Sprintf(names.FoundAt, p.location.Code),
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
	stock, text := api.StockKey{ProductID: r.Product, LocationID: p.location.ID}, stepText(p.T, l)
	if lot == api.NoID && !p.site.Supports(api.ReconcileStock.Spec) {
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
			step.Operator = session.CountedAgain(p.First[l.Key].By, p.Counted[l.Key].By)
		}
		if large && !confirmed || !p.Allows(p.need(l)) {
			step.Approve(cmp.Or(p.approvedBy, step.ApprovedBy))
		}
	}

	return queue
}

// reasonFor returns the reason of the movements of a line.
func (p countPlan) reasonFor(l *count.Line) string {
	text := names.Counted
	if p.reason == "" || p.verdict(l) != unconfirmed {
		return text
	}
	return text + ": " + strings.TrimSpace(p.reason)
}

// reference returns the reference of the movements of this count.
func (p countPlan) reference() api.Reference {
	return api.Reference{
		ReferenceType: session.CountReference,
		ReferenceID:   p.location.Code + " " + p.Now().Format(time.DateOnly),
	}
}
