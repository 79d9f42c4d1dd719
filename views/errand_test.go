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

// errands are jobs done from the command line, each kept by its key.
type errands struct {
	*viewtest.House
	t    *testing.T
	kept map[string]*dock.Plan
}

func (x *errands) errand(key, ref string, c dock.Count) *dock.Errand {
	e := &dock.Errand{Site: x.Site, Ref: ref, Count: c, Key: key, Again: true, Kept: x.kept[key]}
	e.All = c.Now == 0 && len(c.Serials) == 0
	e.Keep = func(p *dock.Plan) error { x.kept[key] = p; return nil }
	if p := e.Kept; p != nil {
		again := *p
		again.Next = 0
		e.Kept = &again
	}
	return e
}

func (x *errands) does(words string) func(dock.Report, error) {
	return func(r dock.Report, err error) {
		x.t.Helper()
		require.NoError(x.t, err)
		require.Equal(x.t, words, r.Words)
	}
}

func (x *errands) refuses(words string) func(dock.Report, error) {
	return func(_ dock.Report, err error) {
		x.t.Helper()
		require.ErrorContains(x.t, err, words)
	}
}

func TestErrandsAreDoneOnceAndInTheWordsOfTheScreens(t *testing.T) {
	t.Parallel()
	x := &errands{House: viewtest.Open(t), t: t, kept: map[string]*dock.Plan{}}
	x.Inbound("PO-1", x.Oat, 240, time.Hour)
	ctx := context.Background()
	lot := func(n int64) dock.Count {
		return dock.Count{Now: n, Lot: "L1", Ends: time.Date(2027, 3, 31, 0, 0, 0, 0, time.UTC)}
	}
	damaged := lot(48)
	damaged.Damaged = 2
	x.does("booked 48. received 48 of 240, pending 192")(inbounds.Receive(ctx, x.errand("a", "PO-1", damaged)))
	x.does("booked 48. received 48 of 240, pending 192")(inbounds.Receive(ctx, x.errand("a", "PO-1", damaged)))

	x.Wire.Lose(api.ReceiveInbound.Spec, 1)
	_, err := inbounds.Receive(ctx, x.errand("b", "PO-1", lot(12)))
	var unsure *dock.UnsureError
	require.ErrorAs(t, err, &unsure)
	require.Equal(t, "b", unsure.Key)
	require.ErrorContains(t, err, "Repeat it with the same key")
	r, err := inbounds.Receive(ctx, x.errand("b", "PO-1", lot(12)))
	x.does("booked 12. received 60 of 240, pending 180")(r, err)
	require.True(t, r.Replayed)
	x.Wire.Down()
	_, err = inbounds.Receive(ctx, x.errand("c", "PO-1", lot(12)))
	require.True(t, api.HasCode(err, api.Unavailable), "nothing was sent: %v", err)
	x.Wire.Up()

	fresh := x.errand("d", "PO-1", lot(200))
	fresh.Again = false
	x.refuses("200 is too many: only 180 of OAT-1L are pending")(inbounds.Receive(ctx, fresh))
	x.refuses("Only 180 are pending, and 200 were counted")(inbounds.Receive(ctx, x.errand("d", "PO-1", lot(200))))
	x.does("booked 180. received 240 of 240, pending 0")(inbounds.Receive(ctx, x.errand("d", "PO-1", lot(0))))
	x.does("booked 180. received 240 of 240, pending 0")(inbounds.Receive(ctx, x.errand("d", "PO-1", lot(0))))
	fresh = x.errand("e", "PO-1", lot(1))
	fresh.Again = false
	x.refuses("This inbound is received")(inbounds.Receive(ctx, fresh))
	x.refuses("There is no inbound NONE")(inbounds.Receive(ctx, x.errand("f", "NONE", lot(1))))

	x.Transfer("TR-1", x.Oat, x.Main, x.Depot, 20)
	x.does("shipped 12. 12 of 20, pending 8")(transfers.ShipOnce(ctx, x.errand("g", "TR-1", dock.Count{Now: 12, Lot: "L1"})))
	x.does("received 12. 12 of 12, pending 0")(transfers.ArriveOnce(ctx, x.errand("h", "TR-1", dock.Count{})))
	x.does("shipped 8. 20 of 20, pending 0")(transfers.ShipOnce(ctx, x.errand("i", "TR-1", dock.Count{})))

	line := func(p api.Product, q int64) api.OutboundLineInput {
		return api.OutboundLineInput{ProductID: p.ID, RequestedQuantity: q}
	}
	x.Stock(x.Coffee.ID, x.Main.ID, 30)
	ledgertest.Do(x.World, api.CreateOutbound, api.CreateOutboundInput{LocationID: x.Main.ID, ReferenceType: "sales_order", ReferenceID: "SO-1",
		Lines: []api.OutboundLineInput{line(x.Oat, 10), line(x.Coffee, 6)}})
	x.refuses("SO-1 has several lines")(outbounds.Fulfill(ctx, x.errand("j", "SO-1", dock.Count{Now: 4})))
	some := x.errand("k", "SO-1", dock.Count{Now: 4, Lot: "L1"})
	some.SKU = "oat-1l"
	x.does("sent 4. 4 of 16 are sent, 12 ready")(outbounds.Fulfill(ctx, some))
	x.does("sent 12. 16 of 16 are sent, 0 ready")(outbounds.Fulfill(ctx, x.errand("l", "SO-1", dock.Count{})))

	change := stock.Change{State: api.Available, Reason: "found"}
	x.does("COF-500: available 24 → 29, on hand 24 → 29")(stock.AdjustOnce(ctx, x.errand("m", "COF-500@WH-1", dock.Count{Now: 5}), change))
	x.does("COF-500: available 24 → 29, on hand 24 → 29")(stock.AdjustOnce(ctx, x.errand("m", "COF-500@WH-1", dock.Count{Now: 5}), change))
	x.refuses("OAT-1L is kept by lot")(stock.AdjustOnce(ctx, x.errand("n", "OAT-1L@WH-1", dock.Count{Now: 5}), change))
	change.Exact = true
	x.does("COF-500: available 29 → 20, on hand 29 → 20")(stock.AdjustOnce(ctx, x.errand("o", "COF-500@WH-1", dock.Count{Now: 20}), change))
	x.refuses("Nothing changes")(stock.AdjustOnce(ctx, x.errand("p", "COF-500@WH-1", dock.Count{Now: 20}), change))
	change = stock.Change{State: api.Available, To: api.Damaged, Reason: "broken"}
	x.does("COF-500: available 20 → 17, damaged 0 → 3")(stock.MoveOnce(ctx, x.errand("q", "COF-500@WH-1", dock.Count{Now: 3}), change))
	change.To = api.Committed
	x.refuses("cannot be moved by hand")(stock.MoveOnce(ctx, x.errand("r", "COF-500@WH-1", dock.Count{Now: 3}), change))

	a, err := balances.AccountOf(ctx, x.Site, "COF-500@WH-1", 2)
	require.NoError(t, err)
	require.NoError(t, a.Err())
	require.Len(t, a.Movements, 2)
	require.Contains(t, a.Lines()[1], "on hand 20 = available 17")
}
