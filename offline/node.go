package offline

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"bincard/offline/journal"
	"bincard/offline/outbox"
	"bincard/offline/predict"
	"bincard/offline/replicas"
	"bincard/offline/syncer"
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
	Replicas replicas.Set
	// Folder holds the journal.
	Folder journal.Folder
	// Mirror holds the second copy of the journal; nil for none.
	Mirror journal.Folder
	// NoteFolder holds the note of the journal's length, so that a lost journal
	// is noticed; nil means Folder.
	NoteFolder journal.Folder
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
	Name string
	// Label, Kind and Version are what the node says about itself to the service; it says
	// nothing without a Label.
	Label   string
	Kind    api.NodeKind
	Version string
	Outbox  outbox.Options
	// Locations are those to which the node is limited: its data and work are theirs
	// alone. None means all locations.
	Locations []api.PlaceRef
	// Requests is the number of requests a month that this node may make, 0 if
	// unknown; a fifth of them is for reading. A lower limit reported by the
	// service takes precedence. Bincard's own service does not need it.
	Requests int64
	// NewID generates the ids of a new node and of its runs; nil means uuid.New.
	NewID func() api.ID
	// ClockOffset returns how far the service's clock is ahead of this
	// machine's; nil means that it is not known.
	ClockOffset func() time.Duration
	// Now returns the time; nil means time.Now.
	Now func() time.Time
	Log *slog.Logger
}

// A Node is an api.Service over local data, with a queue of operations for the
// service behind it.
type Node struct {
	cfg       Config
	replicas  *replicas.Tracker
	view      atomic.Pointer[predict.LocalView] // nil before the first sync
	confirmed atomic.Pointer[predict.LocalView] // of the replica alone

	lease       lease
	passThrough passThrough // writes sent on without being queued

	mu      sync.Mutex
	queue   *outbox.SavedQueue
	pull    pull
	changed chan struct{}
	closed  bool

	damage        *JournalDamage
	note          noteFile
	savedSyncedAt time.Time // the SyncedAt last passed to Replicas

	stale     atomic.Bool // the view must be rebuilt
	readAfter time.Time   // while draining, nothing is read before

	cache cacheFile

	attempts     attempts
	cancelProbe  context.CancelFunc // cancels the probe in flight; may be nil
	probedDoubts int                // HistoryDoubts when the probe was sent
	draining     bool               // operations are being sent
	outcomes     outcomes
}

var _ api.Service = (*Node)(nil)

// JournalDamage is the damage that Open found in the journal.
type JournalDamage struct {
	Damage    []journal.Damage
	Truncated int64
	Missing   *MissingWork // nil if the journal is as long as it was
}

// Open opens a node and its journal. Operations that are not confirmed are
// applied at once. The JournalDamage is nil if the journal is intact.
func Open(ctx context.Context, cfg Config) (*Node, *JournalDamage, error) {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.NewID == nil {
		cfg.NewID = uuid.New
	}
	cfg.Log = cmp.Or(cfg.Log, slog.Default())
	cfg.CompactAt = cmp.Or(cfg.CompactAt, 1<<20)
	cfg.CacheMin = cmp.Or(cfg.CacheMin, 256)
	cfg.Outbox.CreatedID = cfg.createdID
	queue, found, err := outbox.OpenSaved(cfg.Folder, cfg.Mirror, JournalName, cfg.CompactAt, cfg.Outbox, cfg.Log)
	if err != nil {
		return nil, nil, err
	}
	n := &Node{cfg: cfg, queue: queue, changed: make(chan struct{}), lease: lease{session: cfg.NewID()}}
	n.note.folder = cmp.Or(cfg.NoteFolder, cfg.Folder)
	n.replicas = replicas.NewTracker(cfg.Replicas, n.partition(), cfg.Log)
	n.pull.local = &syncer.Local{Queue: queue, Replicas: n.replicas, Caller: cfg.Caller, Now: n.now, Log: cfg.Log}
	n.pull.local.SyncedAt = cfg.Replicas.SyncedAt()
	n.setLocations()
	if err := n.load(ctx); err != nil {
		return nil, nil, errors.Join(err, queue.Close())
	}
	if len(found.Damage) > 0 || found.Truncated > 0 || n.note.Missing != nil {
		n.damage = &JournalDamage{found.Damage, found.Truncated, n.note.Missing}
	}
	return n, n.damage, nil
}

