package ledger_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

// order creates an outbound of one product at the warehouse.
func (f *fixture) order(product api.ID, q int64) api.OutboundResult {
	f.t.Helper()
	return doTwice(f, api.CreateOutbound, api.CreateOutboundInput{ProductID: product, LocationID: f.wh, RequestedQuantity: &q})
}

func (f *fixture) outbound(id api.ID) api.Outbound {
	f.t.Helper()
	out, err := api.GetOutbound.Call(context.Background(), f.svc, api.OutboundInput{OutboundID: id})
	require.NoError(f.t, err)
	return out
}

// progress returns the requested, allocated, picked, packed and fulfilled quantities.
func progress(p api.Progress) [5]int64 {
	return [5]int64{p.RequestedQuantity, p.AllocatedQuantity, p.PickedQuantity, p.PackedQuantity, p.FulfilledQuantity}
}

func TestOutbound(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.receive(f.oats, f.wh, 10, "", nil)
	q := int64(6)
	created := doTwice(f, api.CreateOutbound, api.CreateOutboundInput{ProductID: f.oats, LocationID: f.wh, RequestedQuantity: &q,
		CustomerName: "Eve", ExternalOrderType: "shop", ExternalOrderID: "S-1", Reference: api.Reference{ReferenceType: "so", ReferenceID: "SO-1"},
		ExpectedShipAt: f.in(3), Metadata: api.Metadata(`{"gift":true}`)})
	o := created.Outbound
	require.Equal(t, api.OutboundAllocated, o.Status)
	require.Equal(t, []string{"outbound_allocate available -6", "outbound_allocate committed +6"}, steps(created.Movements))
	require.Equal(t, "SO-1", created.Movements[0].ReferenceID)
	require.Equal(t, created.Balance, created.Balances[0])
	require.Len(t, created.Balances, 1)
	require.EqualValues(t, 1, o.Version)
	require.NotNil(t, o.AllocatedAt)
	require.Equal(t, "OATS", o.Product.SKU)
	require.Equal(t, "WH", o.Lines[0].Location.Code)
	require.Equal(t, o.ID, o.Lines[0].OutboundID)
	require.JSONEq(t, `{"gift":true}`, string(o.Metadata))
	require.Equal(t, [4]int64{0, 6, 0, 6}, [4]int64{o.PendingAllocationQuantity, o.PendingPickQuantity, o.PendingPackQuantity, o.PendingFulfillmentQuantity})

	do := func(op api.Operation[api.HandleOutboundInput, api.OutboundResult], q int64) api.OutboundResult {
		return doTwice(f, op, api.HandleOutboundInput{OutboundID: o.ID, Quantity: &q})
	}
	picked := do(api.PickOutbound, 4)
	require.Equal(t, api.OutboundPartiallyPicked, picked.Outbound.Status)
	require.Equal(t, []string{"outbound_pick committed +0"}, steps(picked.Movements))
	require.JSONEq(t, `{"picked":4,"lineId":"`+o.Lines[0].ID.String()+`"}`, string(picked.Movements[0].Metadata))
	require.EqualValues(t, 2, picked.Outbound.Version)
	packed := do(api.PackOutbound, 3)
	require.Equal(t, api.OutboundPartiallyPacked, packed.Outbound.Status)
	require.JSONEq(t, `{"packed":3,"lineId":"`+o.Lines[0].ID.String()+`"}`, string(packed.Movements[0].Metadata))
	require.Equal(t, [5]int64{6, 6, 4, 3, 0}, progress(packed.Outbound.Progress))

	sent := doTwice(f, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: o.ID, Quantity: some(int64(2)), Reason: "van", Metadata: api.Metadata(`{"van":7}`)})
	require.Equal(t, []string{"outbound_fulfill committed -2", "outbound_fulfill onHand -2"}, steps(sent.Movements))
	require.Equal(t, "van", sent.Movements[0].Reason)
	require.JSONEq(t, `{"van":7}`, string(sent.Movements[0].Metadata))
	require.Equal(t, [5]int64{6, 6, 4, 3, 2}, progress(sent.Outbound.Progress))
	require.Equal(t, api.OutboundPartiallyFulfilled, sent.Outbound.Status)
	require.Nil(t, sent.Outbound.CancelledAt)

	all := doTwice(f, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: o.ID, OwnerID: f.org.DefaultOwnerID, ChannelID: f.org.DefaultChannelID})
	require.Equal(t, [5]int64{6, 6, 6, 6, 6}, progress(all.Outbound.Progress), "picked and packed rise with it")
	require.Equal(t, api.OutboundFulfilled, all.Outbound.Status)
	require.NotNil(t, all.Outbound.FulfilledAt)
	require.Equal(t, api.Quantities{OnHand: 4, Available: 4}, all.Balance.Quantities)
	require.Equal(t, encoded(t, all.Outbound), encoded(t, f.outbound(o.ID)))
}

