package offline_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
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
	"bincard/server/ledger/ledgertest"
	"bincard/server/testenv"
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
				for range testenv.Outages.Cases(t) {
					fails.Store(true)
					advance(length / 2)
					ledgertest.Call(t, n, api.AdjustStock, adjustOf(oats.ID, location.ID, 1))
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

// A silentService fails while it is silent, and does not answer probes at all, as behind a
// route that is gone.
type silentService struct {
	api.Service
	silent atomic.Bool
	probes chan struct{}
}

func (s *silentService) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if !s.silent.Load() {
		return s.Service.Do(ctx, req)
	}
	if in, ok := req.Input.(*api.ListChangesInput); ok && *in.Limit == 1 {
		s.probes <- struct{}{}
		<-ctx.Done()
	}
	return nil, api.Fail(api.Unavailable, nil, "No answer.")
}

func TestNetworkChanged_ProbesAtOnce(t *testing.T) {
	t.Parallel()
	d := openFixture(t)
	d.waitReady()
	d.stop()
	s := &silentService{Service: d.link.upstream, probes: make(chan struct{}, 100)}
	s.silent.Store(true)
	d.up = s
	d.open()
	d.eventually("a probe waits for its answer", func() bool { return len(s.probes) > 0 })
	s.silent.Store(false)
	d.NetworkChanged()
	d.eventually("the node is online", func() bool { return d.Sync().State == api.SyncOnline })
	require.NoError(t, d.Verify(t.Context()))
}

// TestRun_EndedDuringReadLogsNothing ends a node when it has the first, second, ... answer
// of the service. A command that ends then prints its result only.
func TestRun_EndedDuringReadLogsNothing(t *testing.T) {
	t.Parallel()
	for n := int32(1); n <= 6; n++ {
		t.Run(fmt.Sprint("answer ", n), func(t *testing.T) {
			t.Parallel()
			w := ledgertest.Open(t)
			d := newFixture(t, w, w.Ledger)
			var log bytes.Buffer
			d.log = slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn})
			opened, ended := make(chan struct{}), make(chan struct{})
			var begun atomic.Int32
			d.up = serviceFunc(func(ctx context.Context, req *api.Request) (*api.Response, error) {
				res, err := d.link.Do(ctx, req)
				switch i := begun.Add(1); {
				case i == n:
					<-opened
					d.cancel()
					close(ended)
				case i > n:
					<-ctx.Done()
				}
				return res, err
			})
			d.open()
			close(opened)
			<-ended
			d.stop()
			require.Empty(t, log.String())
		})
	}
}

// TestNextBatch_QuarantinesUnknownOperation requires that an operation that
// this version does not know is quarantined, and that no other counts as in
// flight if the disk fails to store that.
func TestNextBatch_QuarantinesUnknownOperation(t *testing.T) {
	t.Parallel()
	s := newNodeSet(t, true)
	w := tenant{0, api.Live}
	disk := newFullFolder()
	owner := outbox.Header{Organization: s.orgs[0].ID.String(), Environment: "live"}
	j, _, err := journal.Open(disk, offline.JournalName)
	require.NoError(t, err)
	header := owner
	header.Format = outbox.Format
	for _, e := range []outbox.Entry{
		{Header: &header},
		{Capture: &outbox.Capture{Key: "later", SpecID: "paintTheShelves", Target: "/shelves", At: s.clock.Now()}},
		{Capture: &outbox.Capture{Key: "now", SpecID: api.CreateProduct.Spec.ID, Target: "/products", Body: []byte(`{"sku":"A","name":"A"}`), At: s.clock.Now()}},
	} {
		data, err := e.Encode()
		require.NoError(t, err)
		require.NoError(t, j.Append(data))
	}
	require.NoError(t, j.Close())
	up := upstream{s.ledger, s.caller(w)}
	n, _, err := offline.Open(t.Context(), offline.Config{Upstream: up, Replicas: &replicas.Memory{}, Folder: disk,
		Caller: s.caller(w), Now: s.clock.Now, Owner: owner})
	require.NoError(t, err)
	for !n.Ready() { // the view determines the footprints
		req, _, err := n.NextRead(t.Context())
		require.NoError(t, err)
		res, err := up.Do(t.Context(), req)
		require.NoError(t, n.ReadDone(t.Context(), res, err))
	}
	disk.left.Store(1) // only the Sending entry is stored
	out, err := n.NextBatch()
	require.ErrorIs(t, err, errFull)
	require.Empty(t, out.Requests)
	disk.free()
	out = nextBatch(t, n)
	require.Len(t, out.Requests, 1)
	require.Equal(t, "now", out.Requests[0].Key)
	require.Equal(t, outbox.Held, n.Operation("later").State)
	require.NoError(t, n.Close())
}

