package offline_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/offline"
	"bincard/offline/journal"
	"bincard/offline/outbox"
	"bincard/offline/replicas"
	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
)

// countReads advances the world's clock by d, lets the node read from answer,
// and returns the number of requests.
func countReads(t *testing.T, w *ledgertest.World, n *offline.Node, d time.Duration, answer func(*api.Request) (*api.Response, error)) (count int) {
	for end := w.Clock.Now().Add(d); w.Clock.Now().Before(end); {
		req, at, err := n.NextRead(t.Context())
		require.NoError(t, err)
		if req == nil && at.IsZero() { // the connection is down
			var probe *api.Request
			if probe, _, at = n.NextProbe(); probe != nil {
				count++
				_, err := answer(probe)
				n.ProbeDone(err)
				continue
			}
		}
		if req == nil {
			require.True(t, at.After(w.Clock.Now()), "the next request is later")
			w.Clock.Set(at)
			continue
		}
		count++
		res, err := answer(req)
		require.NoError(t, n.ReadDone(t.Context(), res, err))
	}
	return count
}

var errOffline = errors.New("there is no connection")

// openPolling opens a node that reads only through countReads, and returns it
// with a service that has the documented operations only.
func openPolling(t *testing.T, w *ledgertest.World) (*offline.Node, func(*api.Request) (*api.Response, error)) {
	t.Helper()
	set := &replicas.Memory{}
	n := openNode(t, w, offline.Config{Replicas: set, Folder: &journal.Memory{}})
	t.Cleanup(func() {
		require.NoError(t, n.Close())
		require.NoError(t, set.Close())
	})
	return n, documentedBy(w)
}

// openNode opens a node, with defaults for whatever the tests do not vary.
func openNode(t *testing.T, w *ledgertest.World, cfg offline.Config) *offline.Node {
	t.Helper()
	cfg.Caller, cfg.Now, cfg.Log = callerOf(w), w.Clock.Now, slog.New(slog.DiscardHandler)
	cfg.NotSent = func(err error) bool { return errors.Is(err, errOffline) }
	cfg.Outbox = outbox.Options{Random: func() float64 { return 0 }}
	cfg.Owner = outbox.Header{Organization: w.Org.ID.String(), Environment: string(api.Live)}
	n, _, err := offline.Open(t.Context(), cfg)
	require.NoError(t, err)
	return n
}

func documentedBy(w *ledgertest.World) func(*api.Request) (*api.Response, error) {
	up := upstream{documentedService{w.Ledger}, callerOf(w)}
	return func(req *api.Request) (*api.Response, error) { return up.Do(context.Background(), req) }
}

// errQuota is the error of a service whose quota of 3,000 requests a month is
// exceeded.
var errQuota = api.Fail(api.PlanLimitExceeded, api.Details{"entitlementKey": "api_requests", "limit": "3000", "used": "3000", "requested": "1"}, "The plan is used up.")

// TestPacer_LimitsReadsToAFifthOfTheQuota limits a node to its share of the
// monthly quota once the service has reported it.
func TestPacer_LimitsReadsToAFifthOfTheQuota(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	oats, location := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
	w.Stock(oats.ID, location.ID, 20)
	n, service := openPolling(t, w)
	day := 24 * time.Hour
	idle := countReads(t, w, n, day, service)
	require.Less(t, idle, 3500, "an idle node reads rarely")
	require.True(t, n.Ready())
	refused := countReads(t, w, n, day, func(*api.Request) (*api.Response, error) { return nil, errQuota })
	require.Less(t, refused, 100)
	countReads(t, w, n, time.Hour, service)
	offlineReads := countReads(t, w, n, 12*time.Hour, func(*api.Request) (*api.Response, error) { return nil, errOffline })
	require.Greater(t, offlineReads, 100, "failed connections do not count")
	resumed := countReads(t, w, n, 5*time.Minute, service)
	require.Positive(t, resumed, "reading resumes with the connection")
	month := countReads(t, w, n, 30*day, service)
	require.LessOrEqual(t, month, 620, "a fifth of 3,000")
	require.Greater(t, month, 300)
}