func TestOutbound_PickAndPackAll(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.receive(f.oats, f.wh, 6, "", nil)
	id := api.HandleOutboundInput{OutboundID: f.order(f.oats, 6).Outbound.ID}
	require.Equal(t, api.OutboundPicked, doTwice(f, api.PickOutbound, id).Outbound.Status)
	require.Equal(t, api.OutboundPacked, doTwice(f, api.PackOutbound, id).Outbound.Status)
	details := requireRefused(f, api.NothingPending, api.PackOutbound, id)
	require.EqualValues(t, 6, details["packed"])
}

func TestOutbound_Backordered(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	created := f.order(f.oats, 5)
	require.Equal(t, api.OutboundBackordered, created.Outbound.Status)
	require.Nil(t, created.Outbound.AllocatedAt)
	require.Equal(t, "[]", encoded(t, created.Movements))
	require.Equal(t, f.wh, created.Balance.LocationID)
	id := api.HandleOutboundInput{OutboundID: created.Outbound.ID}
	details := requireRefused(f, api.InsufficientStock, api.AllocateOutbound, id)
	require.EqualValues(t, 0, details["current"])
	require.EqualValues(t, 5, details["requested"])
	requireRefused(f, api.NothingPending, api.PickOutbound, id)
	requireRefused(f, api.NothingPending, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: id.OutboundID})

	f.receive(f.oats, f.wh, 3, "", nil)
	id.Quantity = some(int64(4))
	details = requireRefused(f, api.InsufficientStock, api.AllocateOutbound, id)
	require.EqualValues(t, 3, details["current"])
	require.EqualValues(t, 4, details["requested"])
	id.Quantity = some(int64(6))
	require.Equal(t, api.Details{"pending": int64(5), "requested": int64(6)}, requireRefused(f, api.QuantityExceedsPending, api.AllocateOutbound, id))
	id.Quantity = some(int64(1))
	require.Equal(t, api.OutboundPartiallyAllocated, doTwice(f, api.AllocateOutbound, id).Outbound.Status)
	id.Quantity = nil
	got := doTwice(f, api.AllocateOutbound, id)
	require.EqualValues(t, 3, got.Outbound.AllocatedQuantity, "without a quantity, as much as is available")
	require.Equal(t, []string{"outbound_allocate available -2", "outbound_allocate committed +2"}, steps(got.Movements))
	f.receive(f.oats, f.wh, 9, "", nil)
	require.Equal(t, api.OutboundAllocated, doTwice(f, api.AllocateOutbound, id).Outbound.Status)
	details = requireRefused(f, api.NothingPending, api.AllocateOutbound, id)
	require.Equal(t, api.OutboundAllocated, details["status"])
	require.EqualValues(t, 5, details["allocated"])
}

