package offline_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/offline"
	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
)

// A filterFixture is a site whose network resets one request, over and over.
type filterFixture struct {
	*ledgertest.World
	n       *offline.Node
	svc     upstream
	product api.Product
	main    api.Place
}

func openFilter(t *testing.T) *filterFixture {
	w := ledgertest.Open(t)
	f := &filterFixture{World: w, product: w.Product("OAT-1L", api.TrackNone), main: w.Location("WH-1"), n: siteOf(t, w), svc: upstream{w.Ledger, callerOf(w)}}
	readAll(t, w, f.n)
	f.adjust(t, "poison", 2)
	for f.n.Status().Stuck == 0 {
		f.attempt(t)
	}
	return f
}

func (f *filterFixture) adjust(t *testing.T, key string, by int64) {
	ledgertest.Call(t, f.n, api.AdjustStock, api.AdjustStockInput{StockKey: api.StockKey{ProductID: f.product.ID, LocationID: f.main.ID},
		InventoryState: api.OnHand, QuantityDelta: by, Reason: key}, api.Key(key))
}

// attempt sends the operation once more, and the network resets the connection. All else
// works.
func (f *filterFixture) attempt(t *testing.T) *api.Request {
	f.Clock.Advance(4 * time.Minute)
	readAll(t, f.World, f.n)
	batch, err := f.n.NextBatch()
	require.NoError(t, err)
	require.Len(t, batch.Requests, 1)
	require.NoError(t, f.n.SendDone("poison", nil, &api.Error{Code: api.Unavailable, Message: "connection reset"}))
	f.n.NextProbe()
	f.n.ProbeDone(nil)
	return batch.Requests[0].Req
}

func (f *filterFixture) work(t *testing.T) api.Work {
	list := ledgertest.Call(t, f.n, api.ListWork, api.ListWorkInput{Key: "poison"})
	return list.Items[0]
}

func (f *filterFixture) onHand() int64 {
	return ledgertest.Do(f.World, api.ListBalances, api.ListBalancesInput{StockFilter: api.StockFilter{ProductID: f.product.ID}}).Items[0].OnHand
}

// What the service did not record can be edited without accepting that it may be done.
func TestLookup_NotRecordedCanBeEdited(t *testing.T) {
	t.Parallel()
	f := openFilter(t)
	f.adjust(t, "next", 3)
	readAll(t, f.World, f.n)
	require.Equal(t, api.WorkSent, f.work(t).State)
	edit := func() error {
		w := f.work(t)
		_, err := api.ReplaceWork.Call(t.Context(), f.n, api.ReplaceWorkInput{Key: "poison", Operation: w.Operation, Target: w.Target,
			Body: []byte(`{"productId":"` + f.product.ID.String() + `","locationId":"` + f.main.ID.String() + `","inventoryState":"onHand","quantityDelta":2,"reason":"found"}`)}, api.Key("edited"))
		return err
	}
	require.ErrorContains(t, edit(), "may have been applied")
	f.Clock.Advance(31 * time.Second)
	readAll(t, f.World, f.n)
	w := f.work(t)
	require.Equal(t, api.WorkWaiting, w.State)
	require.Equal(t, f.Clock.Now(), *w.NotRecorded)
	require.Zero(t, f.n.Sync().Sent)
	require.NoError(t, edit())
	sendAll(t, f.World, f.n)
	readAll(t, f.World, f.n)
	require.EqualValues(t, 5, f.onHand())
	require.NoError(t, f.n.Verify(t.Context()))
}

func TestLookup_NotRecordedCanBeDiscarded(t *testing.T) {
	t.Parallel()
	f := openFilter(t)
	discard := func() error {
		_, err := api.DiscardWork.Call(t.Context(), f.n, api.DiscardWorkInput{Key: "poison", Reason: "never gets through"})
		return err
	}
	require.ErrorContains(t, discard(), "may have been applied")
	f.Clock.Advance(31 * time.Second)
	readAll(t, f.World, f.n)
	require.NoError(t, discard())
	require.Equal(t, outbox.Discarded, f.n.Operation("poison").State)
}

// An attempt that the service recorded, although nothing came back, is found by its key,
// also when the replica was read again and has no keys.
func TestLookup_FindsRecorded(t *testing.T) {
	t.Parallel()
	f := openFilter(t)
	req := f.attempt(t)
	_, err := f.svc.Do(t.Context(), req)
	require.NoError(t, err)
	f.Clock.Advance(31 * time.Second)
	readAll(t, f.World, f.n)
	require.True(t, f.n.Operation("poison").Confirmed)
	require.EqualValues(t, 2, f.onHand())
	require.NoError(t, f.n.Verify(t.Context()))
}

