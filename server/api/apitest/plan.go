package apitest

import (
	"sync/atomic"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

var planTests = []test{
	{"plan: billable operations", billableOperations},
	{"plan: monthly limit of billable operations", billableLimited},
	{"plan: only successful writes count", billableSuccess},
	{"plan: concurrent writes at the limit", billableRace},
	{"plan: limit of requests", requestsLimited},
	{"plan: concurrent requests at the limit", requestsRace},
	{"plan: limit lowered below usage", planLowered},
	{"plan: limit of active products", productsLimited},
	{"plan: reports not included", reportsExcluded},
	{"plan: scope before quota before validation", quotaOrder},
	{"plan: shown in access", planShown},
	{"rules: count limits shown in access", countLimitsShown},
}

// limit sets the plan of the first organization's live environment.
func (k *fixture) limit(limits api.Limits) {
	k.Helper()
	if k.Limit == nil {
		k.Skip("the plan of this service cannot be set")
	}
	k.Limit(0, api.Live, limits)
}

func (k *fixture) usage() api.Usage {
	k.Helper()
	return do(k, api.GetAccess, api.GetAccessInput{}).Usage
}

// requireExceeded requires that an error reports a limit of the plan.
func (k *fixture) requireExceeded(e *api.Error, key api.Entitlement, limit, used string) {
	k.Helper()
	require.Equal(k, api.PlanLimitExceeded, e.Code)
	require.Equal(k, "Plan limit exceeded for "+string(key), e.Message)
	require.Equal(k, 402, e.Code.Status())
	k.requireDetails(e, "entitlementKey", key, "scope", "environment", "environment", api.Live, "configured", true,
		"limit", limit, "used", used, "requested", "1")
	require.JSONEq(k, `{"code":"unlimited","version":1,"requiresOverride":true}`, k.text(e.Details["requiredPlan"]))
	for _, name := range []string{"limit", "used", "requested"} {
		require.IsType(k, "", e.Details[name], "%s is a string", name)
	}
}

func billableOperations(k *fixture) {
	var ids []string
	for _, s := range api.Operations() {
		if s.Billable {
			ids = append(ids, s.ID)
		}
	}

	require.ElementsMatch(k, []string{"createInbound", "receiveInbound", "fulfillOutbound", "shipTransfer", "receiveTransfer",
		"createReservation", "commitReservation", "adjustStock", "moveStock", "disassembleStock"}, ids)
}

func billableLimited(k *fixture) {
	k.limit(api.Limits{BillableOperations: ptr(int64(2)), Reports: true})
	k.stock(k.oats, k.wh, 1)
	k.stock(k.oats, k.wh, 1)
	e := mustFail(k, api.PlanLimitExceeded, api.AdjustStock, adjust(k.oats, k.wh, api.OnHand, 1))
	k.requireExceeded(e, api.BillableOperations, "2", "2")
	require.JSONEq(k, `{"code":"custom","version":2}`, k.text(e.Details["currentPlan"]))
	k.location("MORE") // is not billable
	other := k.as(k.As(0, api.Test))
	other.stock(other.product("OAT-1L"), other.location("WH-1"), 1)
	k.Advance(9*time.Hour + 59*time.Minute) // 31 March, 23:59 UTC
	mustFail(k, api.PlanLimitExceeded, api.AdjustStock, adjust(k.oats, k.wh, api.OnHand, 1))
	k.Advance(time.Minute)
	k.stock(k.oats, k.wh, 1)
	k.stock(k.oats, k.wh, 1)
	mustFail(k, api.PlanLimitExceeded, api.AdjustStock, adjust(k.oats, k.wh, api.OnHand, 1))
	require.EqualValues(k, 4, k.quantities(k.oats, k.wh).OnHand)
}

func billableSuccess(k *fixture) {
	k.limit(api.Limits{BillableOperations: ptr(int64(1)), Reports: true})
	mustFail(k, api.InsufficientStock, api.AdjustStock, adjust(k.oats, k.wh, api.OnHand, -1))
	mustFail(k, api.NotFound, api.AdjustStock, adjust(newID(), k.wh, api.OnHand, 1))
	require.Zero(k, k.usage().BillableOperations)
	key := api.NewKey()
	first := do(k, api.AdjustStock, adjust(k.oats, k.wh, api.OnHand, 7), api.Key(key))
	again, err := api.AdjustStock.Do(k.ctx, k.svc, adjust(k.oats, k.wh, api.OnHand, 7), api.Key(key))
	require.NoError(k, err, "a replay costs nothing")
	require.True(k, again.Replayed)
	require.Equal(k, k.text(first), k.text(again.Output))
	mustFail(k, api.IdempotencyKeyReused, api.AdjustStock, adjust(k.oats, k.wh, api.OnHand, 8), api.Key(key))
	require.EqualValues(k, 1, k.usage().BillableOperations)
}

func billableRace(k *fixture) {
	k.limit(api.Limits{BillableOperations: ptr(int64(4)), Reports: true})
	k.stock(k.oats, k.wh, 1)
	k.stock(k.oats, k.wh, 1)
	k.stock(k.oats, k.wh, 1)
	k.requireOneSuccess(race(func(int) error {
		_, err := api.AdjustStock.Call(k.ctx, k.svc, adjust(k.oats, k.wh, api.OnHand, 1))
		return err
	}), api.PlanLimitExceeded)
	require.EqualValues(k, 4, k.quantities(k.oats, k.wh).OnHand)
	require.EqualValues(k, 4, k.usage().BillableOperations)
}

func requestsLimited(k *fixture) {
	used := k.usage().APIRequests
	k.limit(api.Limits{APIRequests: ptr(used + 2), Reports: true})
	key := api.NewKey()
	do(k, api.CreateLocation, api.CreateLocationInput{Code: "A", Name: "A", Type: api.Shop}, api.Key(key))
	do(k, api.ListLocations, api.ListPlacesInput{})
	e := mustFail(k, api.PlanLimitExceeded, api.ListLocations, api.ListPlacesInput{})
	limit := detail(e, "limit")
	k.requireDetails(e, "entitlementKey", api.APIRequests, "scope", "environment", "configured", true, "used", limit, "requested", "1")
	require.Equal(k, "Plan limit exceeded for api_requests", e.Message)
	mustFail(k, api.PlanLimitExceeded, api.CreateLocation, api.CreateLocationInput{Code: "B", Name: "B", Type: api.Shop})
	again, err := api.CreateLocation.Do(k.ctx, k.svc, api.CreateLocationInput{Code: "A", Name: "A", Type: api.Shop}, api.Key(key))
	require.NoError(k, err)
	require.True(k, again.Replayed)
	do(k.as(k.As(0, api.Test)), api.ListLocations, api.ListPlacesInput{})
	do(k.as(k.As(1, api.Live)), api.ListLocations, api.ListPlacesInput{})
	k.Advance(10 * time.Hour) // 1 April
	require.EqualValues(k, 1, k.usage().APIRequests)
}

func requestsRace(k *fixture) {
	k.limit(api.Limits{APIRequests: ptr(k.usage().APIRequests + 1), Reports: true})
	k.requireOneSuccess(race(func(i int) error {
		if i%2 == 0 {
			_, err := api.ListLocations.Call(k.ctx, k.svc, api.ListPlacesInput{})
			return err
		}
		_, err := api.AdjustStock.Call(k.ctx, k.svc, adjust(k.oats, k.wh, api.OnHand, 1))
		return err
	}), api.PlanLimitExceeded)
}

func planLowered(k *fixture) {
	for range 3 {
		k.stock(k.oats, k.wh, 1)
	}

	k.limit(api.Limits{BillableOperations: ptr(int64(1)), ActiveProducts: ptr(int64(0)), Reports: true})
	k.requireExceeded(mustFail(k, api.PlanLimitExceeded, api.AdjustStock, adjust(k.oats, k.wh, api.OnHand, 1)), api.BillableOperations, "1", "3")
	k.requireExceeded(mustFail(k, api.PlanLimitExceeded, api.CreateProduct, api.CreateProductInput{SKU: "X", Name: "X"}), api.ActiveProducts, "0", "1")
	k.limit(api.Limits{BillableOperations: ptr(int64(4)), Reports: true})
	k.stock(k.oats, k.wh, 1)
	k.limit(api.Limits{Reports: true})
	require.Equal(k, "unlimited", do(k, api.GetAccess, api.GetAccessInput{}).Plan.Code)
	k.stock(k.oats, k.wh, 1)
}

func productsLimited(k *fixture) {
	k.limit(api.Limits{ActiveProducts: ptr(int64(2)), Reports: true})
	milk := k.product("MILK")
	k.requireExceeded(mustFail(k, api.PlanLimitExceeded, api.CreateProduct, api.CreateProductInput{SKU: "NUTS", Name: "N"}), api.ActiveProducts, "2", "2")
	do(k, api.ArchiveProduct, api.ProductInput{ProductID: milk})
	do(k, api.ArchiveProduct, api.ProductInput{ProductID: milk})
	require.EqualValues(k, 1, k.usage().ActiveProducts)
	var made atomic.Int64
	k.requireOneSuccess(race(func(i int) error {
		_, err := api.CreateProduct.Call(k.ctx, k.svc, api.CreateProductInput{SKU: string(rune('A' + i)), Name: "N"})
		if err == nil {
			made.Add(1)
		}
		return err
	}), api.PlanLimitExceeded)

	require.EqualValues(k, 1, made.Load())
	require.EqualValues(k, 2, k.usage().ActiveProducts)
}

func reportsExcluded(k *fixture) {
	k.limit(api.Limits{Reports: false})
	for _, e := range []*api.Error{
		mustFail(k, api.PlanLimitExceeded, api.ReportMovements, api.ReportMovementsInput{}),
		mustFail(k, api.PlanLimitExceeded, api.ReportSnapshot, api.ReportSnapshotInput{}),
	} {
		require.Equal(k, "Plan limit exceeded for active_products", e.Message)
		k.requireDetails(e, "entitlementKey", api.ActiveProducts, "configured", false, "limit", "0", "used", "1", "requested", "1")
	}

	k.stock(k.oats, k.wh, 1)
	do(k, api.ListBalances, api.ListBalancesInput{})
	k.limit(api.Limits{Reports: true})
	do(k, api.ReportSnapshot, api.ReportSnapshotInput{})
}

func quotaOrder(k *fixture) {
	k.limit(api.Limits{BillableOperations: ptr(int64(0)), Reports: true})
	mustFail(k.as(k.As(0, api.Live, api.InventoryRead)), api.InsufficientScope, api.AdjustStock, adjust(k.oats, k.wh, api.OnHand, 1))
	mustFail(k, api.PlanLimitExceeded, api.AdjustStock, adjust(newID(), k.wh, api.OnHand, 1))
	k.limit(api.Limits{APIRequests: ptr(int64(0)), Reports: true})
	mustFail(k.as(k.As(0, api.Live, api.ReportsRead)), api.InsufficientScope, api.ListLocations, api.ListPlacesInput{})
	mustFail(k, api.PlanLimitExceeded, api.GetBalance, api.GetBalanceInput{BalanceID: newID()})
}

func planShown(k *fixture) {
	before := do(k, api.GetAccess, api.GetAccessInput{})
	require.Equal(k, api.Plan{Code: "unlimited", Version: 1}, before.Plan)
	require.Equal(k, api.Limits{Reports: true}, before.Limits)
	limits := api.Limits{APIRequests: ptr(int64(1000)), ActiveProducts: ptr(int64(10))}
	k.limit(limits)
	k.stock(k.oats, k.wh, 1)
	after := do(k, api.GetAccess, api.GetAccessInput{})
	require.Equal(k, api.Plan{Code: "custom", Version: 2}, after.Plan)
	require.Equal(k, limits, after.Limits)
	require.Equal(k, api.Usage{Month: "2026-03", APIRequests: before.Usage.APIRequests + 2, BillableOperations: 1, ActiveProducts: 1}, after.Usage)
}

// setRules sets rules of the first organization's live environment, which must be what the
// service then says.
func (k *fixture) setRules(rules api.Rules) {
	k.Helper()
	if k.Allow == nil {
		k.Skip("the rules of this service cannot be set")
	}
	k.Allow(0, api.Live, rules)
	require.Equal(k, rules, do(k, api.GetAccess, api.GetAccessInput{}).Rules)
}

// A limit of 0 differs from none.
func countLimitsShown(k *fixture) {
	k.setRules(api.Rules{OverReceiptPercent: 5, CountLimitPieces: new(int64(0)), CountLimitPercent: new(int64(2))})
	k.setRules(api.Rules{OverReceiptPercent: 5, CountLimitPieces: new(int64(3))})
	k.setRules(api.Rules{CountLimitPieces: new(int64(4)), RequireLot: true})
	reasons := []api.Reason{{Code: "R1", Texts: map[string]string{"en": "Dropped"}, Uses: []api.ReasonUse{api.RemoveReason}}}
	k.setRules(api.Rules{Reasons: reasons})
	k.setRules(api.Rules{})
}
