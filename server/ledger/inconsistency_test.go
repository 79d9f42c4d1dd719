package ledger_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/ledger/ledgertest"
	"bincard/server/store"
)

// A corruptStore has one row missing or damaged, and discards all updates.
type corruptStore struct {
	store.Store
	seen   map[string]bool // the rows read so far: table, 0, key
	target string
	value  []byte // replaces the target's value; nil if it is missing
}

var errDiscarded = errors.New("update discarded")

func (s *corruptStore) View(ctx context.Context, p store.Partition, fn func(store.Reader) error) error {
	return s.Store.View(ctx, p, func(r store.Reader) error { return fn(corruptReader{r, s}) })
}

func (s *corruptStore) Update(ctx context.Context, p store.Partition, fn func(store.Tx) error) error {
	return s.Store.Update(ctx, p, func(tx store.Tx) error {
		if err := fn(corruptTx{tx, corruptReader{tx, s}}); err != nil {
			return err
		}
		return errDiscarded
	})
}

type corruptReader struct {
	store.Reader
	s *corruptStore
}

func (r corruptReader) Get(table string, key []byte) ([]byte, error) {
	value, err := r.Reader.Get(table, key)
	if row := table + "\x00" + string(key); value != nil {
		r.s.seen[row] = true
		if row == r.s.target {
			return r.s.value, err
		}
	}
	return value, err
}

func (r corruptReader) Scan(table string, span store.Range, fn func(key, value []byte) error) error {
	return r.Reader.Scan(table, span, func(key, value []byte) error {
		row := table + "\x00" + string(key)
		r.s.seen[row] = true
		switch {
		case row != r.s.target:
			return fn(key, value)
		case r.s.value != nil:
			return fn(key, r.s.value)
		}
		return nil
	})
}

type corruptTx struct {
	store.Tx
	corruptReader
}

func (t corruptTx) Get(table string, key []byte) ([]byte, error) {
	return t.corruptReader.Get(table, key)
}
func (t corruptTx) Scan(table string, span store.Range, fn func(key, value []byte) error) error {
	return t.corruptReader.Scan(table, span, fn)
}

// The test deletes and damages each row in turn and performs many requests: each must
// succeed or return an error with a message, without a panic.
func TestLedger_DamagedRows(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	requests := corruptRequests(w)
	s := &corruptStore{Store: w.Store, seen: map[string]bool{}}
	all := func(what string) {
		l := ledger.New(s, ledger.Options{Now: w.Clock.Now})
		defer l.Close()
		for _, request := range requests {
			_, err := request(api.As(l, api.Caller{Organization: w.Org.ID, Environment: api.Live, Scopes: append(api.Scopes, api.Admin)}, "Ada"))
			var panicked *store.PanicError
			if errors.As(err, &panicked) {
				t.Errorf("%s: %s\n%s", what, err, panicked.Stack)
			}
			var e *api.Error
			if err != nil && errors.As(err, &e) {
				require.NotEmpty(t, e.Message, what)
			}
		}
		_, _ = l.Verify(t.Context())
	}
	all("whole")
	dice := rand.New(rand.NewPCG(1, 2))
	rows := s.seen
	require.Greater(t, len(rows), 100)
	for row := range rows {
		s.seen = map[string]bool{}
		s.target, s.value = row, nil
		all(fmt.Sprintf("without %q", row))
		s.value = []byte{}
		for range dice.IntN(12) {
			s.value = append(s.value, byte(dice.Uint32()))
		}
		all(fmt.Sprintf("%q is %x", row, s.value))
	}
}