// TestLinkBarcode_Offline requires that a barcode which is linked offline is found at
// once, and is linked at the service after the sync.
func TestLinkBarcode_Offline(t *testing.T) {
	t.Parallel()
	d := openFixture(t)
	d.waitReady()
	p := ledgertest.Call(t, d.svc, api.CreateProduct, api.CreateProductInput{SKU: "A", Name: "A", Barcodes: []string{"4006381333931"}})
	d.waitDrained()
	d.link.cut.Store(true)
	six, key := int64(6), api.NewKey()
	ledgertest.Call(t, d.svc, api.LinkBarcode, api.LinkBarcodeInput{ProductID: p.ID, Barcode: "4012345678901", Factor: &six}, api.Key(key))
	found := call(d, api.LookUp, api.LookupInput{Code: "4012345678901"}).Matches
	require.Len(t, found, 1)
	require.EqualValues(t, 6, found[0].Unit.Factor)
	require.Equal(t, "A", d.work(key).Stock.SKU)
	_, err := api.LinkBarcode.Call(t.Context(), d.svc, api.LinkBarcodeInput{ProductID: p.ID, Barcode: "4012345678901"})
	require.True(t, api.HasCode(err, api.AlreadyExists), err)

	d.link.cut.Store(false)
	d.Resume()
	d.waitDrained()
	at := ledgertest.Call(t, d.world.Service, api.LookUp, api.LookupInput{Code: "4012345678901"})
	require.Len(t, at.Matches, 1)
	require.Equal(t, found[0].Unit, at.Matches[0].Unit)
	require.Equal(t, p.ID, at.Matches[0].Product.ID)
}

// TestUnlinkBarcode_Offline requires that a barcode which is unlinked offline is unknown at
// once, and is unlinked at the service after the sync.
func TestUnlinkBarcode_Offline(t *testing.T) {
	t.Parallel()
	d := openFixture(t)
	d.waitReady()
	const code = "4006381333931"
	p := ledgertest.Call(t, d.svc, api.CreateProduct, api.CreateProductInput{SKU: "A", Name: "A", Barcodes: []string{code}})
	d.waitDrained()
	d.link.cut.Store(true)
	in, key := api.UnlinkBarcodeInput{ProductID: p.ID, Barcode: code, Reason: "wrong product"}, api.NewKey()
	ledgertest.Call(t, d.svc, api.UnlinkBarcode, in, api.Key(key))
	require.Empty(t, call(d, api.LookUp, api.LookupInput{Code: code}).Matches)
	require.Equal(t, "A", d.work(key).Stock.SKU)
	_, err := api.UnlinkBarcode.Call(t.Context(), d.svc, in)
	require.True(t, api.HasCode(err, api.NotFound), err)

	d.link.cut.Store(false)
	d.Resume()
	d.waitDrained()
	at := ledgertest.Call(t, d.world.Service, api.LookUp, api.LookupInput{Code: code})
	require.Empty(t, at.Matches)
}

// Two sites without a connection give the same serial number and receive it, each on its own
// inbound. A person decides about the second receipt; nothing of it is lost.
func TestSync_SerialReceivedAtTwoSites(t *testing.T) {
	t.Parallel()
	for name, readFirst := range map[string]bool{"sent first": false, "read first": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := ledgertest.Open(t)
			camera, wh := w.Product("CAM-1", api.TrackSerial), w.Location("WH-1")
			inbound := func() api.ID {
				return ledgertest.Do(w, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: camera.ID, LocationID: wh.ID}, ExpectedQuantity: 2}).Inbound.ID
			}
			inbounds := []api.ID{inbound(), inbound()}
			sites := []*offline.Node{siteOf(t, w), siteOf(t, w)}
			for i, n := range sites {
				readAll(t, w, n)
				ledgertest.Call(t, n, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: inbounds[i], Quantity: 2,
					Serials: []api.SerialInput{{SerialNumber: "BC00001"}, {SerialNumber: []string{"OWN-1", "OWN-2"}[i]}}}, api.Key([]string{"first", "second"}[i]))
			}
			first, second := sites[0], sites[1]
			sendAll(t, w, first)
			readAll(t, w, first)
			if readFirst {
				readAll(t, w, second)
			}
			sendAll(t, w, second)
			readAll(t, w, second)
			require.Equal(t, outbox.Done, first.Operation("first").State)

			work := ledgertest.Call(t, second, api.ListWork, api.ListWorkInput{})
			require.Len(t, work.Items, 1)
			op := work.Items[0]
			require.Contains(t, []api.WorkState{api.WorkRefused, api.WorkHeld}, op.State)
			require.Equal(t, api.SerialExists, op.Refusal.Code)
			require.Equal(t, "BC00001", op.Refusal.Details["serialNumber"])
			require.Contains(t, op.Refusal.Message, "BC00001")
			require.Contains(t, string(op.Body), "OWN-2", "all of the receipt is kept")
			require.Zero(t, ledgertest.Do(w, api.GetInbound, api.InboundInput{InboundID: inbounds[1]}).ReceivedQuantity)

			fixed := api.ReplaceWorkInput{Key: "second", Operation: op.Operation, Target: op.Target,
				Body: []byte(`{"quantity":2,"serials":[{"serialNumber":"BC00002"},{"serialNumber":"OWN-2"}]}`)}
			ledgertest.Call(t, second, api.ReplaceWork, fixed, api.Key("second-again"))
			sendAll(t, w, second)
			readAll(t, w, second)
			require.Equal(t, outbox.Done, second.Operation("second-again").State)
			serials := ledgertest.Do(w, api.ListSerials, api.ListSerialsInput{ProductID: camera.ID}).Items
			require.Len(t, serials, 4)
		})
	}
}

