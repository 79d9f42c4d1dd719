package ledger_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

func TestOutbound_Lots(t *testing.T) {
	t.Parallel()
	d := newFixture(t)
	d.receive(d.milk, d.wh, 2, "OLD", d.in(2))
	late := d.receive(d.milk, d.wh, 4, "LATE", d.in(90))
	early := d.receive(d.milk, d.wh, 3, "EARLY", d.in(30))
	d.pass(72 * time.Hour)
	created := d.order(d.milk, 9)
	require.Equal(t, []string{"outbound_allocate available -3 EARLY", "outbound_allocate available -4 LATE",
		"outbound_allocate committed +3 EARLY", "outbound_allocate committed +4 LATE"}, steps(created.Movements), "expired lots are not allocated")
	require.EqualValues(t, 7, created.Outbound.AllocatedQuantity)
	id := created.Outbound.ID
	details := requireRefused(d, api.InsufficientStock, api.AllocateOutbound, api.HandleOutboundInput{OutboundID: id})
	require.EqualValues(t, 0, details["current"])
	require.EqualValues(t, 2, details["requested"])
	require.EqualValues(t, 2, details["expired"], "expired stock that the balance counts as available")
	old := d.lot("OLD")
	details = requireRefused(d, api.InsufficientStock, api.AllocateOutbound, api.HandleOutboundInput{OutboundID: id, LotID: old})
	require.Equal(t, "OLD", details["lotCode"])

	// Another lot can be exchanged only if it has stock available.
	details = requireRefused(d, api.LotMismatch, api.PickOutbound, api.HandleOutboundInput{OutboundID: id, LotID: old, Quantity: some(int64(1))})
	require.Equal(t, "OLD", details["lotCode"])
	require.Contains(t, encoded(t, details["allocated"]), early.String())
	require.EqualValues(t, 0, details["available"])
	out := doTwice(d, api.PickOutbound, api.HandleOutboundInput{OutboundID: id, LotID: late})
	require.Equal(t, []string{"outbound_pick committed +0 LATE"}, steps(out.Movements))
	require.EqualValues(t, 4, out.Outbound.PickedQuantity, "without a quantity, all of the lot")
	details = requireRefused(d, api.LotMismatch, api.PackOutbound, api.HandleOutboundInput{OutboundID: id, LotID: early})
	require.Equal(t, "EARLY", details["lotCode"])

	newest := d.receive(d.milk, d.wh, 2, "NEW", d.in(120))
	out = doTwice(d, api.PickOutbound, api.HandleOutboundInput{OutboundID: id, LotID: newest, Quantity: some(int64(2))})
	require.Equal(t, []string{"outbound_allocate committed -2 EARLY", "outbound_allocate available +2 EARLY",
		"outbound_allocate available -2 NEW", "outbound_allocate committed +2 NEW", "outbound_pick committed +0 NEW"}, steps(out.Movements))
	require.Equal(t, [5]int64{9, 7, 6, 0, 0}, progress(out.Outbound.Progress))
	out = doTwice(d, api.PackOutbound, api.HandleOutboundInput{OutboundID: id, LotID: newest})
	require.EqualValues(t, 2, out.Outbound.PackedQuantity)
	out = doTwice(d, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: id, Quantity: some(int64(3))})
	require.Equal(t, []string{"outbound_fulfill committed -2 NEW", "outbound_fulfill committed -1 LATE",
		"outbound_fulfill onHand -2 NEW", "outbound_fulfill onHand -1 LATE"}, steps(out.Movements), "packed stock first, then picked")
	out = doTwice(d, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: id})
	require.Equal(t, [5]int64{9, 7, 7, 7, 7}, progress(out.Outbound.Progress))
	require.Equal(t, api.Quantities{OnHand: 4, Available: 4}, out.Balance.Quantities)
	require.EqualValues(t, 2, doTwice(d, api.AllocateOutbound, api.HandleOutboundInput{OutboundID: id, LotID: early}).Outbound.PendingFulfillmentQuantity)
	foreign := d.receive(d.product("CREAM", api.TrackLot), d.wh, 1, "C", nil)
	requireRefused(d, api.LotMismatch, api.PickOutbound, api.HandleOutboundInput{OutboundID: id, LotID: foreign})
}

