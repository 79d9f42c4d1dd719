package apitest

import (
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

var ruleTests = []test{
	{"idempotency key is required for every write", keyRequired},
	{"idempotency key: valid characters and length", keyFormat},
	{"default owner and channel on every operation", defaultsUsed},
	{"documents return their fields", fieldsReturned},
	{"responses carry the organization and environment", environmentReturned},
	{"foreign ids in lines and components are rejected", foreignInLists},
	{"feed and snapshot have only their own data", feedApart},
	{"serial on an outbound has its times", serialTimes},
	{"movements report has units", unitsReported},
	{"zero quantities are rejected", zerosRejected},
}

func keyRequired(k *fixture) {
	for _, spec := range api.Operations() {
		in := spec.NewInput()
		_, err := k.As(0, api.Live, spec.Scope).Do(k.ctx, &api.Request{Spec: spec, Input: in})
		if spec.Writes() {
			require.True(k, api.HasCode(err, api.IdempotencyKeyRequired), "%s without a key: %v", spec.ID, err)
		}
	}
}

func keyFormat(k *fixture) {
	in := adjust(k.oats, k.wh, api.OnHand, 1)
	for _, bad := range []string{"a b", "tab\there", "é", "\x7f", strings.Repeat("k", 256)} {
		e := mustFail(k, api.ValidationError, api.AdjustStock, in, api.Key(bad))
		require.Equal(k, []string{"Idempotency-Key"}, k.invalidFields(e), "%q", bad)
	}

	for i, good := range []string{"~", "!", strings.Repeat("k", 255), "0198c5e2-7b1a-7c3e-9d41-5f2a6b8c9d0e", "0198C5E2-7B1A-7C3E-9D41-5F2A6B8C9D0E", `{"a":1}`, "%zz"} {
		res, err := api.AdjustStock.Do(k.ctx, k.svc, in, api.Key(good))
		require.NoError(k, err, good)
		require.False(k, res.Replayed, "each key is one of its own: %q", good)
		require.Equal(k, good, res.Output.(*api.StockResult).Movements[0].IdempotencyKey)
		require.EqualValues(k, i+1, res.Output.(*api.StockResult).Balance.OnHand)
	}
}

// owned performs all operations with an owner and a channel, and counts the owners and
// channels in their responses.
func (k *fixture) owned(owner, channel api.ID) (seen map[[2]api.ID]int) {
	k.Helper()
	tag := fmt.Sprint(k.Now().UnixNano())
	k.Advance(time.Millisecond)
	milk := k.product("MILK-" + tag)
	set := do(k, api.CreateProduct, api.CreateProductInput{SKU: "SET-" + tag, Name: "Set", Components: []api.Component{{ProductID: milk, Quantity: 2}}}).ID
	seen = map[[2]api.ID]int{}
	note := func(v any) {
		x := reflect.ValueOf(v)
		for _, f := range reflect.VisibleFields(x.Type()) {
			switch got := x.FieldByIndex(f.Index).Interface().(type) {
			case api.Balance:
				seen[[2]api.ID{got.OwnerID, got.ChannelID}]++
			case []api.Movement:
				for _, m := range got {
					seen[[2]api.ID{m.OwnerID, m.ChannelID}]++
				}
			case api.Inbound:
				seen[[2]api.ID{got.OwnerID, got.ChannelID}]++
			case api.Outbound:
				seen[[2]api.ID{got.OwnerID, got.ChannelID}]++
				seen[[2]api.ID{got.Lines[0].OwnerID, got.Lines[0].ChannelID}]++
			case api.Transfer:
				seen[[2]api.ID{got.OwnerID, got.ChannelID}]++
			case api.Reservation:
				seen[[2]api.ID{got.OwnerID, got.ChannelID}]++
			}
		}
	}

	twenty, one := ptr(int64(20)), ptr(int64(1))
	note(do(k, api.AdjustStock, api.AdjustStockInput{StockKey: api.StockKey{ProductID: milk, LocationID: k.wh, OwnerID: owner, ChannelID: channel}, InventoryState: api.OnHand, QuantityDelta: 9, Reason: "x"}))
	note(do(k, api.ReceiveStock, api.ReceiveStockInput{StockKey: api.StockKey{ProductID: milk, LocationID: k.wh, OwnerID: owner, ChannelID: channel}, Quantity: twenty}))
	note(do(k, api.ReturnStock, api.ReturnStockInput{StockKey: api.StockKey{ProductID: milk, LocationID: k.wh, OwnerID: owner, ChannelID: channel}, Quantity: one}))
	note(do(k, api.FulfillStock, api.FulfillStockInput{StockKey: api.StockKey{ProductID: milk, LocationID: k.wh, OwnerID: owner, ChannelID: channel}, Quantity: one}))
	note(do(k, api.WriteOffStock, api.WriteOffStockInput{StockKey: api.StockKey{ProductID: milk, LocationID: k.wh, OwnerID: owner, ChannelID: channel}, Quantity: one, Reason: "x"}))
	note(do(k, api.ReconcileStock, api.ReconcileStockInput{StockKey: api.StockKey{ProductID: milk, LocationID: k.wh, OwnerID: owner, ChannelID: channel}, CountedQuantity: twenty}))
	note(do(k, api.MoveStock, api.MoveStockInput{StockKey: api.StockKey{ProductID: milk, LocationID: k.wh, OwnerID: owner, ChannelID: channel}, Quantity: 1, SourceState: "available", DestinationState: "damaged", Reason: "x"}))
	note(do(k, api.AssembleStock, api.AssembleInput{StockKey: api.StockKey{ProductID: set, LocationID: k.wh, OwnerID: owner, ChannelID: channel}, Quantity: 2}))
	note(do(k, api.DisassembleStock, api.DisassembleInput{StockKey: api.StockKey{ProductID: set, LocationID: k.wh, OwnerID: owner, ChannelID: channel}, Quantity: 1}))
	note(do(k, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: milk, LocationID: k.wh, OwnerID: owner, ChannelID: channel}, ExpectedQuantity: 1}))
	note(do(k, api.CreateOutbound, api.CreateOutboundInput{ProductID: milk, LocationID: k.wh, RequestedQuantity: one, OwnerID: owner, ChannelID: channel}))
	note(do(k, api.CreateReservation, api.CreateReservationInput{StockKey: api.StockKey{ProductID: milk, LocationID: k.wh, OwnerID: owner, ChannelID: channel}, Quantity: 1, ExpiresAt: ptr(k.Now().Add(time.Hour))}))
	tr := do(k, api.CreateTransfer, api.CreateTransferInput{ProductID: milk, SourceLocationID: k.wh, DestinationLocationID: k.shop, Quantity: 1, OwnerID: owner, ChannelID: channel})
	note(tr)
	note(do(k, api.ShipTransfer, api.MoveTransferInput{TransferID: tr.Transfer.ID}))
	note(do(k, api.ReceiveTransfer, api.MoveTransferInput{TransferID: tr.Transfer.ID}))

	return seen
}

