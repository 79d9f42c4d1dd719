package sim_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/stretchr/testify/require"

	"bincard/offline"
	"bincard/offline/edge"
	"bincard/offline/journal"
	"bincard/offline/outbox"
	"bincard/offline/replicas"
	"bincard/server/api"
	"bincard/server/store"
)

// A site is a node with its disk and its users.
type site struct {
	sim         *simulation
	tenant      *tenant
	name        string
	upstream    upstream
	disk        *disk
	replicas    *replicaSet
	node        *offline.Node    // nil while the program is not running
	runs        int              // how often it was started
	skew        time.Duration    // of its clock from the simulation's
	clockSkewed bool             // its clock was ever wrong
	edge        bool             // used from devices
	locations   []api.PlaceRef   // that the node is limited to; nil for all
	original    *site            // whose directory was copied before its first work; itself if it has copies, nil if none
	image       map[string]*file // of its disk after the first start
	reports     bool             // to the service, which finds out whether its directory was copied
	nights      int              // operations that a site and its copies number alike

	saved            map[string]outbox.State // operations reported as saved, with their last state
	notSaved         map[string]bool         // operations reported as not saved
	swapped          map[string]bool         // writes that got another one's answer
	rejected         map[string]bool         // writes that the service itself rejected
	duplicated       map[string]bool         // requests that reach the service twice
	hiddenBySnapshot map[string]bool         // duplicated requests that a snapshot may have hidden
	resolvedUnknown  map[string]bool         // resolved without knowing whether they were done
	doneTwice        map[string]bool         // done after they were replaced
	created          map[string]string       // ids of created documents by key
	createdBy        map[api.ID]string       // the reverse
	reused           map[string]bool         // keys that are known to be used for other work
	forOther         map[string]bool         // operations on the document of another site, which has the key of a creation here
	lotCodes         map[string]string       // codes of the lots that were used, by id
	idle             bool                    // no more work
	offline          bool                    // for the interval
	offlineToday     bool                    // for the day

	// cutOff is service.restores when the program last started or lost its connection, and
	// knows what it was when the service gave the last answer that shows its history.
	cutOff, knows int

	probeAt       time.Time // of the scheduled probe
	replicaFails  bool
	diskFull      bool   // for an hour
	poison        string // writes that contain it get no answer; "" for none
	key           apiKey
	keyCount      int   // number of keys so far
	revoked       []int // by number
	sent, arrived int   // request numbers

	// backup and replicaBackup are last night's. restored means that they were
	// put back, keysExpired that the node's clock ran so far ahead that a journal
	// which keepsFew removed operations early.
	backup                map[string]*file
	replicaBackup         *replicaSet
	restored, keysExpired bool
	keepsFew              bool
}

func newSite(t *tenant, name string) *site {
	s := &site{sim: t.sim, tenant: t, name: name, upstream: t.sim.upstream(), disk: newDisk(t.sim.rng, t.sim.count, t.sim.logFor(name)), key: apiKey{tenant: t},
		saved: map[string]outbox.State{}, notSaved: map[string]bool{}, swapped: map[string]bool{}, rejected: map[string]bool{}, duplicated: map[string]bool{}, hiddenBySnapshot: map[string]bool{}, resolvedUnknown: map[string]bool{}, doneTwice: map[string]bool{}, created: map[string]string{}, createdBy: map[api.ID]string{}, reused: map[string]bool{}, forOther: map[string]bool{}, lotCodes: map[string]string{}}
	s.replicas = &replicaSet{site: s}
	s.keepsFew = len(t.sim.nodes)%2 == 0
	if s.edge = t.sim.rng.IntN(6) == 0; s.edge {
		t.sim.count(siteWithEdge)
	}
	if t.sim.basic == nil && t.sim.rng.IntN(6) == 0 {
		t.sim.count(siteOfOneLocation)
		l := t.locations[t.sim.rng.IntN(len(t.locations))]
		s.locations = []api.PlaceRef{{ID: l.ID, Code: l.Code}}
	}
	return s
}

// concerns reports whether something at some locations is part of the site's data.
func (s *site) concerns(at []api.ID) bool {
	return s.locations == nil || slices.Contains(at, s.locations[0].ID)
}

// notReached is the service for requests that a node passes on at once.
type notReached struct{}

func (notReached) Do(context.Context, *api.Request) (*api.Response, error) {
	return nil, api.Fail(api.Unavailable, api.Details{"outcome": "not_sent"}, "The service cannot be reached.")
}

func (s *site) caller() api.Caller { return s.tenant.caller(s.name) }
func (s *site) now() time.Time     { return s.sim.now.Add(s.skew) }

