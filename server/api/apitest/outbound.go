package apitest

import (
	"fmt"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

var outboundTests = []test{
	{"create outbound", outboundCreated},
	{"pick, pack and fulfill outbound", outboundHandled},
	{"unpick outbound", outboundUnpicked},
	{"unpick serials of outbound", serialsUnpicked},
	{"unpick other lot of outbound", otherLotUnpicked},
	{"fulfill outbound without picking and packing", outboundSkipped},
	{"allocate outbound", outboundAllocated},
	{"allocate outbounds in order", outboundsAllocated},
	{"allocate many outbounds", outboundsAllocatedInParts},
	{"cancel outbound", outboundCancelled},
	{"fulfill outbound of another owner", outboundOwned},
	{"outbound with lines of the same product", outboundLines},
	{"outbound skips expired lots", outboundLots},
	{"outbound issues the named lots", outboundNamedLots},
	{"an outbound never gives up a lot that it has just used", outboundUsedLot},
	{"outbound issues the named lines", outboundNamedLines},
	{"list outbounds: filters", outboundsListed},
}

func (k *fixture) outbound(q int64) api.OutboundResult {
	k.Helper()
	return do(k, api.CreateOutbound, api.CreateOutboundInput{ProductID: k.oats, LocationID: k.wh, RequestedQuantity: &q})
}

// progress returns the requested, allocated, picked, packed and fulfilled quantities,
// then the pending quantities of the last four.
func progress(p api.Progress) []int64 {
	return []int64{p.RequestedQuantity, p.AllocatedQuantity, p.PickedQuantity, p.PackedQuantity, p.FulfilledQuantity,
		p.PendingAllocationQuantity, p.PendingPickQuantity, p.PendingPackQuantity, p.PendingFulfillmentQuantity}
}

func outboundCreated(k *fixture) {
	k.stock(k.oats, k.wh, 5)
	out := do(k, api.CreateOutbound, api.CreateOutboundInput{ProductID: k.oats, LocationID: k.wh, RequestedQuantity: ptr(int64(3)),
		CustomerName: "Ada", ExternalOrderType: "so", ExternalOrderID: "SO-1", Reference: api.Reference{ReferenceType: "order", ReferenceID: "R-1"}, Metadata: api.Metadata(`{"gift":true}`)})
	o := out.Outbound
	require.Equal(k, []string{"outbound_allocate available -3", "outbound_allocate committed +3"}, legs(out.Movements))
	require.Equal(k, "R-1", out.Movements[0].ReferenceID)
	require.Equal(k, api.OutboundAllocated, o.Status)
	require.Equal(k, []int64{3, 3, 0, 0, 0, 0, 3, 0, 3}, progress(o.Progress))
	require.Len(k, o.Lines, 1)
	require.Equal(k, o.Progress, o.Lines[0].Progress)
	require.Equal(k, []api.OutboundLineSerial{}, o.Lines[0].Serials)
	require.Equal(k, o.ID, o.Lines[0].OutboundID)
	require.Equal(k, k.Now(), *o.AllocatedAt)
	require.EqualValues(k, 1, o.Version)
	require.Equal(k, api.Quantities{OnHand: 5, Available: 2, Committed: 3}, out.Balance.Quantities)
	require.Equal(k, []api.Balance{out.Balance}, out.Balances)
	require.Equal(k, k.text(o), k.text(do(k, api.GetOutbound, api.OutboundInput{OutboundID: o.ID})))

	part := k.outbound(4).Outbound
	require.Equal(k, api.OutboundPartiallyAllocated, part.Status)
	require.Equal(k, []int64{4, 2, 0, 0, 0, 2, 2, 0, 2}, progress(part.Progress))
	none := k.outbound(1)
	require.Equal(k, api.OutboundBackordered, none.Outbound.Status)
	require.Empty(k, none.Movements)
	require.Nil(k, none.Outbound.AllocatedAt)
	require.EqualValues(k, 5, none.Balance.OnHand)
}

func outboundHandled(k *fixture) {
	k.stock(k.oats, k.wh, 5)
	id := k.outbound(4).Outbound.ID
	step := func(op api.Operation[api.HandleOutboundInput, api.OutboundResult], q int64, want api.OutboundStatus) {
		k.Helper()
		out := do(k, op, api.HandleOutboundInput{OutboundID: id, Quantity: &q})
		require.Equal(k, want, out.Outbound.Status)
		require.Len(k, out.Movements, 1)
		require.Zero(k, out.Movements[0].Quantity, "handling changes no quantity")
		require.Equal(k, api.Committed, out.Movements[0].InventoryState)
	}

	step(api.PickOutbound, 1, api.OutboundPartiallyPicked)
	k.requireDetails(mustFail(k, api.QuantityExceedsPending, api.PackOutbound, api.HandleOutboundInput{OutboundID: id, Quantity: ptr(int64(2))}), "pending", 1, "requested", 2)
	step(api.PickOutbound, 3, api.OutboundPicked)
	mustFail(k, api.NothingPending, api.PickOutbound, api.HandleOutboundInput{OutboundID: id})
	step(api.PackOutbound, 2, api.OutboundPartiallyPacked)
	step(api.PackOutbound, 2, api.OutboundPacked)
	out := do(k, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: id, Quantity: ptr(int64(3)), Reason: "first van"})
	require.Equal(k, []string{"outbound_fulfill committed -3", "outbound_fulfill onHand -3"}, legs(out.Movements))
	require.Equal(k, "first van", out.Movements[0].Reason)
	require.Equal(k, api.OutboundPartiallyFulfilled, out.Outbound.Status)
	k.requireDetails(mustFail(k, api.QuantityExceedsPending, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: id, Quantity: ptr(int64(2))}), "pending", 1, "requested", 2)
	out = do(k, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: id})
	require.Equal(k, api.OutboundFulfilled, out.Outbound.Status)
	require.Equal(k, k.Now(), *out.Outbound.FulfilledAt)
	require.Equal(k, api.Quantities{OnHand: 1, Available: 1}, out.Balance.Quantities)
	k.requireDetails(mustFail(k, api.OutboundNotOpen, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: id}), "status", api.OutboundFulfilled)
	mustFail(k, api.OutboundNotOpen, api.CancelOutbound, api.OutboundInput{OutboundID: id})
}

