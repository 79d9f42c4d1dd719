package ledger_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bincard/server/api"
	"bincard/server/store"
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
	rapid.Check(t, func(r *rapid.T) {
		st := store.NewMemory()
		defer st.Close()
		y := &randomRun{fixture: openFixture(r, st), r: r}
		y.lots = []api.ID{{}}
		// Few products per run, so that operations interact.
		all := []api.ID{y.oats, y.milk, y.phone, y.phone}
		y.products = rapid.SliceOfN(rapid.SampledFrom(all), 1, 2).Draw(r, "products")
		y.bring()
		y.orderSome()
		for range rapid.IntRange(5, 30).Draw(r, "steps") {
			y.step()
		}
		y.check()
		y.checkOutbounds()
	})
}

// try performs a write with a new key. It may be rejected but must not fail internally,
// and its replay must return the same.
func try[I, O any](y *randomRun, op api.Operation[I, O], in I) (out O, ok bool) {
	y.keys++
	key := api.Key(fmt.Sprint("key-", y.keys))
	first, err := op.Do(context.Background(), y.svc, in, key)
	if err != nil {
		y.r.Logf("%s %+v: %v", op.ID, in, err)
		require.False(y.r, api.HasCode(err, api.InternalError), "%v", err)
		return out, false
	}
	y.r.Logf("%s %+v", op.ID, in)
	again, err := op.Do(context.Background(), y.svc, in, key)
	require.NoError(y.r, err)
	require.Equal(y.r, encoded(y.r, first.Output), encoded(y.r, again.Output))
	return *first.Output.(*O), true
}

func (y *randomRun) step() {
	y.pass(time.Minute)
	switch rapid.IntRange(0, 14).Draw(y.r, "what") {
	case 0, 1, 2:
		y.bring()
	case 3, 4:
		y.orderSome()
	case 5:
		handle(y, api.AllocateOutbound)
	case 6, 7:
		handle(y, api.PickOutbound)
	case 8:
		handle(y, api.PackOutbound)
	case 9:
		y.fulfillSome()
	case 10:
		y.moveSome()
	case 11:
		if id := y.one(y.outbounds); rapid.IntRange(0, 2).Draw(y.r, "cancel") == 0 {
			try(y, api.CancelOutbound, api.OutboundInput{OutboundID: id})
		}
	case 12:
		y.fulfillSome()
	case 13:
		y.moveSome()
	case 14:
		y.pass(24 * time.Hour)
	}
}

func (y *randomRun) anyProduct() api.ID {
	return rapid.SampledFrom(y.products).Draw(y.r, "product")
}

func (y *randomRun) one(list []api.ID) api.ID {
	if len(list) == 0 {
		return api.ID{1}
	}
	return rapid.SampledFrom(list).Draw(y.r, "id")
}

func (y *randomRun) bring() {
	product := y.anyProduct()
	q := rapid.Int64Range(1, 4).Draw(y.r, "q")
	in, ok := try(y, api.CreateInbound, api.CreateInboundInput{ProductID: product, LocationID: y.wh, ExpectedQuantity: q})
	require.True(y.r, ok)
	receive := api.ReceiveInboundInput{InboundID: in.Inbound.ID, Quantity: q}
	if product == y.milk || rapid.Bool().Draw(y.r, "lot") {
		n := rapid.IntRange(1, 3).Draw(y.r, "lot")
		receive.LotCode, receive.ExpiresAt = fmt.Sprint("L", n), y.in(3*n)
	}
	if product == y.phone || product == y.oats && rapid.Bool().Draw(y.r, "serials") {
		for range q {
			n := fmt.Sprint("#", len(y.numbers))
			y.numbers = append(y.numbers, n)
			receive.Serials = append(receive.Serials, api.SerialInput{SerialNumber: n})
		}
	}
	if out, ok := try(y, api.ReceiveInbound, receive); ok {
		y.lots = append(y.lots, out.Movements[1].LotID)
	}
}

func (y *randomRun) orderSome() {
	in := api.CreateOutboundInput{LocationID: y.wh}
	for range rapid.IntRange(1, 3).Draw(y.r, "lines") {
		in.Lines = append(in.Lines, api.OutboundLineInput{ProductID: y.anyProduct(), RequestedQuantity: rapid.Int64Range(1, 5).Draw(y.r, "q")})
	}
	out, ok := try(y, api.CreateOutbound, in)
	require.True(y.r, ok)
	y.outbounds = append(y.outbounds, out.Outbound.ID)
}

