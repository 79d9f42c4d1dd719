package ledger_test

import (
	"context"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
)

// A fixture is a world with two locations and a product of each tracking.
type fixture struct {
	*ledgertest.World
	t                 ledgertest.TB
	wh, shop          api.ID
	oats, milk, phone api.ID // tracked by nothing, lot and serial
}

func newFixture(t ledgertest.TB) *fixture {
	t.Helper()
	return furnish(t, ledgertest.Open(t))
}

// furnish returns the fixture in a world, and checks it at the end of the test.
func furnish(t ledgertest.TB, w *ledgertest.World) *fixture {
	t.Helper()
	f := &fixture{World: w, t: t, wh: w.Location("WH").ID, shop: w.Location("SHOP").ID, oats: w.Product("OATS", api.TrackNone).ID,
		milk: w.Product("MILK", api.TrackLot).ID, phone: w.Product("PHONE", api.TrackSerial).ID}
	t.Cleanup(f.check)
	return f
}

// doTwice performs a write twice with the same key; both responses must be equal.
func doTwice[I, O any](f *fixture, op api.Operation[I, O], in I, opts ...api.Option) O {
	f.t.Helper()
	opts = append(opts, api.Key(api.NewKey()))
	first, err := op.Do(context.Background(), f.Service, in, opts...)
	require.NoError(f.t, err)
	require.False(f.t, first.Replayed)
	f.Clock.Advance(time.Second)
	again, err := op.Do(context.Background(), f.Service, in, opts...)
	require.NoError(f.t, err)
	require.True(f.t, again.Replayed)
	require.Equal(f.t, encoded(f.t, first.Output), encoded(f.t, again.Output))
	return *first.Output.(*O)
}

// requireRefused performs a write that must fail with the code, and returns its details.
func requireRefused[I, O any](f *fixture, code api.Code, op api.Operation[I, O], in I, opts ...api.Option) api.Details {
	f.t.Helper()
	return ledgertest.Refused(f.World, code, op, in, opts...).Details
}

func encoded(t ledgertest.TB, v any) string {
	t.Helper()
	data, err := json.Marshal(v, json.Deterministic(true))
	require.NoError(t, err)
	return string(data)
}

// in returns the time that many days after the start.
func (f *fixture) in(days int) *time.Time {
	t := ledgertest.Start.AddDate(0, 0, days)
	return &t
}

// receive receives stock through an inbound, and returns the id of its lot, if any.
func (f *fixture) receive(product, location api.ID, q int64, lot string, expires *time.Time, numbers ...string) api.ID {
	f.t.Helper()
	in := doTwice(f, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: product, LocationID: location}, ExpectedQuantity: q})
	var serials []api.SerialInput
	for _, n := range numbers {
		serials = append(serials, api.SerialInput{SerialNumber: n})
	}
	out := doTwice(f, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.Inbound.ID, Quantity: q, NewLot: api.NewLot{LotCode: lot, ExpiresAt: expires}, Serials: serials})
	return out.Movements[len(out.Movements)-1].LotID
}

// balance returns the current balance of a product at a location.
func (f *fixture) balance(product, location api.ID) api.Quantities {
	f.t.Helper()
	list := ledgertest.Do(f.World, api.ListBalances, api.ListBalancesInput{StockFilter: api.StockFilter{ProductID: product, LocationID: location}})
	if len(list.Items) == 0 {
		return api.Quantities{}
	}
	return list.Items[0].Quantities
}

// serial returns a serial as it is now.
func (f *fixture) serial(number string) api.Serial {
	f.t.Helper()
	list := ledgertest.Do(f.World, api.ListSerials, api.ListSerialsInput{SerialNumber: number})
	require.Len(f.t, list.Items, 1)
	return list.Items[0]
}

// check checks that the movements of each balance add up to it.
func (f *fixture) check() {
	limit := int64(100)
	list := ledgertest.Do(f.World, api.ListBalances, api.ListBalancesInput{Page: api.Page{Limit: &limit}})
	for _, b := range list.Items {
		explanation := ledgertest.Do(f.World, api.ExplainBalance, api.ExplainBalanceInput{BalanceID: b.ID})
		var sum api.Quantities
		for _, m := range explanation.Movements {
			require.Equal(f.t, sum.Of(m.InventoryState), m.BalanceBefore)
			sum.Add(m.InventoryState, m.Quantity)
			require.Equal(f.t, sum.Of(m.InventoryState), m.BalanceAfter)
		}
		require.Equal(f.t, sum, b.Quantities)
		require.True(f.t, b.AddsUp())
	}
}

// steps formats movements as "operation state quantity", with the lot code and serial numbers.
func steps(list []api.Movement) (out []string) {
	for _, m := range list {
		s := string(m.Operation) + " " + string(m.InventoryState) + " " + signed(m.Quantity)
		if m.Lot != nil {
			s += " " + m.Lot.LotCode
		}
		for _, x := range m.Serials {
			s += " #" + x.SerialNumber
		}
		out = append(out, s)
	}
	return out
}

func some[T any](v T) *T { return &v }