// outboundUnpicked puts back what is picked, what is not packed first. It stays allocated.
func outboundUnpicked(k *fixture) {
	milk := k.product("MILK")
	k.stock(k.oats, k.wh, 9)
	k.stock(milk, k.wh, 9)
	o := do(k, api.CreateOutbound, api.CreateOutboundInput{LocationID: k.wh, Lines: []api.OutboundLineInput{
		{ProductID: k.oats, RequestedQuantity: 6}, {ProductID: milk, RequestedQuantity: 4}}}).Outbound
	all, oats := api.HandleOutboundInput{OutboundID: o.ID}, api.HandleOutboundInput{OutboundID: o.ID, LineID: o.Lines[0].ID}
	of := func(q int64) api.HandleOutboundInput {
		in := oats
		in.Quantity = &q
		return in
	}
	k.requireDetails(mustFail(k, api.NothingPending, api.UnpickOutbound, all), "picked", 0, "allocated", 10)
	do(k, api.PickOutbound, all)
	do(k, api.PackOutbound, of(4))

	out := do(k, api.UnpickOutbound, of(1), api.By("Ada"))
	require.Equal(k, []string{"outbound_pick committed +0"}, legs(out.Movements))
	require.JSONEq(k, `{"unpicked":1,"lineId":"`+o.Lines[0].ID.String()+`"}`, string(out.Movements[0].Metadata))
	require.Equal(k, "put back on the shelf", out.Movements[0].Reason)
	require.Equal(k, []int64{6, 6, 5, 4, 0, 0, 1, 1, 6}, progress(out.Outbound.Lines[0].Progress))
	require.Equal(k, []int64{4, 4, 4, 0, 0, 0, 0, 4, 4}, progress(out.Outbound.Lines[1].Progress))
	require.Equal(k, api.Quantities{OnHand: 9, Available: 3, Committed: 6}, out.Balance.Quantities)
	out = do(k, api.UnpickOutbound, of(3))
	require.Equal(k, []string{"outbound_pack committed +0", "outbound_pick committed +0"}, legs(out.Movements))
	require.JSONEq(k, `{"unpacked":2,"lineId":"`+o.Lines[0].ID.String()+`"}`, string(out.Movements[0].Metadata))
	require.Equal(k, []int64{6, 6, 2, 2, 0, 0, 4, 0, 6}, progress(out.Outbound.Lines[0].Progress))
	k.requireDetails(mustFail(k, api.QuantityExceedsPending, api.UnpickOutbound, of(3)), "pending", 2, "requested", 3)
	mustFail(k, api.VersionConflict, api.UnpickOutbound, of(1), api.IfMatch(1))
	other := of(1)
	other.LineID = newID()
	mustFail(k, api.NotFound, api.UnpickOutbound, other)

	do(k, api.ShipOutbound, of(1))
	k.requireDetails(mustFail(k, api.QuantityExceedsPending, api.UnpickOutbound, of(2)), "pending", 1, "requested", 2)
	do(k, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: o.ID, Lines: []api.FulfilledLine{{LineID: o.Lines[1].ID, Quantity: 3}}})
	out = do(k, api.UnpickOutbound, all)
	require.Equal(k, []int64{10, 10, 4, 4, 3, 0, 6, 0, 7}, progress(out.Outbound.Progress), "what is shipped or fulfilled stays")
	require.Equal(k, []int64{6, 6, 1, 1, 0, 0, 5, 0, 6}, progress(out.Outbound.Lines[0].Progress))
	k.requireDetails(mustFail(k, api.NothingPending, api.UnpickOutbound, all), "picked", 4)
	require.Equal(k, api.OutboundFulfilled, do(k, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: o.ID}).Outbound.Status)
	mustFail(k, api.OutboundNotOpen, api.UnpickOutbound, all)
}