func TestOutbound_Serials(t *testing.T) {
	t.Parallel()
	d := newFixture(t)
	for _, n := range []string{"A", "B", "C", "D"} {
		d.receive(d.phone, d.wh, 1, "", nil, n)
	}
	o := d.order(d.phone, 3).Outbound
	requireRefused(d, api.SerialNotAvailable, api.PickOutbound, api.HandleOutboundInput{OutboundID: o.ID, SerialNumbers: []string{"NONE"}})
	details := requireRefused(d, api.SerialCountMismatch, api.PickOutbound, api.HandleOutboundInput{OutboundID: o.ID, SerialNumbers: []string{"A"}, Quantity: some(int64(2))})
	require.EqualValues(t, 1, details["serials"])
	require.EqualValues(t, 2, details["quantity"])
	details = requireRefused(d, api.SerialCountMismatch, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: o.ID})
	require.EqualValues(t, 0, details["serials"])
	require.EqualValues(t, 3, details["quantity"])
	details = requireRefused(d, api.QuantityExceedsPending, api.PickOutbound, api.HandleOutboundInput{OutboundID: o.ID, SerialNumbers: []string{"A", "B", "C", "D"}})
	require.EqualValues(t, 3, details["pending"])

	out := doTwice(d, api.PickOutbound, api.HandleOutboundInput{OutboundID: o.ID, SerialNumbers: []string{"B"}, SerialIDs: []api.ID{d.serial("A").ID}})
	require.Equal(t, []string{"outbound_pick committed +0 #A #B"}, steps(out.Movements))
	line := out.Outbound.Lines[0]
	require.Len(t, line.Serials, 2)
	require.NotNil(t, line.Serials[0].PickedAt)
	require.Equal(t, api.Picked, line.Serials[0].Serial.Status)
	require.Equal(t, api.Picked, d.serial("B").Status)
	requireRefused(d, api.SerialNotAvailable, api.PickOutbound, api.HandleOutboundInput{OutboundID: o.ID, SerialNumbers: []string{"A"}})
	requireRefused(d, api.SerialNotAvailable, api.PackOutbound, api.HandleOutboundInput{OutboundID: o.ID, SerialNumbers: []string{"C"}})

	out = doTwice(d, api.PackOutbound, api.HandleOutboundInput{OutboundID: o.ID, SerialNumbers: []string{"B"}})
	require.Equal(t, []string{"outbound_pack committed +0 #B"}, steps(out.Movements))
	require.Equal(t, api.Packed, d.serial("B").Status)
	requireRefused(d, api.SerialNotAvailable, api.PackOutbound, api.HandleOutboundInput{OutboundID: o.ID, SerialNumbers: []string{"B"}})
	out = doTwice(d, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: o.ID, Quantity: some(int64(1))})
	require.Equal(t, []string{"outbound_fulfill committed -1 #B", "outbound_fulfill onHand -1 #B"}, steps(out.Movements), "packed serials first")
	require.Equal(t, api.Consumed, d.serial("B").Status)
	require.NotNil(t, out.Outbound.Lines[0].Serials[1].ShippedAt)
	details = requireRefused(d, api.SerialCountMismatch, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: o.ID})
	require.EqualValues(t, 1, details["serials"])
	require.EqualValues(t, 2, details["quantity"])

	// D is named; the rest of the quantity is the picked serial.
	out = doTwice(d, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: o.ID, SerialNumbers: []string{"D"}, Quantity: some(int64(2))})
	require.Equal(t, "outbound_fulfill committed -2 #D #A", steps(out.Movements)[0])
	require.Equal(t, api.OutboundFulfilled, out.Outbound.Status)
	require.Equal(t, api.InStock, d.serial("C").Status)
	require.Equal(t, api.Quantities{OnHand: 1, Available: 1}, out.Balance.Quantities)
}

// A serial fulfilled instead of a picked one returns the picked one to stock.
func TestFulfillOutbound_ReplacesPickedSerial(t *testing.T) {
	t.Parallel()
	d := newFixture(t)
	d.receive(d.phone, d.wh, 1, "L1", nil, "A")
	d.receive(d.phone, d.wh, 1, "L2", nil, "B")
	d.receive(d.phone, d.wh, 1, "L2", nil, "C")
	o := d.order(d.phone, 1).Outbound
	doTwice(d, api.PickOutbound, api.HandleOutboundInput{OutboundID: o.ID, SerialNumbers: []string{"A"}})
	out := doTwice(d, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: o.ID, SerialNumbers: []string{"C"}})
	require.Equal(t, []string{"outbound_allocate committed -1 L1", "outbound_allocate available +1 L1",
		"outbound_allocate available -1 L2", "outbound_allocate committed +1 L2",
		"outbound_fulfill committed -1 L2 #C", "outbound_fulfill onHand -1 L2 #C", "outbound_pick committed +0 L1 #A"}, steps(out.Movements))
	require.Equal(t, api.InStock, d.serial("A").Status)
	require.Len(t, out.Outbound.Lines[0].Serials, 1)
	require.Equal(t, [5]int64{1, 1, 1, 1, 1}, progress(out.Outbound.Progress))
	rest := d.order(d.phone, 2).Outbound
	doTwice(d, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: rest.ID, SerialNumbers: []string{"A", "B"}})
}