func defaultsUsed(k *fixture) {
	usual := [2]api.ID{k.Orgs[0].DefaultOwnerID, k.Orgs[0].DefaultChannelID}
	owner := do(k, api.CreateOwner, api.CreatePlaceInput{Code: "ACME", Name: "Acme", Type: "company"}).ID
	channel := do(k, api.CreateChannel, api.CreatePlaceInput{Code: "WEB", Name: "Web", Type: "web"}).ID
	for _, x := range []struct {
		owner, channel api.ID
		want           [2]api.ID
	}{
		{want: usual}, {owner: owner, want: [2]api.ID{owner, usual[1]}}, {channel: channel, want: [2]api.ID{usual[0], channel}},
		{owner, channel, [2]api.ID{owner, channel}},
	} {
		seen := k.owned(x.owner, x.channel)
		require.Len(k, seen, 1, "%v", seen)
		require.Greater(k, seen[x.want], 50)
	}
}

func fieldsReturned(k *fixture) {
	k.stock(k.oats, k.wh, 9)
	when, meta := k.Now().Add(36*time.Hour), api.Metadata(`{"a":[1,"é"]}`)
	in := do(k, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: k.oats, LocationID: k.wh}, ExpectedQuantity: 3, SupplierName: "Mill", SupplierReference: "S-1",
		ExternalOrderType: "po", ExternalOrderID: "PO-1", Reference: api.Reference{ReferenceType: "order", ReferenceID: "R-1"}, ExpectedAt: &when, Metadata: meta}, api.By("Ada")).Inbound
	require.Equal(k, []any{"Mill", "S-1", "po", "PO-1", "order", "R-1", when, string(meta), "Ada"}, []any{in.SupplierName, in.SupplierReference,
		in.ExternalOrderType, in.ExternalOrderID, in.ReferenceType, in.ReferenceID, *in.ExpectedAt, string(in.Metadata), in.CreatedBy.Label})
	out := do(k, api.CreateOutbound, api.CreateOutboundInput{ProductID: k.oats, LocationID: k.wh, RequestedQuantity: ptr(int64(1)), CustomerName: "Kim",
		ExternalOrderType: "so", ExternalOrderID: "SO-1", Reference: api.Reference{ReferenceType: "cart", ReferenceID: "R-2"}, ExpectedShipAt: &when, Metadata: meta}, api.By("Ada")).Outbound
	require.Equal(k, []any{"Kim", "so", "SO-1", "cart", "R-2", when, string(meta), "Ada"}, []any{out.CustomerName, out.ExternalOrderType, out.ExternalOrderID,
		out.ReferenceType, out.ReferenceID, *out.ExpectedShipAt, string(out.Metadata), out.CreatedBy.Label})
	tr := do(k, api.CreateTransfer, api.CreateTransferInput{ProductID: k.oats, SourceLocationID: k.wh, DestinationLocationID: k.shop, Quantity: 1,
		Reference: api.Reference{ReferenceType: "van", ReferenceID: "R-3"}, Metadata: meta}, api.By("Ada")).Transfer
	require.Equal(k, []any{"van", "R-3", string(meta), "Ada"}, []any{tr.ReferenceType, tr.ReferenceID, string(tr.Metadata), tr.CreatedBy.Label})
	r := do(k, api.CreateReservation, api.CreateReservationInput{StockKey: api.StockKey{ProductID: k.oats, LocationID: k.wh}, Quantity: 1, ExpiresAt: &when, Reference: api.Reference{ReferenceType: "seat", ReferenceID: "R-4"}, Metadata: meta}, api.By("Ada")).Reservation
	require.Equal(k, []any{"seat", "R-4", string(meta), "Ada", when}, []any{r.ReferenceType, r.ReferenceID, string(r.Metadata), r.CreatedBy.Label, r.ExpiresAt})
}

