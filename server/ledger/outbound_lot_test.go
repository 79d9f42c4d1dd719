package ledger_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bincard/server/api"
	"bincard/server/testenv"
)

func TestOutbound_Lots(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.receive(f.milk, f.wh, 2, "OLD", f.in(2))
	late := f.receive(f.milk, f.wh, 4, "LATE", f.in(90))
	early := f.receive(f.milk, f.wh, 3, "EARLY", f.in(30))
	f.Clock.Advance(72 * time.Hour)
	created := f.order(f.milk, 9)
	require.Equal(t, []string{"outbound_allocate available -3 EARLY", "outbound_allocate available -4 LATE",
		"outbound_allocate committed +3 EARLY", "outbound_allocate committed +4 LATE"}, steps(created.Movements), "expired lots are not allocated")
	require.EqualValues(t, 7, created.Outbound.AllocatedQuantity)
	id := created.Outbound.ID
	details := requireRefused(f, api.InsufficientStock, api.AllocateOutbound, api.HandleOutboundInput{OutboundID: id})
	require.EqualValues(t, 0, details["current"])
	require.EqualValues(t, 2, details["requested"])
	require.EqualValues(t, 2, details["expired"], "expired stock that the balance counts as available")
	old := f.lot("OLD")
	details = requireRefused(f, api.InsufficientStock, api.AllocateOutbound, api.HandleOutboundInput{OutboundID: id, LotID: old})
	require.Equal(t, "OLD", details["lotCode"])

	// Another lot can be exchanged only if it has stock available.
	details = requireRefused(f, api.LotMismatch, api.PickOutbound, api.HandleOutboundInput{OutboundID: id, LotID: old, Quantity: some(int64(1))})
	require.Equal(t, "OLD", details["lotCode"])
	require.Contains(t, encoded(t, details["allocated"]), early.String())
	require.EqualValues(t, 0, details["available"])
	out := doTwice(f, api.PickOutbound, api.HandleOutboundInput{OutboundID: id, LotID: late})
	require.Equal(t, []string{"outbound_pick committed +0 LATE"}, steps(out.Movements))
	require.EqualValues(t, 4, out.Outbound.PickedQuantity, "without a quantity, all of the lot")
	details = requireRefused(f, api.LotMismatch, api.PackOutbound, api.HandleOutboundInput{OutboundID: id, LotID: early})
	require.Equal(t, "EARLY", details["lotCode"])

	newest := f.receive(f.milk, f.wh, 2, "NEW", f.in(120))
	out = doTwice(f, api.PickOutbound, api.HandleOutboundInput{OutboundID: id, LotID: newest, Quantity: some(int64(2))})
	require.Equal(t, []string{"outbound_allocate committed -2 EARLY", "outbound_allocate available +2 EARLY",
		"outbound_allocate available -2 NEW", "outbound_allocate committed +2 NEW", "outbound_pick committed +0 NEW"}, steps(out.Movements))
	require.Equal(t, [5]int64{9, 7, 6, 0, 0}, progress(out.Outbound.Progress))
	out = doTwice(f, api.PackOutbound, api.HandleOutboundInput{OutboundID: id, LotID: newest})
	require.EqualValues(t, 2, out.Outbound.PackedQuantity)
	out = doTwice(f, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: id, Quantity: some(int64(3))})
	require.Equal(t, []string{"outbound_fulfill committed -2 NEW", "outbound_fulfill committed -1 LATE",
		"outbound_fulfill onHand -2 NEW", "outbound_fulfill onHand -1 LATE"}, steps(out.Movements), "packed stock first, then picked")
	out = doTwice(f, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: id})
	require.Equal(t, [5]int64{9, 7, 7, 7, 7}, progress(out.Outbound.Progress))
	require.Equal(t, api.Quantities{OnHand: 4, Available: 4}, out.Balance.Quantities)
	require.EqualValues(t, 2, doTwice(f, api.AllocateOutbound, api.HandleOutboundInput{OutboundID: id, LotID: early}).Outbound.PendingFulfillmentQuantity)
	foreign := f.receive(f.Product("CREAM", api.TrackLot).ID, f.wh, 1, "C", nil)
	requireRefused(f, api.LotMismatch, api.PickOutbound, api.HandleOutboundInput{OutboundID: id, LotID: foreign})
}