// otherLotUnpicked puts back a lot that was picked instead of the allocated one.
func otherLotUnpicked(k *fixture) {
	milk := k.tracked("MILK", api.TrackLot)
	k.receiveLot(milk, 2, "EARLY", ptr(k.Now().Add(24*time.Hour)))
	late := k.receiveLot(milk, 2, "LATE", ptr(k.Now().Add(48*time.Hour))).Movements[1].LotID
	in := api.HandleOutboundInput{LotID: late, Quantity: ptr(int64(2))}
	in.OutboundID = do(k, api.CreateOutbound, api.CreateOutboundInput{ProductID: milk, LocationID: k.wh, RequestedQuantity: ptr(int64(2))}).Outbound.ID
	do(k, api.PickOutbound, in)
	out := do(k, api.UnpickOutbound, in)
	require.Equal(k, []string{"outbound_pick committed +0", "outbound_allocate committed -2", "outbound_allocate available +2",
		"outbound_allocate available -2", "outbound_allocate committed +2"}, legs(out.Movements))
	lots := do(k, api.ListOutboundLots, api.OutboundInput{OutboundID: in.OutboundID}).Items
	require.Len(k, lots, 1)
	require.Equal(k, "EARLY", lots[0].LotCode)
	require.EqualValues(k, 2, lots[0].AllocatedQuantity)
}

func serialsUnpicked(k *fixture) {
	drill := k.tracked("DRILL", api.TrackSerial)
	k.receiveLot(drill, 4, "", nil, "A", "B", "C", "D")
	of := func(numbers ...string) api.HandleOutboundInput {
		return api.HandleOutboundInput{SerialChoice: api.SerialChoice{SerialNumbers: numbers}}
	}
	id := do(k, api.CreateOutbound, api.CreateOutboundInput{ProductID: drill, LocationID: k.wh, RequestedQuantity: ptr(int64(4))}).Outbound.ID
	handle := func(op api.Operation[api.HandleOutboundInput, api.OutboundResult], in api.HandleOutboundInput) api.OutboundResult {
		k.Helper()
		in.OutboundID = id
		return do(k, op, in)
	}
	held := func() (numbers []string) {
		for _, s := range do(k, api.GetOutbound, api.OutboundInput{OutboundID: id}).Lines[0].Serials {
			numbers = append(numbers, s.Serial.SerialNumber)
		}
		return numbers
	}
	handle(api.PickOutbound, of("A", "B", "C"))
	handle(api.PackOutbound, of("A", "B"))
	out := handle(api.UnpickOutbound, of("A"))
	require.Equal(k, "A", out.Movements[0].Serials[0].SerialNumber)
	require.Equal(k, []int64{4, 4, 2, 1, 0, 0, 2, 1, 4}, progress(out.Outbound.Progress), "the named serial is packed")
	is, _ := k.status(drill, "A")
	require.Equal(k, api.InStock, is)
	require.Equal(k, []string{"B", "C"}, held())
	in := of("A")
	in.OutboundID = id
	k.requireDetails(mustFail(k, api.SerialNotAvailable, api.UnpickOutbound, in), "serialNumber", "A", "status", api.InStock)

	handle(api.PickOutbound, of("A"))
	handle(api.ShipOutbound, of("B"))
	in.SerialNumbers = []string{"B"}
	mustFail(k, api.SerialNotAvailable, api.UnpickOutbound, in)
	one := of()
	one.Quantity = ptr(int64(1))
	require.Equal(k, "C", handle(api.UnpickOutbound, one).Movements[0].Serials[0].SerialNumber, "the first that is not packed")
	handle(api.PackOutbound, of("A"))
	out = handle(api.UnpickOutbound, of())
	require.Equal(k, []string{"outbound_pack committed +0", "outbound_pick committed +0"}, legs(out.Movements))
	require.Equal(k, []string{"B"}, held(), "it was shipped")
	handle(api.PickOutbound, of("D"))
	do(k, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: id, Quantity: ptr(int64(2))})
	is, _ = k.status(drill, "D")
	require.Equal(k, api.Consumed, is)
}

