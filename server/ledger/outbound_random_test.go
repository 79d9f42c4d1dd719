package ledger_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bincard/server/api"
	"bincard/server/testenv"
)

// A randomRun performs random operations on a fixture: they may be rejected, but must
// not fail internally, and the ledger must verify at the end.
type randomRun struct {
	*fixture
	r                    *rapid.T
	keys                 int
	outbounds, transfers []api.ID
	lots, products       []api.ID
	numbers              []string
}

func TestRandomOperations(t *testing.T) {
	t.Parallel()
	testenv.RandomOperations.Check(t, func(r *rapid.T) {
		run := &randomRun{fixture: newFixture(r), r: r}
		run.lots = []api.ID{{}}
		// Few products per run, so that operations interact.
		all := []api.ID{run.oats, run.milk, run.phone, run.phone}
		run.products = rapid.SliceOfN(rapid.SampledFrom(all), 1, 2).Draw(r, "products")
		run.bring()
		run.orderSome()
		for range rapid.IntRange(5, 30).Draw(r, "steps") {
			run.step()
		}
		run.checkOutbounds()
	})
}

// try performs a write with a new key. It may be rejected but must not fail internally,
// and its replay must return the same.
func try[I, O any](run *randomRun, op api.Operation[I, O], in I) (out O, ok bool) {
	run.keys++
	key := api.Key(fmt.Sprint("key-", run.keys))
	first, err := op.Do(context.Background(), run.Service, in, key)
	if err != nil {
		run.r.Logf("%s %+v: %v", op.Spec.ID, in, err)
		require.False(run.r, api.HasCode(err, api.InternalError), "%v", err)
		return out, false
	}
	run.r.Logf("%s %+v", op.Spec.ID, in)
	again, err := op.Do(context.Background(), run.Service, in, key)
	require.NoError(run.r, err)
	require.Equal(run.r, encoded(run.r, first.Output), encoded(run.r, again.Output))
	return *first.Output.(*O), true
}

func (run *randomRun) step() {
	run.Clock.Advance(time.Minute)
	switch rapid.IntRange(0, 17).Draw(run.r, "what") {
	case 0, 1, 2:
		run.bring()
	case 3, 4:
		run.orderSome()
	case 5:
		handle(run, api.AllocateOutbound)
	case 6, 7:
		handle(run, api.PickOutbound)
	case 8:
		handle(run, api.PackOutbound)
	case 9:
		run.fulfillSome()
	case 10:
		run.moveSome()
	case 11:
		if id := run.one(run.outbounds); rapid.IntRange(0, 2).Draw(run.r, "cancel") == 0 {
			try(run, api.CancelOutbound, api.OutboundInput{OutboundID: id})
		}
	case 12:
		run.fulfillSome()
	case 13:
		run.moveSome()
	case 14:
		run.Clock.Advance(24 * time.Hour)
	case 15:
		handle(run, api.UnpickOutbound)
	case 16:
		handle(run, api.ShipOutbound)
	case 17:
		try(run, api.AllocateOutbounds, api.AllocateOutboundsInput{ProductID: run.one(run.products), LocationID: run.wh})
	}
}

func (run *randomRun) anyProduct() api.ID {
	return rapid.SampledFrom(run.products).Draw(run.r, "product")
}

func (run *randomRun) one(list []api.ID) api.ID {
	if len(list) == 0 {
		return api.ID{1}
	}
	return rapid.SampledFrom(list).Draw(run.r, "id")
}

func (run *randomRun) bring() {
	product := run.anyProduct()
	q := rapid.Int64Range(1, 4).Draw(run.r, "q")
	in, ok := try(run, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: product, LocationID: run.wh}, ExpectedQuantity: q})
	require.True(run.r, ok)
	receive := api.ReceiveInboundInput{InboundID: in.Inbound.ID, Quantity: q}
	if product == run.milk || rapid.Bool().Draw(run.r, "lot") {
		n := rapid.IntRange(1, 3).Draw(run.r, "lot")
		receive.LotCode, receive.ExpiresAt = fmt.Sprint("L", n), run.in(3*n)
	}
	if product == run.phone || product == run.oats && rapid.Bool().Draw(run.r, "serials") {
		for range q {
			n := fmt.Sprint("#", len(run.numbers))
			run.numbers = append(run.numbers, n)
			receive.Serials = append(receive.Serials, api.SerialInput{SerialNumber: n})
		}
	}
	if out, ok := try(run, api.ReceiveInbound, receive); ok {
		run.lots = append(run.lots, out.Movements[1].LotID)
	}
}

func (run *randomRun) orderSome() {
	in := api.CreateOutboundInput{LocationID: run.wh}
	for range rapid.IntRange(1, 3).Draw(run.r, "lines") {
		in.Lines = append(in.Lines, api.OutboundLineInput{ProductID: run.anyProduct(), RequestedQuantity: rapid.Int64Range(1, 5).Draw(run.r, "q")})
	}
	out, ok := try(run, api.CreateOutbound, in)
	require.True(run.r, ok)
	run.outbounds = append(run.outbounds, out.Outbound.ID)
}

// amount draws a quantity, serial numbers, both or neither.
func (run *randomRun) amount() (q *int64, numbers []string) {
	switch rapid.IntRange(0, 5).Draw(run.r, "amount") {
	case 0:
		return nil, nil
	case 1:
		q = some(rapid.Int64Range(1, 5).Draw(run.r, "q"))
		return q, run.some()
	case 2:
		return some(rapid.Int64Range(1, 3).Draw(run.r, "q")), nil
	}
	return nil, run.some()
}