func TestOutbound_Serials(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for _, n := range []string{"A", "B", "C", "D"} {
		f.receive(f.phone, f.wh, 1, "", nil, n)
	}
	o := f.order(f.phone, 3).Outbound
	requireRefused(f, api.SerialNotAvailable, api.PickOutbound, api.HandleOutboundInput{OutboundID: o.ID, SerialChoice: api.SerialChoice{SerialNumbers: []string{"NONE"}}})
	details := requireRefused(f, api.SerialCountMismatch, api.PickOutbound, api.HandleOutboundInput{OutboundID: o.ID, SerialChoice: api.SerialChoice{SerialNumbers: []string{"A"}}, Quantity: some(int64(2))})
	require.EqualValues(t, 1, details["serials"])
	require.EqualValues(t, 2, details["quantity"])
	details = requireRefused(f, api.SerialCountMismatch, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: o.ID})
	require.EqualValues(t, 0, details["serials"])
	require.EqualValues(t, 3, details["quantity"])
	details = requireRefused(f, api.QuantityExceedsPending, api.PickOutbound, api.HandleOutboundInput{OutboundID: o.ID, SerialChoice: api.SerialChoice{SerialNumbers: []string{"A", "B", "C", "D"}}})
	require.EqualValues(t, 3, details["pending"])

	out := doTwice(f, api.PickOutbound, api.HandleOutboundInput{OutboundID: o.ID, SerialChoice: api.SerialChoice{SerialNumbers: []string{"B"}, SerialIDs: []api.ID{f.serial("A").ID}}})
	require.Equal(t, []string{"outbound_pick committed +0 #A #B"}, steps(out.Movements))
	line := out.Outbound.Lines[0]
	require.Len(t, line.Serials, 2)
	require.NotNil(t, line.Serials[0].PickedAt)
	require.Equal(t, api.Picked, line.Serials[0].Serial.Status)
	require.Equal(t, api.Picked, f.serial("B").Status)
	requireRefused(f, api.SerialNotAvailable, api.PickOutbound, api.HandleOutboundInput{OutboundID: o.ID, SerialChoice: api.SerialChoice{SerialNumbers: []string{"A"}}})
	requireRefused(f, api.SerialNotAvailable, api.PackOutbound, api.HandleOutboundInput{OutboundID: o.ID, SerialChoice: api.SerialChoice{SerialNumbers: []string{"C"}}})

	out = doTwice(f, api.PackOutbound, api.HandleOutboundInput{OutboundID: o.ID, SerialChoice: api.SerialChoice{SerialNumbers: []string{"B"}}})
	require.Equal(t, []string{"outbound_pack committed +0 #B"}, steps(out.Movements))
	require.Equal(t, api.Packed, f.serial("B").Status)
	requireRefused(f, api.SerialNotAvailable, api.PackOutbound, api.HandleOutboundInput{OutboundID: o.ID, SerialChoice: api.SerialChoice{SerialNumbers: []string{"B"}}})
	out = doTwice(f, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: o.ID, Quantity: some(int64(1))})
	require.Equal(t, []string{"outbound_fulfill committed -1 #B", "outbound_fulfill onHand -1 #B"}, steps(out.Movements), "packed serials first")
	require.Equal(t, api.Consumed, f.serial("B").Status)
	require.NotNil(t, out.Outbound.Lines[0].Serials[1].ShippedAt)
	details = requireRefused(f, api.SerialCountMismatch, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: o.ID})
	require.EqualValues(t, 1, details["serials"])
	require.EqualValues(t, 2, details["quantity"])

	// D is named; the rest of the quantity is the picked serial.
	out = doTwice(f, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: o.ID, SerialChoice: api.SerialChoice{SerialNumbers: []string{"D"}}, Quantity: some(int64(2))})
	require.Equal(t, "outbound_fulfill committed -2 #D #A", steps(out.Movements)[0])
	require.Equal(t, api.OutboundFulfilled, out.Outbound.Status)
	require.Equal(t, api.InStock, f.serial("C").Status)
	require.Equal(t, api.Quantities{OnHand: 1, Available: 1}, out.Balance.Quantities)
}