func outboundSkipped(k *fixture) {
	k.stock(k.oats, k.wh, 5)
	id := k.outbound(4).Outbound.ID
	do(k, api.PickOutbound, api.HandleOutboundInput{OutboundID: id, Quantity: ptr(int64(1))})
	out := do(k, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: id, Quantity: ptr(int64(3))})
	require.Equal(k, []int64{4, 4, 3, 3, 3, 0, 1, 0, 1}, progress(out.Outbound.Progress))
	mustFail(k, api.VersionConflict, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: id}, api.IfMatch(1))
	do(k, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: id}, api.IfMatch(3))
}

func outboundAllocated(k *fixture) {
	id := k.outbound(4).Outbound.ID
	mustFail(k, api.NothingPending, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: id})
	mustFail(k, api.NothingPending, api.PickOutbound, api.HandleOutboundInput{OutboundID: id})
	refused := func(code api.Code, q *int64, details ...any) {
		k.Helper()
		k.requireDetails(mustFail(k, code, api.AllocateOutbound, api.HandleOutboundInput{OutboundID: id, Quantity: q}), details...)
	}
	refused(api.InsufficientStock, nil, "current", 0, "requested", 4)
	k.stock(k.oats, k.wh, 3)
	refused(api.InsufficientStock, ptr(int64(4)), "current", 3, "requested", 4)
	refused(api.QuantityExceedsPending, ptr(int64(5)), "pending", 4, "requested", 5)
	out := do(k, api.AllocateOutbound, api.HandleOutboundInput{OutboundID: id, Quantity: ptr(int64(1))})
	require.Equal(k, []string{"outbound_allocate available -1", "outbound_allocate committed +1"}, legs(out.Movements))
	require.Equal(k, api.OutboundPartiallyAllocated, out.Outbound.Status)
	part := do(k, api.AllocateOutbound, api.HandleOutboundInput{OutboundID: id})
	require.EqualValues(k, 3, part.Outbound.AllocatedQuantity, "without a quantity, as much as is available")
	k.stock(k.oats, k.wh, 3)
	require.Equal(k, api.OutboundAllocated, do(k, api.AllocateOutbound, api.HandleOutboundInput{OutboundID: id}).Outbound.Status)
	refused(api.NothingPending, nil, "status", api.OutboundAllocated, "allocated", 4)
	require.Equal(k, api.Quantities{OnHand: 6, Available: 2, Committed: 4}, k.quantities(k.oats, k.wh))
}

