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
	d := openFixture(t, st)
	t.Cleanup(d.check)
	return d
}

func openFixture(t tester, st store.Store) *fixture {
	d := &fixture{t: t}
	d.now.Store(time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC).UnixMilli())
	d.ledger = ledger.New(st, ledger.Options{Now: func() time.Time { return time.UnixMilli(d.now.Load()) }})
	var err error
	d.org, err = d.ledger.CreateOrganization(context.Background(), "Dock")
	require.NoError(t, err)
	d.svc = api.As(d.ledger, api.Caller{Organization: d.org.ID, Environment: api.Test, Scopes: api.Scopes,
		Actor: api.Actor{Type: api.User, Label: "Ada"}}, "")
	for _, x := range []struct {
		code string
		id   *api.ID
	}{{"WH", &d.wh}, {"SHOP", &d.shop}} {
		*x.id = doTwice(d, api.CreateLocation, api.CreateLocationInput{Code: x.code, Name: x.code, Type: api.Warehouse}).ID
	}
	d.oats, d.milk, d.phone = d.product("OATS", api.TrackNone), d.product("MILK", api.TrackLot), d.product("PHONE", api.TrackSerial)
	return d
}

func (d *fixture) product(sku string, by api.Tracking) api.ID {
	return doTwice(d, api.CreateProduct, api.CreateProductInput{SKU: sku, Name: sku, Tracking: by}).ID
}

// doTwice performs a write twice with the same key; both responses must be equal.
func doTwice[I, O any](d *fixture, op api.Operation[I, O], in I, opts ...api.Option) O {
	d.t.Helper()
	opts = append(opts, api.Key(api.NewKey()))
	first, err := op.Do(context.Background(), d.svc, in, opts...)
	require.NoError(d.t, err)
	require.False(d.t, first.Replayed)
	d.pass(time.Second)
	again, err := op.Do(context.Background(), d.svc, in, opts...)
	require.NoError(d.t, err)
	require.True(d.t, again.Replayed)
	require.Equal(d.t, encoded(d.t, first.Output), encoded(d.t, again.Output))
	return *first.Output.(*O)
}

// requireRefused performs a write that must fail with the code, and returns its details.
func requireRefused[I, O any](d *fixture, code api.Code, op api.Operation[I, O], in I, opts ...api.Option) api.Details {
	d.t.Helper()
	_, err := op.Call(context.Background(), d.svc, in, opts...)
	require.Error(d.t, err)
	var e *api.Error
	require.True(d.t, errors.As(err, &e), "%v", err)
	require.Equal(d.t, code, e.Code, "%v", err)
	require.NotEmpty(d.t, e.Message)
	return e.Details
}

func encoded(t tester, v any) string {
	t.Helper()
	data, err := json.Marshal(v, json.Deterministic(true))
	require.NoError(t, err)
	return string(data)
}

// pass advances the clock.
func (d *fixture) pass(by time.Duration) { d.now.Add(by.Milliseconds()) }

// in returns the time that many days after the start.
func (d *fixture) in(days int) *time.Time {
	t := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, days)
	return &t
}

// receive receives stock through an inbound, and returns the id of its lot, if any.
func (d *fixture) receive(product, location api.ID, q int64, lot string, expires *time.Time, numbers ...string) api.ID {
	d.t.Helper()
	in := doTwice(d, api.CreateInbound, api.CreateInboundInput{ProductID: product, LocationID: location, ExpectedQuantity: q})
	var serials []api.SerialInput
	for _, n := range numbers {
		serials = append(serials, api.SerialInput{SerialNumber: n})
	}
	out := doTwice(d, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.Inbound.ID, Quantity: q, LotCode: lot, ExpiresAt: expires, Serials: serials})
	return out.Movements[len(out.Movements)-1].LotID
}

// balance returns the current balance of a product at a location.
func (d *fixture) balance(product, location api.ID) api.Quantities {
	d.t.Helper()
	list, err := api.ListBalances.Call(context.Background(), d.svc, api.ListBalancesInput{ProductID: product, LocationID: location})
	require.NoError(d.t, err)
	if len(list.Items) == 0 {
		return api.Quantities{}
	}
	return list.Items[0].Quantities
}

// serial returns a serial as it is now.
func (d *fixture) serial(number string) api.Serial {
	d.t.Helper()
	list, err := api.ListSerials.Call(context.Background(), d.svc, api.ListSerialsInput{SerialNumber: number})
	require.NoError(d.t, err)
	require.Len(d.t, list.Items, 1)
	return list.Items[0]
}

// check verifies the ledger, and checks that the movements of each balance add up to it.
func (d *fixture) check() {
	ctx, limit := context.Background(), int64(100)
	result, err := d.ledger.Verify(ctx)
	require.NoError(d.t, err)
	require.Empty(d.t, result.Faults)
	list, err := api.ListBalances.Call(ctx, d.svc, api.ListBalancesInput{Limit: &limit})
	require.NoError(d.t, err)
	for _, b := range list.Items {
		explanation, err := api.ExplainBalance.Call(ctx, d.svc, api.ExplainBalanceInput{BalanceID: b.ID})
		require.NoError(d.t, err)
		var sum api.Quantities
		for _, m := range explanation.Movements {
			require.Equal(d.t, sum.Of(m.InventoryState), m.BalanceBefore)
			sum.Add(m.InventoryState, m.Quantity)
			require.Equal(d.t, sum.Of(m.InventoryState), m.BalanceAfter)
		}
		require.Equal(d.t, sum, b.Quantities)
		require.True(d.t, b.AddsUp())
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
