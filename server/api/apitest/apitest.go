// Package apitest is the contract suite: what every Service must do, whether
// it is the ledger in the same process or a client of a remote one.
package apitest

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

// A World is a service with two organizations that hold nothing yet.
type World struct {
	// Orgs are the two organizations.
	Orgs [2]api.Organization
	// As is the service as a key of the organization sees it, with these
	// scopes, or with all of api.Scopes where none is named.
	As func(organization int, env api.Environment, scopes ...api.Scope) api.Service
	// Now reads the service's clock, Advance moves it on.
	Now     func() time.Time
	Advance func(time.Duration)
	// Limit sets the plan of an organization in one environment.
	Limit func(organization int, env api.Environment, limits api.Limits)
	// Allow sets the rules of an organization in one environment.
	Allow func(organization int, env api.Environment, rules api.Rules)
	// Restart ends the service and begins it anew on what it kept; services
	// that As answered go on. It may be nil.
	Restart func()

	writeLog *writeLog
}

// A Part of the contract that a service may leave to another one.
type Part int

const (
	// Plans are the quotas.
	Plans Part = iota
	// Feed is what replicas follow.
	Feed
	// Keys are the API keys.
	Keys
)

// parts are the tests of each.
var parts = map[Part][]test{Plans: planTests, Keys: keyTests, Feed: append(slices.Clip(feedTests),
	test{"the feed and the snapshot have nothing of another's", feedApart},
	test{"a page has its usual size where none is asked for", pagesUsual})}

// Run holds a service to the contract. open makes a new world for each test.
// Whatever a test wrote is asked for once more at its end, and what all tests
// together never tried fails the suite. What stands for another service may
// leave parts of it to that one.
func Run(t *testing.T, open func(t *testing.T) World, without ...Part) {
	seen, tests := newCoverage(), 0
	if len(without) == 0 {
		t.Cleanup(func() { seen.requireComplete(t, tests) })
	}
	left := map[string]bool{}
	for _, part := range without {
		for _, x := range parts[part] {
			left[x.name] = true
		}
	}
	for _, group := range [][]test{
		catalogueTests, inboundTests, lotTests, serialTests, stockTests, unitTests, balanceTests, reportTests, transferTests,
		outboundTests, reservationTests, kitTests, goodsTests, traceTests, operationTests, lookupTests, idempotencyTests, validationTests, tenancyTests, pagingTests, raceTests, tableTests,
		planTests, keyTests, feedTests, asOfTests, cursorTests, clockTests, restartTests, ruleTests,
	} {
		for _, x := range group {
			if left[x.name] {
				continue
			}
			tests++
			t.Run(x.name, func(t *testing.T) {
				t.Parallel()
				k := newFixture(t, open(t).recorded(seen, x.name))
				x.run(k)
				k.replayAll()
				seen.mu.Lock()
				defer seen.mu.Unlock()
				seen.ran++
			})
		}
	}
}

// recorded is the world with a witness at each of its services.
func (w World) recorded(r *coverage, test string) World {
	w.writeLog = &writeLog{}
	as := w.As
	w.As = func(i int, env api.Environment, scopes ...api.Scope) api.Service {
		return &recordingService{Service: as(i, env, scopes...), coverage: r, test: test, writeLog: w.writeLog}
	}
	return w
}

// A test is one part of the contract.
type test struct {
	name string
	run  func(k *fixture)
}

// A fixture is a world with what a test needs at hand: two products at one place.
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

// as is the kit in the hands of another service.
func (k *fixture) as(svc api.Service) *fixture {
	other := *k
	other.svc = svc
	return &other
}

// do performs an operation that must succeed.
func do[I, O any](k *fixture, op api.Operation[I, O], in I, opts ...api.Option) O {
	k.Helper()
	out, err := op.Call(k.ctx, k.svc, in, opts...)
	require.NoError(k, err, op.ID)
	return out
}

// refuse performs an operation that must fail with the code.
func refuse[I, O any](k *fixture, code api.Code, op api.Operation[I, O], in I, opts ...api.Option) *api.Error {
	k.Helper()
	_, err := op.Call(k.ctx, k.svc, in, opts...)
	require.Error(k, err, "%s should answer %s", op.ID, code)
	e := api.AsError(err)
	require.Equal(k, code, e.Code, "%s: %s", op.ID, e.Message)
	require.NotEmpty(k, e.Message)
	return e
}

// detail is a detail of an error as text.
func detail(e *api.Error, name string) string { return fmt.Sprint(e.Details[name]) }

// details holds that an error has these details: name, value, name, value.
func (k *fixture) details(e *api.Error, want ...any) {
	k.Helper()
	for i := 0; i < len(want); i += 2 {
		require.Equal(k, fmt.Sprint(want[i+1]), detail(e, want[i].(string)), "detail %s of %s: %s", want[i], e.Code, e.Message)
	}
}

// broken are the paths of the fields that a VALIDATION_ERROR names.
func (k *fixture) broken(e *api.Error) (paths []string) {
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

// text is a value as it is sent.
func (k *fixture) text(v any) string { return text(v) }

func text(v any) string {
	b, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		return "cannot be sent: " + err.Error()
	}
	return string(b)
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

// stock brings q of a product to a location.
func (k *fixture) stock(product, location api.ID, q int64) api.Balance {
	k.Helper()
	return do(k, api.AdjustStock, adjust(product, location, api.OnHand, q)).Balance
}

func adjust(product, location api.ID, s api.State, d int64) api.AdjustStockInput {
	return api.AdjustStockInput{ProductID: product, LocationID: location, InventoryState: s, QuantityDelta: d, Reason: "count"}
}

func (k *fixture) inbound(product api.ID, q int64) api.Inbound {
	k.Helper()
	return do(k, api.CreateInbound, api.CreateInboundInput{ProductID: product, LocationID: k.wh, ExpectedQuantity: q}).Inbound
}

// receiveLot brings q of a product to the warehouse in a lot.
func (k *fixture) receiveLot(product api.ID, q int64, lot string, expires *time.Time, serials ...string) api.InboundResult {
	k.Helper()
	in := api.ReceiveInboundInput{InboundID: k.inbound(product, q).ID, Quantity: q, LotCode: lot, ExpiresAt: expires}
	for _, s := range serials {
		in.Serials = append(in.Serials, api.SerialInput{SerialNumber: s})
	}
	return do(k, api.ReceiveInbound, in)
}

// held is what a product's balance at a location holds; nothing where there is none.
func (k *fixture) held(product, location api.ID) api.Quantities {
	k.Helper()
	list := do(k, api.ListBalances, api.ListBalancesInput{ProductID: product, LocationID: location})
	if len(list.Items) == 0 {
		return api.Quantities{}
	}
	require.Len(k, list.Items, 1)
	require.True(k, list.Items[0].AddsUp(), "%+v", list.Items[0].Quantities)
	return list.Items[0].Quantities
}

// legs are movements in short: "inbound_receive onHand +5".
func legs(list []api.Movement) (out []string) {
	for _, m := range list {
		out = append(out, fmt.Sprintf("%s %s %+d", m.Operation, m.InventoryState, m.Quantity))
	}
	return out
}

func some[T any](v T) *T { return &v }

func unknown() api.ID { return uuid.New() }
