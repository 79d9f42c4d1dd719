package ledger_test

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
)

// A writeRecorder passes requests on and records the writes with their responses.
type writeRecorder struct {
	api.Service
	t    testing.TB
	seen []recordedWrite
}

type recordedWrite struct {
	req    api.Request
	answer string
}

func (x *writeRecorder) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	res, err := x.Service.Do(ctx, req)
	if err == nil && req.Spec.Writes() {
		x.seen = append(x.seen, recordedWrite{*req, encoded(x.t, res.Output)})
	}
	return res, err
}

// everyDocument creates documents of every kind, with few and with all fields, and
// takes each through its life, advancing the clock by a day between changes.
func everyDocument(t testing.TB) (*ledgertest.World, *writeRecorder) {
	w := ledgertest.Open(t)
	x := &writeRecorder{Service: w.Service, t: t}
	w.Service = x
	oat, milk, drill := w.Product("OAT-1L", api.TrackNone), w.Product("MILK", api.TrackLot), w.Product("DRILL", api.TrackSerial)
	wh, shop := w.Location("WH-1").ID, w.Location("SHOP").ID
	by := api.By("Ada")
	at := func(days int) *time.Time { return new(ledgertest.Start.AddDate(0, 0, days)) }
	next := func() { w.Clock.Advance(24*time.Hour + 17*time.Millisecond) }

	w.Stock(oat.ID, wh, 100)
	in := ledgertest.Do(w, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: milk.ID, LocationID: wh}, ExpectedQuantity: 9, SupplierName: "Mill & Sons",
		SupplierReference: "M-7", ExternalOrderType: "edi", ExternalOrderID: "E-7", Reference: api.Reference{ReferenceType: "po", ReferenceID: "PO-7"}, ExpectedAt: at(-400),
		Metadata: api.Metadata(`{"dock":4}`)}, by).Inbound.ID
	next()
	ledgertest.Do(w, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in, Quantity: 4, NewLot: api.NewLot{LotCode: "A", ExpiresAt: at(90)}, ReceivedAt: at(-1), Reason: "early"})
	next()
	ledgertest.Do(w, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in, Quantity: 3, NewLot: api.NewLot{LotCode: "B", ExpiresAt: at(60)}, Metadata: api.Metadata(`{"n":[1]}`)})
	next()
	ledgertest.Do(w, api.CloseInbound, api.CloseInboundInput{InboundID: in, Reason: "short"})
	canceled := ledgertest.Do(w, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: oat.ID, LocationID: wh}, ExpectedQuantity: 1}).Inbound.ID
	ledgertest.Do(w, api.CancelInbound, api.InboundInput{InboundID: canceled})
	w.Receive(drill.ID, wh, 4, "", "S-1", "S-2", "S-3", "S-4")
	next()

	out := ledgertest.Do(w, api.CreateOutbound, api.CreateOutboundInput{LocationID: wh, Lines: []api.OutboundLineInput{
		{ProductID: drill.ID, RequestedQuantity: 2}, {ProductID: milk.ID, RequestedQuantity: 6}, {ProductID: oat.ID, RequestedQuantity: 3}},
		CustomerName: "Eve", ExternalOrderType: "shop", ExternalOrderID: "S-1", Reference: api.Reference{ReferenceType: "so", ReferenceID: "SO-1"}, ExpectedShipAt: at(3),
		Metadata: api.Metadata(`{"gift":true}`)}, by).Outbound.ID
	for _, op := range []api.Operation[api.HandleOutboundInput, api.OutboundResult]{api.PickOutbound, api.PackOutbound, api.ShipOutbound} {
		next()
		ledgertest.Do(w, op, api.HandleOutboundInput{OutboundID: out, SerialChoice: api.SerialChoice{SerialNumbers: []string{"S-2", "S-3"}}, ProductID: drill.ID})
		ledgertest.Do(w, op, api.HandleOutboundInput{OutboundID: out, Quantity: new(int64(2)), ProductID: milk.ID})
	}
	next()
	ledgertest.Do(w, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: out, Quantity: new(int64(1)), SerialChoice: api.SerialChoice{SerialNumbers: []string{"S-3"}}, Reason: "truck"})
	next()
	ledgertest.Do(w, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: out, Quantity: new(int64(3))})
	ledgertest.Do(w, api.CancelOutbound, api.OutboundInput{OutboundID: out})
	late := ledgertest.Do(w, api.CreateOutbound, api.CreateOutboundInput{ProductID: oat.ID, LocationID: shop, RequestedQuantity: new(int64(2))}).Outbound.ID
	w.Stock(oat.ID, shop, 1)
	ledgertest.Do(w, api.AllocateOutbound, api.HandleOutboundInput{OutboundID: late})
	next()

	tr := ledgertest.Do(w, api.CreateTransfer, api.CreateTransferInput{ProductID: milk.ID, SourceLocationID: wh, DestinationLocationID: shop, Quantity: 3,
		Reference: api.Reference{ReferenceType: "to", ReferenceID: uuid.NewSHA1(uuid.NameSpaceOID, []byte("to")).String()}, Metadata: api.Metadata(`{"van":2}`)}, by).Transfer.ID
	ledgertest.Do(w, api.ShipTransfer, api.MoveTransferInput{TransferID: tr, Quantity: new(int64(2))})
	next()
	ledgertest.Do(w, api.ReceiveTransfer, api.MoveTransferInput{TransferID: tr, Quantity: new(int64(1))})
	ledgertest.Do(w, api.CloseTransfer, api.CloseTransferInput{TransferID: tr, Reason: "lost"})
	tr = ledgertest.Do(w, api.CreateTransfer, api.CreateTransferInput{ProductID: drill.ID, SourceLocationID: wh, DestinationLocationID: shop, Quantity: 2}).Transfer.ID
	ledgertest.Do(w, api.ShipTransfer, api.MoveTransferInput{TransferID: tr, SerialNumbers: []string{"S-1", "S-4"}})
	next()
	ledgertest.Do(w, api.ReceiveTransfer, api.MoveTransferInput{TransferID: tr, SerialNumbers: []string{"S-4"}})
	next()
	ledgertest.Do(w, api.CancelTransfer, api.TransferInput{TransferID: tr})

	reserve := func() api.ID {
		next()
		return ledgertest.Do(w, api.CreateReservation, api.CreateReservationInput{StockKey: api.StockKey{ProductID: oat.ID, LocationID: wh}, Quantity: 4,
			ExpiresAt: new(w.Clock.Now().Add(time.Hour)), Reference: api.Reference{ReferenceType: "cart", ReferenceID: "C-1"}, Metadata: api.Metadata(`{"till":4}`)}, by).Reservation.ID
	}
	one := reserve()
	ledgertest.Do(w, api.CommitReservation, api.ReservationInput{ReservationID: one})
	ledgertest.Do(w, api.FulfillStock, api.FulfillStockInput{StockKey: api.StockKey{ProductID: oat.ID, LocationID: wh}, ReservationID: one, Quantity: new(int64(3))})
	ledgertest.Do(w, api.ReleaseReservation, api.ReservationInput{ReservationID: one})
	ledgertest.Do(w, api.CancelReservation, api.ReservationInput{ReservationID: reserve()})
	reserve()
	next() // which expires
	return w, x
}