// TestPacer_KnowsTheQuotaFromTheStart limits a node from its first day if the
// quota is configured, and after a restart if the service had reported it.
func TestPacer_KnowsTheQuotaFromTheStart(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	w := ledgertest.Open(t)
	oats, location := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
	w.Stock(oats.ID, location.ID, 20)
	service := documentedBy(w)
	set := &replicas.Memory{}
	n := openNode(t, w, offline.Config{Replicas: set, Folder: &journal.Memory{}, Requests: 3000})
	first := countReads(t, w, n, 6*time.Hour, service)
	require.True(t, n.Ready())
	require.Greater(t, first, 12, "a new node reads often")
	month := countReads(t, w, n, 30*day, service)
	require.LessOrEqual(t, first+month, 630)
	require.Greater(t, month, 300)
	require.NoError(t, n.Close())
	require.NoError(t, set.Close())

	folder, set := &journal.Memory{}, &replicas.Memory{}
	n = openNode(t, w, offline.Config{Replicas: set, Folder: folder})
	countReads(t, w, n, time.Hour, service)
	countReads(t, w, n, time.Hour, func(*api.Request) (*api.Response, error) { return nil, errQuota })
	require.NoError(t, n.Close())
	n = openNode(t, w, offline.Config{Replicas: set, Folder: folder})
	alone := countReads(t, w, n, day, service)
	require.LessOrEqual(t, alone, 30, "the quota is saved")
	require.NoError(t, n.Close())
	n = openNode(t, w, offline.Config{Replicas: set, Folder: folder, Requests: 100_000})
	require.LessOrEqual(t, countReads(t, w, n, day, service), 30, "a higher configured quota is ignored")
	require.NoError(t, n.Close())
	n = openNode(t, w, offline.Config{Replicas: set, Folder: folder, Requests: 1000})
	require.LessOrEqual(t, 2*countReads(t, w, n, day, service), alone, "a lower configured quota applies")
	require.NoError(t, n.Close())
	require.NoError(t, set.Close())
}

// TestPacer_SlowsDownForUnansweredOperation has a service whose answers to an operation
// prove nothing, and whose movements do not name its key. The node reads often only at
// first, and often again for the next operation.
func TestPacer_SlowsDownForUnansweredOperation(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	location, products := w.Location("WH-1"), []api.Product{w.Product("OAT-1L", api.TrackNone), w.Product("RICE", api.TrackNone)}
	for _, p := range products {
		w.Stock(p.ID, location.ID, 20)
	}
	n, service := openPolling(t, w)
	idle := countReads(t, w, n, 6*time.Hour, service)
	require.True(t, n.Ready())
	send := func(d time.Duration) (reads int) { // and read, for a time
		for end := w.Clock.Now().Add(d); w.Clock.Now().Before(end); {
			batch, err := n.NextBatch()
			require.NoError(t, err)
			for _, r := range batch.Requests {
				require.NoError(t, n.SendDone(r.Key, &api.Response{Output: &api.StockResult{}}, nil))
			}
			reads += countReads(t, w, n, time.Second, service)
		}
		return reads
	}
	for _, p := range products {
		_, err := api.AdjustStock.Call(t.Context(), n, api.AdjustStockInput{StockKey: api.StockKey{ProductID: p.ID, LocationID: location.ID},
			InventoryState: api.Available, QuantityDelta: 5, Reason: "found"})
		require.NoError(t, err)
		require.Greater(t, send(90*time.Second), 20, "it may be found soon")
		send(10 * time.Minute)
		require.Less(t, send(6*time.Hour), 3*idle/2)
	}
	require.EqualValues(t, 2, n.Sync().Waiting)
}