// catchCrash runs fn, in which the program may crash.
func (s *site) catchCrash(fn func()) {
	defer func() {
		switch v := recover(); v.(type) {
		case nil:
		case crash:
			s.crash()
		default:
			panic(v)
		}
	}()
	fn()
}

// crash ends the program and fails its power.
func (s *site) crash() {
	s.sim.logf("%s crashes", s.name)
	s.sim.count(crashed)
	s.node = nil
	s.runs++
	s.disk.stepsLeft = -1
	s.disk.losePower()
	s.restart(30 * time.Minute)
}

// stop ends the program in an orderly way.
func (s *site) stop() {
	s.sim.logf("%s stops", s.name)
	closed := false
	s.catchCrash(func() {
		_ = s.node.Close()
		closed = true
	})
	if closed {
		s.node = nil
		s.runs++
	}
}

// restart starts the program within a time; its replicas may be lost, or last night's.
func (s *site) restart(within time.Duration) {
	switch {
	case s.sim.inject(replicaLost, 0.25):
		s.replicas = &replicaSet{site: s}
	case s.replicaBackup != nil && s.sim.inject(replicaOlder, 0.1):
		s.replicas = s.replicaBackup.reopen()
	}
	s.sim.schedule(time.Duration(s.sim.rng.Int64N(int64(within))), s.start)
}

// restoreBackup restores the site's disk from last night's backup.
func (s *site) restoreBackup() {
	s.sim.logf("%s is restored from last night", s.name)
	if s.node != nil {
		s.stop()
	}
	s.runs++
	s.restored = true
	s.disk.restore(s.backup)
	if s.replicas = s.replicaBackup.reopen(); s.sim.chance(0.3) {
		s.replicas = &replicaSet{site: s}
	}
	s.sim.schedule(time.Minute, s.start)
}

func (s *site) start() {
	if s.node != nil {
		return
	}
	s.catchCrash(func() {
		s.disk.stepsLeft = -1
		s.replicas = s.replicas.reopen()
		cfg := offline.Config{Upstream: notReached{}, NewID: s.sim.newID, Replicas: s.replicas, Folder: s.disk, Caller: s.caller(),
			NotSent: func(err error) bool { return api.AsError(err).Details["outcome"] == "not_sent" },
			Owner:   outbox.Header{Organization: s.tenant.org.ID.String(), Environment: string(s.tenant.env)},
			Outbox:  outbox.Options{Random: s.sim.rng.Float64, KeepLast: int(toInt(s.keepsFew))}, CompactAt: 4 << 10, CacheMin: 1, Locations: s.locations,
			Now: s.now, Log: slog.New(slog.DiscardHandler)}
		if s.reports {
			cfg.Label, cfg.Kind, cfg.Version = s.name, api.NodeEdge, "1"
		}
		if s.runs > 0 {
			s.tryForeignJournal(cfg)
		}
		node, damage, err := offline.Open(s.sim.ctx, cfg)
		if err != nil {
			require.True(s.sim.t, s.disk.full || s.disk.failing, "%s does not start: %v", s.name, err)
			s.sim.schedule(time.Minute, s.start)
			return
		}
		require.True(s.sim.t, damage == nil || len(damage.Damage) == 0 && damage.Missing == nil, "%s: a flushed record is lost", s.name)
		if damage != nil && damage.Truncated > 0 {
			s.sim.count(tornTail)
		}
		s.node, s.probeAt, s.cutOff = node, time.Time{}, s.sim.service.restores
		s.sim.logf("%s starts with %d pending", s.name, node.Status().Waiting)
		s.push()
		s.pull()
		s.every(time.Minute, s.push)
		s.every(time.Minute, s.pull)
		s.every(6*time.Minute, s.work)
	})
}

// tryForeignJournal tries to open the journal for another tenant, which must
// fail.
func (s *site) tryForeignJournal(cfg offline.Config) {
	if !s.sim.chance(0.05) {
		return
	}
	other := s.sim.tenants[0]
	if other == s.tenant {
		other = s.sim.tenants[1]
	}
	cfg.Owner = outbox.Header{Organization: other.org.ID.String(), Environment: string(other.env)}
	cfg.Caller = other.caller(s.name)
	_, _, err := offline.Open(s.sim.ctx, cfg)
	require.Error(s.sim.t, err, "%s opens the journal of another tenant", s.name)
	s.sim.count(foreignJournal)
}