func outboundsAllocated(k *fixture) {
	milk := k.product("MILK")
	day := func(n int) *time.Time { t := k.Now().AddDate(0, 0, n); return &t }
	order := func(reference string, ship *time.Time, lines ...api.OutboundLineInput) api.ID {
		in := api.CreateOutboundInput{LocationID: k.wh, Lines: lines, ExpectedShipAt: ship, ExternalOrderID: reference}
		return do(k, api.CreateOutbound, in).Outbound.ID
	}
	oats := api.OutboundLineInput{ProductID: k.oats, RequestedQuantity: 4}
	later, never, b := order("SO-1", day(2), oats), order("SO-2", nil, oats), order("SO-4", day(1), oats)
	a := order("SO-3", day(1), api.OutboundLineInput{ProductID: milk, RequestedQuantity: 2}, oats)
	cancelled := order("SO-0", day(0), oats)
	do(k, api.CancelOutbound, api.OutboundInput{OutboundID: cancelled})
	elsewhere := do(k, api.CreateOutbound, api.CreateOutboundInput{ProductID: k.oats, LocationID: k.shop, RequestedQuantity: ptr(int64(1)), ExternalOrderID: "SO-9"}).Outbound.ID
	all := []api.ID{a, b, later, never}

	waiting := func(in api.ListOutboundsInput) (ids []api.ID) {
		in.Pending, in.Limit = api.PendingAllocation, ptr(int64(3))
		for {
			page := do(k, api.ListOutbounds, in)
			for i := range page.Items {
				ids = append(ids, page.Items[i].ID)
			}
			if page.NextCursor == nil {
				return ids
			}
			in.Cursor = *page.NextCursor
		}
	}
	require.Equal(k, all, waiting(api.ListOutboundsInput{StockFilter: api.StockFilter{ProductID: k.oats, LocationID: k.wh}}))
	require.Equal(k, []api.ID{a}, waiting(api.ListOutboundsInput{StockFilter: api.StockFilter{ProductID: milk}}))
	require.Equal(k, append(all, elsewhere), waiting(api.ListOutboundsInput{}))
	require.Equal(k, []api.ID{b}, waiting(api.ListOutboundsInput{TextFilter: api.TextFilter{Query: "so-4"}}))

	k.requireDetails(mustFail(k, api.ValidationError, api.AllocateOutbounds, api.AllocateOutboundsInput{}))
	mustFail(k, api.NotFound, api.AllocateOutbounds, api.AllocateOutboundsInput{ProductID: newID()})
	mustFail(k, api.NotFound, api.AllocateOutbounds, api.AllocateOutboundsInput{LocationID: newID()})
	in := api.AllocateOutboundsInput{ProductID: k.oats, LocationID: k.wh}
	none := api.AllocateOutboundsResult{ProductID: k.oats, LocationID: k.wh, Items: []api.AllocatedOutbound{}}
	require.Equal(k, none, do(k, api.AllocateOutbounds, in), "nothing is available")
	mustFail(k, api.VersionConflict, api.AllocateOutbounds, in, api.IfMatch(1))

	k.stock(k.oats, k.wh, 10)
	k.stock(milk, k.wh, 2)
	k.Advance(1e9)
	want := none
	want.Items = []api.AllocatedOutbound{
		{ID: a, LocationID: k.wh, Reference: "SO-3", Quantity: 4, PendingAllocationQuantity: 2},
		{ID: b, LocationID: k.wh, Reference: "SO-4", Quantity: 4},
		{ID: later, LocationID: k.wh, Reference: "SO-1", Quantity: 2, PendingAllocationQuantity: 2}}
	require.Equal(k, want, do(k, api.AllocateOutbounds, in, api.Key("all"), api.By("Ada")))
	require.Equal(k, want, do(k, api.AllocateOutbounds, in, api.Key("all"), api.By("Ada")), "a retry has the same answer")
	mustFail(k, api.IdempotencyKeyReused, api.AllocateOutbounds, api.AllocateOutboundsInput{ProductID: milk}, api.Key("all"))
	require.Equal(k, api.Quantities{OnHand: 10, Committed: 10}, k.quantities(k.oats, k.wh))

	report := api.ReportMovementsInput{StockFilter: api.StockFilter{ProductID: k.oats}, Operation: api.OpOutboundAllocate}
	moved := map[string]int64{}
	for _, m := range do(k, api.ReportMovements, report).Items {
		if m.InventoryState == api.Committed {
			moved[m.ReferenceType+" "+m.ReferenceID] += m.Quantity
			require.Equal(k, "Ada", m.Operator)
		}
	}
	require.Equal(k, map[string]int64{"outbound " + a.String(): 4, "outbound " + b.String(): 4, "outbound " + later.String(): 2}, moved)

	doc := do(k, api.GetOutbound, api.OutboundInput{OutboundID: a})
	require.Equal(k, api.OutboundPartiallyAllocated, doc.Status)
	require.EqualValues(k, 2, doc.Version)
	require.Equal(k, k.Now(), doc.UpdatedAt)
	require.Equal(k, []api.ID{a, later, never, elsewhere}, waiting(api.ListOutboundsInput{}))
	got := do(k, api.AllocateOutbounds, api.AllocateOutboundsInput{LocationID: k.wh}).Items
	require.Equal(k, []api.AllocatedOutbound{{ID: a, LocationID: k.wh, Reference: "SO-3", Quantity: 2}}, got)
}

func outboundsAllocatedInParts(k *fixture) {
	in := api.CreateOutboundInput{ProductID: k.oats, LocationID: k.wh, RequestedQuantity: ptr(int64(1))}
	for range 102 {
		do(k, api.CreateOutbound, in)
	}
	k.stock(k.oats, k.wh, 101)
	out := do(k, api.AllocateOutbounds, api.AllocateOutboundsInput{LocationID: k.wh})
	require.Len(k, out.Items, 100)
	require.True(k, out.More)
	out = do(k, api.AllocateOutbounds, api.AllocateOutboundsInput{LocationID: k.wh})
	require.Len(k, out.Items, 1)
	require.False(k, out.More, "the last one waits for stock")
}

