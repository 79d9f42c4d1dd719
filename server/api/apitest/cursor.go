package apitest

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

var cursorTests = []test{
	{"cursor of another list, organization or environment is rejected", cursorsApart},
	{"cursor of another history is rejected", cursorsOfHistories},
	{"default page sizes", pagesDefault},
}

// A cursorCase reads a page of one item after a cursor and returns the next cursor.
type cursorCase struct {
	name, kind string
	page       func(ctx context.Context, svc api.Service, cursor string) (*string, error)
}

func cursorCaseOf[I, O any](op api.Operation[I, O], kind string, in I) cursorCase {
	return cursorCase{op.Spec.ID, kind, func(ctx context.Context, svc api.Service, cursor string) (*string, error) {
		in := in
		v := reflect.ValueOf(&in).Elem()
		v.FieldByName("Limit").Set(reflect.ValueOf(ptr(int64(1))))
		v.FieldByName("Cursor").SetString(cursor)
		out, err := op.Call(ctx, svc, in)
		if err != nil {
			return nil, err
		}

		return reflect.ValueOf(out).FieldByName("NextCursor").Interface().(*string), nil
	}}
}

// cursorCases returns a case for every operation with pages, for the ids that
// createTwoOfEach returned.
func (k *fixture) cursorCases(have map[string][2]api.ID) []cursorCase {
	return []cursorCase{
		cursorCaseOf(api.ListProducts, "product", api.ListProductsInput{}),
		cursorCaseOf(api.ListProducts, "product", api.ListProductsInput{TextFilter: api.TextFilter{Query: "product"}}),
		cursorCaseOf(api.ListLocations, "location", api.ListPlacesInput{}),
		cursorCaseOf(api.ListOwners, "owner", api.ListPlacesInput{}),
		cursorCaseOf(api.ListChannels, "channel", api.ListPlacesInput{}),
		cursorCaseOf(api.ListInbounds, "inbound", api.ListInboundsInput{}),
		cursorCaseOf(api.ListInbounds, "inbound", api.ListInboundsInput{Status: api.InboundExpected}),
		cursorCaseOf(api.ListOutbounds, "outbound", api.ListOutboundsInput{}),
		cursorCaseOf(api.ListTransfers, "transfer", api.ListTransfersInput{}),
		cursorCaseOf(api.ListReservations, "reservation", api.ListReservationsInput{}),
		cursorCaseOf(api.ListBalances, "balance", api.ListBalancesInput{}),
		cursorCaseOf(api.ReportSnapshot, "balance", api.ReportSnapshotInput{}),
		cursorCaseOf(api.ReportMovements, "movement", api.ReportMovementsInput{}),
		cursorCaseOf(api.ListLots, "lot", api.ListLotsInput{}),
		cursorCaseOf(api.ListSerials, "serial", api.ListSerialsInput{}),
		cursorCaseOf(api.ListOperators, "operator", api.ListOperatorsInput{}),
		cursorCaseOf(api.ListKeys, "key", api.ListKeysInput{}),
		cursorCaseOf(api.ListNodes, "node", api.ListNodesInput{}),
		cursorCaseOf(api.GetSnapshot, "snapshot", api.SnapshotInput{}),
		cursorCaseOf(api.ExplainBalance, "movement", api.ExplainBalanceInput{BalanceID: have["balance"][0]}),
		cursorCaseOf(api.GetSerialHistory, "movement", api.SerialHistoryInput{SerialID: have["serial"][0]}),
		cursorCaseOf(api.TraceLot, "movement", api.TraceLotInput{LotID: have["lot"][0]}),
		cursorCaseOf(api.ListPickableStock, "lot", api.ListPickableStockInput{ProductID: have["drill"][0], LocationID: k.wh}),
	}
}

// createTwoOfEach creates at least two of each resource that can be listed.
func (k *fixture) createTwoOfEach() map[string][2]api.ID {
	k.Helper()
	drill := k.tracked("DRILL", api.TrackSerial)
	have := map[string][2]api.ID{"drill": {drill, drill}}
	for i := range 2 {
		n := fmt.Sprint(i)
		do(k, api.CreateOwner, api.CreatePlaceInput{Code: "O" + n, Name: "O", Type: "x"})
		do(k, api.CreateChannel, api.CreatePlaceInput{Code: "C" + n, Name: "C", Type: "x"})
		k.key("n" + n)
		do(k, api.CreateOperator, api.CreateOperatorInput{Name: "N" + n, Role: api.Worker, PIN: api.NewPIN("1234")})
		k.report(api.NodeReport{ID: newID(), Label: "N" + n, Kind: api.NodeEdge, Version: "1"})
		made := k.receiveLot(drill, 2, "LOT-"+n, nil, "A-"+n, "B-"+n).Movements[1]
		b := k.stock(k.oats, []api.ID{k.wh, k.shop}[i], 5)
		for kind, id := range map[string]api.ID{"balance": b.ID, "serial": made.Serials[0].ID, "lot": made.LotID} {
			two := have[kind]
			two[i] = id
			have[kind] = two
		}

		k.inbound(k.oats, 1)
		k.transfer(1)
		k.outbound(1)
		k.reserve(k.oats, 1, time.Hour)
	}

	return have
}