// schedule runs fn after a time if the program was not restarted.
func (s *site) schedule(d time.Duration, fn func()) {
	run := s.runs
	s.sim.schedule(d, func() {
		if s.node != nil && s.runs == run {
			s.catchCrash(fn)
		}
	})
}

// every runs fn repeatedly until the program ends.
func (s *site) every(d time.Duration, fn func()) {
	run := s.runs
	s.sim.schedule(d/2+time.Duration(s.sim.rng.Int64N(int64(d))), func() {
		if s.node == nil || s.runs != run {
			return
		}
		s.catchCrash(fn)
		if s.node != nil && s.runs == run {
			s.every(d, fn)
		}
	})
}

// restartIfUncertain restarts the program if err is journal.ErrUncertain, as
// its message asks, and reports whether it did.
func (s *site) restartIfUncertain(err error) bool {
	if !errors.Is(err, journal.ErrUncertain) || s.node == nil {
		return false
	}
	s.sim.count(uncertain)
	s.stop()
	s.restart(5 * time.Minute)
	return true
}

// on returns the service that a device of an edge site uses.
func (s *site) on(device api.Caller) api.Service {
	return api.As(edge.New(s.node, s.caller(), api.Access{Organization: s.tenant.org, Environment: s.tenant.env}), device, "Ada")
}

// boundDevice is the label of the device that is bound to a location.
const boundDevice = "Scanner 1"

// fixedDevice and scanner return two devices of an edge site; the scanner is bound to a
// location.
func (s *site) fixedDevice() api.Caller {
	c := s.caller()
	c.KeyID, c.KeyLabel = api.ID{1}, "Packing bench"
	return c
}

func (s *site) scanner() api.Caller {
	c := s.caller()
	c.KeyID, c.KeyLabel, c.LocationID = api.ID{2}, boundDevice, s.tenant.locations[0].ID
	return c
}

// countScans makes two devices, which both number their scans from 1, use one
// key for work that looks the same. Only the first one's is done; the second
// one must be told. The other device is at the same edge or at another site.
func (s *site) countScans() {
	w, t := s.sim, s.tenant
	key := w.newKey()
	in := api.AdjustStockInput{StockKey: api.StockKey{ProductID: t.products[0].ID, LocationID: t.locations[0].ID},
		InventoryState: api.OnHand, QuantityDelta: 1, Reason: "scan"}
	first, second := s.fixedDevice(), s.scanner()
	if w.rng.IntN(2) == 0 {
		first, second = second, first
	}
	k := t.worker(s)
	k.svc = s.on(first)
	if _, ok := do(k, api.AdjustStock, in, key); !ok || s.node == nil {
		return
	}
	later := time.Duration(w.rng.IntN(20*60)) * time.Second
	if other := w.nodes[w.rng.IntN(len(w.nodes))]; other != s && other.tenant == t && w.basic == nil {
		other.schedule(later, func() {
			if !other.idle {
				w.count(scansOfTwoSites)
				do(t.worker(other), api.AdjustStock, in, key)
			}
		})
		return
	}
	s.schedule(later, func() {
		if s.restored || s.idle {
			return
		}
		w.count(scansOfTwoDevices)
		_, err := api.AdjustStock.Call(w.ctx, s.on(second), in, api.Key(key))
		require.Error(w.t, err, "%s received the answer that its scan %s is saved, but %s made it", second.KeyLabel, key, first.KeyLabel)
		if s.node.Operation(key) != nil {
			require.Equal(w.t, api.IdempotencyKeyReused, api.AsError(err).Code)
		}
	})
}

var errDiskFull = errors.New("no space left on device")

// A crash is the panic that ends a program in the middle of a write.
type crash struct{}

var errIO = errors.New("input/output error")

// A disk is the folder of a node. After a power failure it keeps the flushed
// writes, and a random part of the others.
type disk struct {
	rng     *rand.Rand
	files   map[string]*file
	full    bool
	failing bool // operations fail at random
	count   func(fault)
	logf    func(format string, args ...any)
	// stepsLeft is the number of writes and flushes until the program crashes;
	// negative means never.
	stepsLeft int
}

func newDisk(rng *rand.Rand, count func(fault), logf func(format string, args ...any)) *disk {
	return &disk{rng: rng, files: map[string]*file{}, stepsLeft: -1, count: count, logf: logf}
}

// backup returns a copy of the flushed files.
func (d *disk) backup() map[string]*file {
	list := map[string]*file{}
	for name, f := range d.files {
		list[name] = &file{disk: d, name: name, flushed: slices.Clone(f.flushed), content: slices.Clone(f.flushed)}
	}
	return list
}

