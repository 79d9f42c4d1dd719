package offline_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/offline"
	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
)

// A silentUpstream is a service that stops answering.
type silentUpstream struct {
	upstream
	silent atomic.Bool
	asked  atomic.Int64
}

func (s *silentUpstream) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	s.asked.Add(1)
	if s.silent.Load() {
		<-ctx.Done()
		return nil, &api.Error{Code: api.Unavailable, Err: ctx.Err(), Message: "no answer", Details: api.Details{"outcome": "unknown"}}
	}
	return s.upstream.Do(ctx, req)
}

// Only the service can answer for a key that was used there. A service that does not
// answer delays the first request, and none after that.
func TestReplay_ServiceIsSilent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := ledgertest.Open(t)
		oat, wh := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
		in := api.CreateInboundInput{StockKey: api.StockKey{ProductID: oat.ID, LocationID: wh.ID}, ExpectedQuantity: 5}
		_, err := api.CreateInbound.Call(t.Context(), w.Service, in, api.Key("night-0"))
		require.NoError(t, err)
		up := &silentUpstream{upstream: upstream{w.Ledger, callerOf(w)}}
		n := siteBehind(t, w, up)
		readAll(t, w, n)
		create := func() time.Duration {
			start := time.Now()
			_, err := api.CreateInbound.Call(t.Context(), n, in, api.Key("night-0"))
			require.True(t, api.HasCode(err, api.Unavailable), "%v", err)
			return time.Since(start)
		}
		up.silent.Store(true)
		require.Less(t, create(), 10*time.Second, "a client waits 10 s")
		_, timeout, _ := n.NextProbe()
		require.NotZero(t, timeout, "the connection is checked")
		n.ProbeDone(context.DeadlineExceeded)
		asked := up.asked.Load()
		require.Zero(t, create())
		require.Equal(t, asked, up.asked.Load())
	})
}

// Another site used the key for equal work, which is not this site's.
func TestReplay_EqualWorkOfAnotherSite(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	oat, wh := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
	first, second := siteOf(t, w), siteOf(t, w)
	readAll(t, w, first)
	adjust := func(n *offline.Node) error {
		_, err := api.AdjustStock.Call(t.Context(), n, api.AdjustStockInput{StockKey: api.StockKey{ProductID: oat.ID, LocationID: wh.ID},
			InventoryState: api.OnHand, QuantityDelta: 5, Reason: "found"}, api.Key("night-0"))
		return err
	}
	readAll(t, w, second)
	require.NoError(t, adjust(first))
	sendAll(t, w, first)
	readAll(t, w, second)
	err := adjust(second)
	require.True(t, api.HasCode(err, api.IdempotencyKeyReused), "it would be lost: %v", err)
}

// A replica knows which operation a key was used for, so nobody has to ask the service.
func TestReplay_KeyOfAnotherOperation(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	oat, wh := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
	up := &silentUpstream{upstream: upstream{w.Ledger, callerOf(w)}}
	n := siteBehind(t, w, up)
	readAll(t, w, n)
	at := api.StockKey{ProductID: oat.ID, LocationID: wh.ID}
	_, err := api.CreateInbound.Call(t.Context(), w.Service, api.CreateInboundInput{StockKey: at, ExpectedQuantity: 5}, api.Key("night-0"))
	require.NoError(t, err)
	readAll(t, w, n)
	_, err = api.AdjustStock.Call(t.Context(), n, api.AdjustStockInput{StockKey: at, InventoryState: api.OnHand, QuantityDelta: 5, Reason: "found"}, api.Key("night-0"))
	require.True(t, api.HasCode(err, api.IdempotencyKeyReused), "%v", err)
	require.Zero(t, up.asked.Load())
}