func TestOutbound_Rejects(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.receive(f.oats, f.wh, 9, "", nil)
	unknown := uuid.New()
	in := api.CreateOutboundInput{LocationID: f.wh, Lines: []api.OutboundLineInput{{ProductID: f.oats, RequestedQuantity: 1}, {ProductID: unknown, RequestedQuantity: 1}}}
	require.Equal(t, unknown, requireRefused(f, api.NotFound, api.CreateOutbound, in)["lines[1].productId"])
	in.Lines[1] = api.OutboundLineInput{ProductID: f.oats, RequestedQuantity: api.MaxQuantity}
	requireRefused(f, api.QuantityTooLarge, api.CreateOutbound, in)
	in.Lines[1].RequestedQuantity, in.LocationID = 1, unknown
	require.Equal(t, unknown, requireRefused(f, api.NotFound, api.CreateOutbound, in)["locationId"])
	requireRefused(f, api.ValidationError, api.CreateOutbound, api.CreateOutboundInput{LocationID: f.wh})
	archived := f.product("GONE", api.TrackNone)
	doTwice(f, api.ArchiveProduct, api.ProductInput{ProductID: archived})
	requireRefused(f, api.ProductArchived, api.CreateOutbound, api.CreateOutboundInput{LocationID: f.wh, ProductID: archived, RequestedQuantity: some(int64(1))})
	_, err := api.GetOutbound.Call(t.Context(), f.svc, api.OutboundInput{OutboundID: unknown})
	require.True(t, api.HasCode(err, api.NotFound))
	requireRefused(f, api.NotFound, api.PickOutbound, api.HandleOutboundInput{OutboundID: unknown})

	o := f.order(f.oats, 4).Outbound
	handle := api.HandleOutboundInput{OutboundID: o.ID, Quantity: some(int64(5))}
	exceeds := api.Details{"pending": int64(4), "requested": int64(5)}
	require.Equal(t, exceeds, requireRefused(f, api.QuantityExceedsPending, api.PickOutbound, handle))
	require.Equal(t, exceeds, requireRefused(f, api.QuantityExceedsPending, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: o.ID, Quantity: some(int64(5))}))
	requireRefused(f, api.NothingPending, api.PackOutbound, handle)
	requireRefused(f, api.NotFound, api.PickOutbound, api.HandleOutboundInput{OutboundID: o.ID, ProductID: f.milk})
	requireRefused(f, api.NotFound, api.PickOutbound, api.HandleOutboundInput{OutboundID: o.ID, LotID: unknown})
	owner := doTwice(f, api.CreateOwner, api.CreatePlaceInput{Code: "O2", Name: "O2", Type: "client"}).ID
	details := requireRefused(f, api.OwnerMismatch, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: o.ID, OwnerID: owner})
	require.Equal(t, api.Details{"ownerId": f.org.DefaultOwnerID, "requested": owner}, details)
	details = requireRefused(f, api.ChannelMismatch, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: o.ID, ChannelID: unknown})
	require.Equal(t, f.org.DefaultChannelID, details["channelId"])
	requireRefused(f, api.VersionConflict, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: o.ID}, api.IfMatch(2))
	doTwice(f, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: o.ID}, api.IfMatch(1))
	require.Equal(t, api.OutboundFulfilled, requireRefused(f, api.OutboundNotOpen, api.CancelOutbound, api.OutboundInput{OutboundID: o.ID})["status"])
	requireRefused(f, api.OutboundNotOpen, api.AllocateOutbound, handle)
	requireRefused(f, api.OutboundNotOpen, api.PickOutbound, handle)
	requireRefused(f, api.OutboundNotOpen, api.PackOutbound, handle)
	requireRefused(f, api.OutboundNotOpen, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: o.ID})
}

// An outbound of a second owner is fulfilled without naming the owner.
func TestOutbound_SecondOwner(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	owner := doTwice(f, api.CreateOwner, api.CreatePlaceInput{Code: "O2", Name: "O2", Type: "client"}).ID
	in := doTwice(f, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: f.oats, LocationID: f.wh, OwnerID: owner}, ExpectedQuantity: 3})
	doTwice(f, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.Inbound.ID, Quantity: 3})
	o := doTwice(f, api.CreateOutbound, api.CreateOutboundInput{ProductID: f.oats, LocationID: f.wh, OwnerID: owner, RequestedQuantity: some(int64(3))})
	require.Equal(t, api.OutboundAllocated, o.Outbound.Status)
	out := doTwice(f, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: o.Outbound.ID})
	require.Equal(t, owner, out.Balance.OwnerID)
	require.Zero(t, out.Balance.OnHand)
}