func outboundCancelled(k *fixture) {
	k.stock(k.oats, k.wh, 5)
	id := k.outbound(4).Outbound.ID
	do(k, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: id, Quantity: ptr(int64(1))})
	out := do(k, api.CancelOutbound, api.OutboundInput{OutboundID: id})
	require.Equal(k, []string{"outbound_cancel committed -3", "outbound_cancel available +3"}, legs(out.Movements))
	require.Equal(k, api.OutboundCancelled, out.Outbound.Status)
	require.Equal(k, k.Now(), *out.Outbound.CancelledAt)
	require.Equal(k, api.Quantities{OnHand: 4, Available: 4}, out.Balance.Quantities)
	for _, op := range []api.Operation[api.HandleOutboundInput, api.OutboundResult]{api.AllocateOutbound, api.PickOutbound, api.UnpickOutbound, api.PackOutbound} {
		mustFail(k, api.OutboundNotOpen, op, api.HandleOutboundInput{OutboundID: id})
	}

	none := k.outbound(50).Outbound.ID
	do(k, api.CancelOutbound, api.OutboundInput{OutboundID: none})
	require.Equal(k, api.Quantities{OnHand: 4, Available: 4}, k.quantities(k.oats, k.wh))
}

func outboundOwned(k *fixture) {
	owner := do(k, api.CreateOwner, api.CreatePlaceInput{Code: "ACME", Name: "Acme", Type: "company"}).ID
	channel := do(k, api.CreateChannel, api.CreatePlaceInput{Code: "WEB", Name: "Web", Type: "web"}).ID
	in := adjust(k.oats, k.wh, api.OnHand, 5)
	in.OwnerID, in.ChannelID = owner, channel
	do(k, api.AdjustStock, in)
	o := do(k, api.CreateOutbound, api.CreateOutboundInput{ProductID: k.oats, LocationID: k.wh, RequestedQuantity: ptr(int64(4)), OwnerID: owner, ChannelID: channel}).Outbound
	require.Equal(k, api.OutboundAllocated, o.Status)
	mustFail(k, api.OwnerMismatch, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: o.ID, OwnerID: k.Orgs[0].DefaultOwnerID})
	mustFail(k, api.ChannelMismatch, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: o.ID, ChannelID: k.Orgs[0].DefaultChannelID})
	do(k, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: o.ID, OwnerID: owner, ChannelID: channel, Quantity: ptr(int64(1))})
	require.Equal(k, api.OutboundFulfilled, do(k, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: o.ID}).Outbound.Status)
}

func outboundLines(k *fixture) {
	milk := k.product("MILK")
	k.stock(k.oats, k.wh, 5)
	k.stock(milk, k.wh, 1)
	out := do(k, api.CreateOutbound, api.CreateOutboundInput{LocationID: k.wh, Lines: []api.OutboundLineInput{
		{ProductID: k.oats, RequestedQuantity: 3}, {ProductID: milk, RequestedQuantity: 1}, {ProductID: k.oats, RequestedQuantity: 3}}})
	require.Equal(k, []int64{3, 1, 2}, []int64{out.Outbound.Lines[0].AllocatedQuantity, out.Outbound.Lines[1].AllocatedQuantity, out.Outbound.Lines[2].AllocatedQuantity})
	require.Equal(k, []int64{7, 6, 0, 0, 0, 1, 6, 0, 6}, progress(out.Outbound.Progress))
	require.Equal(k, k.oats, out.Outbound.ProductID)
	require.Len(k, out.Balances, 2)
	require.Equal(k, out.Balances[0], out.Balance)
	require.Equal(k, api.Quantities{OnHand: 5, Committed: 5}, out.Balance.Quantities)
	do(k, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: out.Outbound.ID})
	require.Equal(k, api.Quantities{}, k.quantities(milk, k.wh))
	e := mustFail(k, api.ValidationError, api.CreateOutbound, api.CreateOutboundInput{LocationID: k.wh, ProductID: k.oats, Lines: []api.OutboundLineInput{{ProductID: milk, RequestedQuantity: -1}}})
	require.ElementsMatch(k, []string{"lines", "lines[0].requestedQuantity"}, k.invalidFields(e))
}

func outboundLots(k *fixture) {
	k.receiveLot(k.oats, 3, "OLD", ptr(k.Now().Add(time.Hour)))
	k.receiveLot(k.oats, 3, "NEW", ptr(k.Now().Add(100*time.Hour)))
	require.Equal(k, []string{"OLD 1"}, lotsTaken(k.outbound(1).Movements))
	k.Advance(time.Hour)
	out := k.outbound(4)
	require.Equal(k, []string{"NEW 3"}, lotsTaken(out.Movements))
	require.Equal(k, api.OutboundPartiallyAllocated, out.Outbound.Status)
	gone := do(k, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: out.Outbound.ID})
	require.Equal(k, "NEW", gone.Movements[0].Lot.LotCode, "the allocated lot is fulfilled")
}