// A serial fulfilled instead of a picked one returns the picked one to stock.
func TestFulfillOutbound_ReplacesPickedSerial(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.receive(f.phone, f.wh, 1, "L1", nil, "A")
	f.receive(f.phone, f.wh, 1, "L2", nil, "B")
	f.receive(f.phone, f.wh, 1, "L2", nil, "C")
	o := f.order(f.phone, 1).Outbound
	doTwice(f, api.PickOutbound, api.HandleOutboundInput{OutboundID: o.ID, SerialChoice: api.SerialChoice{SerialNumbers: []string{"A"}}})
	out := doTwice(f, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: o.ID, SerialChoice: api.SerialChoice{SerialNumbers: []string{"C"}}})
	require.Equal(t, []string{"outbound_allocate committed -1 L1", "outbound_allocate available +1 L1",
		"outbound_allocate available -1 L2", "outbound_allocate committed +1 L2",
		"outbound_fulfill committed -1 L2 #C", "outbound_fulfill onHand -1 L2 #C", "outbound_pick committed +0 L1 #A"}, steps(out.Movements))
	require.Equal(t, api.InStock, f.serial("A").Status)
	require.Len(t, out.Outbound.Lines[0].Serials, 1)
	require.Equal(t, [5]int64{1, 1, 1, 1, 1}, progress(out.Outbound.Progress))
	rest := f.order(f.phone, 2).Outbound
	doTwice(f, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: rest.ID, SerialChoice: api.SerialChoice{SerialNumbers: []string{"A", "B"}}})
}

// Named serials count toward the named quantity of their lot.
func TestFulfillOutbound_SerialsOfNamedLots(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.receive(f.phone, f.wh, 1, "OLD", f.in(1), "X")
	lot := f.receive(f.phone, f.wh, 2, "L1", f.in(30), "A", "B")
	f.receive(f.phone, f.wh, 1, "L2", f.in(60), "C")
	f.Clock.Advance(48 * time.Hour)
	id := f.order(f.phone, 4).Outbound.ID
	named := func(serial string) api.SerialChoice { return api.SerialChoice{SerialNumbers: []string{serial}} }
	details := requireRefused(f, api.InsufficientStock, api.AllocateOutbound, api.HandleOutboundInput{OutboundID: id, SerialChoice: named("X")})
	require.Equal(t, "OLD", details["lotCode"])
	doTwice(f, api.PickOutbound, api.HandleOutboundInput{OutboundID: id, SerialChoice: named("B")})
	in := api.FulfillOutboundInput{OutboundID: id, SerialChoice: named("C"), Lots: []api.FulfilledLot{{LotID: lot, Quantity: 1}}}
	details = requireRefused(f, api.LotMismatch, api.FulfillOutbound, in)
	require.Equal(t, "C", details["serialNumber"])
	in.SerialChoice, in.Lots[0].Quantity = named("A"), 2
	require.Equal(t, "outbound_fulfill committed -2 L1 #A #B", steps(doTwice(f, api.FulfillOutbound, in).Movements)[0])
}