// TestSync_ClockAlarm has an alarm while the clocks differ by more than two minutes.
func TestSync_ClockAlarm(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	set, offset := &replicas.Memory{}, time.Duration(0)
	n, _, err := offline.Open(t.Context(), offline.Config{Replicas: set, Folder: &journal.Memory{}, Caller: callerOf(w),
		Now: w.Clock.Now, ClockOffset: func() time.Duration { return offset }, Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	for _, of := range []struct {
		offset time.Duration
		alarm  bool
	}{{2 * time.Minute, false}, {121 * time.Second, true}, {-3 * time.Hour, true}, {-2 * time.Minute, false}} {
		offset = of.offset
		require.Equal(t, of.alarm, len(n.Sync().Alarms) == 1, of.offset)
		if of.alarm {
			require.Equal(t, []api.SyncAlarm{api.AlarmClock}, n.Sync().Alarms)
		}
	}
	require.NoError(t, n.Close())
	require.NoError(t, set.Close())
}

// A damagedNode opens nodes on a directory whose journal it damages in between.
type damagedNode struct {
	t   *testing.T
	w   *ledgertest.World
	dir string
}

// openDamagedNode returns the directory of a node that saved some work.
func openDamagedNode(t *testing.T) *damagedNode {
	d := &damagedNode{t, ledgertest.Open(t), t.TempDir()}
	n := d.open()
	for _, url := range []string{"https://one", "https://two", "https://three"} {
		require.NoError(t, n.SetServiceURL(url))
	}
	require.NoError(t, n.Close())
	return d
}

// open opens the node with whatever owner the journal has.
func (d *damagedNode) open() *offline.Node {
	d.t.Helper()
	n, _, err := offline.Open(d.t.Context(), offline.Config{Replicas: &replicas.Memory{}, Folder: journal.Dir(d.dir), CompactAt: 1,
		Caller: callerOf(d.w), Now: d.w.Clock.Now})
	require.NoError(d.t, err)
	d.t.Cleanup(func() { _ = n.Close() })
	return n
}

// edit changes the journal.
func (d *damagedNode) edit(change func([]byte) []byte) {
	path := filepath.Join(d.dir, offline.JournalName)
	data, err := os.ReadFile(path)
	require.NoError(d.t, err)
	require.NoError(d.t, os.WriteFile(path, change(data), 0o600))
}

// TestOpen_DamageStaysUntilAcknowledged damages a journal in several ways. Every start
// reports the damage until a person acknowledges it.
func TestOpen_DamageStaysUntilAcknowledged(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func([]byte) []byte{
		"last record": func(b []byte) []byte { b[len(b)-2] ^= 1; return b },
		"zeros":       func(b []byte) []byte { return append(b, make([]byte, 4096)...) },
		"shorter":     func(b []byte) []byte { return b[:len(b)/2] },
		"empty":       func([]byte) []byte { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := openDamagedNode(t)
			d.edit(change)
			for range 3 {
				n := d.open()
				s := n.Sync()
				require.Contains(t, s.Alarms, api.AlarmDamage)
				require.NotEmpty(t, s.Troubles)
				require.NoError(t, n.SetServiceURL("https://more"))
				require.NoError(t, n.Close())
			}
			n := d.open()
			s := ledgertest.Call(t, n, api.AcknowledgeDamage, api.SyncInput{})
			require.NotContains(t, s.Alarms, api.AlarmDamage)
			require.Empty(t, s.Troubles)
			require.NoError(t, n.Close())
			require.NotContains(t, d.open().Sync().Alarms, api.AlarmDamage)
		})
	}
}

// TestOpen_DamagedHead damages the record that names the owner. Whoever opens the journal
// first, it does not seem to be another organization's.
func TestOpen_DamagedHead(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func([]byte) []byte{
		"flipped": func(b []byte) []byte { b[40] ^= 1; return b },
		"empty":   func([]byte) []byte { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, folder := ledgertest.Open(t), &journal.Memory{}
			oat, wh := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
			n := openNode(t, w, offline.Config{Upstream: upstream{w.Ledger, callerOf(w)}, Replicas: &replicas.Memory{}, Folder: folder})
			readAll(t, w, n)
			for _, key := range []string{"first", "second"} {
				ledgertest.Call(t, n, api.AdjustStock, adjustOf(oat.ID, wh.ID, 1), api.Key(key))
			}
			require.NoError(t, n.Close())
			data, err := journal.ReadFile(folder, offline.JournalName)
			require.NoError(t, err)
			require.NoError(t, journal.ReplaceFile(folder, offline.JournalName, change(data)))

			verified, _, err := offline.Open(t.Context(), offline.Config{Replicas: &replicas.Memory{}, Folder: folder, Caller: callerOf(w), Now: w.Clock.Now})
			require.NoError(t, err)
			require.NoError(t, verified.Close())
			for range 2 {
				n = openNode(t, w, offline.Config{Upstream: upstream{w.Ledger, callerOf(w)}, Replicas: &replicas.Memory{}, Folder: folder})
				require.Contains(t, n.Sync().Alarms, api.AlarmDamage)
				require.NoError(t, n.Close())
			}
			if name == "flipped" {
				n = openNode(t, w, offline.Config{Upstream: upstream{w.Ledger, callerOf(w)}, Replicas: &replicas.Memory{}, Folder: folder})
				readAll(t, w, n)
				sendAll(t, w, n)
				require.NoError(t, n.Close())
				require.EqualValues(t, 2, ledgertest.Do(w, api.ListBalances, api.ListBalancesInput{}).Items[0].OnHand)
			}
		})
	}
}