// A named lot replaces an allocated lot, but a picked one only if the request says so.
func outboundNamedLots(k *fixture) {
	receive := func(q int64, code string) api.ID {
		moves := k.receiveLot(k.oats, q, code, nil).Movements
		return moves[len(moves)-1].LotID
	}
	a, b := receive(5, "A"), receive(9, "B")
	o := k.outbound(5).Outbound
	do(k, api.PickOutbound, api.HandleOutboundInput{OutboundID: o.ID, Quantity: ptr(int64(3))})
	do(k, api.PackOutbound, api.HandleOutboundInput{OutboundID: o.ID, Quantity: ptr(int64(2))})
	held := api.OutboundLot{LineID: o.Lines[0].ID, LotID: a, LotCode: "A", AllocatedQuantity: 5, PickedQuantity: 3, PackedQuantity: 2}
	require.Equal(k, []api.OutboundLot{held}, do(k, api.ListOutboundLots, api.OutboundInput{OutboundID: o.ID}).Items)
	mustFail(k, api.NotFound, api.ListOutboundLots, api.OutboundInput{OutboundID: newID()})

	of := func(lot api.ID, q int64) api.FulfillOutboundInput {
		return api.FulfillOutboundInput{OutboundID: o.ID, Lots: []api.FulfilledLot{{LotID: lot, Quantity: q, LineID: o.Lines[0].ID}}}
	}
	k.requireDetails(mustFail(k, api.LotMismatch, api.FulfillOutbound, of(b, 3)), "lotCode", "B", "available", 9, "requested", 3)
	k.requireDetails(mustFail(k, api.QuantityExceedsPending, api.FulfillOutbound, of(b, 6)), "pending", 5, "requested", 6)
	other := of(b, 1)
	other.Lots[0].LineID = newID()
	mustFail(k, api.NotFound, api.FulfillOutbound, other)
	out := do(k, api.FulfillOutbound, of(b, 2))
	require.Equal(k, []string{"B 2"}, lotsIssued(out.Movements), "the unpicked part is exchanged")
	require.Equal(k, []int64{5, 5, 5, 4, 2, 0, 0, 1, 3}, progress(out.Outbound.Progress))
	mustFail(k, api.LotMismatch, api.FulfillOutbound, of(b, 1))
	swap := of(b, 1)
	swap.Lots[0].Swap = true
	require.Equal(k, []string{"B 1"}, lotsIssued(do(k, api.FulfillOutbound, swap).Movements))

	pick := api.HandleOutboundInput{OutboundID: o.ID, LotID: b, Quantity: ptr(int64(1))}
	mustFail(k, api.LotMismatch, api.PickOutbound, pick)
	pick.Swap = true
	out = do(k, api.PickOutbound, pick)
	require.EqualValues(k, 5, out.Outbound.PickedQuantity)
	require.Equal(k, []string{"A 1"}, lotsIssued(do(k, api.FulfillOutbound, of(a, 1)).Movements))
	require.Equal(k, []string{"B 1"}, lotsIssued(do(k, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: o.ID}).Movements))
	require.Equal(k, api.Quantities{OnHand: 9, Available: 9}, k.quantities(k.oats, k.wh))
}

// outboundUsedLot names two lots of a line, of which the second could only take the place of
// the first, because the rest is picked.
func outboundUsedLot(k *fixture) {
	var lots []api.ID
	for _, code := range []string{"A", "B", "C"} {
		moves := k.receiveLot(k.oats, 4, code, nil).Movements
		lots = append(lots, moves[len(moves)-1].LotID)
	}

	o := k.outbound(3).Outbound
	do(k, api.PickOutbound, api.HandleOutboundInput{OutboundID: o.ID, LotID: lots[1], Quantity: ptr(int64(2))})
	both := api.FulfillOutboundInput{OutboundID: o.ID, Lots: []api.FulfilledLot{
		{LotID: lots[0], Quantity: 1, LineID: o.Lines[0].ID}, {LotID: lots[2], Quantity: 1, LineID: o.Lines[0].ID}}}
	mustFail(k, api.LotMismatch, api.FulfillOutbound, both)
	both.Lots[1].Swap = true
	require.Equal(k, []string{"A 1", "C 1"}, lotsIssued(do(k, api.FulfillOutbound, both).Movements))
}