var documentTables = []string{"inbounds", "outbounds", "transfers", "reservations"}

func TestDocumentRow_RoundTrip(t *testing.T) {
	t.Parallel()
	w, _ := everyDocument(t)
	for _, table := range documentTables {
		for _, x := range w.Rows(table) {
			again, err := recodeDocument(table, x.Value)
			require.NoError(t, err)
			require.Equal(t, x.Value, again)
			for n := range x.Value {
				_, err := recodeDocument(table, x.Value[:n])
				require.Error(t, err, "%s cut to %d bytes of %d", table, n, len(x.Value))
			}
			_, err = recodeDocument(table, append(bytes.Clone(x.Value), 0))
			require.Error(t, err)
		}
	}
}

func TestDocumentRow_Carrier(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	oat, wh := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1").ID
	in := api.CreateInboundInput{StockKey: api.StockKey{ProductID: oat.ID, LocationID: wh}, ExpectedQuantity: 9}
	ledgertest.Do(w, api.CreateInbound, in)
	in.Carrier = "Nord Freight"
	ledgertest.Do(w, api.CreateInbound, in)
	carriers := 0
	for _, x := range w.Rows("inbounds") {
		again, err := recodeDocument("inbounds", x.Value)
		require.NoError(t, err)
		require.Equal(t, x.Value, again)
		if bytes.Contains(x.Value, []byte("Nord Freight")) {
			carriers++
		}
	}
	require.Equal(t, 1, carriers)
}

func FuzzDocumentRow(f *testing.F) {
	w, _ := everyDocument(f)
	for i, table := range documentTables {
		for _, x := range w.Rows(table) {
			f.Add(byte(i), x.Value)
		}
	}
	f.Fuzz(func(t *testing.T, i byte, row []byte) {
		table := documentTables[int(i)%len(documentTables)]
		once, err := recodeDocument(table, row)
		if err != nil {
			return
		}
		twice, err := recodeDocument(table, once)
		require.NoError(t, err)
		require.Equal(t, once, twice)
	})
}

// FuzzState decodes document states from journal entries over document rows.
func FuzzState(f *testing.F) {
	w, _ := everyDocument(f)
	docs := map[string][]ledgertest.Row{}
	for _, table := range documentTables {
		docs[table] = w.Rows(table)
	}
	for _, x := range w.Rows("records") {
		table, id, state := documentRef(x.Value)
		for i, doc := range docs[table] {
			if bytes.Equal(doc.Key, id[:]) {
				require.NoError(f, showState(table, doc.Value, state))
				f.Add(table, i, state)
			}
		}
	}
	f.Fuzz(func(_ *testing.T, table string, i int, state []byte) {
		if list := docs[table]; len(list) > 0 {
			_ = showState(table, list[uint(i)%uint(len(list))].Value, state)
		}
	})
}