// A lot that is named twice is taken from what the line holds of it, then in exchange.
func TestFulfillOutbound_NamesLotTwice(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.receive(f.milk, f.wh, 1, "EARLY", f.in(30))
	late := f.receive(f.milk, f.wh, 3, "LATE", f.in(60))
	in := api.FulfillOutboundInput{OutboundID: f.order(f.milk, 2).Outbound.ID,
		Lots: []api.FulfilledLot{{LotID: late, Quantity: 1}, {LotID: late, Quantity: 1}}}
	out := doTwice(f, api.FulfillOutbound, in)
	require.Contains(t, steps(out.Movements), "outbound_fulfill onHand -2 LATE")
	require.Equal(t, api.Quantities{OnHand: 2, Available: 2}, f.balance(f.milk, f.wh))

	f.receive(f.milk, f.wh, 1, "LATE", f.in(60))
	o := doTwice(f, api.CreateOutbound, api.CreateOutboundInput{LocationID: f.wh, Lines: []api.OutboundLineInput{
		{ProductID: f.milk, RequestedQuantity: 2}, {ProductID: f.milk, RequestedQuantity: 1}}}).Outbound
	in.OutboundID = o.ID
	lines := doTwice(f, api.FulfillOutbound, in).Outbound.Lines
	require.Equal(t, []int64{1, 1}, []int64{lines[0].FulfilledQuantity, lines[1].FulfilledQuantity}, "each holds one")
}

// A serial of another lot is rejected if all of that lot is allocated.
func TestFulfillOutbound_RejectsSerialOfAllocatedLot(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.receive(f.phone, f.wh, 1, "L1", f.in(30), "A")
	lot := f.receive(f.phone, f.wh, 1, "L2", f.in(60), "B")
	first, second := f.order(f.phone, 1).Outbound, f.order(f.phone, 1).Outbound
	details := requireRefused(f, api.LotMismatch, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: first.ID, SerialChoice: api.SerialChoice{SerialNumbers: []string{"B"}}})
	require.Equal(t, lot, details["lotId"])
	require.EqualValues(t, 0, details["available"])
	requireRefused(f, api.LotMismatch, api.PickOutbound, api.HandleOutboundInput{OutboundID: first.ID, SerialChoice: api.SerialChoice{SerialNumbers: []string{"B"}}})
	doTwice(f, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: second.ID, SerialChoice: api.SerialChoice{SerialNumbers: []string{"B"}}})
	doTwice(f, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: first.ID, SerialChoice: api.SerialChoice{SerialNumbers: []string{"A"}}})
}

// Picked serials can still be packed after others were fulfilled.
func TestPackOutbound_AfterPartialFulfill(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.receive(f.phone, f.wh, 2, "L1", f.in(30), "A", "B")
	f.receive(f.phone, f.wh, 1, "L2", f.in(60), "C")
	id := api.HandleOutboundInput{OutboundID: f.order(f.phone, 2).Outbound.ID}
	one, named := id, id
	one.Quantity, named.SerialNumbers = some(int64(1)), []string{"A"}
	doTwice(f, api.PickOutbound, one)
	doTwice(f, api.PackOutbound, one)
	doTwice(f, api.PickOutbound, named)
	out := doTwice(f, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: id.OutboundID, SerialChoice: api.SerialChoice{SerialNumbers: []string{"C"}}})
	require.Equal(t, [5]int64{2, 2, 2, 1, 1}, progress(out.Outbound.Progress))
	doTwice(f, api.PackOutbound, named)
	require.Equal(t, api.Packed, f.serial("A").Status)
}