func TestCancelOutbound(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	created := f.order(f.oats, 5)
	out := doTwice(f, api.CancelOutbound, api.OutboundInput{OutboundID: created.Outbound.ID})
	require.Equal(t, "[]", encoded(t, out.Movements), "nothing was allocated")
	require.Equal(t, api.OutboundCancelled, out.Outbound.Status)

	for _, n := range []string{"A", "B", "C"} {
		f.receive(f.phone, f.wh, 1, "", nil, n)
	}
	o := f.order(f.phone, 3).Outbound
	doTwice(f, api.PickOutbound, api.HandleOutboundInput{OutboundID: o.ID, SerialChoice: api.SerialChoice{SerialNumbers: []string{"A", "B"}}})
	doTwice(f, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: o.ID, SerialChoice: api.SerialChoice{SerialNumbers: []string{"A"}}})
	out = doTwice(f, api.CancelOutbound, api.OutboundInput{OutboundID: o.ID})
	require.Equal(t, []string{"outbound_cancel committed -2 #B", "outbound_cancel available +2 #B"}, steps(out.Movements))
	require.Equal(t, api.OutboundCancelled, out.Outbound.Status)
	require.NotNil(t, out.Outbound.CancelledAt)
	require.Equal(t, [5]int64{3, 1, 1, 1, 1}, progress(out.Outbound.Progress))
	require.Zero(t, out.Outbound.PendingFulfillmentQuantity)
	require.Len(t, out.Outbound.Lines[0].Serials, 1)
	require.Equal(t, api.InStock, f.serial("B").Status)
	require.Equal(t, api.Consumed, f.serial("A").Status)
	require.Equal(t, api.OutboundCancelled, requireRefused(f, api.OutboundNotOpen, api.CancelOutbound, api.OutboundInput{OutboundID: o.ID})["status"])
	again := f.order(f.phone, 2).Outbound
	doTwice(f, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: again.ID, SerialChoice: api.SerialChoice{SerialNumbers: []string{"B", "C"}}})
}

func TestOutbound_Lines(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.receive(f.oats, f.wh, 5, "", nil)
	f.receive(f.phone, f.wh, 1, "", nil, "A")
	created := doTwice(f, api.CreateOutbound, api.CreateOutboundInput{LocationID: f.wh, Lines: []api.OutboundLineInput{
		{ProductID: f.oats, RequestedQuantity: 4}, {ProductID: f.phone, RequestedQuantity: 2}, {ProductID: f.oats, RequestedQuantity: 4}}})
	o := created.Outbound
	require.Equal(t, f.oats, o.ProductID)
	require.Len(t, created.Balances, 2, "a balance is shown once")
	require.Equal(t, [5]int64{10, 6, 0, 0, 0}, progress(o.Progress))
	require.Equal(t, [3]int64{4, 1, 1}, [3]int64{o.Lines[0].AllocatedQuantity, o.Lines[1].AllocatedQuantity, o.Lines[2].AllocatedQuantity},
		"lines of one product share the available stock")
	require.Equal(t, api.Quantities{OnHand: 5, Committed: 5}, created.Balance.Quantities)

	out := doTwice(f, api.PickOutbound, api.HandleOutboundInput{OutboundID: o.ID, ProductID: f.oats})
	require.Equal(t, [5]int64{10, 6, 5, 0, 0}, progress(out.Outbound.Progress))
	require.Equal(t, []string{"outbound_pick committed +0", "outbound_pick committed +0"}, steps(out.Movements))
	out = doTwice(f, api.PickOutbound, api.HandleOutboundInput{OutboundID: o.ID, SerialChoice: api.SerialChoice{SerialNumbers: []string{"A"}}})
	require.Len(t, out.Outbound.Lines[1].Serials, 1)
	require.Equal(t, f.phone, out.Balance.ProductID)
	out = doTwice(f, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: o.ID, Quantity: some(int64(5))})
	require.Equal(t, []string{"outbound_fulfill committed -4", "outbound_fulfill onHand -4", "outbound_fulfill committed -1 #A", "outbound_fulfill onHand -1 #A"},
		steps(out.Movements), "a quantity fills the lines in order")
	f.receive(f.oats, f.wh, 1, "", nil)
	f.receive(f.phone, f.wh, 1, "", nil, "B")
	out = doTwice(f, api.AllocateOutbound, api.HandleOutboundInput{OutboundID: o.ID})
	require.Equal(t, [5]int64{10, 8, 6, 5, 5}, progress(out.Outbound.Progress))
	out = doTwice(f, api.CancelOutbound, api.OutboundInput{OutboundID: o.ID})
	require.Equal(t, []string{"outbound_cancel committed -1", "outbound_cancel available +1", "outbound_cancel committed -2", "outbound_cancel available +2"}, steps(out.Movements))
	require.Len(t, out.Balances, 2)
}

