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
	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
)

// countReads lets a node read for a while by the world's clock, and counts how often
// it asks. answer is the service.
func countReads(t *testing.T, w *ledgertest.World, n *offline.Node, d time.Duration, answer func(*api.Request) (*api.Response, error)) (times int) {
	for end := w.Clock.Now().Add(d); w.Clock.Now().Before(end); {
		req, at, err := n.NextRead(t.Context())
		require.NoError(t, err)
		if req == nil {
			require.True(t, at.After(w.Clock.Now()), "it waits for an instant to come")
			w.Clock.Set(at)
			continue
		}
		times++
		res, err := answer(req)
		require.NoError(t, n.ReadDone(t.Context(), res, err))
	}
	return times
}

var errGone = errors.New("there is no line")

// openPolling is a node at a service of the documented operations, which does
// nothing by itself, and the service.
func openPolling(t *testing.T, w *ledgertest.World) (*offline.Node, func(*api.Request) (*api.Response, error)) {
	t.Helper()
	bases := &offline.MemoryReplicas{}
	n := openNode(t, w, offline.Config{Replicas: bases, Folder: &journal.Memory{}})
	t.Cleanup(func() {
		require.NoError(t, n.Close())
		require.NoError(t, bases.Close())
	})
	return n, documentedBy(w)
}

// openNode opens a node with what cfg says of where its things are kept.
func openNode(t *testing.T, w *ledgertest.World, cfg offline.Config) *offline.Node {
	t.Helper()
	cfg.Caller, cfg.Now, cfg.Log = callerOf(w), w.Clock.Now, slog.New(slog.DiscardHandler)
	cfg.NotSent = func(err error) bool { return errors.Is(err, errGone) }
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

// usedUp is how a service says that there are 3,000 requests a month.
var usedUp = api.Fail(api.PlanLimitExceeded, api.Details{"entitlementKey": "api_requests", "limit": "3000", "used": "3000", "requested": "1"}, "The plan is used up.")

// TestReadingTakesAFifthOfTheRequests holds a node to its share of the monthly
// requests once the service has said how many those are.
func TestReadingTakesAFifthOfTheRequests(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	oats, place := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
	w.Stock(oats.ID, place.ID, 20)
	n, served := openPolling(t, w)
	day := 24 * time.Hour
	idle := countReads(t, w, n, day, served)
	require.Less(t, idle, 3500, "where nothing happens it asks seldom")
	require.True(t, n.Ready())
	refused := countReads(t, w, n, day, func(*api.Request) (*api.Response, error) { return nil, usedUp })
	require.Less(t, refused, 100)
	countReads(t, w, n, time.Hour, served)
	vain := countReads(t, w, n, 12*time.Hour, func(*api.Request) (*api.Response, error) { return nil, errGone })
	require.Greater(t, vain, 100, "what does not reach the service costs nothing")
	back := countReads(t, w, n, 5*time.Minute, served)
	require.Positive(t, back, "so it is read as soon as it is reached again")
	month := countReads(t, w, n, 30*day, served)
	require.LessOrEqual(t, month, 620, "3,000 a month, of which a fifth is for reading")
	require.Greater(t, month, 300)
}

// TestTheShareIsKnownFromTheStart holds a node to its share from its first day
// where it is told how many requests there are, and after a start where the
// service said so before.
func TestTheShareIsKnownFromTheStart(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	w := ledgertest.Open(t)
	oats, place := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
	w.Stock(oats.ID, place.ID, 20)
	served := documentedBy(w)
	bases := &offline.MemoryReplicas{}
	n := openNode(t, w, offline.Config{Replicas: bases, Folder: &journal.Memory{}, Requests: 3000})
	first := countReads(t, w, n, 6*time.Hour, served)
	require.True(t, n.Ready())
	require.Greater(t, first, 12, "who has just begun looks again soon")
	month := countReads(t, w, n, 30*day, served)
	require.LessOrEqual(t, first+month, 630)
	require.Greater(t, month, 300)
	require.NoError(t, n.Close())
	require.NoError(t, bases.Close())

	folder, bases := &journal.Memory{}, &offline.MemoryReplicas{}
	n = openNode(t, w, offline.Config{Replicas: bases, Folder: folder})
	countReads(t, w, n, time.Hour, served)
	countReads(t, w, n, time.Hour, func(*api.Request) (*api.Response, error) { return nil, usedUp })
	require.NoError(t, n.Close())
	n = openNode(t, w, offline.Config{Replicas: bases, Folder: folder})
	alone := countReads(t, w, n, day, served)
	require.LessOrEqual(t, alone, 30, "it is remembered")
	require.NoError(t, n.Close())
	n = openNode(t, w, offline.Config{Replicas: bases, Folder: folder, Requests: 100_000})
	require.LessOrEqual(t, countReads(t, w, n, day, served), 30, "whoever says that there are more")
	require.NoError(t, n.Close())
	n = openNode(t, w, offline.Config{Replicas: bases, Folder: folder, Requests: 1000})
	require.LessOrEqual(t, 2*countReads(t, w, n, day, served), alone, "it is one of three terminals")
	require.NoError(t, n.Close())
	require.NoError(t, bases.Close())
}
