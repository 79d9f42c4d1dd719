package ledger_test

import (
	"context"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/ledger/ledgertest"
	"bincard/server/store"
)

// worldWithReservation returns a world with 5 of a product, 3 of them reserved for an hour.
func worldWithReservation(t *testing.T, w *ledgertest.World) (product, at api.ID, r api.Reservation) {
	t.Helper()
	product, at = w.Product("OAT-1L", api.TrackNone).ID, w.Location("WH-1").ID
	w.Stock(product, at, 5)
	ends := w.Clock.Now().Add(time.Hour)
	return product, at, ledgertest.Do(w, api.CreateReservation, api.CreateReservationInput{StockKey: api.StockKey{ProductID: product, LocationID: at}, Quantity: 3, ExpiresAt: &ends}).Reservation
}

func statusOf(w *ledgertest.World, id api.ID) api.ReservationStatus {
	return ledgertest.Do(w, api.GetReservation, api.ReservationInput{ReservationID: id}).Status
}

// A timer fires when the test says so.
type timer struct {
	waits chan time.Duration
	fire  chan time.Time
}

func (x timer) after(d time.Duration) <-chan time.Time {
	x.waits <- d
	return x.fire
}

func TestRun(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	product, at, first := worldWithReservation(t, w)
	x := timer{make(chan time.Duration), make(chan time.Time)}
	l := ledger.New(w.Store, ledger.Options{Now: w.Clock.Now, After: x.after, Log: slog.New(slog.DiscardHandler)})
	w.Ledger = l
	w.Service = w.As(api.Live)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- l.Run(ctx) }()
	require.Equal(t, time.Minute, <-x.waits, "Run checks the wall clock every minute")

	soon := w.Clock.Now().Add(20 * time.Second)
	second := ledgertest.Do(w, api.CreateReservation, api.CreateReservationInput{StockKey: api.StockKey{ProductID: product, LocationID: at}, Quantity: 1, ExpiresAt: &soon}).Reservation
	require.Equal(t, 20*time.Second, <-x.waits, "a new reservation is due sooner")
	w.Clock.Set(soon)
	x.fire <- soon
	require.Equal(t, time.Minute, <-x.waits)
	require.Equal(t, api.ReservationExpired, storedStatus(t, w, second.ID), "without a read")
	w.Clock.Set(first.ExpiresAt)
	x.fire <- first.ExpiresAt
	<-x.waits
	require.Equal(t, api.ReservationExpired, storedStatus(t, w, first.ID))
	stop()
	require.NoError(t, <-done)
}

func TestRun_CanceledContext(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	stop()
	require.NoError(t, ledgertest.OpenDir(t, t.TempDir()).Ledger.Run(ctx))
}

// storedStatus returns the stored status of a reservation. It reads with a ledger whose
// clock does not advance, so that the read does not expire it.
func storedStatus(t *testing.T, w *ledgertest.World, id api.ID) api.ReservationStatus {
	t.Helper()
	l := ledger.New(w.Store, ledger.Options{Now: func() time.Time { return ledgertest.Start }, Log: slog.New(slog.DiscardHandler)})
	svc := api.As(l, api.Caller{Organization: w.Org.ID, Environment: api.Live, Scopes: api.Scopes}, "")
	r := ledgertest.Call(t, svc, api.GetReservation, api.ReservationInput{ReservationID: id})
	return r.Status
}

func TestExpiry_WriteFails(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	product, at, r := worldWithReservation(t, w)
	var fails atomic.Bool // because usage is written concurrently
	disk := failingStore{w.Store, func(store.Partition) error {
		if fails.Load() {
			return errDisk
		}
		return nil
	}}
	l := ledger.New(disk, ledger.Options{Now: w.Clock.Now, Log: slog.New(slog.DiscardHandler)})
	w.Ledger = l
	w.Service = w.As(api.Live)
	require.Equal(t, api.ReservationPending, statusOf(w, r.ID))
	w.Clock.Advance(time.Hour)
	fails.Store(true)
	for range 2 {
		_, err := api.ListBalances.Call(t.Context(), w.Service, api.ListBalancesInput{})
		require.ErrorIs(t, err, errDisk, "no outdated data is returned")
	}
	fails.Store(false)
	require.Equal(t, api.ReservationExpired, statusOf(w, r.ID))

	// A reservation that was not committed leaves nothing to expire.
	fails.Store(true)
	ends := w.Clock.Now().Add(time.Second)
	_, err := api.CreateReservation.Call(t.Context(), w.Service, api.CreateReservationInput{StockKey: api.StockKey{ProductID: product, LocationID: at}, Quantity: 1, ExpiresAt: &ends})
	require.ErrorIs(t, err, errDisk)
	fails.Store(false)
	w.Clock.Advance(time.Hour)
	require.Len(t, ledgertest.Do(w, api.ListReservations, api.ListReservationsInput{}).Items, 1)
}

// Concurrent reads and writes see a due reservation as expired, and it expires once.
func TestExpiry_Concurrent(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	product, at, _ := worldWithReservation(t, w)
	w.Clock.Advance(time.Hour)
	const many = 16
	errs := make(chan error, many)
	for i := range many {
		go func() {
			if i%2 == 0 {
				_, err := api.FulfillStock.Call(context.Background(), w.Service, api.FulfillStockInput{StockKey: api.StockKey{ProductID: product, LocationID: at}, Quantity: some(int64(5))})
				if api.HasCode(err, api.InsufficientStock) {
					err = nil
				}
				errs <- err
				return
			}
			list, err := api.ListReservations.Call(context.Background(), w.Service, api.ListReservationsInput{Status: api.ReservationPending})
			if err == nil && len(list.Items) > 0 {
				err = context.DeadlineExceeded
			}
			errs <- err
		}()
	}
	for range many {
		require.NoError(t, <-errs)
	}
	list := ledgertest.Do(w, api.ListBalances, api.ListBalancesInput{})
	require.Equal(t, api.Quantities{}, list.Items[0].Quantities, "all 5 left once")
}
