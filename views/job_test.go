package views_test

import (
	"context"
	"testing"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/views/balances"
	"bincard/views/dock"
	"bincard/views/inbounds"
	"bincard/views/outbounds"
	"bincard/views/stock"
	"bincard/views/transfers"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

// jobRunner runs jobs from the command line and saves each submission by its key.
type jobRunner struct {
	*viewtest.Warehouse
	t     *testing.T
	saved map[string]*dock.Submission
}

func (x *jobRunner) newJob(key, ref string, c dock.Count) *dock.Job {
	e := &dock.Job{Site: x.Site, Ref: ref, Count: c, Key: key, MayBeBooked: true, Saved: x.saved[key]}
	e.All = c.Quantity == 0 && len(c.Serials) == 0
	e.Save = func(p *dock.Submission) error { x.saved[key] = p; return nil }
	if p := e.Saved; p != nil {
		again := *p
		again.Next = 0
		e.Saved = &again
	}
	return e
}

func (x *jobRunner) succeeds(words string) func(dock.JobResult, error) {
	return func(r dock.JobResult, err error) {
		x.t.Helper()
		require.NoError(x.t, err)
		require.Equal(x.t, words, r.Text)
	}
}

func (x *jobRunner) fails(words string) func(dock.JobResult, error) {
	return func(_ dock.JobResult, err error) {
		x.t.Helper()
		require.ErrorContains(x.t, err, words)
	}
}

func TestJobs_BookOnceWithScreenTexts(t *testing.T) {
	t.Parallel()
	x := &jobRunner{Warehouse: viewtest.NewWarehouse(t), t: t, saved: map[string]*dock.Submission{}}
	x.Inbound("PO-1", x.Oat, 240, time.Hour)
	ctx := context.Background()
	lot := func(n int64) dock.Count {
		return dock.Count{Quantity: n, Lot: "L1", ExpiresAt: time.Date(2027, 3, 31, 0, 0, 0, 0, time.UTC)}
	}
	damaged := lot(48)
	damaged.Damaged = 2
	x.succeeds("booked 48. received 48 of 240, pending 192")(inbounds.Receive(ctx, x.newJob("a", "PO-1", damaged)))
	x.succeeds("booked 48. received 48 of 240, pending 192")(inbounds.Receive(ctx, x.newJob("a", "PO-1", damaged)))

	x.Proxy.LoseAnswers(api.ReceiveInbound.Spec, 1)
	_, err := inbounds.Receive(ctx, x.newJob("b", "PO-1", lot(12)))
	var unsure *dock.UnknownOutcomeError
	require.ErrorAs(t, err, &unsure)
	require.Equal(t, "b", unsure.Key)
	require.ErrorContains(t, err, "Retry with the same key")
	r, err := inbounds.Receive(ctx, x.newJob("b", "PO-1", lot(12)))
	x.succeeds("booked 12. received 60 of 240, pending 180")(r, err)
	require.True(t, r.Replayed)
	x.Proxy.Down()
	_, err = inbounds.Receive(ctx, x.newJob("c", "PO-1", lot(12)))
	require.True(t, api.HasCode(err, api.Unavailable), "nothing was sent: %v", err)
	x.Proxy.Up()

	fresh := x.newJob("d", "PO-1", lot(200))
	fresh.MayBeBooked = false
	x.fails("200 is too many: only 180 of OAT-1L are pending")(inbounds.Receive(ctx, fresh))
	x.fails("Only 180 are pending, but 200 were counted")(inbounds.Receive(ctx, x.newJob("d", "PO-1", lot(200))))
	x.succeeds("booked 180. received 240 of 240, pending 0")(inbounds.Receive(ctx, x.newJob("d", "PO-1", lot(0))))
	x.succeeds("booked 180. received 240 of 240, pending 0")(inbounds.Receive(ctx, x.newJob("d", "PO-1", lot(0))))
	fresh = x.newJob("e", "PO-1", lot(1))
	fresh.MayBeBooked = false
	x.fails("This inbound is received")(inbounds.Receive(ctx, fresh))
	x.fails("There is no inbound NONE")(inbounds.Receive(ctx, x.newJob("f", "NONE", lot(1))))

	x.Transfer("TR-1", x.Oat, x.Main, x.Depot, 20)
	x.succeeds("shipped 12. 12 of 20, pending 8")(transfers.ShipJob(ctx, x.newJob("g", "TR-1", dock.Count{Quantity: 12, Lot: "L1"})))
	x.succeeds("received 12. 12 of 12, pending 0")(transfers.ReceiveJob(ctx, x.newJob("h", "TR-1", dock.Count{})))
	x.succeeds("shipped 8. 20 of 20, pending 0")(transfers.ShipJob(ctx, x.newJob("i", "TR-1", dock.Count{})))

	line := func(p api.Product, q int64) api.OutboundLineInput {
		return api.OutboundLineInput{ProductID: p.ID, RequestedQuantity: q}
	}
	x.Stock(x.Coffee.ID, x.Main.ID, 30)
	ledgertest.Do(x.World, api.CreateOutbound, api.CreateOutboundInput{LocationID: x.Main.ID, Reference: api.Reference{ReferenceType: "sales_order", ReferenceID: "SO-1"},
		Lines: []api.OutboundLineInput{line(x.Oat, 10), line(x.Coffee, 6)}})
	x.fails("SO-1 has several lines")(outbounds.Fulfill(ctx, x.newJob("j", "SO-1", dock.Count{Quantity: 4})))
	some := x.newJob("k", "SO-1", dock.Count{Quantity: 4, Lot: "L1"})
	some.SKU = "oat-1l"
	x.succeeds("fulfilled 4. 4 of 16 done, 12 ready")(outbounds.Fulfill(ctx, some))
	x.succeeds("fulfilled 12. 16 of 16 done, 0 ready")(outbounds.Fulfill(ctx, x.newJob("l", "SO-1", dock.Count{})))

	change := stock.Change{State: api.Available, Reason: "found"}
	x.succeeds("COF-500: available 24 → 29, on hand 24 → 29")(stock.AdjustJob(ctx, x.newJob("m", "COF-500@WH-1", dock.Count{Quantity: 5}), change))
	x.succeeds("COF-500: available 24 → 29, on hand 24 → 29")(stock.AdjustJob(ctx, x.newJob("m", "COF-500@WH-1", dock.Count{Quantity: 5}), change))
	x.fails("OAT-1L is tracked by lot")(stock.AdjustJob(ctx, x.newJob("n", "OAT-1L@WH-1", dock.Count{Quantity: 5}), change))
	change.Exact = true
	x.succeeds("COF-500: available 29 → 20, on hand 29 → 20")(stock.AdjustJob(ctx, x.newJob("o", "COF-500@WH-1", dock.Count{Quantity: 20}), change))
	x.fails("No change")(stock.AdjustJob(ctx, x.newJob("p", "COF-500@WH-1", dock.Count{Quantity: 20}), change))
	change = stock.Change{State: api.Available, To: api.Damaged, Reason: "broken"}
	x.succeeds("COF-500: available 20 → 17, damaged 0 → 3")(stock.MoveJob(ctx, x.newJob("q", "COF-500@WH-1", dock.Count{Quantity: 3}), change))
	change.To = api.Committed
	x.fails("cannot be moved by hand")(stock.MoveJob(ctx, x.newJob("r", "COF-500@WH-1", dock.Count{Quantity: 3}), change))

	a, err := balances.ExplainText(ctx, x.Site, "COF-500@WH-1", 2)
	require.NoError(t, err)
	require.NoError(t, a.Err())
	require.Len(t, a.Movements, 2)
	require.Contains(t, a.Lines(nil)[1], "on hand 20 = available 17")
}
