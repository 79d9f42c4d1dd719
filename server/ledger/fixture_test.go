package ledger_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/store"
	"bincard/server/store/boltstore"
)

// A fixture is a ledger with two locations, a product of each tracking and a clock that
// the test advances. newFixture verifies the ledger at the end of the test.
type fixture struct {
	t                 tester
	ledger            *ledger.Ledger
	svc               api.Service
	now               atomic.Int64
	org               api.Organization
	wh, shop          api.ID
	oats, milk, phone api.ID // tracked by nothing, lot and serial
}

// A tester is a test or a run of a property test.
type tester interface {
	require.TestingT
	Helper()
}

// newFixture opens a fixture in a temporary directory.
func newFixture(t *testing.T) *fixture {
	t.Helper()
	st, err := boltstore.Open(t.TempDir(), boltstore.Options{NoSync: true})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, st.Close()) })
	f := openFixture(t, st)
	t.Cleanup(f.check)
	return f
}

func openFixture(t tester, st store.Store) *fixture {
	f := &fixture{t: t}
	f.now.Store(time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC).UnixMilli())
	f.ledger = ledger.New(st, ledger.Options{Now: func() time.Time { return time.UnixMilli(f.now.Load()) }})
	var err error
	f.org, err = f.ledger.CreateOrganization(context.Background(), "Dock")
	require.NoError(t, err)
	f.svc = api.As(f.ledger, api.Caller{Organization: f.org.ID, Environment: api.Test, Scopes: api.Scopes,
		Actor: api.Actor{Type: api.User, Label: "Ada"}}, "")
	for _, x := range []struct {
		code string
		id   *api.ID
	}{{"WH", &f.wh}, {"SHOP", &f.shop}} {
		*x.id = doTwice(f, api.CreateLocation, api.CreateLocationInput{Code: x.code, Name: x.code, Type: api.Warehouse}).ID
	}
	f.oats, f.milk, f.phone = f.product("OATS", api.TrackNone), f.product("MILK", api.TrackLot), f.product("PHONE", api.TrackSerial)
	return f
}

func (f *fixture) product(sku string, by api.Tracking) api.ID {
	return doTwice(f, api.CreateProduct, api.CreateProductInput{SKU: sku, Name: sku, Tracking: by}).ID
}

// doTwice performs a write twice with the same key; both responses must be equal.
func doTwice[I, O any](f *fixture, op api.Operation[I, O], in I, opts ...api.Option) O {
	f.t.Helper()
	opts = append(opts, api.Key(api.NewKey()))
	first, err := op.Do(context.Background(), f.svc, in, opts...)
	require.NoError(f.t, err)
	require.False(f.t, first.Replayed)
	f.pass(time.Second)
	again, err := op.Do(context.Background(), f.svc, in, opts...)
	require.NoError(f.t, err)
	require.True(f.t, again.Replayed)
	require.Equal(f.t, encoded(f.t, first.Output), encoded(f.t, again.Output))
	return *first.Output.(*O)
}

// requireRefused performs a write that must fail with the code, and returns its details.
func requireRefused[I, O any](f *fixture, code api.Code, op api.Operation[I, O], in I, opts ...api.Option) api.Details {
	f.t.Helper()
	_, err := op.Call(context.Background(), f.svc, in, opts...)
	require.Error(f.t, err)
	var e *api.Error
	require.True(f.t, errors.As(err, &e), "%v", err)
	require.Equal(f.t, code, e.Code, "%v", err)
	require.NotEmpty(f.t, e.Message)
	return e.Details
}

func encoded(t tester, v any) string {
	t.Helper()
	data, err := json.Marshal(v, json.Deterministic(true))
	require.NoError(t, err)
	return string(data)
}

// pass advances the clock.
func (f *fixture) pass(by time.Duration) { f.now.Add(by.Milliseconds()) }

// in returns the time that many days after the start.
func (f *fixture) in(days int) *time.Time {
	t := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, days)
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
	list, err := api.ListBalances.Call(context.Background(), f.svc, api.ListBalancesInput{StockFilter: api.StockFilter{ProductID: product, LocationID: location}})
	require.NoError(f.t, err)
	if len(list.Items) == 0 {
		return api.Quantities{}
	}
	return list.Items[0].Quantities
}

// serial returns a serial as it is now.
func (f *fixture) serial(number string) api.Serial {
	f.t.Helper()
	list, err := api.ListSerials.Call(context.Background(), f.svc, api.ListSerialsInput{SerialNumber: number})
	require.NoError(f.t, err)
	require.Len(f.t, list.Items, 1)
	return list.Items[0]
}

// check verifies the ledger, and checks that the movements of each balance add up to it.
func (f *fixture) check() {
	ctx, limit := context.Background(), int64(100)
	result, err := f.ledger.Verify(ctx)
	require.NoError(f.t, err)
	require.Empty(f.t, result.Faults)
	list, err := api.ListBalances.Call(ctx, f.svc, api.ListBalancesInput{Page: api.Page{Limit: &limit}})
	require.NoError(f.t, err)
	for _, b := range list.Items {
		explanation, err := api.ExplainBalance.Call(ctx, f.svc, api.ExplainBalanceInput{BalanceID: b.ID})
		require.NoError(f.t, err)
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