func cursorsApart(k *fixture) {
	mine := k.admin(0, api.Live)
	have := mine.createTwoOfEach()
	for _, spec := range api.Operations() {
		if f, ok := spec.Input().FieldByName("Cursor"); ok && f.Tag.Get("query") != "" {
			require.True(k, slices.ContainsFunc(mine.cursorCases(have), func(c cursorCase) bool { return c.name == spec.ID }), "add %s to cursorCases", spec.ID)
		}
	}

	cursors := map[string]string{} // by kind
	for _, l := range mine.cursorCases(have) {
		next, err := l.page(k.ctx, mine.svc, "")
		require.NoError(k, err, l.name)
		require.NotNil(k, next, "%s has a second page", l.name)
		_, err = l.page(k.ctx, mine.svc, *next)
		require.NoError(k, err, "%s continues from its own cursor", l.name)
		cursors[l.kind] = *next
	}

	for _, l := range mine.cursorCases(have) {
		for kind, cursor := range cursors {
			if kind == l.kind {
				continue
			}
			_, err := l.page(k.ctx, mine.svc, cursor)
			require.True(k, api.HasCode(err, api.InvalidCursor), "%s accepts the cursor of a %s: %v", l.name, kind, err)
		}
	}

	for name, other := range map[string]*fixture{"environment": k.admin(0, api.Test), "organization": k.admin(1, api.Live)} {
		own := newFixture(k.T, World{Orgs: k.Orgs, Now: k.Now, Advance: k.Advance,
			As: func(int, api.Environment, ...api.Scope) api.Service { return other.svc }})
		for _, l := range own.cursorCases(own.createTwoOfEach()) {
			_, err := l.page(k.ctx, other.svc, cursors[l.kind])
			require.True(k, api.HasCode(err, api.InvalidCursor), "%s accepts the cursor of another %s: %v", l.name, name, err)
		}
	}
}

func cursorsOfHistories(k *fixture) {
	k = k.admin(0, api.Live)
	have := k.createTwoOfEach()
	histories := func(i int) []cursorCase {
		return []cursorCase{
			cursorCaseOf(api.ExplainBalance, "balance", api.ExplainBalanceInput{BalanceID: have["balance"][i]}),
			cursorCaseOf(api.ExplainBalance, "balance", api.ExplainBalanceInput{BalanceID: have["balance"][i], HistoryPage: api.HistoryPage{Order: api.NewestFirst}}),
			cursorCaseOf(api.GetSerialHistory, "serial", api.SerialHistoryInput{SerialID: have["serial"][i]}),
			cursorCaseOf(api.TraceLot, "lot", api.TraceLotInput{LotID: have["lot"][i]}),
		}
	}

	for i, l := range histories(0) {
		next, err := l.page(k.ctx, k.svc, "")
		require.NoError(k, err)
		require.NotNil(k, next, l.name)
		_, err = histories(1)[i].page(k.ctx, k.svc, *next)
		require.True(k, api.HasCode(err, api.InvalidCursor), "%s accepts the cursor of another resource: %v", l.name, err)
	}
}

func pagesDefault(k *fixture) {
	k.stock(k.oats, k.wh, 500)
	for i := range 26 {
		n := fmt.Sprint(i)
		p := k.product("P-" + n)
		k.stock(p, k.wh, 1)
		k.stock(p, k.shop, 1)
		k.inbound(k.oats, 1)
		k.transfer(1)
		k.outbound(1)
		k.reserve(k.oats, 1, time.Hour)
		k.location("L-" + n)
		k.receiveLot(k.oats, 1, "LOT-"+n, nil)
	}

	require.Len(k, do(k, api.ListInbounds, api.ListInboundsInput{}).Items, 25)
	require.Len(k, do(k, api.ListTransfers, api.ListTransfersInput{}).Items, 25)
	require.Len(k, do(k, api.ListOutbounds, api.ListOutboundsInput{}).Items, 25)
	require.Len(k, do(k, api.ListReservations, api.ListReservationsInput{}).Items, 25)
	require.Len(k, do(k, api.ListProducts, api.ListProductsInput{}).Items, 25)
	require.Len(k, do(k, api.ListLocations, api.ListPlacesInput{}).Items, 25)
	require.Len(k, do(k, api.ListBalances, api.ListBalancesInput{}).Items, 25)
	require.Len(k, do(k, api.ListLots, api.ListLotsInput{}).Items, 25)
	require.Len(k, do(k, api.ReportMovements, api.ReportMovementsInput{}).Items, 50)
	require.Len(k, do(k, api.ReportSnapshot, api.ReportSnapshotInput{}).Items, 50)
	require.Len(k, do(k, api.ListChanges, api.ListChangesInput{}).Items, 100)
}
