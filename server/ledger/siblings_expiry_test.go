package ledger_test

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/ledger/ledgertest"
)

// reserve reserves one of a product until some time from now.
func reserve(w *ledgertest.World, product, at api.ID, d time.Duration) api.Reservation {
	until := w.Clock.Now().Add(d)
	return ledgertest.Do(w, api.CreateReservation, api.CreateReservationInput{StockKey: api.StockKey{ProductID: product, LocationID: at}, Quantity: 1, ExpiresAt: &until}).Reservation
}

// expiries returns the number of expiries of each reservation in the journal.
func expiries(t *testing.T, w *ledgertest.World) map[string]int {
	t.Helper()
	n, after := map[string]int{}, int64(0)
	for {
		page := ledgertest.Do(w, api.ListChanges, api.ListChangesInput{After: &after})
		for _, c := range page.Items {
			if c.Operation == "expireReservation" {
				n[c.Key]++
			}
			after = c.Seq
		}
		if len(page.Items) == 0 {
			return n
		}
	}
}

// A process that expected nothing notices the reservations of another when they are due.
func TestSiblings_ReservationsOfOthersExpire(t *testing.T) {
	t.Parallel()
	a, b := siblings(t)
	product, at := a.Product("OAT-1L", api.TrackNone).ID, a.Location("WH-1").ID
	a.Stock(product, at, 5)
	require.Len(t, ledgertest.Do(b, api.ListBalances, api.ListBalancesInput{}).Items, 1)
	r := reserve(a, product, at, time.Hour)
	b.Clock.Advance(time.Hour)
	require.Equal(t, api.ReservationExpired, statusOf(b, r.ID))
	second := reserve(a, product, at, time.Hour)
	b.Clock.Advance(time.Hour)
	b.Stock(product, at, 1) // a write expires it too
	require.Equal(t, api.ReservationExpired, statusOf(b, second.ID))
	require.Equal(t, map[string]int{"expire " + r.ID.String(): 1, "expire " + second.ID.String(): 1}, expiries(t, b))
}

// Each reservation expires once when both processes run, and read and write at that time.
func TestSiblings_ReservationsExpireOnce(t *testing.T) {
	t.Parallel()
	a, b := siblings(t)
	product, at := a.Product("OAT-1L", api.TrackNone).ID, a.Location("WH-1").ID
	a.Stock(product, at, 50)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 2)
	for _, w := range []*ledgertest.World{a, b} {
		short := func(time.Duration) <-chan time.Time { return time.After(time.Millisecond) }
		w.Ledger.Close()
		w.Ledger = ledger.New(w.Store, ledger.Options{Now: w.Clock.Now, After: short, Log: slog.New(slog.DiscardHandler)})
		w.Service = w.As(api.Live)
		go func() { done <- w.Ledger.Run(ctx) }()
	}
	const rounds, each = 5, 6
	for range rounds {
		together(2*each, func(i int) { reserve([]*ledgertest.World{a, b}[i%2], product, at, time.Minute) })
		a.Clock.Advance(time.Minute)
		b.Clock.Advance(time.Minute)
		together(8, func(i int) {
			list := ledgertest.Do([]*ledgertest.World{a, b}[i%2], api.ListReservations, api.ListReservationsInput{Status: api.ReservationPending})
			if len(list.Items) > 0 {
				t.Errorf("%d reservations are due and pending", len(list.Items))
			}
		})
	}
	stop()
	require.NoError(t, <-done)
	require.NoError(t, <-done)
	got := expiries(t, a)
	require.Len(t, got, 2*each*rounds)
	for key, n := range got {
		require.Equal(t, 1, n, key)
	}
}

// A process expires in the background what another process created, also in an organization
// that it does not know.
func TestSiblings_RunFindsReservationsOfOthers(t *testing.T) {
	t.Parallel()
	a, b := siblings(t)
	product, at := a.Product("OAT-1L", api.TrackNone).ID, a.Location("WH-1").ID
	a.Stock(product, at, 5)
	ctx, stop := context.WithCancel(t.Context())
	done, began := make(chan error, 1), make(chan struct{})
	var once sync.Once
	l := ledger.New(b.Store, ledger.Options{Now: b.Clock.Now, Log: slog.New(slog.DiscardHandler), After: func(time.Duration) <-chan time.Time {
		once.Do(func() { close(began) })
		return time.After(time.Millisecond)
	}})
	go func() { done <- l.Run(ctx) }()
	<-began
	first := reserve(a, product, at, time.Hour)
	other := a.NewOrganization("Orchard Goods")
	product, at = other.Product("OAT-1L", api.TrackNone).ID, other.Location("WH-1").ID
	other.Stock(product, at, 5)
	second := reserve(other, product, at, time.Hour)
	b.Clock.Advance(time.Hour)
	require.Eventually(t, func() bool {
		return storedStatus(t, a, first.ID) == api.ReservationExpired && storedStatus(t, other, second.ID) == api.ReservationExpired
	}, time.Minute, time.Millisecond)
	stop()
	require.NoError(t, <-done)
}
