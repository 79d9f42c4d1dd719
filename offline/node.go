package offline

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"bincard/offline/journal"
	"bincard/offline/outbox"
	"bincard/offline/replicas"
	"bincard/offline/syncer"
	"bincard/server/api"
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
	// Requests is the number of requests a month that this node may make, or 0 if
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

// A Node is an api.Service over local data, with a queue of operations for the service
// behind it. It wires its parts, which share a state: the capturer saves operations, the
// drainer sends them, the reader and the puller keep and read the local data, and the
// resolver does what people decide. Each says which lock it holds.
type Node struct {
	*state
	*reader
	*puller
	*drainer
	*resolver
	capture *capturer
	cache   *cacheFile
	note    *noteFile
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

	n := newNode(cfg, queue)
	if err := n.load(ctx); err != nil {
		return nil, nil, errors.Join(err, queue.Close())
	}
	if len(found.Damage) > 0 || found.Truncated > 0 || n.note.Missing != nil {
		n.note.damage = &JournalDamage{found.Damage, found.Truncated, n.note.Missing}
	}

	return n, n.note.damage, nil
}

func newNode(cfg Config, queue *outbox.SavedQueue) *Node {
	s := &state{cfg: cfg, here: sortLocations(cfg.Locations), queue: queue,
		replicas: replicas.NewTracker(cfg.Replicas, cfg.partition(), cfg.Log),
		lease:    lease{session: cfg.NewID()}, changed: make(chan struct{})}
	s.feed, s.polling = &feedSource{s}, &pollSource{s}
	s.local = &syncer.Local{Queue: queue, Replicas: s.replicas, Caller: cfg.Caller, Locations: s.here.ids(),
		Now: s.now, Log: cfg.Log}
	s.local.SyncedAt = cfg.Replicas.SyncedAt()

	n := &Node{state: s, puller: &puller{state: s}, cache: &cacheFile{state: s}}
	n.note = &noteFile{state: s, folder: cmp.Or(cfg.NoteFolder, cfg.Folder)}
	n.reader = &reader{s, n.note}
	n.drainer = &drainer{state: s, pull: n.puller}
	n.capture = &capturer{s, n.reader, &passThrough{s, map[string]time.Time{}}, n.note}
	n.resolver = &resolver{s, n.capture, n.reader, n.note}

	return n
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

	n.note.check()
	var err error
	switch header := n.queue.Header; {
	case header == nil:
		err = n.saveHeader(n.cfg.Owner)
	case header.ClientSince == 0: // written by an older version
		err = n.queue.CommitLater(n.newHeader(*header))
	}

	if err != nil {
		return err
	}

	n.syncer, err = syncer.New(ctx, n.local, syncer.Options{Organization: n.cfg.Name, Requests: n.cfg.Requests,
		Folder: n.cfg.Folder, NotSent: n.cfg.NotSent})
	if err != nil {
		return err
	}

	return n.rebuild(ctx)
}

// checkOwner returns an error if the journal belongs to another owner.
func (n *Node) checkOwner() error {
	header, owner := n.queue.Header, &n.cfg.Owner
	if header == nil {
		return nil
	}

	sameOrganization := header.Organization == owner.Organization && header.Environment == owner.Environment
	switch {
	case sameOrganization && header.Service == owner.Service:
		return nil
	case sameOrganization:
		return errors.New(api.Textf(
			"the data here is of the service at %s, not %s: if that service has moved, use 'bincard edge set --upstream', else another directory",
			header.Service,
			owner.Service,
		))
	}

	return errors.New(api.Textf(
		"the data here belongs to organization %s (%s) at %s, not %s (%s) at %s: use another directory or the matching key",
		header.Organization,
		header.Environment,
		header.Service,
		owner.Organization,
		owner.Environment,
		owner.Service,
	))
}

// checkDropped returns an error if the data of a location is no longer wanted while work
// is open: the work may be at that location.
func (n *Node) checkDropped(ctx context.Context) error {
	if len(n.here) == 0 || n.replicas.Current() == nil {
		return nil
	}

	at, err := n.Position(ctx)
	if err != nil || !at.Known || at.Polled {
		return nil // it is downloaded again, or has all locations
	}

	c := n.queue.Counts()
	elsewhere := func(id api.ID) bool { return !n.here.has(id) }
	if c.Waiting+c.Refused+c.Held == 0 || len(at.Locations) > 0 && !slices.ContainsFunc(at.Locations, elsewhere) {
		return nil
	}

	return errors.New(api.Textf(
		"%d operations are not synced yet, and the data of their locations would be removed: start with the same locations as before, let the operations sync or resolve them, and then change the locations",
		c.Waiting+c.Refused+c.Held,
	))
}

// Close closes the journal. Every operation that was reported as saved is in
// it.
func (n *Node) Close() error {
	n.note.save(true)
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

// Run sends pending operations and reads the service's changes until ctx ends.
func (n *Node) Run(ctx context.Context) {
	n.mu.Lock()
	err := n.queue.Commit() // what is deferred
	n.mu.Unlock()
	if err != nil {
		n.cfg.Log.Error("cannot save the id of the node", "error", err)
	}

	var both sync.WaitGroup
	both.Go(func() { n.pushLoop(ctx) })
	both.Go(func() { n.pullLoop(ctx) })
	both.Go(func() { n.probeLoop(ctx) })
	both.Go(func() { n.cache.loop(ctx) })
	both.Go(func() { n.note.loop(ctx) })
	both.Wait()
}

// Do reads from the local data, and saves a write before it returns. The Response to
// a write has CommittedBy ByNode, because the service has not confirmed it.
//
// A write that the local ledger rejects fails. If its stock has already moved, the
// error's details have "insist", and a retry with api.AcceptRisk saves the write and
// returns an AT_RISK error.
func (n *Node) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if err := n.refresh(ctx); err != nil {
		return nil, err
	}
	if err := req.CheckPeople(); err != nil {
		return nil, err
	}
	if op, ok := nodeOps[req.Spec.ID]; ok {
		return n.doNodeOp(ctx, req, op)
	}
	if !n.Supports(req.Spec) {
		return nil, api.Fail(api.NotFound, nil, "The service does not support %s %s.", req.Spec.Method, req.Spec.Path)
	}

	if req.Spec.ServiceOnly || req.Spec.Discovery {
		res, err := n.cfg.Upstream.Do(ctx, req)
		if err != nil {
			return nil, err
		}
		if access, ok := res.Output.(*api.Access); ok {
			n.UpdateRules(ctx, access)
		}
		return res, nil
	}

	if !n.Ready() {
		return nil, notReadyError()
	}

	local := n.withCaller(req)
	if res, answered, err := n.source().read(ctx, local); answered {
		return res, err
	}
	if req.Spec.Writes() {
		return n.capture.perform(ctx, local)
	}

	return n.answer(ctx, local)
}

// Now returns the time of the node's clock.
func (n *Node) Now() time.Time { return n.cfg.Now() }

// ServiceURL returns the address of the service that the journal belongs to.
func (n *Node) ServiceURL() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.cfg.Owner.Service
}

// SetServiceURL records that the same service has another address.
func (n *Node) SetServiceURL(url string) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	header := *n.queue.Header
	header.Service = url
	if err := n.queue.Commit(&outbox.Entry{Header: &header}); err != nil {
		return notSavedError(err)
	}

	n.cfg.Owner.Service = url

	return nil
}

// SaveCache writes the prediction cache if there are enough operations.
func (n *Node) SaveCache() error { return n.cache.save(1, true) }