func environmentReturned(k *fixture) {
	for _, env := range []api.Environment{api.Live, api.Test} {
		k := newFixture(k.T, World{Orgs: k.Orgs, Now: k.Now, Advance: k.Advance,
			As: func(int, api.Environment, ...api.Scope) api.Service { return k.As(1, env) }})
		k.createMixed("A")
		k.reserve(k.oats, 1, time.Hour)
		for _, text := range k.listAll() {
			for _, part := range strings.Split(text, `"environment":`)[1:] {
				require.True(k, strings.HasPrefix(part, `"`+string(env)+`"`), part)
			}
			for _, part := range strings.Split(text, `"organizationId":`)[1:] {
				require.True(k, strings.HasPrefix(part, `"`+k.Orgs[1].ID.String()+`"`), part)
			}
		}
	}
}

func foreignInLists(k *fixture) {
	for _, svc := range []api.Service{k.As(0, api.Test), k.As(1, api.Live)} {
		theirs := k.as(svc).product("THEIRS")
		for i, id := range []api.ID{theirs, newID()} {
			e := mustFail(k, api.NotFound, api.CreateOutbound, api.CreateOutboundInput{LocationID: k.wh, Lines: []api.OutboundLineInput{
				{ProductID: k.oats, RequestedQuantity: 1}, {ProductID: id, RequestedQuantity: 1}}})
			require.Contains(k, e.Message, id.String(), i)
			e = mustFail(k, api.ValidationError, api.CreateProduct, api.CreateProductInput{SKU: "SET", Name: "Set", Components: []api.Component{{ProductID: id, Quantity: 1}}})
			require.Equal(k, []string{"components[0].productId"}, k.invalidFields(e))
			require.NotContains(k, e.Message, "THEIRS")
		}
	}

	require.Empty(k, do(k, api.ListOutbounds, api.ListOutboundsInput{}).Items)
}