// load checks the owner of the journal and builds the view.
func (n *Node) load(ctx context.Context) error {
	if header := n.queue.Header; header != nil && header.Organization == "" {
		n.queue.Header = nil // of a program that opened a journal with a damaged head
	} else if header != nil && n.cfg.Owner.Organization == "" {
		n.cfg.Owner = *header
	}
	n.cfg.Owner.Format = outbox.Format
	if err := n.checkOwner(); err != nil {
		return err
	}
	if err := n.checkDropped(ctx); err != nil {
		return err
	}
	n.checkNote()
	if header := n.queue.Header; header == nil {
		if err := n.saveHeader(n.cfg.Owner); err != nil {
			return err
		}
	} else if header.ClientSince == 0 { // written by an older version
		if err := n.saveHeader(*header); err != nil {
			return err
		}
	}
	var err error
	n.pull.syncer, err = syncer.New(ctx, n.pull.local, syncer.Options{Organization: n.cfg.Name, Requests: n.cfg.Requests,
		Folder: n.cfg.Folder, NotSent: n.cfg.NotSent})
	if err != nil {
		return err
	}
	return n.rebuild(ctx)
}

// checkOwner returns an error if the journal belongs to another owner.
func (n *Node) checkOwner() error {
	switch header := n.queue.Header; {
	case header == nil:
	case header.Organization == n.cfg.Owner.Organization && header.Environment == n.cfg.Owner.Environment && header.Service != n.cfg.Owner.Service:
		return errors.New(api.Textf("the data here is of the service at %s, not %s: if that service has moved, use 'bincard edge set --upstream', else another directory",
			header.Service, n.cfg.Owner.Service))
	case header.Organization != n.cfg.Owner.Organization || header.Environment != n.cfg.Owner.Environment || header.Service != n.cfg.Owner.Service:
		return errors.New(api.Textf("the data here belongs to organization %s (%s) at %s, not %s (%s) at %s: use another directory or the matching key",
			header.Organization, header.Environment, header.Service, n.cfg.Owner.Organization, n.cfg.Owner.Environment, n.cfg.Owner.Service))
	}
	return nil
}

// saveHeader writes the header, with a new id for the node. Operations that are already in
// the journal may have been sent without one, or with the one before.
func (n *Node) saveHeader(h outbox.Header) error {
	h.Client = n.cfg.NewID()
	h.ClientSince, _ = n.queue.NextSeq(time.Time{})
	return n.queue.Commit(&outbox.Entry{Header: &h})
}

// Close closes the journal. Every operation that was reported as saved is in
// it.
func (n *Node) Close() error {
	n.saveNote(true)
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		return nil
	}
	n.closed = true
	n.saveSyncedAt(0)
	n.notify()
	if v := n.view.Load(); v != nil {
		v.Close()
	}
	if c := n.confirmed.Load(); c != nil {
		c.Close()
	}
	return n.queue.Close()
}

// saveSyncedAt saves the time of the last sync if it is more than after later
// than the saved one. n.mu is held.
func (n *Node) saveSyncedAt(after time.Duration) {
	if at := n.pull.local.SyncedAt; at.Sub(n.savedSyncedAt) > after && n.replicas.Current() != nil {
		n.replicas.SetSyncedAt(at)
		n.savedSyncedAt = at
	}
}

// notify wakes everything that waits for a change. n.mu is held.
func (n *Node) notify() {
	close(n.changed)
	n.changed = make(chan struct{})
}

func (n *Node) partition() store.Partition {
	return store.Partition{Organization: n.cfg.Caller.Organization, Environment: string(n.cfg.Caller.Environment)}
}

func (n *Node) now() time.Time { return api.Instant(n.cfg.Now()) }
