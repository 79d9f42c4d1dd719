package ledgertest

import (
	"context"

	"github.com/stretchr/testify/require"

	"bincard/server/account"
	"bincard/server/api"
)

// Do performs an operation in the world, which must succeed.
func Do[I, O any](w *World, op api.Operation[I, O], in I, opts ...api.Option) O {
	w.t.Helper()
	return Call(w.t, w.Service, op, in, opts...)
}

// Call performs an operation of a service, which must succeed.
func Call[I, O any](t TB, svc api.Service, op api.Operation[I, O], in I, opts ...api.Option) O {
	t.Helper()
	out, err := op.Call(context.Background(), svc, in, opts...)
	require.NoError(t, err, op.Spec.ID)
	return out
}

// Refused performs an operation in the world, which must fail with the code.
func Refused[I, O any](w *World, code api.Code, op api.Operation[I, O], in I, opts ...api.Option) *api.Error {
	w.t.Helper()
	_, err := op.Call(context.Background(), w.Service, in, opts...)
	require.Error(w.t, err, op.Spec.ID)
	e := api.AsError(err)
	require.Equal(w.t, code, e.Code, "%s: %s", op.Spec.ID, e.Message)
	return e
}

// Product creates a product with the given tracking.
func (w *World) Product(sku string, tracking api.Tracking) api.Product {
	w.t.Helper()
	return Do(w, api.CreateProduct, api.CreateProductInput{SKU: sku, Name: "Product " + sku, Tracking: tracking})
}

// Location creates a warehouse.
func (w *World) Location(code string) api.Place {
	w.t.Helper()
	return Do(w, api.CreateLocation, api.CreateLocationInput{Code: code, Name: "Location " + code, Type: api.Warehouse})
}

// Owner creates an owner.
func (w *World) Owner(code string) api.Place {
	w.t.Helper()
	return Do(w, api.CreateOwner, api.CreatePlaceInput{Code: code, Name: "Owner " + code, Type: "company"})
}

// Channel creates a channel.
func (w *World) Channel(code string) api.Place {
	w.t.Helper()
	return Do(w, api.CreateChannel, api.CreatePlaceInput{Code: code, Name: "Channel " + code, Type: "web"})
}

// Key creates a key for the live environment with all scopes.
func (w *World) Key() (secret string, key account.APIKey) {
	w.t.Helper()
	in := account.KeyInput{Organization: w.Org.ID, Environment: api.Live, Scopes: api.Scopes}
	secret, key, err := w.Ledger.CreateKey(context.Background(), in)
	require.NoError(w.t, err)
	return secret, key
}

// Limit sets the limits of the plan in the live environment.
func (w *World) Limit(limits api.Limits) {
	w.t.Helper()
	_, err := w.Ledger.SetPlan(context.Background(), w.Org.ID, api.Live, limits)
	require.NoError(w.t, err)
}

// Allow sets the rules in the live environment.
func (w *World) Allow(rules api.Rules) {
	w.t.Helper()
	_, err := w.Ledger.SetRules(context.Background(), w.Org.ID, api.Live, rules)
	require.NoError(w.t, err)
}

// Stock adds q of a product without a lot at a location.
func (w *World) Stock(product, location api.ID, q int64) api.Balance {
	w.t.Helper()
	return Do(w, api.AdjustStock, api.AdjustStockInput{StockKey: api.StockKey{ProductID: product, LocationID: location},
		InventoryState: api.OnHand, QuantityDelta: q, Reason: "opening stock"}).Balance
}

// Receive creates an inbound for q of a product and receives all of it, in a lot if
// lotCode is set, with the given serial numbers.
func (w *World) Receive(product, location api.ID, q int64, lotCode string, serials ...string) api.InboundResult {
	w.t.Helper()
	doc := Do(
		w,
		api.CreateInbound,
		api.CreateInboundInput{StockKey: api.StockKey{ProductID: product, LocationID: location}, ExpectedQuantity: q},
	).Inbound
	in := api.ReceiveInboundInput{InboundID: doc.ID, Quantity: q, NewLot: api.NewLot{LotCode: lotCode}}
	for _, s := range serials {
		in.Serials = append(in.Serials, api.SerialInput{SerialNumber: s})
	}

	return Do(w, api.ReceiveInbound, in)
}