// A serial number of two products means the one that fits.
func TestOutbound_SerialNumberOfTwoProducts(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	tablet := f.Product("TABLET", api.TrackSerial).ID
	f.receive(tablet, f.shop, 1, "", nil, "1")
	for _, n := range []string{"1", "2", "3"} {
		f.receive(f.phone, f.wh, 1, "", nil, n)
	}
	f.receive(tablet, f.wh, 1, "", nil, "9")
	o := doTwice(f, api.CreateOutbound, api.CreateOutboundInput{LocationID: f.wh, Lines: []api.OutboundLineInput{
		{ProductID: tablet, RequestedQuantity: 1}, {ProductID: f.phone, RequestedQuantity: 2}, {ProductID: f.phone, RequestedQuantity: 1}}}).Outbound
	pick := func(n ...string) api.HandleOutboundInput {
		return api.HandleOutboundInput{OutboundID: o.ID, SerialChoice: api.SerialChoice{SerialNumbers: n}}
	}
	out := doTwice(f, api.PickOutbound, pick("1"))
	require.Equal(t, f.phone, out.Balance.ProductID)
	doTwice(f, api.PickOutbound, pick("2", "3"))
	doTwice(f, api.PackOutbound, pick("1"))
	details := requireRefused(f, api.SerialNotAvailable, api.PackOutbound, pick("1", "2"))
	require.Equal(t, "1", details["serialNumber"], "already packed")
	requireRefused(f, api.SerialNotAvailable, api.PickOutbound, pick("4"))
	details = requireRefused(f, api.QuantityExceedsPending, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: o.ID, SerialChoice: api.SerialChoice{SerialNumbers: []string{"1", "2", "3", "9"}}, Quantity: some(int64(5))})
	require.EqualValues(t, 4, details["pending"])
	out = doTwice(f, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: o.ID, SerialChoice: api.SerialChoice{SerialNumbers: []string{"9"}}, Quantity: some(int64(4))})
	require.Equal(t, api.OutboundFulfilled, out.Outbound.Status)
}

// Packing without serial numbers packs the picked serials.
func TestPackOutbound_PicksSerialsByDefault(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.receive(f.phone, f.wh, 2, "", nil, "A", "B")
	id := api.HandleOutboundInput{OutboundID: f.order(f.phone, 2).Outbound.ID}
	named := id
	named.SerialNumbers = []string{"A", "B"}
	doTwice(f, api.PickOutbound, named)
	out := doTwice(f, api.PackOutbound, id)
	require.Len(t, out.Movements[0].Serials, 2)
	require.Equal(t, api.OutboundPacked, out.Outbound.Status)
	require.Equal(t, api.Packed, out.Outbound.Lines[0].Serials[1].Serial.Status)
	require.NotNil(t, out.Outbound.Lines[0].Serials[1].PackedAt)
	out = doTwice(f, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: id.OutboundID})
	require.Equal(t, api.OutboundFulfilled, out.Outbound.Status, "the packed serials are the quantity")
}

// Unpicking takes what is not packed of every lot before it unpacks the first one.
func TestUnpickOutbound_TakesPackedLast(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	early := f.receive(f.milk, f.wh, 3, "EARLY", f.in(30))
	f.receive(f.milk, f.wh, 3, "LATE", f.in(60))
	in := api.HandleOutboundInput{OutboundID: f.order(f.milk, 6).Outbound.ID}
	doTwice(f, api.PickOutbound, in)
	in.LotID = early
	doTwice(f, api.PackOutbound, in)

	in.LotID, in.Quantity = api.NoID, some(int64(4))
	out := doTwice(f, api.UnpickOutbound, in)
	require.Equal(t, []string{"outbound_pack committed +0 EARLY", "outbound_pick committed +0 EARLY", "outbound_pick committed +0 LATE"}, steps(out.Movements))
	require.Equal(t, [5]int64{6, 6, 2, 2, 0}, progress(out.Outbound.Progress))
	doTwice(f, api.PickOutbound, in)

	in.LotID, in.Quantity = early, nil
	out = doTwice(f, api.UnpickOutbound, in)
	require.Equal(t, [5]int64{6, 6, 3, 0, 0}, progress(out.Outbound.Progress), "all of the named lot")
	in.Quantity = some(int64(1))
	requireRefused(f, api.NothingPending, api.UnpickOutbound, in)
	require.Equal(t, api.Quantities{OnHand: 6, Committed: 6}, f.balance(f.milk, f.wh))
}

