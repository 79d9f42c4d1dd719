package offline

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"bincard/offline/journal"
	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/store"
)

// JournalName is the file name of the journal in its folder.
const JournalName = "work.journal"

// ByNode is the CommittedBy of a Response to a write that the service has not
// confirmed.
const ByNode = "node"

// Config configures a Node.
type Config struct {
	// Upstream is the service behind the node.
	Upstream api.Service
	// NotSent reports whether an error of Upstream means that the request was
	// never sent. If nil, no error does.
	NotSent func(error) bool
	// Replicas stores what Upstream has confirmed.
	Replicas Replicas
	// Folder holds the journal.
	Folder journal.Folder
	// CompactAt is the journal size in bytes at which the journal is compacted
	// if most of it is resolved; zero means 1 MB.
	CompactAt int64
	// CacheMin is the number of pending operations from which the prediction
	// cache is written for the next start; zero means 256.
	CacheMin int
	// Owner is the organization, environment and service that the journal
	// belongs to. Open fails if the journal has another owner; an empty Owner
	// accepts any.
	Owner outbox.Header
	// Caller is the caller of requests that have none.
	Caller api.Caller
	// Name is the organization's name, for a service that does not report it.
	Name   string
	Outbox outbox.Options
	// Requests is the number of requests a month that this node may make, 0 if
	// unknown; a fifth of them is for reading. A lower limit reported by the
	// service takes precedence. Bincard's own service does not need it.
	Requests int64
	// Now returns the time; nil means time.Now.
	Now func() time.Time
	Log *slog.Logger
}

// Replicas stores what the service has confirmed: the current replica, and a
// staged one that is being filled to replace it. Losing either is harmless.
type Replicas interface {
	// Current returns the current replica, nil if none was ever complete.
	Current() store.Store
	// Stage returns a new, empty replica and discards the one staged before.
	Stage() (store.Store, error)
	// Swap makes the staged replica the current one. release closes the old
	// one once nothing reads it.
	Swap() (release func() error, err error)
	// SyncedAt returns the time last passed to SetSyncedAt for the current
	// replica, zero if unknown. It is saved now and then and may be lost.
	SyncedAt() time.Time
	SetSyncedAt(at time.Time)
}

// A Node is an api.Service over local data, with a queue of operations for the
// service behind it.
type Node struct {
	cfg     Config
	journal *journal.Journal
	view    atomic.Pointer[localView]
	polled  atomic.Bool // the replica was filled with the documented operations alone

	passThrough passThrough // writes sent on without being queued

	mu        sync.Mutex
	queue     *outbox.Queue
	pull      pull
	compactAt int64 // the journal size at which it is next compacted
	changed   chan struct{}
	closed    bool

	damage        *JournalDamage
	savedSyncedAt time.Time // the SyncedAt last passed to Replicas
	confirmed     atomic.Pointer[confirmedLedger]

	rowChanges rowChanges  // in the replica since the view was built
	stale      atomic.Bool // the view must be rebuilt
	readAfter  time.Time   // while draining, nothing is read before

	cachedSteps    int    // the number of steps in the cache file
	cachedRevision string // the replica revision of the cache file

	draining bool // operations are being sent
	outcomes outcomes
}

var _ api.Service = (*Node)(nil)

// JournalDamage is the damage that Open found in the journal.
type JournalDamage struct {
	Damage    []journal.Damage
	Truncated int64
}

// Open opens a node and its journal. Operations that are not confirmed are
// applied at once. The JournalDamage is nil if the journal is intact.
func Open(ctx context.Context, cfg Config) (*Node, *JournalDamage, error) {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	cfg.Log = cmp.Or(cfg.Log, slog.Default())
	cfg.CompactAt = cmp.Or(cfg.CompactAt, 1<<20)
	cfg.CacheMin = cmp.Or(cfg.CacheMin, 256)
	n := &Node{cfg: cfg, compactAt: cfg.CompactAt, queue: outbox.New(cfg.Outbox), changed: make(chan struct{})}
	j, found, err := journal.Open(cfg.Folder, JournalName)
	if err != nil {
		return nil, nil, err
	}
	n.journal = j
	n.pull.syncedAt = cfg.Replicas.SyncedAt()
	if err := n.load(ctx, found.Records); err != nil {
		return nil, nil, errors.Join(err, j.Close())
	}
	if len(found.Damage) > 0 || found.Truncated > 0 {
		n.damage = &JournalDamage{found.Damage, found.Truncated}
		return n, n.damage, nil
	}
	return n, nil, nil
}