// restore replaces the files by those of a backup.
func (d *disk) restore(backup map[string]*file) {
	d.files = backup
	d.files = d.backup() // the backup may be needed again
}

// inject reports whether the disk fails now.
func (d *disk) inject(f fault) bool {
	odds := 6
	if f == renameFailed { // renames are rare
		odds = 2
	}
	if !d.failing || d.rng.IntN(odds) > 0 {
		return false
	}
	d.count(f)
	return true
}

// A file is its flushed bytes and the writes since.
type file struct {
	disk    *disk
	name    string
	flushed []byte
	content []byte
	pending []write
}

// A write is a write that is not flushed, or a truncation if size is not
// negative.
type write struct {
	at   int64
	data []byte
	size int64
}

func (d *disk) step() {
	if d.stepsLeft == 0 { // also in deferred calls: a dead program writes nothing
		panic(crash{})
	}
	if d.stepsLeft > 0 {
		d.stepsLeft--
	}
}

func (d *disk) Open(name string) (journal.File, error) {
	d.step()
	if d.inject(openFailed) {
		return nil, errIO
	}
	if d.files[name] == nil {
		d.files[name] = &file{disk: d, name: name}
	}
	return d.files[name], nil
}

func (d *disk) Rename(from, to string) error {
	d.step()
	if d.inject(renameFailed) {
		return errIO
	}
	d.count(shortened)
	d.files[to] = d.files[from]
	delete(d.files, from)
	return nil
}

func (d *disk) Remove(name string) error {
	d.step()
	if d.inject(openFailed) {
		return errIO
	}
	delete(d.files, name)
	return nil
}

// losePower simulates a power failure: each unflushed write survives wholly,
// in part or not at all.
func (d *disk) losePower() {
	for _, name := range slices.Sorted(maps.Keys(d.files)) {
		f := d.files[name]
		for _, w := range f.pending {
			switch d.rng.IntN(3) {
			case 0:
				w.data = w.data[:d.rng.IntN(len(w.data)+1)]
				f.flushed = w.apply(f.flushed)
			case 1:
				f.flushed = w.apply(f.flushed)
			}
		}
		f.pending = nil
		f.content = append([]byte(nil), f.flushed...)
	}
}

func (w write) apply(b []byte) []byte {
	if w.size >= 0 {
		return b[:min(int64(len(b)), w.size)]
	}
	if end := w.at + int64(len(w.data)); end > int64(len(b)) {
		b = append(b, make([]byte, end-int64(len(b)))...)
	}
	copy(b[w.at:], w.data)
	return b
}

func (f *file) change(w write) {
	f.content = w.apply(f.content)
	f.pending = append(f.pending, w)
}

func (f *file) WriteAt(p []byte, at int64) (int, error) {
	f.disk.step()
	n := len(p)
	var err error
	if f.disk.full && at+int64(n) > int64(len(f.content)) {
		n, err = f.disk.rng.IntN(n+1), errDiskFull
		f.disk.count(diskFull)
	}
	if err == nil && f.disk.inject(writeFailed) {
		n, err = f.disk.rng.IntN(n+1), errIO
	}
	f.change(write{at: at, data: append([]byte(nil), p[:n]...), size: -1})
	if f.name == offline.JournalName {
		f.disk.logWrite(p[:n], err)
	}
	f.disk.step()
	return n, err
}

// logWrite logs the readable part of a write to the journal: its entries are text.
func (d *disk) logWrite(p []byte, err error) {
	if d.logf == nil {
		return
	}
	text := strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) && r != unicode.ReplacementChar {
			return r
		}
		return -1
	}, string(p))
	d.logf("writes %s: %v", text, err)
}

func (f *file) Truncate(size int64) error {
	f.disk.step()
	if f.disk.inject(writeFailed) {
		return errIO
	}
	f.change(write{size: size})
	return nil
}

func (f *file) Sync() error {
	f.disk.step()
	if f.disk.inject(flushFailed) { // these writes are not flushed again
		for _, w := range f.pending {
			if f.disk.rng.IntN(2) == 0 {
				f.flushed = w.apply(f.flushed)
			}
		}
		f.pending = nil
		return errIO
	}
	for _, w := range f.pending {
		f.flushed = w.apply(f.flushed)
	}
	f.pending = nil
	f.disk.step()
	return nil
}