func TestListOutbounds(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.receive(f.oats, f.wh, 5, "", nil)
	a, b := f.order(f.oats, 5).Outbound, f.order(f.milk, 5).Outbound
	c := doTwice(f, api.CreateOutbound, api.CreateOutboundInput{LocationID: f.shop, ExternalOrderType: "shop", ExternalOrderID: "S-1",
		Lines: []api.OutboundLineInput{{ProductID: f.milk, RequestedQuantity: 1}, {ProductID: f.oats, RequestedQuantity: 1}}}).Outbound
	list := func(in api.ListOutboundsInput) (out []api.ID) {
		for {
			page, err := api.ListOutbounds.Call(t.Context(), f.svc, in)
			require.NoError(t, err)
			for _, x := range page.Items {
				require.NotNil(t, x.Location)
				out = append(out, x.ID)
			}
			if page.NextCursor == nil {
				return out
			}
			in.Cursor = *page.NextCursor
		}
	}
	all := []api.ID{c.ID, b.ID, a.ID}
	require.Equal(t, all, list(api.ListOutboundsInput{}))
	require.Equal(t, all, list(api.ListOutboundsInput{Page: api.Page{Limit: some(int64(1))}, StockFilter: api.StockFilter{OwnerID: f.org.DefaultOwnerID, ChannelID: f.org.DefaultChannelID}}))
	require.Equal(t, []api.ID{c.ID, a.ID}, list(api.ListOutboundsInput{StockFilter: api.StockFilter{ProductID: f.oats}}), "by the product of any line")
	require.Equal(t, []api.ID{c.ID, b.ID}, list(api.ListOutboundsInput{StockFilter: api.StockFilter{ProductID: f.milk}, Page: api.Page{Limit: some(int64(1))}}))
	require.Equal(t, []api.ID{a.ID}, list(api.ListOutboundsInput{Status: api.OutboundAllocated}))
	require.Equal(t, []api.ID{c.ID, b.ID}, list(api.ListOutboundsInput{Status: api.OutboundBackordered}))
	require.Equal(t, all[:1], list(api.ListOutboundsInput{StockFilter: api.StockFilter{LocationID: f.shop}}))
	require.Equal(t, all[:1], list(api.ListOutboundsInput{ExternalOrderType: "shop", ExternalOrderID: "S-1"}))
	require.Equal(t, all[:2], list(api.ListOutboundsInput{CreatedFrom: &b.CreatedAt}))
	require.Equal(t, all[2:], list(api.ListOutboundsInput{CreatedTo: &b.CreatedAt}))
	require.Empty(t, list(api.ListOutboundsInput{StockFilter: api.StockFilter{OwnerID: uuid.New()}}))
	f.pass(time.Hour)
}
