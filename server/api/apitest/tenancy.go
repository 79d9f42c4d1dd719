package apitest

import (
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

var tenancyTests = []test{
	{"foreign ids look unknown on every operation", foreignUnknown},
	{"organizations and environments are separate", tenantsApart},
}

var idType, idsType = reflect.TypeFor[api.ID](), reflect.TypeFor[[]api.ID]()

// ownIDs creates one of each resource and returns their ids by field name.
func (k *fixture) ownIDs() map[string]api.ID {
	k.Helper()
	drill := k.tracked("DRILL", api.TrackSerial)
	in := k.receiveLot(drill, 2, "LOT", nil, "SN-1", "SN-2")
	wh, shop := in.Inbound.LocationID, k.shop
	order := do(k, api.CreateOutbound, api.CreateOutboundInput{ProductID: drill, LocationID: wh, RequestedQuantity: ptr(int64(1))}).Outbound
	return map[string]api.ID{
		"productId": drill, "locationId": wh, "sourceLocationId": wh, "destinationLocationId": shop,
		"ownerId":    do(k, api.CreateOwner, api.CreatePlaceInput{Code: "O", Name: "O", Type: "x"}).ID,
		"channelId":  do(k, api.CreateChannel, api.CreatePlaceInput{Code: "C", Name: "C", Type: "x"}).ID,
		"inboundId":  do(k, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: drill, LocationID: wh}, ExpectedQuantity: 5}).Inbound.ID,
		"outboundId": order.ID, "lineId": order.Lines[0].ID,
		"transferId": do(k, api.CreateTransfer, api.CreateTransferInput{ProductID: drill, SourceLocationID: wh, DestinationLocationID: shop, Quantity: 1}).Transfer.ID,
		"keyId":      newID(), // the key lacks the scope; keyTests test keys
		"balanceId":  in.Balance.ID, "lotId": in.Movements[1].LotID, "serialIds": in.Movements[1].Serials[1].ID,
		"serialId":      in.Movements[1].Serials[1].ID,
		"reservationId": k.reserve(drill, 1, 24*time.Hour).Reservation.ID,
	}
}

// inputFor fills in the required fields of an input other than ids.
func inputFor(in any) {
	switch in := in.(type) {
	case *api.CreateInboundInput:
		in.ExpectedQuantity = 1
	case *api.ReceiveInboundInput:
		in.Quantity = 1
	case *api.AdjustStockInput:
		in.InventoryState, in.QuantityDelta, in.Reason = api.Damaged, 1, "x"
	case *api.MoveStockInput:
		in.Quantity, in.SourceState, in.DestinationState, in.Reason = 1, "available", "damaged", "x"
	case *api.CreateTransferInput:
		in.Quantity = 1
	case *api.CloseTransferInput:
		in.Reason = "x"
	case *api.CreateOutboundInput:
		in.RequestedQuantity = ptr(int64(1))
	case *api.CreateReservationInput:
		in.Quantity, in.ExpiresAt = 1, ptr(time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC))
	case *api.DisassembleInput:
		in.Quantity = 1
	case *api.AssembleInput:
		in.Quantity = 1
	case *api.ReceiveStockInput:
		in.Quantity = ptr(int64(1))
	case *api.ReturnStockInput:
		in.Quantity = ptr(int64(1))
	case *api.FulfillStockInput:
		in.Quantity = ptr(int64(1))
	case *api.WriteOffStockInput:
		in.Quantity, in.Reason = ptr(int64(1)), "x"
	case *api.ReconcileStockInput:
		in.CountedQuantity = ptr(int64(1))
	}
}

func fieldName(f reflect.StructField) string {
	for _, tag := range []string{"path", "query"} {
		if name := f.Tag.Get(tag); name != "" {
			return name
		}
	}
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

func foreignUnknown(k *fixture) {
	own := k.ownIDs()
	var foreign []map[string]api.ID
	for _, svc := range []api.Service{k.As(0, api.Test), k.As(1, api.Live)} {
		other := newFixture(k.T, World{Orgs: k.Orgs, Now: k.Now, Advance: k.Advance, As: func(int, api.Environment, ...api.Scope) api.Service { return svc }})
		foreign = append(foreign, other.ownIDs())
	}
	tried := 0
	for _, spec := range api.Operations() {
		if spec.Input().Kind() != reflect.Struct {
			continue
		}
		for _, f := range reflect.VisibleFields(spec.Input()) {
			if f.Type != idType && f.Type != idsType {
				continue
			}
			name := fieldName(f)
			want := k.answer(spec, own, f, newID())
			require.False(k, strings.HasPrefix(want, "{") && spec.Writes(), "%s succeeded with an unknown %s: %s", spec.ID, name, want)
			for _, ids := range foreign {
				require.NotZero(k, ids[name], "%s takes a %s, which ownIDs lacks", spec.ID, name)
				require.Equal(k, want, k.answer(spec, own, f, ids[name]), "%s distinguishes a foreign %s from an unknown one", spec.ID, name)
			}
			tried++
		}
	}
	require.Greater(k, tried, 60)
}

// answer returns the response of an operation whose ids are own except for that of the
// field f. It masks that id in the response.
func (k *fixture) answer(spec *api.Spec, own map[string]api.ID, f reflect.StructField, id api.ID) string {
	k.Helper()
	in := spec.NewInput()
	inputFor(in)
	v := reflect.ValueOf(in).Elem()
	for _, x := range reflect.VisibleFields(spec.Input()) {
		given := own[fieldName(x)]
		if x.Name == f.Name {
			given = id
		}
		required := x.Tag.Get("path") != "" || x.Tag.Get("required") == "true" || fieldName(x) == "productId" && x.Tag.Get("query") == "" && spec.ID == "createOutbound"
		switch {
		case x.Name != f.Name && !required:
		case x.Type == idType:
			v.FieldByIndex(x.Index).Set(reflect.ValueOf(given))
		case x.Type == idsType:
			v.FieldByIndex(x.Index).Set(reflect.ValueOf([]api.ID{given}))
		}
	}
	res, err := k.svc.Do(k.ctx, &api.Request{Spec: spec, Input: in, IdempotencyKey: api.NewKey()})
	text := ""
	if err == nil {
		text = k.text(res.Output)
	} else {
		e := api.AsError(err)
		text = fmt.Sprintf("%s %s %s", e.Code, e.Message, k.text(e.Details))
	}
	return strings.ReplaceAll(text, id.String(), "ID")
}

func tenantsApart(k *fixture) {
	k.stock(k.oats, k.wh, 5)
	for _, svc := range []api.Service{k.As(0, api.Test), k.As(1, api.Live), k.As(1, api.Test)} {
		k := k.as(svc)
		require.Empty(k, do(k, api.ListProducts, api.ListProductsInput{}).Items)
		require.Empty(k, do(k, api.ListBalances, api.ListBalancesInput{}).Items)
		require.Empty(k, do(k, api.ReportMovements, api.ReportMovementsInput{}).Items)
		require.Empty(k, do(k, api.ReportSnapshot, api.ReportSnapshotInput{}).Items)
		require.Empty(k, do(k, api.LookUp, api.LookupInput{Code: "OAT-1L"}).Matches)
		require.Empty(k, do(k, api.LookUp, api.LookupInput{Code: k.oats.String()}).Matches)
		same := k.product("OAT-1L")
		require.NotEqual(k, k.oats, same, "SKUs are separate")
	}
	cursor := k.wh.String()
	mustFail(k.as(k.As(1, api.Live)), api.InvalidCursor, api.ListLocations, api.ListPlacesInput{Page: api.Page{Cursor: cursor}})
}