// A serial of another lot is rejected if all of that lot is allocated.
func TestFulfillOutbound_RejectsSerialOfAllocatedLot(t *testing.T) {
	t.Parallel()
	d := newFixture(t)
	d.receive(d.phone, d.wh, 1, "L1", d.in(30), "A")
	lot := d.receive(d.phone, d.wh, 1, "L2", d.in(60), "B")
	first, second := d.order(d.phone, 1).Outbound, d.order(d.phone, 1).Outbound
	details := requireRefused(d, api.LotMismatch, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: first.ID, SerialNumbers: []string{"B"}})
	require.Equal(t, lot, details["lotId"])
	require.EqualValues(t, 0, details["available"])
	requireRefused(d, api.LotMismatch, api.PickOutbound, api.HandleOutboundInput{OutboundID: first.ID, SerialNumbers: []string{"B"}})
	doTwice(d, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: second.ID, SerialNumbers: []string{"B"}})
	doTwice(d, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: first.ID, SerialNumbers: []string{"A"}})
}

// Picked serials can still be packed after others were fulfilled.
func TestPackOutbound_AfterPartialFulfill(t *testing.T) {
	t.Parallel()
	d := newFixture(t)
	d.receive(d.phone, d.wh, 2, "L1", d.in(30), "A", "B")
	d.receive(d.phone, d.wh, 1, "L2", d.in(60), "C")
	id := api.HandleOutboundInput{OutboundID: d.order(d.phone, 2).Outbound.ID}
	one, named := id, id
	one.Quantity, named.SerialNumbers = some(int64(1)), []string{"A"}
	doTwice(d, api.PickOutbound, one)
	doTwice(d, api.PackOutbound, one)
	doTwice(d, api.PickOutbound, named)
	out := doTwice(d, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: id.OutboundID, SerialNumbers: []string{"C"}})
	require.Equal(t, [5]int64{2, 2, 2, 1, 1}, progress(out.Outbound.Progress))
	doTwice(d, api.PackOutbound, named)
	require.Equal(t, api.Packed, d.serial("A").Status)
}

// A serial number of two products means the one that fits.
func TestOutbound_SerialNumberOfTwoProducts(t *testing.T) {
	t.Parallel()
	d := newFixture(t)
	tablet := d.product("TABLET", api.TrackSerial)
	d.receive(tablet, d.shop, 1, "", nil, "1")
	for _, n := range []string{"1", "2", "3"} {
		d.receive(d.phone, d.wh, 1, "", nil, n)
	}
	d.receive(tablet, d.wh, 1, "", nil, "9")
	o := doTwice(d, api.CreateOutbound, api.CreateOutboundInput{LocationID: d.wh, Lines: []api.OutboundLineInput{
		{ProductID: tablet, RequestedQuantity: 1}, {ProductID: d.phone, RequestedQuantity: 2}, {ProductID: d.phone, RequestedQuantity: 1}}}).Outbound
	pick := func(n ...string) api.HandleOutboundInput {
		return api.HandleOutboundInput{OutboundID: o.ID, SerialNumbers: n}
	}
	out := doTwice(d, api.PickOutbound, pick("1"))
	require.Equal(t, d.phone, out.Balance.ProductID)
	doTwice(d, api.PickOutbound, pick("2", "3"))
	doTwice(d, api.PackOutbound, pick("1"))
	details := requireRefused(d, api.SerialNotAvailable, api.PackOutbound, pick("1", "2"))
	require.Equal(t, "1", details["serialNumber"], "already packed")
	requireRefused(d, api.SerialNotAvailable, api.PickOutbound, pick("4"))
	details = requireRefused(d, api.QuantityExceedsPending, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: o.ID, SerialNumbers: []string{"1", "2", "3", "9"}, Quantity: some(int64(5))})
	require.EqualValues(t, 4, details["pending"])
	out = doTwice(d, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: o.ID, SerialNumbers: []string{"9"}, Quantity: some(int64(4))})
	require.Equal(t, api.OutboundFulfilled, out.Outbound.Status)
}

// Packing without serial numbers packs the picked serials.
func TestPackOutbound_PicksSerialsByDefault(t *testing.T) {
	t.Parallel()
	d := newFixture(t)
	d.receive(d.phone, d.wh, 2, "", nil, "A", "B")
	id := api.HandleOutboundInput{OutboundID: d.order(d.phone, 2).Outbound.ID}
	named := id
	named.SerialNumbers = []string{"A", "B"}
	doTwice(d, api.PickOutbound, named)
	out := doTwice(d, api.PackOutbound, id)
	require.Len(t, out.Movements[0].Serials, 2)
	require.Equal(t, api.OutboundPacked, out.Outbound.Status)
	require.Equal(t, api.Packed, out.Outbound.Lines[0].Serials[1].Serial.Status)
	require.NotNil(t, out.Outbound.Lines[0].Serials[1].PackedAt)
	out = doTwice(d, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: id.OutboundID})
	require.Equal(t, api.OutboundFulfilled, out.Outbound.Status, "the packed serials are the quantity")
}
