package views_test

import (
	"context"
	"testing"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/views/balances"
	"bincard/views/count"
	"bincard/views/inbounds"
	"bincard/views/outbounds"
	"bincard/views/stock"
	"bincard/views/submit"
	"bincard/views/transfers"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

// jobRunner runs jobs from the command line and saves each submission by its key.
type jobRunner struct {
	*viewtest.Warehouse
	t     *testing.T
	saved map[string]*submit.Submission
}

func (x *jobRunner) newJob(key, ref string, c count.Count) *submit.Job {
	e := &submit.Job{Site: x.Site, Ref: ref, Count: c, Key: key, MayBeBooked: true, Saved: x.saved[key]}
	e.All = c.Quantity == 0 && len(c.Serials) == 0
	e.Save = func(p *submit.Submission) error { x.saved[key] = p; return nil }
	if p := e.Saved; p != nil {
		again := *p
		again.Next = 0
		e.Saved = &again
	}
	return e
}

func (x *jobRunner) succeeds(words string) func(submit.JobResult, error) {
	return func(r submit.JobResult, err error) {
		x.t.Helper()
		require.NoError(x.t, err)
		require.Equal(x.t, words, r.Text)
	}
}

func (x *jobRunner) fails(words string) func(submit.JobResult, error) {
	return func(_ submit.JobResult, err error) {
		x.t.Helper()
		require.ErrorContains(x.t, err, words)
	}
}

func TestJobs_BookOnceWithScreenTexts(t *testing.T) {
	t.Parallel()
	x := &jobRunner{Warehouse: viewtest.NewWarehouse(t), t: t, saved: map[string]*submit.Submission{}}
	x.Inbound("PO-1", x.Oat, 240, time.Hour)
	ctx := context.Background()
	lot := func(n int64) count.Count {
		return count.Count{Quantity: n, Lot: "L1", ExpiresAt: time.Date(2027, 3, 31, 0, 0, 0, 0, time.UTC)}
	}
	damaged := lot(48)
	damaged.Damaged = 2
	x.succeeds("Received 48, 2 damaged: 48 of 240, 192 to go")(inbounds.ReceiveJob(ctx, x.newJob("a", "PO-1", damaged)))
	x.succeeds("Received 48, 2 damaged: 48 of 240, 192 to go")(inbounds.ReceiveJob(ctx, x.newJob("a", "PO-1", damaged)))

	x.Proxy.LoseAnswers(api.ReceiveInbound.Spec, 1)
	_, err := inbounds.ReceiveJob(ctx, x.newJob("b", "PO-1", lot(12)))
	var unsure *submit.UnknownOutcomeError
	require.ErrorAs(t, err, &unsure)
	require.Equal(t, "b", unsure.Key)
	require.ErrorContains(t, err, "Retry with the same key")
	r, err := inbounds.ReceiveJob(ctx, x.newJob("b", "PO-1", lot(12)))
	x.succeeds("Received 12: 60 of 240, 180 to go")(r, err)
	require.True(t, r.Replayed)
	x.Proxy.Down()
	_, err = inbounds.ReceiveJob(ctx, x.newJob("c", "PO-1", lot(12)))
	require.True(t, api.HasCode(err, api.Unavailable), "nothing was sent: %v", err)
	x.Proxy.Up()

	fresh := x.newJob("d", "PO-1", lot(200))
	fresh.MayBeBooked = false
	x.fails("200 is too many: OAT-1L has only 180 to go")(inbounds.ReceiveJob(ctx, fresh))
	x.fails("Only 180 to go, but the count is 200")(inbounds.ReceiveJob(ctx, x.newJob("d", "PO-1", lot(200))))
	x.succeeds("Received 180: 240 of 240, 0 to go")(inbounds.ReceiveJob(ctx, x.newJob("d", "PO-1", lot(0))))
	x.succeeds("Received 180: 240 of 240, 0 to go")(inbounds.ReceiveJob(ctx, x.newJob("d", "PO-1", lot(0))))
	fresh = x.newJob("e", "PO-1", lot(1))
	fresh.MayBeBooked = false
	x.fails("This inbound is received")(inbounds.ReceiveJob(ctx, fresh))
	x.fails("There is no inbound NONE")(inbounds.ReceiveJob(ctx, x.newJob("f", "NONE", lot(1))))

	x.Transfer("TR-1", x.Oat, x.Main, x.Depot, 20)
	x.succeeds("Shipped 12: 12 of 20, 8 to go")(transfers.ShipJob(ctx, x.newJob("g", "TR-1", count.Count{Quantity: 12, Lot: "L1"})))
	x.succeeds("Received 12: 12 of 12, 0 to go")(transfers.ReceiveJob(ctx, x.newJob("h", "TR-1", count.Count{})))
	x.succeeds("Shipped 8: 20 of 20, 0 to go")(transfers.ShipJob(ctx, x.newJob("i", "TR-1", count.Count{})))

	line := func(p api.Product, q int64) api.OutboundLineInput {
		return api.OutboundLineInput{ProductID: p.ID, RequestedQuantity: q}
	}
	x.Stock(x.Coffee.ID, x.Main.ID, 30)
	ledgertest.Do(x.World, api.CreateOutbound, api.CreateOutboundInput{LocationID: x.Main.ID, Reference: api.Reference{ReferenceType: "sales_order", ReferenceID: "SO-1"},
		Lines: []api.OutboundLineInput{line(x.Oat, 10), line(x.Coffee, 6)}})
	x.fails("SO-1 has several lines")(outbounds.FulfillJob(ctx, x.newJob("j", "SO-1", count.Count{Quantity: 4})))
	some := x.newJob("k", "SO-1", count.Count{Quantity: 4, Lot: "L1"})
	some.SKU = "oat-1l"
	x.succeeds("Fulfilled 4: 4 of 16 done, 12 ready")(outbounds.FulfillJob(ctx, some))
	x.succeeds("Fulfilled 12: 16 of 16 done, 0 ready")(outbounds.FulfillJob(ctx, x.newJob("l", "SO-1", count.Count{})))

	change := stock.Change{State: api.Available, Reason: "found"}
	x.succeeds("COF-500: available 24 → 29, on hand 24 → 29")(stock.AdjustJob(ctx, x.newJob("m", "COF-500@WH-1", count.Count{Quantity: 5}), change))
	x.succeeds("COF-500: available 24 → 29, on hand 24 → 29")(stock.AdjustJob(ctx, x.newJob("m", "COF-500@WH-1", count.Count{Quantity: 5}), change))
	x.fails("OAT-1L is tracked by lot")(stock.AdjustJob(ctx, x.newJob("n", "OAT-1L@WH-1", count.Count{Quantity: 5}), change))
	change.Exact = true
	x.succeeds("COF-500: available 29 → 20, on hand 29 → 20")(stock.AdjustJob(ctx, x.newJob("o", "COF-500@WH-1", count.Count{Quantity: 20}), change))
	x.fails("No change")(stock.AdjustJob(ctx, x.newJob("p", "COF-500@WH-1", count.Count{Quantity: 20}), change))
	change = stock.Change{State: api.Available, To: api.Damaged, Reason: "broken"}
	x.succeeds("COF-500: available 20 → 17, damaged 0 → 3")(stock.MoveJob(ctx, x.newJob("q", "COF-500@WH-1", count.Count{Quantity: 3}), change))
	change.To = api.Committed
	x.fails("cannot be moved by hand")(stock.MoveJob(ctx, x.newJob("r", "COF-500@WH-1", count.Count{Quantity: 3}), change))

	a, err := balances.ExplainText(ctx, x.Site, "COF-500@WH-1", 2)
	require.NoError(t, err)
	require.NoError(t, a.Err())
	require.Len(t, a.Movements, 2)
	require.Contains(t, a.Lines(nil)[1], "on hand 20 = available 17")
}