func (run *randomRun) some() (list []string) {
	if len(run.numbers) == 0 {
		return nil
	}
	return rapid.SliceOfN(rapid.SampledFrom(run.numbers), 1, 2).Draw(run.r, "numbers")
}

func handle(run *randomRun, op api.Operation[api.HandleOutboundInput, api.OutboundResult]) {
	in := api.HandleOutboundInput{OutboundID: run.one(run.outbounds)}
	in.Quantity, in.SerialNumbers = run.amount()
	if rapid.IntRange(0, 4).Draw(run.r, "lot") == 0 {
		in.LotID = rapid.SampledFrom(run.lots).Draw(run.r, "lot")
		in.Swap = rapid.Bool().Draw(run.r, "swap")
	}
	try(run, op, in)
}

func (run *randomRun) fulfillSome() {
	in := api.FulfillOutboundInput{OutboundID: run.one(run.outbounds)}
	in.Quantity, in.SerialNumbers = run.amount()
	if rapid.Bool().Draw(run.r, "lots") {
		run.fulfillLots(in)
		return
	}
	try(run, api.FulfillOutbound, in)
}

// fulfillLots fulfills named lots. At least what is named of each leaves.
func (run *randomRun) fulfillLots(in api.FulfillOutboundInput) {
	if rapid.Bool().Draw(run.r, "only") {
		in.Quantity, in.SerialNumbers = nil, nil
	}
	left := map[api.ID]int64{}
	for range rapid.IntRange(1, 2).Draw(run.r, "n") {
		l := api.FulfilledLot{LotID: rapid.SampledFrom(run.lots).Draw(run.r, "lot"), Quantity: rapid.Int64Range(1, 3).Draw(run.r, "q"), Swap: rapid.Bool().Draw(run.r, "swap")}
		left[l.LotID] += l.Quantity
		in.Lots = append(in.Lots, l)
	}
	out, ok := try(run, api.FulfillOutbound, in)
	if !ok {
		return
	}
	for _, m := range out.Movements {
		if m.InventoryState == api.OnHand {
			left[m.LotID] += m.Quantity
		}
	}
	for lot, q := range left {
		require.False(run.r, q > 0 || q < 0 && in.Quantity == nil && len(in.SerialNumbers) == 0, "%v: %d", lot, q)
	}
}

func (run *randomRun) moveSome() {
	in := api.MoveTransferInput{TransferID: run.one(run.transfers)}
	in.Quantity, in.SerialNumbers = run.amount()
	switch rapid.IntRange(0, 6).Draw(run.r, "move") {
	case 0, 1:
		out, _ := try(run, api.CreateTransfer, api.CreateTransferInput{ProductID: run.anyProduct(), SourceLocationID: run.wh,
			DestinationLocationID: run.shop, Quantity: rapid.Int64Range(1, 5).Draw(run.r, "q")})
		run.transfers = append(run.transfers, out.Transfer.ID)
	case 2, 3:
		try(run, api.ShipTransfer, in)
	case 4:
		try(run, api.ReceiveTransfer, in)
	case 5:
		try(run, api.CancelTransfer, api.TransferInput{TransferID: in.TransferID})
	case 6:
		try(run, api.CloseTransfer, api.CloseTransferInput{TransferID: in.TransferID, Reason: "lost"})
	}
}

// checkOutbounds checks the consistency of outbounds and their serials.
func (run *randomRun) checkOutbounds() {
	carried := map[string]bool{}
	for _, id := range run.outbounds {
		o := run.outbound(id)
		var sum api.Progress
		for _, l := range o.Lines {
			p := l.Progress
			require.True(run.r, p.FulfilledQuantity <= p.PackedQuantity && p.PackedQuantity <= p.PickedQuantity &&
				p.PickedQuantity <= p.AllocatedQuantity && p.AllocatedQuantity <= p.RequestedQuantity, "%+v", p)
			run.checkLine(&o, &l, carried)
			p.UpdatePending()
			require.Equal(run.r, p, l.Progress)
			sum = sum.Add(p)
		}
		require.Equal(run.r, sum, o.Progress)
		if o.Status != api.OutboundCancelled {
			require.Equal(run.r, o.Progress.Status(), o.Status)
		}
	}
	// Every picked serial must be on an outbound.
	for _, n := range run.numbers {
		s := run.serial(n)
		if s.Status == api.Picked {
			require.True(run.r, carried[n], "%s is picked, but by no outbound", n)
		}
	}
}

func (run *randomRun) checkLine(o *api.Outbound, l *api.OutboundLine, carried map[string]bool) {
	picked, packed, shipped := int64(0), int64(0), int64(0)
	for _, s := range l.Serials {
		switch {
		case s.ShippedAt != nil:
			shipped++
			require.Equal(run.r, api.Consumed, s.Serial.Status)
		case s.PackedAt != nil:
			packed++
			require.Equal(run.r, api.Packed, s.Serial.Status)
		default:
			require.Equal(run.r, api.Picked, s.Serial.Status)
		}
		if s.ShippedAt == nil {
			picked++
			require.False(run.r, carried[s.Serial.SerialNumber])
			carried[s.Serial.SerialNumber] = true
		}
	}
	require.LessOrEqual(run.r, picked, l.PickedQuantity-l.FulfilledQuantity)
	require.LessOrEqual(run.r, packed, l.PackedQuantity-l.FulfilledQuantity)
	require.LessOrEqual(run.r, picked-packed, l.PickedQuantity-l.PackedQuantity)
	require.LessOrEqual(run.r, shipped, l.FulfilledQuantity)
	if !o.Status.Open() {
		require.Zero(run.r, picked)
	}
	if l.ProductID == run.phone {
		require.Equal(run.r, l.FulfilledQuantity, shipped)
	}
}
