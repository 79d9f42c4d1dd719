package apitest

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

var tenancyTests = []test{
	{"foreign ids look unknown on every operation", foreignUnknown},
	{"no operation returns an id of another organization or environment", answersApart},
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
		"operatorId": do(k, api.CreateOperator, api.CreateOperatorInput{Name: "Own", Role: api.Worker, PIN: api.NewPIN("1234")}).ID,
		"keyId":      k.key("own").Key.ID,
		"balanceId":  in.Balance.ID, "lotId": in.Movements[1].LotID, "serialIds": in.Movements[1].Serials[1].ID,
		"serialId":      in.Movements[1].Serials[1].ID,
		"reservationId": k.reserve(drill, 1, 24*time.Hour).Reservation.ID,
	}
}

// inputFor fills in the required fields of an input other than ids.
func inputFor(in any) {
	switch in := in.(type) {
	case *api.ChangeOperatorInput:
		in.Name = "New"
	case *api.CreateProductInput:
		in.SKU, in.Name = "NEW", "New"
	case *api.LinkBarcodeInput:
		in.Barcode = "9521000000018"
	case *api.UnlinkBarcodeInput:
		in.Barcode, in.Reason = "9521000000018", "x"
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

// others returns fixtures of another environment and of another organization, with all
// scopes, like k.
func (k *fixture) others() (list []*fixture) {
	for _, other := range []*fixture{k.admin(0, api.Test), k.admin(1, api.Live)} {
		list = append(list, newFixture(k.T, World{Orgs: k.Orgs, Now: k.Now, Advance: k.Advance,
			As: func(int, api.Environment, ...api.Scope) api.Service { return other.svc }}))
	}
	return list
}

// An idField is a field of an input that has ids, perhaps in the items of a list.
type idField struct {
	reflect.StructField
	list []int // the index of the list; nil without one
}

// idFields returns the fields of an input that have ids.
func idFields(t reflect.Type) (fields []idField) {
	for _, f := range reflect.VisibleFields(t) {
		switch {
		case f.Type == idType || f.Type == idsType:
			fields = append(fields, idField{f, nil})
		case f.Type.Kind() == reflect.Slice && f.Type.Elem().Kind() == reflect.Struct:
			for _, inner := range idFields(f.Type.Elem()) {
				fields = append(fields, idField{inner.StructField, f.Index})
			}
		}
	}

	return fields
}

// isRequired reports whether an operation needs the id.
func (f *idField) isRequired(spec *api.Spec) bool {
	return f.list == nil && (f.Tag.Get("path") != "" || f.Tag.Get("required") == "true" || spec == api.CreateOutbound.Spec && f.Name == "ProductID")
}

// addItem adds an item to a list, with own ids and quantities of 1, and returns it.
func addItem(list reflect.Value, own map[string]api.ID) reflect.Value {
	item := reflect.New(list.Type().Elem()).Elem()
	for i := range item.NumField() {
		switch f := item.Field(i); f.Interface().(type) {
		case int64:
			f.SetInt(1)
		case *int64:
			f.Set(reflect.ValueOf(ptr(int64(1))))
		case api.ID:
			f.Set(reflect.ValueOf(own[fieldName(item.Type().Field(i))]))
		}
	}

	list.Set(reflect.Append(list, item))

	return list.Index(list.Len() - 1)
}

func foreignUnknown(k *fixture) {
	k = k.admin(0, api.Live)
	own := k.ownIDs()
	var foreign []map[string]api.ID
	for _, other := range k.others() {
		foreign = append(foreign, other.ownIDs())
	}

	tried := 0
	for _, spec := range api.Operations() {
		for _, f := range idFields(spec.Input()) {
			name := fieldName(f.StructField)
			want := k.answer(spec, own, f, newID())
			require.False(k, strings.HasPrefix(want, string(api.ValidationError)) && !strings.Contains(want, "ID"),
				"%s does not get to %s; complete inputFor: %s", spec.ID, name, want)
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

// answersApart performs every operation as others: with their ids no answer may have an id
// of k, and with the ids of k none may succeed that needs one.
func answersApart(k *fixture) {
	k = k.admin(0, api.Live)
	own := k.ownIDs()
	for _, other := range k.others() {
		theirs := other.ownIDs()
		for _, spec := range api.Operations() {
			text := other.answer(spec, theirs, idField{}, api.NoID)
			for name, id := range own {
				require.NotContains(k, text, id.String(), "%s returns a %s of somebody else", spec.ID, name)
			}
			if slices.ContainsFunc(idFields(spec.Input()), func(f idField) bool { return f.isRequired(spec) }) {
				text := other.answer(spec, own, idField{}, api.NoID)
				require.False(k, strings.HasPrefix(text, "{"), "%s succeeded with ids of somebody else: %s", spec.ID, text)
			}
		}
	}
}

// answer returns the response of an operation whose ids are own except for that of the
// field f. It masks that id in the response.
func (k *fixture) answer(spec *api.Spec, own map[string]api.ID, f idField, id api.ID) string {
	k.Helper()
	in := spec.NewInput()
	inputFor(in)
	v := reflect.ValueOf(in).Elem()
	for _, x := range idFields(spec.Input()) {
		given, tested := own[fieldName(x.StructField)], x.Name == f.Name && slices.Equal(x.Index, f.Index) && slices.Equal(x.list, f.list)
		if tested {
			given = id
		} else if !x.isRequired(spec) {
			continue
		}

		holder := v
		if x.list != nil {
			holder = addItem(v.FieldByIndex(x.list), own)
			if order, ok := in.(*api.CreateOutboundInput); ok { // it has lines or a product
				order.ProductID, order.RequestedQuantity = api.NoID, nil
			}
		}

		value := reflect.ValueOf(given)
		if x.Type == idsType {
			value = reflect.ValueOf([]api.ID{given})
		}

		holder.FieldByIndex(x.Index).Set(value)
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
