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
	{"what is another's is not there, on every operation that takes an id", foreignUnknown},
	{"a stock of one is not the stock of another", tenantsApart},
}

var idType, idsType = reflect.TypeFor[api.ID](), reflect.TypeFor[[]api.ID]()

// ownIDs are ids of everything that an organization can have in one
// environment, by the name of the field that takes them.
func (k *fixture) ownIDs() map[string]api.ID {
	k.Helper()
	drill := k.tracked("DRILL", api.TrackSerial)
	in := k.receiveLot(drill, 2, "LOT", nil, "SN-1", "SN-2")
	wh, shop := in.Inbound.LocationID, k.shop
	return map[string]api.ID{
		"productId": drill, "locationId": wh, "sourceLocationId": wh, "destinationLocationId": shop,
		"ownerId":    do(k, api.CreateOwner, api.CreatePlaceInput{Code: "O", Name: "O", Type: "x"}).ID,
		"channelId":  do(k, api.CreateChannel, api.CreatePlaceInput{Code: "C", Name: "C", Type: "x"}).ID,
		"inboundId":  do(k, api.CreateInbound, api.CreateInboundInput{ProductID: drill, LocationID: wh, ExpectedQuantity: 5}).Inbound.ID,
		"outboundId": do(k, api.CreateOutbound, api.CreateOutboundInput{ProductID: drill, LocationID: wh, RequestedQuantity: some(int64(1))}).Outbound.ID,
		"transferId": do(k, api.CreateTransfer, api.CreateTransferInput{ProductID: drill, SourceLocationID: wh, DestinationLocationID: shop, Quantity: 1}).Transfer.ID,
		"keyId":      unknown(), // whose scope the test's key has not; keyTests look at keys
		"balanceId":  in.Balance.ID, "lotId": in.Movements[1].LotID, "serialIds": in.Movements[1].Serials[1].ID,
		"serialId":      in.Movements[1].Serials[1].ID,
		"reservationId": k.reserve(drill, 1, 24*time.Hour).Reservation.ID,
	}
}

// inputFor are inputs that lack nothing but ids.
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
		in.RequestedQuantity = some(int64(1))
	case *api.CreateReservationInput:
		in.Quantity, in.ExpiresAt = 1, some(time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC))
	case *api.DisassembleInput:
		in.Quantity = 1
	case *api.AssembleInput:
		in.Quantity = 1
	case *api.ReceiveStockInput:
		in.Quantity = some(int64(1))
	case *api.ReturnStockInput:
		in.Quantity = some(int64(1))
	case *api.FulfillStockInput:
		in.Quantity = some(int64(1))
	case *api.WriteOffStockInput:
		in.Quantity, in.Reason = some(int64(1)), "x"
	case *api.ReconcileStockInput:
		in.CountedQuantity = some(int64(1))
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
			want := k.answer(spec, own, f, unknown())
			require.False(k, strings.HasPrefix(want, "{") && spec.Writes(), "%s did something with an unknown %s: %s", spec.ID, name, want)
			for _, ids := range foreign {
				require.NotZero(k, ids[name], "%s takes a %s: give the test one", spec.ID, name)
				require.Equal(k, want, k.answer(spec, own, f, ids[name]), "%s tells a foreign %s from an unknown one", spec.ID, name)
			}
			tried++
		}
	}
	require.Greater(k, tried, 60)
}

// answer is what an operation answers when all ids are own but that of the
// field f, which is written out of the answer again.
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
		require.NotEqual(k, k.oats, same, "each has its own SKUs")
	}
	cursor := k.wh.String()
	refuse(k.as(k.As(1, api.Live)), api.InvalidCursor, api.ListLocations, api.ListPlacesInput{Cursor: cursor})
}