func (f *file) ReadAt(p []byte, at int64) (int, error) {
	if at >= int64(len(f.content)) {
		return 0, io.EOF
	}
	n := copy(p, f.content[at:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (f *file) Size() (int64, error) { return int64(len(f.content)), nil }
func (f *file) Close() error         { return nil }

// A memStore is a store in memory that can be copied at no cost.
type memStore struct {
	updateMu sync.Mutex // serializes updates
	staged   *store.Overlay
	mu       sync.RWMutex
	layers   map[store.Partition]*store.Layer
	closed   bool
	failed   bool // every call fails until it is reopened
	// fail is what a change runs into, nil where nothing is wrong.
	fail func() error
}

var _ store.Store = (*memStore)(nil)

func newMemStore() *memStore { return &memStore{layers: map[store.Partition]*store.Layer{}} }

func (s *memStore) clone() *memStore {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return &memStore{layers: maps.Clone(s.layers), fail: s.fail}
}

// layer returns the rows of a partition.
func (s *memStore) layer(p store.Partition) *store.Layer {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.layers[p]
}

func (s *memStore) View(ctx context.Context, p store.Partition, fn func(store.Reader) error) error {
	s.mu.RLock()
	layer, closed, dead := s.layers[p], s.closed, s.failed
	s.mu.RUnlock()
	switch {
	case closed:
		return store.ErrClosed
	case dead:
		return store.ErrUncertain
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return fn(layer.Over(nil))
}

func (s *memStore) Update(ctx context.Context, p store.Partition, fn func(store.Tx) error) error {
	s.updateMu.Lock()
	defer s.updateMu.Unlock()
	return s.View(ctx, p, func(r store.Reader) error {
		if s.staged == nil {
			s.staged = store.NewOverlay(nil)
		}
		s.staged.Reuse(r)
		if err := fn(s.staged); err != nil {
			return err
		}
		if s.fail != nil {
			if err := s.fail(); err != nil {
				return err
			}
		}
		if rows := cloneRows(s.staged.Rows()); len(rows) > 0 {
			s.mu.Lock()
			s.layers[p] = s.layers[p].With(rows)
			s.mu.Unlock()
		}
		return nil
	})
}

// cloneRows copies rows, whose memory is reused, into one allocation.
func cloneRows(rows []store.Row) []store.Row {
	size := 0
	for _, r := range rows {
		size += len(r.Key) + len(r.Value)
	}
	data := make([]byte, 0, size)
	clone := func(b []byte) []byte {
		at := len(data)
		data = append(data, b...)
		return data[at:len(data):len(data)]
	}
	for i := range rows {
		if r := &rows[i]; r.Value == nil {
			r.Key = clone(r.Key)
		} else {
			r.Key, r.Value = clone(r.Key), clone(r.Value)
		}
	}
	return rows
}

func (s *memStore) Partitions(context.Context) ([]store.Partition, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var list []store.Partition
	for p, layer := range s.layers {
		if live, err := store.HasRows(layer.Over(nil), layer.Tables()); err != nil {
			return nil, err
		} else if live {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, store.Partition.Compare)
	return list, nil
}

func (s *memStore) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	return nil
}

var errReplica = errors.New("input/output error")

// A replicaSet is a node's replicas, which can fail and be lost.
type replicaSet struct {
	site          *site
	current, next *memStore
	syncedAt      time.Time
}

var _ replicas.Set = (*replicaSet)(nil)

// fail returns the error of an update, or nil if it succeeds.
func (b *replicaSet) fail() error {
	if b.site.replicaFails && b.site.sim.inject(replicaFailed, 0.3) {
		if b.site.sim.chance(0.2) {
			return store.ErrFull
		}
		return errReplica
	}
	return nil
}

func (b *replicaSet) Current() store.Store {
	if b.current == nil {
		return nil
	}
	return b.current
}

func (b *replicaSet) Stage() (store.Store, error) {
	if err := b.fail(); err != nil {
		return nil, err
	}
	b.next = newMemStore()
	b.next.fail = b.fail
	return b.next, nil
}

func (b *replicaSet) Swap() (release func() error, err error) {
	if b.next == nil {
		return nil, errors.New("there is no staged replica")
	}
	if err := b.fail(); err != nil {
		return nil, err
	}
	old := b.current
	b.current, b.next = b.next, nil
	return func() error {
		if old != nil {
			return old.Close()
		}
		return nil
	}, nil
}

func (b *replicaSet) SyncedAt() time.Time      { return b.syncedAt }
func (b *replicaSet) SetSyncedAt(at time.Time) { b.syncedAt = at }

// reopen returns the replicas as the next start finds them.
func (b *replicaSet) reopen() *replicaSet {
	again := &replicaSet{site: b.site, syncedAt: b.syncedAt}
	if b.current != nil {
		again.current = b.current.clone()
		again.current.fail = again.fail
	}
	return again
}