// amount draws a quantity, serial numbers, both or neither.
func (y *randomRun) amount() (q *int64, numbers []string) {
	switch rapid.IntRange(0, 5).Draw(y.r, "amount") {
	case 0:
		return nil, nil
	case 1:
		q = some(rapid.Int64Range(1, 5).Draw(y.r, "q"))
		return q, y.some()
	case 2:
		return some(rapid.Int64Range(1, 3).Draw(y.r, "q")), nil
	}
	return nil, y.some()
}

func (y *randomRun) some() (list []string) {
	if len(y.numbers) == 0 {
		return nil
	}
	return rapid.SliceOfN(rapid.SampledFrom(y.numbers), 1, 2).Draw(y.r, "numbers")
}

func handle(y *randomRun, op api.Operation[api.HandleOutboundInput, api.OutboundResult]) {
	in := api.HandleOutboundInput{OutboundID: y.one(y.outbounds)}
	in.Quantity, in.SerialNumbers = y.amount()
	if rapid.IntRange(0, 4).Draw(y.r, "lot") == 0 {
		in.LotID = rapid.SampledFrom(y.lots).Draw(y.r, "lot")
	}
	try(y, op, in)
}

func (y *randomRun) fulfillSome() {
	in := api.FulfillOutboundInput{OutboundID: y.one(y.outbounds)}
	in.Quantity, in.SerialNumbers = y.amount()
	try(y, api.FulfillOutbound, in)
}

func (y *randomRun) moveSome() {
	in := api.MoveTransferInput{TransferID: y.one(y.transfers)}
	in.Quantity, in.SerialNumbers = y.amount()
	switch rapid.IntRange(0, 6).Draw(y.r, "move") {
	case 0, 1:
		out, _ := try(y, api.CreateTransfer, api.CreateTransferInput{ProductID: y.anyProduct(), SourceLocationID: y.wh,
			DestinationLocationID: y.shop, Quantity: rapid.Int64Range(1, 5).Draw(y.r, "q")})
		y.transfers = append(y.transfers, out.Transfer.ID)
	case 2, 3:
		try(y, api.ShipTransfer, in)
	case 4:
		try(y, api.ReceiveTransfer, in)
	case 5:
		try(y, api.CancelTransfer, api.TransferInput{TransferID: in.TransferID})
	case 6:
		try(y, api.CloseTransfer, api.CloseTransferInput{TransferID: in.TransferID, Reason: "lost"})
	}
}

// checkOutbounds checks the consistency of outbounds and their serials.
func (y *randomRun) checkOutbounds() {
	carried := map[string]bool{}
	for _, id := range y.outbounds {
		o := y.outbound(id)
		var sum api.Progress
		for _, l := range o.Lines {
			p := l.Progress
			require.True(y.r, p.FulfilledQuantity <= p.PackedQuantity && p.PackedQuantity <= p.PickedQuantity &&
				p.PickedQuantity <= p.AllocatedQuantity && p.AllocatedQuantity <= p.RequestedQuantity, "%+v", p)
			y.checkLine(&o, &l, carried)
			p.UpdatePending()
			require.Equal(y.r, p, l.Progress)
			sum = sum.Add(p)
		}
		require.Equal(y.r, sum, o.Progress)
		if o.Status != api.OutboundCancelled {
			require.Equal(y.r, o.Progress.Status(), o.Status)
		}
	}
	// Every picked serial must be on an outbound.
	for _, n := range y.numbers {
		s := y.serial(n)
		if s.Status == api.Picked {
			require.True(y.r, carried[n], "%s is picked, but by no outbound", n)
		}
	}
}

func (y *randomRun) checkLine(o *api.Outbound, l *api.OutboundLine, carried map[string]bool) {
	picked, packed, shipped := int64(0), int64(0), int64(0)
	for _, s := range l.Serials {
		switch {
		case s.ShippedAt != nil:
			shipped++
			require.Equal(y.r, api.Consumed, s.Serial.Status)
		case s.PackedAt != nil:
			packed++
			require.Equal(y.r, api.Packed, s.Serial.Status)
		default:
			require.Equal(y.r, api.Picked, s.Serial.Status)
		}
		if s.ShippedAt == nil {
			picked++
			require.False(y.r, carried[s.Serial.SerialNumber])
			carried[s.Serial.SerialNumber] = true
		}
	}
	require.LessOrEqual(y.r, picked, l.PickedQuantity-l.FulfilledQuantity)
	require.LessOrEqual(y.r, packed, l.PackedQuantity-l.FulfilledQuantity)
	require.LessOrEqual(y.r, picked-packed, l.PickedQuantity-l.PackedQuantity)
	require.LessOrEqual(y.r, shipped, l.FulfilledQuantity)
	if !o.Status.Open() {
		require.Zero(y.r, picked)
	}
	if l.ProductID == y.phone {
		require.Equal(y.r, l.FulfilledQuantity, shipped)
	}
}
