package apitest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

// A World is a service with two empty organizations.
type World struct {
	// Orgs are the two organizations.
	Orgs [2]api.Organization
	// As returns the service for a key of an organization and environment with the given
	// scopes, or with all of api.Scopes if none are given.
	As func(organization int, env api.Environment, scopes ...api.Scope) api.Service
	// AsRole is As for a key with all of api.Scopes that is bound to a role.
	AsRole func(organization int, env api.Environment, is api.Role) api.Service
	// Now returns the time of the service's clock.
	Now func() time.Time
	// Advance advances the service's clock.
	Advance func(time.Duration)
	// Limit sets the limits of an organization's plan in one environment. It may be nil.
	Limit func(organization int, env api.Environment, limits api.Limits)
	// Allow sets the rules of an organization in one environment. It may be nil.
	Allow func(organization int, env api.Environment, rules api.Rules)
	// Restart restarts the service on its stored data. Services returned by As remain
	// usable. It may be nil.
	Restart func()

	writeLog *writeLog
}

// recorded returns the world with a recording wrapper around each of its services.
func (w World) recorded(c *coverage, test string) World {
	w.writeLog = &writeLog{}
	as := w.As
	w.As = func(i int, env api.Environment, scopes ...api.Scope) api.Service {
		return &recordingService{Service: as(i, env, scopes...), coverage: c, test: test, writeLog: w.writeLog}
	}

	bound := w.AsRole
	w.AsRole = func(i int, env api.Environment, is api.Role) api.Service {
		return &recordingService{Service: bound(i, env, is), coverage: c, test: test, writeLog: w.writeLog}
	}

	return w
}

// A test is one test of the contract.
type test struct {
	name string
	run  func(k *fixture)
}

// A fixture is a world with a product and two locations, and helpers for tests.
type fixture struct {
	*testing.T
	World
	ctx context.Context
	svc api.Service

	oats, wh, shop api.ID
}

func newFixture(t *testing.T, w World) *fixture {
	k := &fixture{T: t, World: w, ctx: t.Context(), svc: w.As(0, api.Live)}
	k.oats = k.product("OAT-1L")
	k.wh, k.shop = k.location("WH-1"), k.location("SHOP-1")
	return k
}

// as returns the fixture with another service.
func (k *fixture) as(svc api.Service) *fixture {
	other := *k
	other.svc = svc
	return &other
}

// do performs an operation that must succeed.
func do[I, O any](k *fixture, op api.Operation[I, O], in I, opts ...api.Option) O {
	k.Helper()
	out, err := op.Call(k.ctx, k.svc, in, opts...)
	require.NoError(k, err, op.Spec.ID)
	return out
}

// mustFail performs an operation that must fail with the code.
func mustFail[I, O any](k *fixture, code api.Code, op api.Operation[I, O], in I, opts ...api.Option) *api.Error {
	k.Helper()
	_, err := op.Call(k.ctx, k.svc, in, opts...)
	require.Error(k, err, "%s should return %s", op.Spec.ID, code)
	e := api.AsError(err)
	require.Equal(k, code, e.Code, "%s: %s", op.Spec.ID, e.Message)
	require.NotEmpty(k, e.Message)
	return e
}

// detail returns a detail of an error as text.
func detail(e *api.Error, name string) string { return fmt.Sprint(e.Details[name]) }

// requireDetails requires details of an error, given as name, value pairs.
func (k *fixture) requireDetails(e *api.Error, want ...any) {
	k.Helper()
	for i := 0; i < len(want); i += 2 {
		require.Equal(k, fmt.Sprint(want[i+1]), detail(e, want[i].(string)), "detail %s of %s: %s", want[i], e.Code, e.Message)
	}
}