// corruptRequests returns requests that together read every kind of row.
func corruptRequests(w *ledgertest.World) (requests []func(api.Service) (any, error)) {
	oats, milk, phone := w.Product("OAT-1L", api.TrackNone), w.Product("MILK-1L", api.TrackLot), w.Product("PHONE", api.TrackSerial)
	location, other := w.Location("WH-1"), w.Location("WH-2")
	balance := w.Stock(oats.ID, location.ID, 40)
	w.Receive(milk.ID, location.ID, 10, "L-1")
	w.Receive(phone.ID, location.ID, 2, "", "S-1", "S-2")
	in := ledgertest.Do(w, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: oats.ID, LocationID: location.ID}, ExpectedQuantity: 5})
	out := ledgertest.Do(w, api.CreateOutbound, api.CreateOutboundInput{LocationID: location.ID,
		Lines: []api.OutboundLineInput{{ProductID: oats.ID, RequestedQuantity: 3}, {ProductID: milk.ID, RequestedQuantity: 2}, {ProductID: phone.ID, RequestedQuantity: 1}}})
	one := int64(1)
	moved := ledgertest.Do(w, api.CreateTransfer, api.CreateTransferInput{ProductID: oats.ID, SourceLocationID: location.ID, DestinationLocationID: other.ID, Quantity: 4})
	ledgertest.Do(w, api.ShipTransfer, api.MoveTransferInput{TransferID: moved.Transfer.ID, Quantity: &one})
	ends := w.Clock.Now().Add(time.Hour)
	reserved := ledgertest.Do(w, api.CreateReservation, api.CreateReservationInput{StockKey: api.StockKey{ProductID: oats.ID, LocationID: location.ID}, Quantity: 2, ExpiresAt: &ends})
	add := func(op func(api.Service) (any, error)) { requests = append(requests, op) }
	add(requestFor(api.GetAccess, api.GetAccessInput{}))
	add(requestFor(api.ListBalances, api.ListBalancesInput{}))
	add(requestFor(api.GetBalance, api.GetBalanceInput{BalanceID: balance.ID}))
	add(requestFor(api.ExplainBalance, api.ExplainBalanceInput{BalanceID: balance.ID}))
	add(requestFor(api.ListProducts, api.ListProductsInput{}))
	add(requestFor(api.ListLocations, api.ListPlacesInput{}))
	add(requestFor(api.ListInbounds, api.ListInboundsInput{}))
	add(requestFor(api.ListOutbounds, api.ListOutboundsInput{}))
	add(requestFor(api.ListTransfers, api.ListTransfersInput{}))
	add(requestFor(api.ListReservations, api.ListReservationsInput{}))
	add(requestFor(api.ListLots, api.ListLotsInput{}))
	add(requestFor(api.ListSerials, api.ListSerialsInput{}))
	add(requestFor(api.ReportMovements, api.ReportMovementsInput{}))
	add(requestFor(api.ReportSnapshot, api.ReportSnapshotInput{}))
	add(requestFor(api.ListChanges, api.ListChangesInput{}))
	add(requestFor(api.GetSnapshot, api.SnapshotInput{}))
	add(requestFor(api.GetCapabilities, api.CapabilitiesInput{}))
	add(requestFor(api.LookUp, api.LookupInput{Code: "S-1"}))
	add(requestFor(api.AdjustStock, api.AdjustStockInput{StockKey: api.StockKey{ProductID: oats.ID, LocationID: location.ID}, InventoryState: api.Available, QuantityDelta: -1, Reason: "count"}))
	add(requestFor(api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.Inbound.ID, Quantity: 1}))
	add(requestFor(api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: out.Outbound.ID}))
	add(requestFor(api.CancelOutbound, api.OutboundInput{OutboundID: out.Outbound.ID}))
	add(requestFor(api.ReceiveTransfer, api.MoveTransferInput{TransferID: moved.Transfer.ID}))
	add(requestFor(api.CancelTransfer, api.TransferInput{TransferID: moved.Transfer.ID}))
	add(requestFor(api.CommitReservation, api.ReservationInput{ReservationID: reserved.Reservation.ID}))
	return requests
}

func requestFor[I, O any](op api.Operation[I, O], in I) func(api.Service) (any, error) {
	return func(svc api.Service) (any, error) { return op.Call(context.Background(), svc, in, api.Key("again")) }
}
