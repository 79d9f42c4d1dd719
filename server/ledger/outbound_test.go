package ledger_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
)

// order creates an outbound of one product at the warehouse.
func (f *fixture) order(product api.ID, q int64) api.OutboundResult {
	f.t.Helper()
	return doTwice(f, api.CreateOutbound, api.CreateOutboundInput{ProductID: product, LocationID: f.wh, RequestedQuantity: &q})
}

func (f *fixture) outbound(id api.ID) api.Outbound {
	f.t.Helper()
	return ledgertest.Do(f.World, api.GetOutbound, api.OutboundInput{OutboundID: id})
}

// outboundLots returns how much an outbound holds of each lot.
func (f *fixture) outboundLots(id api.ID) map[string]int64 {
	f.t.Helper()
	held := map[string]int64{}
	for _, l := range ledgertest.Do(f.World, api.ListOutboundLots, api.OutboundInput{OutboundID: id}).Items {
		held[l.LotCode] = l.AllocatedQuantity
	}
	return held
}

// progress returns the requested, allocated, picked, packed and fulfilled quantities.
func progress(p api.Progress) [5]int64 {
	return [5]int64{p.RequestedQuantity, p.AllocatedQuantity, p.PickedQuantity, p.PackedQuantity, p.FulfilledQuantity}
}

// The contract has the progress and balances of an outbound.
func TestOutbound_MovementsOfSteps(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.receive(f.oats, f.wh, 10, "", nil)
	o := f.order(f.oats, 6).Outbound
	require.Equal(t, "OATS", o.Product.SKU)
	require.Equal(t, "WH", o.Lines[0].Location.Code)
	handle := api.HandleOutboundInput{OutboundID: o.ID, Quantity: some(int64(4))}
	picked := doTwice(f, api.PickOutbound, handle)
	require.Equal(t, []string{"outbound_pick committed +0"}, steps(picked.Movements))
	require.JSONEq(t, `{"picked":4,"lineId":"`+o.Lines[0].ID.String()+`"}`, string(picked.Movements[0].Metadata))
	require.EqualValues(t, 2, picked.Outbound.Version)
	handle.Quantity = some(int64(3))
	packed := doTwice(f, api.PackOutbound, handle)
	require.JSONEq(t, `{"packed":3,"lineId":"`+o.Lines[0].ID.String()+`"}`, string(packed.Movements[0].Metadata))
	sent := doTwice(f, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: o.ID, Quantity: some(int64(2)), Metadata: api.Metadata(`{"van":7}`)})
	require.JSONEq(t, `{"van":7}`, string(sent.Movements[0].Metadata))
	require.Equal(t, [5]int64{6, 6, 4, 3, 2}, progress(sent.Outbound.Progress))
	require.Nil(t, sent.Outbound.CancelledAt)

	handle.Quantity = nil
	require.Equal(t, api.OutboundPartiallyFulfilled, doTwice(f, api.PickOutbound, handle).Outbound.Status)
	doTwice(f, api.PackOutbound, handle)
	require.EqualValues(t, 6, requireRefused(f, api.NothingPending, api.PackOutbound, handle)["packed"])
	all := doTwice(f, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: o.ID})
	require.Equal(t, [5]int64{6, 6, 6, 6, 6}, progress(all.Outbound.Progress))
	require.Equal(t, encoded(t, all.Outbound), encoded(t, f.outbound(o.ID)))
	list, err := api.ListOutbounds.Call(t.Context(), f.Service, api.ListOutboundsInput{})
	require.NoError(t, err)
	require.NotNil(t, list.Items[0].Location)
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
	_, err := api.GetOutbound.Call(t.Context(), f.Service, api.OutboundInput{OutboundID: unknown})
	require.True(t, api.HasCode(err, api.NotFound))
	requireRefused(f, api.NotFound, api.PickOutbound, api.HandleOutboundInput{OutboundID: unknown})

	o := f.order(f.oats, 4).Outbound
	handle := api.HandleOutboundInput{OutboundID: o.ID, Quantity: some(int64(5))}
	exceeds := api.Details{"pending": int64(4), "requested": int64(5)}
	require.Equal(t, exceeds, requireRefused(f, api.QuantityExceedsPending, api.PickOutbound, handle))
	requireRefused(f, api.NothingPending, api.PackOutbound, handle)
	requireRefused(f, api.NotFound, api.PickOutbound, api.HandleOutboundInput{OutboundID: o.ID, ProductID: f.milk})
	requireRefused(f, api.NotFound, api.PickOutbound, api.HandleOutboundInput{OutboundID: o.ID, LotID: unknown})
	owner := doTwice(f, api.CreateOwner, api.CreatePlaceInput{Code: "O2", Name: "O2", Type: "client"}).ID
	details := requireRefused(f, api.OwnerMismatch, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: o.ID, OwnerID: owner})
	require.Equal(t, api.Details{"ownerId": f.Org.DefaultOwnerID, "requested": owner}, details)
	details = requireRefused(f, api.ChannelMismatch, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: o.ID, ChannelID: unknown})
	require.Equal(t, f.Org.DefaultChannelID, details["channelId"])
	doTwice(f, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: o.ID})
	require.Equal(t, api.OutboundFulfilled, requireRefused(f, api.OutboundNotOpen, api.CancelOutbound, api.OutboundInput{OutboundID: o.ID})["status"])
}

func TestCancelOutbound(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	created := f.order(f.oats, 5)
	out := doTwice(f, api.CancelOutbound, api.OutboundInput{OutboundID: created.Outbound.ID})
	require.Equal(t, "[]", encoded(t, out.Movements), "nothing was allocated")

	for _, n := range []string{"A", "B", "C"} {
		f.receive(f.phone, f.wh, 1, "", nil, n)
	}
	o := f.order(f.phone, 3).Outbound
	doTwice(f, api.PickOutbound, api.HandleOutboundInput{OutboundID: o.ID, SerialChoice: api.SerialChoice{SerialNumbers: []string{"A", "B"}}})
	doTwice(f, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: o.ID, SerialChoice: api.SerialChoice{SerialNumbers: []string{"A"}}})
	out = doTwice(f, api.CancelOutbound, api.OutboundInput{OutboundID: o.ID})
	require.Equal(t, []string{"outbound_cancel committed -2 #B", "outbound_cancel available +2 #B"}, steps(out.Movements))
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
	o := doTwice(f, api.CreateOutbound, api.CreateOutboundInput{LocationID: f.wh, Lines: []api.OutboundLineInput{
		{ProductID: f.oats, RequestedQuantity: 4}, {ProductID: f.phone, RequestedQuantity: 2}, {ProductID: f.oats, RequestedQuantity: 4}}}).Outbound

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