// TestOpen_MissesWorkOfTheLastSecond kills a node right after an answer, and cuts the journal.
func TestOpen_MissesWorkOfTheLastSecond(t *testing.T) {
	t.Parallel()
	w, folder := ledgertest.Open(t), journal.Dir(t.TempDir())
	oat, wh := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
	n := openNode(t, w, offline.Config{Upstream: upstream{w.Ledger, callerOf(w)}, Replicas: &replicas.Memory{}, Folder: folder})
	readAll(t, w, n)
	before, err := journal.ReadFile(folder, offline.JournalName)
	require.NoError(t, err)
	ledgertest.Call(t, n, api.AdjustStock, adjustOf(oat.ID, wh.ID, 1), api.Key("last"))

	rest := journal.Dir(t.TempDir())
	note, err := journal.ReadFile(folder, "journal.json")
	require.NoError(t, err)
	require.NoError(t, journal.ReplaceFile(rest, "journal.json", note))
	require.NoError(t, journal.ReplaceFile(rest, offline.JournalName, before))
	n = openNode(t, w, offline.Config{Upstream: upstream{w.Ledger, callerOf(w)}, Replicas: &replicas.Memory{}, Folder: rest})
	require.Contains(t, n.Sync().Alarms, api.AlarmDamage)
}

// TestOpen_UnfinishedWriteIsQuiet cuts off the end of a record that was not saved yet.
func TestOpen_UnfinishedWriteIsQuiet(t *testing.T) {
	t.Parallel()
	d := openDamagedNode(t)
	note := filepath.Join(d.dir, "journal.json")
	before, err := os.ReadFile(note)
	require.NoError(t, err)
	n := d.open()
	require.NoError(t, n.SetServiceURL("https://unfinished"))
	require.NoError(t, n.Close())
	require.NoError(t, os.WriteFile(note, before, 0o600)) // the power failed before the next note
	d.edit(func(b []byte) []byte { return b[:len(b)-3] })
	require.Empty(t, d.open().Sync().Alarms)
}

// TestOpen_OlderOrMissingNoteIsNormal opens journals of an older version, and one that
// grew after the last note.
func TestOpen_OlderOrMissingNoteIsNormal(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"older": `{"frame":1}`, "a mixture": `{"frame":26,"waiting":1,"sum":12345}`, "unreadable": `{"fra`, "empty": ""} {
		d := openDamagedNode(t)
		require.NoError(t, os.WriteFile(filepath.Join(d.dir, "journal.json"), []byte(text), 0o600))
		require.Empty(t, d.open().Sync().Alarms, name)
	}
	d := openDamagedNode(t)
	require.NoError(t, os.Remove(filepath.Join(d.dir, "journal.json")))
	require.Empty(t, d.open().Sync().Alarms)
}

func TestMissingWork_Plurals(t *testing.T) {
	t.Parallel()
	for want, m := range map[string]offline.MissingWork{
		"1 saved change is missing (1 operation was pending)":     {Frames: 1, Waiting: 1},
		"1 saved change is missing (2 operations were pending)":   {Frames: 1, Waiting: 2},
		"2 saved changes are missing (1 operation was pending)":   {Frames: 2, Waiting: 1},
		"3 saved changes are missing (0 operations were pending)": {Frames: 3},
	} {
		require.Equal(t, want, m.String())
	}
}
