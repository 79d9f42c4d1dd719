package panel_test

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/views/count"
	"bincard/views/panel"
	"bincard/views/submit"
)

// A work is the work of a terminal as its draft has it, which is all that a killed program
// leaves.
type work struct {
	counts     map[string]count.Count
	submission *submit.Submission
	toRecord   map[string]int64 // pieces by line that are counted and that no service recorded
}

// work reads the draft.
func (c *eventCase) work() work {
	list, err := c.drafts.List()
	require.NoError(c.t, err)
	require.LessOrEqual(c.t, len(list), 1, "several drafts of a document")
	w := work{toRecord: map[string]int64{}}
	if len(list) == 0 {
		return w
	}

	var d panel.StoredDraft
	require.NoError(c.t, json.Unmarshal(list[0].Data, &d))
	w.counts, w.submission = d.Counts, d.Submission
	for key, n := range d.Counts {
		w.toRecord[key] = n.Quantity + n.OverReceipt
	}
	if w.submission == nil || w.submission.KeepCounts {
		return w
	}

	left := map[string]int64{}
	receipt, damaged := "", map[string]int64{}
	for i, step := range w.submission.Steps {
		input, err := api.FindOperation(step.Op).Decode(func(string) string { return step.Document }, url.Values{}, step.Body)
		require.NoError(c.t, err)
		_, recorded := c.svc.recorded[step.Key]
		switch in := input.(type) {
		case *api.ReceiveInboundInput:
			receipt = in.InboundID.String()
			damaged[receipt] = 0
			require.True(c.t, w.submission.Unfinished() || in.LotCode == w.counts[receipt].Lot, "the steps have another lot")
		case *api.MoveStockInput:
			damaged[receipt] = in.Quantity
		}
		for key, n := range piecesOf(input, c.onlyLine) {
			left[key] += 0 // its count is that of the steps
			if i >= w.submission.Next && !recorded {
				left[key] += n
			}
		}
	}
	for key, n := range damaged {
		require.True(c.t, w.submission.Unfinished() || n == w.counts[key].Damaged, "the steps have other damaged pieces")
	}
	maps.Copy(w.toRecord, left)

	return w
}

// pieces returns the pieces of each product that are counted or recorded by this terminal.
func (c *eventCase) pieces(w work) map[string]int64 {
	if c.svc.changed {
		c.svc.changed = false
		for _, p := range c.products {
			c.ledger[p.SKU] = c.sign*(c.onHand(p)-p.stock) - c.colleague[p.SKU]
		}
	}

	out := maps.Clone(c.ledger)
	for key, n := range w.toRecord {
		out[c.productOf(key)] += n
	}

	return out
}

func (c *eventCase) onHand(p *eventProduct) (n int64) {
	list := ledgertest.Do(c.World, api.ListBalances, api.ListBalancesInput{StockFilter: api.StockFilter{ProductID: p.ID, LocationID: c.Main.ID}})
	for _, b := range list.Items {
		n += b.OnHand
	}
	return n
}

// productOf returns the SKU of the product of a line.
func (c *eventCase) productOf(line string) string {
	sku, ok := c.lines[line]
	require.True(c.t, ok, "line %s is unknown", line)
	return sku
}

// A named change is one that the operator asked for: by so many pieces of a product.
type named struct {
	sku    string
	pieces int64
	once   bool // it happens with the event or never; else it may wait, as a scan does
	sent   bool // a request is under way that may record it
	kept   bool // it waits until the steps before it are recorded or discarded
	asked  bool // by as many as any scan or quantity before was of
}

