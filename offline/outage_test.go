package offline_test

import (
	"context"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/offline"
	"bincard/offline/journal"
	"bincard/offline/outbox"
	"bincard/offline/replicas"
	"bincard/server/api"
	"bincard/server/budget"
	"bincard/server/ledger/ledgertest"
)

// outages are the ways in which a service is away.
var outages = map[string]func(context.Context) error{
	"refused": func(context.Context) error {
		return api.Fail(api.Unavailable, api.Details{"outcome": "not_sent"}, "The service cannot be reached.")
	},
	"no answer": func(ctx context.Context) error { // nor later: what was sent is lost
		<-ctx.Done()
		return &api.Error{Code: api.Unavailable, Err: ctx.Err(), Message: "no answer", Details: api.Details{"outcome": "unknown"}}
	},
	"no connection in time": func(ctx context.Context) error {
		<-ctx.Done()
		return &api.Error{Code: api.Unavailable, Err: ctx.Err(), Message: "no connection", Details: api.Details{"outcome": "not_sent"}}
	},
	"page": func(context.Context) error {
		return &api.Error{Code: api.Unavailable, Details: api.Details{"outcome": "unknown"}, Err: &api.ForeignAnswer{Status: 200, Text: "Guest network"}}
	},
	"gateway": func(context.Context) error {
		return &api.Error{Code: api.Unavailable, Details: api.Details{"outcome": "unknown"}, Err: &api.ForeignAnswer{Status: 503, Text: "no backend"}}
	},
	"unavailable": func(context.Context) error {
		return api.Fail(api.Unavailable, nil, "The service is shutting down.")
	},
}

// TestRun_OnlineWithinFiveSecondsOfAnyOutage ends outages at various moments between two
// probes. However long they were, the node is online and its work sent five seconds later.
func TestRun_OnlineWithinFiveSecondsOfAnyOutage(t *testing.T) {
	t.Parallel()
	for name, fail := range outages {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := ledgertest.Open(t)
				oats, location := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
				var fails atomic.Bool
				up := func(ctx context.Context, req *api.Request) (*api.Response, error) {
					if fails.Load() {
						return nil, fail(ctx)
					}
					return upstream{w.Ledger, callerOf(w)}.Do(ctx, req)
				}
				n := runNode(t, w, serviceFunc(up), &journal.Memory{})
				length := 40 * time.Minute
				for range budget.Outages.Cases(t) {
					fails.Store(true)
					advance(length / 2)
					_, err := api.AdjustStock.Call(t.Context(), n, adjustOf(oats.ID, location.ID, 1))
					require.NoError(t, err)
					advance(length / 2)
					require.NotEqual(t, api.SyncOnline, n.Sync().State)
					fails.Store(false)
					advance(5 * time.Second)
					synctest.Wait()
					s := n.Sync()
					require.Equal(t, api.SyncOnline, s.State, "after %v", length)
					require.Zero(t, s.Waiting, "after %v", length)
					length = 3*time.Minute + length%time.Minute + 700*time.Millisecond
				}
			})
		})
	}
}

// advance lets the time of a synctest bubble pass.
func advance(by time.Duration) { <-time.After(by) }

// TestRun_DiskAlarmEndsWithoutWork has a disk that is full for a while. The alarm ends when
// there is space, although nobody works.
func TestRun_DiskAlarmEndsWithoutWork(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := ledgertest.Open(t)
		oats, location := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
		disk := newFullFolder()
		n := runNode(t, w, upstream{w.Ledger, callerOf(w)}, disk)
		disk.fill()
		_, err := api.AdjustStock.Call(t.Context(), n, adjustOf(oats.ID, location.ID, 1))
		require.ErrorContains(t, err, "Not saved")

		advance(time.Minute)
		require.Equal(t, []api.SyncAlarm{api.AlarmDisk}, n.Sync().Alarms)
		disk.free()
		advance(time.Minute)
		require.Empty(t, n.Sync().Alarms)
	})
}

// runNode runs a node in a synctest bubble until the test ends.
func runNode(t *testing.T, w *ledgertest.World, up api.Service, folder journal.Folder) *offline.Node {
	t.Helper()
	set := &replicas.Memory{}
	n, _, err := offline.Open(t.Context(), offline.Config{Upstream: up, Replicas: set, Folder: folder,
		NotSent: func(err error) bool { return api.AsError(err).Details["outcome"] == "not_sent" },
		Caller:  callerOf(w), Now: time.Now, Log: slog.New(slog.DiscardHandler), Outbox: outbox.Options{Heartbeat: 5 * time.Second},
		Owner: outbox.Header{Organization: w.Org.ID.String(), Environment: string(api.Live)}})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		n.Run(ctx)
		close(done)
	}()
	t.Cleanup(func() {
		cancel()
		<-done
		require.NoError(t, n.Close())
		require.NoError(t, set.Close())
	})
	advance(10 * time.Second)
	require.True(t, n.Ready())
	return n
}