// invalidFields returns the paths of the fields in a VALIDATION_ERROR.
func (k *fixture) invalidFields(e *api.Error) (paths []string) {
	k.Helper()
	fields, ok := e.Details["fields"].([]api.FieldProblem)
	require.True(k, ok, "details.fields is %T", e.Details["fields"])
	for _, f := range fields {
		require.NotEmpty(k, f.Rule)
		require.NotEmpty(k, f.Message)
		paths = append(paths, f.Path)
	}

	return paths
}

// text returns a value as JSON.
func (k *fixture) text(v any) string { return text(v) }

// replayAll repeats every write of the test an hour later, after a restart if the world
// supports it, and requires that each is replayed.
func (k *fixture) replayAll() {
	k.Helper()
	k.Advance(time.Hour)
	if k.Restart != nil {
		k.Restart()
	}

	for _, w := range k.writeLog.list {
		req := w.req
		res, err := w.svc.Do(k.ctx, &req)
		what := fmt.Sprintf("%s with the key %s", req.Spec.ID, req.IdempotencyKey)
		require.NoError(k, err, what)
		require.True(k, res.Replayed, what)
		require.Equal(k, w.answer, replayable(res), what)
	}
}

func (k *fixture) product(sku string) api.ID {
	k.Helper()
	return do(k, api.CreateProduct, api.CreateProductInput{SKU: sku, Name: "Product " + sku}).ID
}

func (k *fixture) tracked(sku string, by api.Tracking) api.ID {
	k.Helper()
	return do(k, api.CreateProduct, api.CreateProductInput{SKU: sku, Name: "Product " + sku, Tracking: by}).ID
}

func (k *fixture) location(code string) api.ID {
	k.Helper()
	return do(k, api.CreateLocation, api.CreateLocationInput{Code: code, Name: "Location " + code, Type: api.Warehouse}).ID
}

// stock adds q of a product at a location.
func (k *fixture) stock(product, location api.ID, q int64) api.Balance {
	k.Helper()
	return do(k, api.AdjustStock, adjust(product, location, api.OnHand, q)).Balance
}

// adjust returns an adjustment of a state by d.
func adjust(product, location api.ID, s api.State, d int64) api.AdjustStockInput {
	return api.AdjustStockInput{StockKey: api.StockKey{ProductID: product, LocationID: location}, InventoryState: s, QuantityDelta: d, Reason: "count"}
}

func (k *fixture) inbound(product api.ID, q int64) api.Inbound {
	k.Helper()
	return do(k, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: product, LocationID: k.wh}, ExpectedQuantity: q}).Inbound
}

// receiveLot receives q of a product in a lot at the warehouse, through a new inbound.
func (k *fixture) receiveLot(product api.ID, q int64, lot string, expires *time.Time, serials ...string) api.InboundResult {
	k.Helper()
	in := api.ReceiveInboundInput{InboundID: k.inbound(product, q).ID, Quantity: q, NewLot: api.NewLot{LotCode: lot, ExpiresAt: expires}}
	for _, s := range serials {
		in.Serials = append(in.Serials, api.SerialInput{SerialNumber: s})
	}
	return do(k, api.ReceiveInbound, in)
}

// quantities returns the quantities of a product at a location, or zero if there is no
// balance.
func (k *fixture) quantities(product, location api.ID) api.Quantities {
	k.Helper()
	list := do(k, api.ListBalances, api.ListBalancesInput{StockFilter: api.StockFilter{ProductID: product, LocationID: location}})
	if len(list.Items) == 0 {
		return api.Quantities{}
	}
	require.Len(k, list.Items, 1)
	require.True(k, list.Items[0].AddsUp(), "%+v", list.Items[0].Quantities)
	return list.Items[0].Quantities
}

// legs summarizes movements, like "inbound_receive onHand +5".
func legs(list []api.Movement) (out []string) {
	for _, m := range list {
		out = append(out, fmt.Sprintf("%s %s %+d", m.Operation, m.InventoryState, m.Quantity))
	}
	return out
}

// ptr returns a pointer to v.
func ptr[T any](v T) *T { return &v }

// newID returns an id that no resource has.
func newID() api.ID { return uuid.New() }