func feedApart(k *fixture) {
	k.createMixed("A")
	for _, svc := range []api.Service{k.As(0, api.Test), k.As(1, api.Live)} {
		other := k.as(svc)
		require.Empty(k, other.follow(0, 500))
		quiet := other.replica(500, nil)
		require.Empty(k, quiet.balances)
		require.NotContains(k, k.text(quiet.documents), k.oats.String())
		mustFail(other, api.ChangesGone, api.ListChanges, api.ListChangesInput{After: ptr(int64(3))})
	}
}

func serialTimes(k *fixture) {
	drill := k.tracked("DRILL", api.TrackSerial)
	k.receiveLot(drill, 1, "", nil, "SN-1")
	h := api.HandleOutboundInput{OutboundID: do(k, api.CreateOutbound, api.CreateOutboundInput{ProductID: drill, LocationID: k.wh, RequestedQuantity: ptr(int64(1))}).Outbound.ID,
		SerialChoice: api.SerialChoice{SerialNumbers: []string{"SN-1"}}}
	var at [3]time.Time
	step := func(i int) { k.Advance(time.Minute); at[i] = k.Now() }
	step(0)
	do(k, api.PickOutbound, h)
	step(1)
	do(k, api.PackOutbound, h)
	step(2)
	out := do(k, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: h.OutboundID}).Outbound
	s := out.Lines[0].Serials[0]
	require.Equal(k, at, [3]time.Time{*s.PickedAt, *s.PackedAt, *s.ShippedAt})
	require.Equal(k, s.SerialID, s.Serial.ID)
	require.Equal(k, api.Consumed, s.Serial.Status)
}

func unitsReported(k *fixture) {
	p := do(k, api.CreateProduct, api.CreateProductInput{SKU: "WINE", Name: "Wine", BaseUnitCode: "bottle", Units: []api.Unit{{UnitCode: "case", Factor: 6}}}).ID
	do(k, api.ReceiveStock, api.ReceiveStockInput{StockKey: api.StockKey{ProductID: p, LocationID: k.wh}, Quantity: ptr(int64(12)), UnitInput: api.UnitInput{UnitCode: "case", UnitQuantity: ptr(int64(2))}}, api.By("Ada"))
	for _, r := range do(k, api.ReportMovements, api.ReportMovementsInput{}).Items {
		require.Equal(k, []any{"case", int64(2), "bottle", int64(12)}, []any{r.UnitCode, r.UnitQuantity, r.BaseUnitCode, r.Quantity})
	}
}

func zerosRejected(k *fixture) {
	zero := ptr(int64(0))
	in := move(k.oats, k.wh, 0, api.Available, api.Damaged)
	in.UnitCode, in.UnitQuantity = "piece", zero
	require.ElementsMatch(k, []string{"quantity", "unitQuantity"}, k.invalidFields(mustFail(k, api.ValidationError, api.MoveStock, in)))
	require.Equal(k, []string{"quantity"}, k.invalidFields(mustFail(k, api.ValidationError, api.DisassembleStock, k.kits(k.oats, 0))))
	require.Equal(k, []string{"quantityDelta"}, k.invalidFields(mustFail(k, api.ValidationError, api.AdjustStock, adjust(k.oats, k.wh, api.OnHand, 0))))
	require.Equal(k, []string{"quantity"}, k.invalidFields(mustFail(k, api.ValidationError, api.CreateReservation, k.reserving(k.oats, 0, time.Hour))))
	require.Equal(k, []string{"quantity"}, k.invalidFields(mustFail(k, api.ValidationError, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: k.inbound(k.oats, 1).ID})))
	for _, op := range []api.Operation[api.HandleOutboundInput, api.OutboundResult]{api.AllocateOutbound, api.PickOutbound, api.UnpickOutbound, api.PackOutbound} {
		require.Equal(k, []string{"quantity"}, k.invalidFields(mustFail(k, api.ValidationError, op, api.HandleOutboundInput{OutboundID: k.outbound(1).Outbound.ID, Quantity: zero})))
	}

	id := k.outbound(1).Outbound.ID
	require.Equal(k, []string{"quantity"}, k.invalidFields(mustFail(k, api.ValidationError, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: id, Quantity: zero})))
}