func (n *Node) load(ctx context.Context, records [][]byte) error {
	for _, data := range records {
		e, err := outbox.Decode(data)
		if err != nil {
			return err
		}
		if err := n.queue.Apply(e); err != nil {
			// Its operation was lost with the damage that Open reports.
			n.cfg.Log.Warn("skipped a journal entry", "error", err)
		}
	}
	if header := n.queue.Header; header != nil && n.cfg.Owner.Organization == "" {
		n.cfg.Owner = *header
	}
	n.cfg.Owner.Format = outbox.Format
	switch header := n.queue.Header; {
	case header == nil:
		if err := n.commit(&outbox.Entry{Header: &n.cfg.Owner}); err != nil {
			return err
		}
	case header.Organization != n.cfg.Owner.Organization || header.Environment != n.cfg.Owner.Environment || header.Service != n.cfg.Owner.Service:
		return errors.New(api.Textf("the data here belongs to organization %s (%s) at %s, not %s (%s) at %s: use another directory or the matching key",
			header.Organization, header.Environment, header.Service, n.cfg.Owner.Organization, n.cfg.Owner.Environment, n.cfg.Owner.Service))
	}
	if err := n.chooseSyncer(ctx); err != nil {
		return err
	}
	return n.rebuild(ctx)
}

// Close closes the journal. Every operation that was reported as saved is in
// it.
func (n *Node) Close() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		return nil
	}
	n.closed = true
	n.saveSyncedAt(0)
	n.notify()
	if v := n.view.Load(); v != nil {
		v.ledger.Close()
	}
	if c := n.confirmed.Load(); c != nil {
		c.ledger.Close()
	}
	return n.journal.Close()
}

// commit appends entries to the journal and then applies them to the queue.
// n.mu is held.
func (n *Node) commit(entries ...*outbox.Entry) error {
	var records [][]byte
	for _, e := range entries {
		if e == nil {
			continue
		}
		data, err := e.Encode()
		if err != nil {
			return err
		}
		records = append(records, data)
	}
	if len(records) == 0 {
		return nil
	}
	if err := n.journal.Append(records...); err != nil {
		return err
	}
	for _, e := range entries {
		if e != nil {
			if err := n.queue.Apply(*e); err != nil {
				return err
			}
		}
	}
	return nil
}

// retention is how long resolved operations stay in the journal.
const retention = 7 * 24 * time.Hour

// compactJournal removes operations resolved long ago from a journal that has
// grown. n.mu is held.
func (n *Node) compactJournal() error {
	if n.journal.Size() < n.compactAt {
		return nil
	}
	var records [][]byte
	for _, e := range n.queue.Compact(n.now().Add(-retention)) {
		data, err := e.Encode()
		if err != nil {
			return err
		}
		records = append(records, data)
	}
	if err := n.journal.Rewrite(records...); err != nil {
		n.compactAt = 2 * n.journal.Size() // the disk may have space by then
		return err
	}
	n.compactAt = max(n.cfg.CompactAt, 2*n.journal.Size())
	return nil
}

// saveSyncedAt saves the time of the last sync if it is more than after later
// than the saved one. n.mu is held.
func (n *Node) saveSyncedAt(after time.Duration) {
	if at := n.pull.syncedAt; at.Sub(n.savedSyncedAt) > after && n.cfg.Replicas.Current() != nil {
		n.cfg.Replicas.SetSyncedAt(at)
		n.savedSyncedAt = at
	}
}

// notify wakes everything that waits for a change. n.mu is held.
func (n *Node) notify() {
	close(n.changed)
	n.changed = make(chan struct{})
}

func (n *Node) now() time.Time { return api.Instant(n.cfg.Now()) }
