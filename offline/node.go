package offline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"bincard/offline/journal"
	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/store"
)

// JournalName is the name of the journal in its folder.
const JournalName = "work.journal"

// ByNode is who a Response says committed a write that the service has not
// confirmed.
const ByNode = "node"

// Config is what a Node is made of.
type Config struct {
	// Upstream is the service that the node stands for.
	Upstream api.Service
	// NotSent tells of an error of Upstream whether the request certainly did
	// not leave; nil is never.
	NotSent func(error) bool
	// Replicas keep what Upstream has confirmed.
	Replicas Replicas
	// Folder is where the journal is kept.
	Folder journal.Folder
	// CompactAt is the size of the journal, in bytes, from which on it is made
	// shorter when most of it is settled; zero is 1 MB.
	CompactAt int64
	// CacheMin is how many operations that show are worth being written down for
	// the next start; zero is 256.
	CacheMin int
	// Owner is whose work the journal holds. One that holds another's is refused;
	// where it is empty, whatever the journal holds is meant.
	Owner outbox.Header
	// Caller is who works at the node.
	Caller api.Caller
	// Name is what the organization is called, for a service that does not say.
	Name   string
	Outbox outbox.Options
	// Requests is how many requests a month there are for this node, 0 where that
	// is not known; a fifth of them are for reading. What the service says later
	// counts where it is less. Bincard's own service has no need of it.
	Requests int64
	// Now is the clock; time.Now where nil.
	Now func() time.Time
	Log *slog.Logger
}

// Replicas keep what the service has confirmed: one that is read, and one that is
// being filled to take its place. They can be lost without harm.
type Replicas interface {
	// Current is the one that is read, nil where none was ever whole.
	Current() store.Store
	// Stage is a new, empty one; the one that was staged before goes.
	Stage() (store.Store, error)
	// Swap puts the staged one in the place of the current one, which release
	// ends: when nothing reads it any more.
	Swap() (release func() error, err error)
	// SyncedAt is when the current one was last noted to be what the service has,
	// zero where that is not known; NoteRead notes it. It is noted now and then,
	// and may be lost.
	SyncedAt() time.Time
	SetSyncedAt(at time.Time)
}

// A Node is an api.Service over what is known here, and a queue to the service.
type Node struct {
	cfg     Config
	journal *journal.Journal
	view    atomic.Pointer[localView]
	polled  atomic.Bool // what shows was read by the documented operations alone

	passThrough passThrough // the writes that were not kept here

	mu        sync.Mutex
	queue     *outbox.Queue
	pull      pull
	compactAt int64 // the size of the journal at which it is next made shorter
	changed   chan struct{}
	closed    bool

	damage        *JournalDamage
	savedSyncedAt time.Time // when the age of what shows was last noted
	confirmed     atomic.Pointer[confirmedLedger]

	rowChanges rowChanges  // what changed in the base since the sight was made
	stale      atomic.Bool // what shows is to be made anew
	readAfter  time.Time   // before it nothing is read that can wait

	cachedSteps int    // how many steps were remembered
	cachedStamp string // over which base

	draining bool // work is on its way
	outcomes outcomes
}

var _ api.Service = (*Node)(nil)

// JournalDamage is what Open found in the journal that a person must hear of.
type JournalDamage struct {
	Damage    []journal.Damage
	Truncated int64
}

// Open opens a node and its journal. What was captured and not confirmed shows
// at once. Trouble is nil where the journal is whole.
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
			// What it speaks of was lost with the damage that Open tells.
			n.cfg.Log.Warn("skipped a journal entry", "error", err)
		}
	}
	if begun := n.queue.Header; begun != nil && n.cfg.Owner.Organization == "" {
		n.cfg.Owner = *begun
	}
	n.cfg.Owner.Format = outbox.Format
	switch begun := n.queue.Header; {
	case begun == nil:
		if err := n.commit(&outbox.Entry{Header: &n.cfg.Owner}); err != nil {
			return err
		}
	case begun.Organization != n.cfg.Owner.Organization || begun.Environment != n.cfg.Owner.Environment || begun.Service != n.cfg.Owner.Service:
		return fmt.Errorf("the data here belongs to organization %s (%s) at %s, not %s (%s) at %s: use another directory or the matching key",
			begun.Organization, begun.Environment, begun.Service, n.cfg.Owner.Organization, n.cfg.Owner.Environment, n.cfg.Owner.Service)
	}
	if err := n.chooseSyncer(ctx); err != nil {
		return err
	}
	return n.rebuild(ctx)
}

// Close closes the journal; all that was told saved is in it.
func (n *Node) Close() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		return nil
	}
	n.closed = true
	n.saveSyncedAt(0)
	n.notify()
	if s := n.view.Load(); s != nil {
		s.ledger.Close()
	}
	if b := n.confirmed.Load(); b != nil {
		b.ledger.Close()
	}
	return n.journal.Close()
}

// commit writes entries to the journal, and then lets them apply. n.mu is held.
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

// retention is how long what is settled stays in the journal, to be looked up.
const retention = 7 * 24 * time.Hour

// compactJournal makes a journal that has grown shorter: what was settled long ago goes.
// n.mu is held.
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
		n.compactAt = 2 * n.journal.Size() // the disk may have room another time
		return err
	}
	n.compactAt = max(n.cfg.CompactAt, 2*n.journal.Size())
	return nil
}

// saveSyncedAt notes how old what shows is, for the next start, when it was last
// noted so long ago. n.mu is held.
func (n *Node) saveSyncedAt(after time.Duration) {
	if at := n.pull.syncedAt; at.Sub(n.savedSyncedAt) > after && n.cfg.Replicas.Current() != nil {
		n.cfg.Replicas.SetSyncedAt(at)
		n.savedSyncedAt = at
	}
}

// notify tells those who wait that something has changed. n.mu is held.
func (n *Node) notify() {
	close(n.changed)
	n.changed = make(chan struct{})
}

func (n *Node) now() time.Time { return api.Instant(n.cfg.Now()) }