// Serials that were shipped stay with the order if another one is fulfilled.
func TestUnpickOutbound_LeavesShippedSerials(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.receive(f.phone, f.wh, 3, "", nil, "A", "B", "C")
	in := api.HandleOutboundInput{OutboundID: f.order(f.phone, 3).Outbound.ID, SerialChoice: api.SerialChoice{SerialNumbers: []string{"A", "B"}}}
	for _, op := range []api.Operation[api.HandleOutboundInput, api.OutboundResult]{api.PickOutbound, api.PackOutbound, api.ShipOutbound} {
		doTwice(f, op, in)
	}
	doTwice(f, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: in.OutboundID, SerialChoice: api.SerialChoice{SerialNumbers: []string{"C"}}})
	in.SerialNumbers = nil
	requireRefused(f, api.NothingPending, api.UnpickOutbound, in)
	requireRefused(f, api.NothingPending, api.ShipOutbound, in)
}

// What is put back gives the order the lots that were allocated before others were picked
// instead of them.
func TestUnpickOutbound_RestoresLots(t *testing.T) {
	t.Parallel()
	testenv.RandomOperations.Check(t, func(r *rapid.T) {
		f := newFixture(r)
		lots := []api.ID{}
		for i := range 4 {
			code := string(rune('A' + i))
			lots = append(lots, f.receive(f.milk, f.wh, rapid.Int64Range(1, 6).Draw(r, code), code, f.in(30+i)))
		}
		in := api.HandleOutboundInput{OutboundID: f.order(f.milk, rapid.Int64Range(1, 12).Draw(r, "ordered")).Outbound.ID}
		allocated := f.outboundLots(in.OutboundID)

		for range rapid.IntRange(1, 6).Draw(r, "picks") {
			in.LotID, in.Swap = rapid.SampledFrom(lots).Draw(r, "lot"), rapid.Bool().Draw(r, "swap")
			in.Quantity = some(rapid.Int64Range(1, 4).Draw(r, "picked"))
			op := rapid.SampledFrom([]api.Operation[api.HandleOutboundInput, api.OutboundResult]{api.PickOutbound, api.PickOutbound, api.UnpickOutbound}).Draw(r, "op")
			_, err := op.Do(r.Context(), f.Service, in)
			require.False(r, api.HasCode(err, api.InternalError), "%v", err)
		}

		in = api.HandleOutboundInput{OutboundID: in.OutboundID}
		if f.outbound(in.OutboundID).PickedQuantity > 0 {
			_, err := api.UnpickOutbound.Do(r.Context(), f.Service, in)
			require.NoError(r, err)
		}
		require.Equal(r, allocated, f.outboundLots(in.OutboundID))
	})
}

// A lot that another order took meanwhile is not given back.
func TestUnpickOutbound_KeepsLotIfReplacedOneIsTaken(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.receive(f.milk, f.wh, 3, "EARLY", f.in(30))
	late := f.receive(f.milk, f.wh, 4, "LATE", f.in(60))
	in := api.HandleOutboundInput{OutboundID: f.order(f.milk, 3).Outbound.ID, LotID: late, Quantity: some(int64(3))}
	doTwice(f, api.PickOutbound, in)
	taken := f.order(f.milk, 2).Outbound.ID

	in = api.HandleOutboundInput{OutboundID: in.OutboundID}
	out := doTwice(f, api.UnpickOutbound, in)
	require.Equal(t, []string{"outbound_pick committed +0 LATE",
		"outbound_allocate committed -1 LATE", "outbound_allocate available +1 LATE",
		"outbound_allocate available -1 EARLY", "outbound_allocate committed +1 EARLY"}, steps(out.Movements))
	require.Equal(t, map[string]int64{"EARLY": 1, "LATE": 2}, f.outboundLots(in.OutboundID))
	require.Equal(t, map[string]int64{"EARLY": 2}, f.outboundLots(taken))

	// Later, it is.
	doTwice(f, api.CancelOutbound, api.OutboundInput{OutboundID: taken})
	doTwice(f, api.PickOutbound, in)
	doTwice(f, api.UnpickOutbound, in)
	require.Equal(t, map[string]int64{"EARLY": 3}, f.outboundLots(in.OutboundID))
	doTwice(f, api.CancelOutbound, api.OutboundInput{OutboundID: in.OutboundID})
	require.Empty(t, f.outboundLots(in.OutboundID))
}