// Two sites create an inbound with one key. What the second site receives for its own inbound
// is never sent for that of the first, whatever a person decides about the second creation.
func TestSync_CreationNeverDone(t *testing.T) {
	t.Parallel()
	for name, resolve := range map[string]func(t *testing.T, n api.Service, op *outbox.Operation) error{
		"discarded": func(t *testing.T, n api.Service, op *outbox.Operation) error {
			_, err := api.DiscardWork.Call(t.Context(), n, api.DiscardWorkInput{Key: op.Key, Reason: "entered twice"}, api.Key("discard"))
			return err
		},
		"replaced": func(t *testing.T, n api.Service, op *outbox.Operation) error {
			_, err := api.ReplaceWork.Call(t.Context(), n, api.ReplaceWorkInput{Key: op.Key, Operation: op.SpecID, Target: op.Target, Body: op.Body}, api.Key("create-2"))
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := ledgertest.Open(t)
			oat, rye := w.Product("OAT-1L", api.TrackNone), w.Product("RYE-1KG", api.TrackNone)
			wh := w.Location("WH-1")
			first, second := siteOf(t, w), siteOf(t, w)
			readAll(t, w, first)
			readAll(t, w, second)
			create := func(n api.Service, product api.ID) api.ID {
				res := ledgertest.Call(t, n, api.CreateInbound, api.CreateInboundInput{
					StockKey: api.StockKey{ProductID: product, LocationID: wh.ID}, ExpectedQuantity: 8}, api.Key("create"))
				return res.Inbound.ID
			}
			id := create(first, oat.ID)
			require.Equal(t, id, create(second, rye.ID))
			ledgertest.Call(t, second, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: id, Quantity: 3}, api.Key("receive"))
			sendAll(t, w, first)
			sendAll(t, w, second)
			creation := second.Operation("create")
			require.Equal(t, api.IdempotencyKeyReused, creation.Refusal.Code)
			readAll(t, w, second)

			require.NoError(t, resolve(t, second, creation))
			sendAll(t, w, second)
			readAll(t, w, second)
			require.Equal(t, outbox.Held, second.Operation("receive").State)
			require.ErrorContains(t, second.Retry(t.Context(), "receive", "Ada"), "was never created")
			receipt := second.Operation("receive")
			_, err := api.ReplaceWork.Call(t.Context(), second, api.ReplaceWorkInput{Key: "receive", Operation: receipt.SpecID, Target: receipt.Target, Body: receipt.Body}, api.Key("receive-2"))
			require.ErrorContains(t, err, "was never created")
			require.NoError(t, second.Verify(t.Context()))
			sendAll(t, w, second)
			theirs := ledgertest.Do(w, api.GetInbound, api.InboundInput{InboundID: id})
			require.Equal(t, oat.ID, theirs.ProductID)
			require.Zero(t, theirs.ReceivedQuantity)
			require.NoError(t, second.Discard(t.Context(), "receive", "Ada", "entered for the other inbound", false))
			require.NoError(t, second.Verify(t.Context()))
		})
	}
}

// TestRead_RejectedCreationIsNotConfirmed reserves and commits offline what
// others take meanwhile.
func TestRead_RejectedCreationIsNotConfirmed(t *testing.T) {
	t.Parallel()
	d := openFixture(t)
	oats, location := d.world.Product("OAT-1L", api.TrackNone), d.world.Location("WH-1")
	d.world.Stock(oats.ID, location.ID, 10)
	d.waitReady()
	d.link.cut.Store(true)
	stock := api.StockKey{ProductID: oats.ID, LocationID: location.ID}
	expiry := d.world.Clock.Now().Add(24 * time.Hour)
	reserved := ledgertest.Call(t, d.svc, api.CreateReservation, api.CreateReservationInput{StockKey: stock, Quantity: 8, ExpiresAt: &expiry}, api.Key("reserve"))
	in := api.ReservationInput{ReservationID: reserved.Reservation.ID}
	ledgertest.Call(t, d.svc, api.CommitReservation, in, api.Key("commit"))
	ledgertest.Do(d.world, api.AdjustStock, api.AdjustStockInput{StockKey: stock, InventoryState: api.Available, QuantityDelta: -5, Reason: "sold"})
	d.link.cut.Store(false)
	d.Resume()
	d.eventually("the service rejects the reservation", func() bool { d.Resume(); return d.Operation("reserve").State == outbox.Refused })
	require.Equal(t, outbox.Pending, d.Operation("commit").State)
	require.Equal(t, api.WaitDependency, d.work("commit").Wait)
	_, err := api.GetReservation.Call(t.Context(), d.svc, in)
	require.True(t, api.HasCode(err, api.AtRisk), "%v", err)
	require.ErrorContains(t, err, "not confirmed")
	d.world.Stock(oats.ID, location.ID, 5)
	require.NoError(t, d.Retry(t.Context(), "reserve", "Ada"))
	d.eventually("both are done", func() bool { d.Resume(); return d.Operation("commit").State == outbox.Done })
}