// outboundNamedLines fulfills named lines, and takes nothing of other lines in their place.
func outboundNamedLines(k *fixture) {
	milk := k.product("MILK")
	k.stock(k.oats, k.wh, 9)
	k.stock(milk, k.wh, 9)
	o := do(k, api.CreateOutbound, api.CreateOutboundInput{LocationID: k.wh, Lines: []api.OutboundLineInput{
		{ProductID: k.oats, RequestedQuantity: 6}, {ProductID: milk, RequestedQuantity: 4}}}).Outbound
	of := func(line int, q int64) api.FulfillOutboundInput {
		return api.FulfillOutboundInput{OutboundID: o.ID, Quantity: &q, Lines: []api.FulfilledLine{{LineID: o.Lines[line].ID, Quantity: q}}}
	}
	fulfilled := func() []int64 {
		now := do(k, api.GetOutbound, api.OutboundInput{OutboundID: o.ID})
		return []int64{now.Lines[0].FulfilledQuantity, now.Lines[1].FulfilledQuantity}
	}
	do(k, api.FulfillOutbound, of(1, 1))
	do(k, api.FulfillOutbound, of(0, 4))
	require.Equal(k, []int64{4, 1}, fulfilled())
	k.requireDetails(mustFail(k, api.QuantityExceedsPending, api.FulfillOutbound, of(0, 5)), "pending", 2, "requested", 5)
	other := of(0, 1)
	other.Lines[0].LineID = newID()
	mustFail(k, api.NotFound, api.FulfillOutbound, other)
	require.Equal(k, []int64{4, 1}, fulfilled())
	in := of(0, 2)
	in.Quantity = nil
	do(k, api.FulfillOutbound, in)
	require.Equal(k, []int64{6, 1}, fulfilled())
	k.requireDetails(mustFail(k, api.NothingPending, api.FulfillOutbound, of(0, 1)), "fulfilled", 7)
}

// lotsIssued returns the lots of the stock on hand that left: "B 2".
func lotsIssued(list []api.Movement) (out []string) {
	for _, m := range list {
		if m.InventoryState == api.OnHand && m.Quantity < 0 && m.Lot != nil {
			out = append(out, fmt.Sprintf("%s %d", m.Lot.LotCode, -m.Quantity))
		}
	}

	return out
}

func outboundsListed(k *fixture) {
	milk := k.product("MILK")
	a := k.outbound(1).Outbound.ID
	k.Advance(time.Minute)
	noon := k.Now()
	b := do(k, api.CreateOutbound, api.CreateOutboundInput{LocationID: k.shop, ExternalOrderType: "so", ExternalOrderID: "1",
		Lines: []api.OutboundLineInput{{ProductID: milk, RequestedQuantity: 1}, {ProductID: k.oats, RequestedQuantity: 1}}}).Outbound.ID
	do(k, api.CancelOutbound, api.OutboundInput{OutboundID: b})
	for name, x := range map[string]struct {
		in   api.ListOutboundsInput
		want []api.ID
	}{
		"all":          {api.ListOutboundsInput{}, []api.ID{b, a}},
		"cancelled":    {api.ListOutboundsInput{Status: api.OutboundCancelled}, []api.ID{b}},
		"backordered":  {api.ListOutboundsInput{Status: api.OutboundBackordered}, []api.ID{a}},
		"product":      {api.ListOutboundsInput{StockFilter: api.StockFilter{ProductID: milk}}, []api.ID{b}},
		"second line":  {api.ListOutboundsInput{StockFilter: api.StockFilter{ProductID: k.oats}}, []api.ID{b, a}},
		"location":     {api.ListOutboundsInput{StockFilter: api.StockFilter{LocationID: k.wh}}, []api.ID{a}},
		"order":        {api.ListOutboundsInput{ExternalOrderType: "so", ExternalOrderID: "1"}, []api.ID{b}},
		"from":         {api.ListOutboundsInput{CreatedFrom: &noon}, []api.ID{b}},
		"to":           {api.ListOutboundsInput{CreatedTo: &noon}, []api.ID{a}},
		"other owner":  {api.ListOutboundsInput{StockFilter: api.StockFilter{OwnerID: newID()}}, nil},
		"same channel": {api.ListOutboundsInput{StockFilter: api.StockFilter{ChannelID: k.Orgs[0].DefaultChannelID}}, []api.ID{b, a}},
	} {
		for _, limit := range []int64{1, 100} {
			var got []api.ID
			for in, more := x.in, true; more; {
				in.Limit = &limit
				page := do(k, api.ListOutbounds, in)
				for _, o := range page.Items {
					require.NotNil(k, o.Location)
					got = append(got, o.ID)
				}
				if more = page.NextCursor != nil; more {
					in.Cursor = *page.NextCursor
				}
			}

			require.Equal(k, x.want, got, "%s, %d a page", name, limit)
		}
	}
}