// check compares what is counted and recorded with what was named, after each event.
func (c *eventCase) check() {
	w := c.work()
	now := c.pieces(w)
	if p := c.open(); p != nil && len(p.Lines) > 0 && p.Document.Name != "" {
		for _, l := range p.Lines {
			require.Equal(c.t, l.Count.Quantity+l.Count.OverReceipt, w.counts[l.Key].Quantity+w.counts[l.Key].OverReceipt, "the draft differs from the count")
		}
	}

	undone := false
	if c.undoing && !sameCounts(w.toRecord, c.before.toRecord) {
		at := len(c.history) - 1
		for at >= 0 && !sameCounts(c.history[at], w.toRecord) {
			at--
		}
		require.GreaterOrEqual(c.t, at, 0, "undo returns to %v, which never was", w.toRecord)
		c.history, undone = c.history[:at], true
	}

	c.remember()

	for sku, n := range now {
		change := n - c.total[sku]
		if change == 0 || undone {
			continue
		}
		require.True(c.t, c.explain(sku, change), "%+d of %s, which nothing named: %v", change, sku, c.named)
	}

	c.before, c.total, c.undoing, c.forgets = w, now, false, false
	c.named = slices.DeleteFunc(c.named, func(n named) bool { return n.once })
	if c.d.Model.Idle() && len(c.held) == 0 && len(c.orphans) == 0 {
		c.named = slices.DeleteFunc(c.named, func(n named) bool { // what was not counted was refused
			return !n.kept || !w.submission.Unfinished()
		})
	}
}

// A watchedDrafts lets a case remember each count that is saved.
type watchedDrafts struct {
	tui.Drafts
	c *eventCase
}

func (d watchedDrafts) Save(draft tui.Draft) error {
	defer d.c.remember()
	return d.Drafts.Save(draft)
}

func (d watchedDrafts) Discard(route, owner string) error {
	defer d.c.remember()
	return d.Drafts.Discard(route, owner)
}

// remember adds the count before the last change to the history, which ends when something
// is recorded.
func (c *eventCase) remember() {
	now := c.work().toRecord
	switch {
	case c.svc.news || c.forgets:
		c.history, c.svc.news, c.forgets = nil, false, false
	case !c.undoing && !sameCounts(now, c.latest):
		c.history = append(c.history, c.latest)
	}
	c.latest = now
}

// sameCounts compares counts without those of zero.
func sameCounts(a, b map[string]int64) bool {
	zero := func(_ string, n int64) bool { return n == 0 }
	a, b = maps.Clone(a), maps.Clone(b)
	maps.DeleteFunc(a, zero)
	maps.DeleteFunc(b, zero)
	return maps.Equal(a, b)
}

// explain reports whether some of what was named changed the pieces of a product so, and
// forgets those.
func (c *eventCase) explain(sku string, change int64) bool {
	// What may still arrive from a program that was killed or from discarded steps comes last.
	slices.SortStableFunc(c.named, func(a, b named) int { return boolInt(a.sent) - boolInt(b.sent) })
	used := map[int64][]int{0: nil} // what was named, by the sum of its pieces
	for i, n := range c.named {
		if n.sku != sku {
			continue
		}

		may := []int64{n.pieces}
		if n.asked {
			may = c.asked(sku)
		}
		for sum, of := range maps.Clone(used) {
			for _, pieces := range may {
				if _, ok := used[sum+pieces]; !ok {
					used[sum+pieces] = append(slices.Clip(of), i)
				}
			}
		}
	}

	of, ok := used[change]
	for _, i := range of {
		c.named[i].sku = ""
	}
	c.named = slices.DeleteFunc(c.named, func(n named) bool { return n.sku == "" })

	return ok
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// asked returns the pieces of all scans and numbers of a product, any of which may be
// accepted later.
func (c *eventCase) asked(sku string) []int64 {
	return slices.Sorted(maps.Keys(c.wanted[sku]))
}

// checkApproval checks who approved a write when it is recorded.
func (c *eventCase) checkApproval(req *api.Request) {
	approved := req.ApprovedBy == supervisor
	require.True(c.t, approved || req.ApprovedBy == "", "approved by %s", req.ApprovedBy)
	switch in := req.Input.(type) {
	case *api.ReceiveStockInput:
		require.True(c.t, approved, "extra pieces without an approval")
		require.LessOrEqual(c.t, *in.Quantity, c.approvedOver[in.ReferenceID], "more extra pieces than were approved")
		c.approvedOver[in.ReferenceID] -= *in.Quantity
	case *api.CloseInboundInput:
		require.True(c.t, approved, "closed without an approval")
		require.True(c.t, c.approvedClose[in.InboundID.String()], "the close of another line was approved")
	default:
		require.False(c.t, approved, "nobody approved %s", req.Spec.ID)
	}
}
