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
	// Bases keep what Upstream has confirmed.
	Bases Bases
	// Folder is where the journal is kept.
	Folder journal.Folder
	// Roomy is the size of the journal, in bytes, from which on it is made
	// shorter when most of it is settled; zero is 1 MB.
	Roomy int64
	// Memorable is how many operations that show are worth being written down for
	// the next start; zero is 256.
	Memorable int
	// Owner is whose work the journal holds. One that holds another's is refused;
	// where it is empty, whatever the journal holds is meant.
	Owner outbox.Begin
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

// Bases keep what the service has confirmed: one that is read, and one that is
// being filled to take its place. They can be lost without harm.
type Bases interface {
	// Current is the one that is read, nil where none was ever whole.
	Current() store.Store
	// Stage is a new, empty one; the one that was staged before goes.
	Stage() (store.Store, error)
	// Swap puts the staged one in the place of the current one, which release
	// ends: when nothing reads it any more.
	Swap() (release func() error, err error)
	// Read is when the current one was last noted to be what the service has,
	// zero where that is not known; NoteRead notes it. It is noted now and then,
	// and may be lost.
	Read() time.Time
	NoteRead(at time.Time)
}

// A Node is an api.Service over what is known here, and a queue to the service.
type Node struct {
	cfg     Config
	journal *journal.Journal
	seen    atomic.Pointer[sight]
	plainly atomic.Bool // what shows was read by the documented operations alone

	straight straight // the writes that were not kept here

	mu     sync.Mutex
	box    *outbox.Box
	pull   pull
	roomy  int64 // the size of the journal at which it is next made shorter
	change chan struct{}
	closed bool

	trouble *Trouble
	noted   time.Time // when the age of what shows was last noted
	below   atomic.Pointer[below]

	news  news        // what changed in the base since the sight was made
	stale atomic.Bool // what shows is to be made anew
	rest  time.Time   // before it nothing is read that can wait

	minded   int    // how many steps were remembered
	mindedOf string // over which base

	draining bool // work is on its way
	outcomes outcomes
}

var _ api.Service = (*Node)(nil)

// Trouble is what Open found in the journal that a person must hear of.
type Trouble struct {
	Damage []journal.Damage
	Cut    int64
}

// Open opens a node and its journal. What was captured and not confirmed shows
// at once. Trouble is nil where the journal is whole.
func Open(ctx context.Context, cfg Config) (*Node, *Trouble, error) {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	cfg.Log = cmp.Or(cfg.Log, slog.Default())
	cfg.Roomy = cmp.Or(cfg.Roomy, 1<<20)
	cfg.Memorable = cmp.Or(cfg.Memorable, 256)
	n := &Node{cfg: cfg, roomy: cfg.Roomy, box: outbox.New(cfg.Outbox), change: make(chan struct{})}
	j, found, err := journal.Open(cfg.Folder, JournalName)
	if err != nil {
		return nil, nil, err
	}
	n.journal = j
	n.pull.heard = cfg.Bases.Read()
	if err := n.load(ctx, found.Records); err != nil {
		return nil, nil, errors.Join(err, j.Close())
	}
	if len(found.Damage) > 0 || found.Cut > 0 {
		n.trouble = &Trouble{found.Damage, found.Cut}
		return n, n.trouble, nil
	}
	return n, nil, nil
}

func (n *Node) load(ctx context.Context, records [][]byte) error {
	for _, data := range records {
		e, err := outbox.Decode(data)
		if err != nil {
			return err
		}
		if err := n.box.Apply(e); err != nil {
			// What it speaks of was lost with the damage that Open tells.
			n.cfg.Log.Warn("an entry of the journal was passed over", "error", err)
		}
	}
	if begun := n.box.Begun; begun != nil && n.cfg.Owner.Organization == "" {
		n.cfg.Owner = *begun
	}
	n.cfg.Owner.Format = outbox.Format
	switch begun := n.box.Begun; {
	case begun == nil:
		if err := n.keep(&outbox.Entry{Begin: &n.cfg.Owner}); err != nil {
			return err
		}
	case begun.Organization != n.cfg.Owner.Organization || begun.Environment != n.cfg.Owner.Environment || begun.Service != n.cfg.Owner.Service:
		return fmt.Errorf("the work kept here is of organization %s (%s) at %s, not of %s (%s) at %s: use another directory, or that key",
			begun.Organization, begun.Environment, begun.Service, n.cfg.Owner.Organization, n.cfg.Owner.Environment, n.cfg.Owner.Service)
	}
	if err := n.chooseWay(ctx); err != nil {
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
	n.noteRead(0)
	n.wake()
	if s := n.seen.Load(); s != nil {
		s.ledger.Close()
	}
	if b := n.below.Load(); b != nil {
		b.ledger.Close()
	}
	return n.journal.Close()
}

// keep writes entries to the journal, and then lets them apply. n.mu is held.
func (n *Node) keep(entries ...*outbox.Entry) error {
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
			if err := n.box.Apply(*e); err != nil {
				return err
			}
		}
	}
	return nil
}

// remembered is how long what is settled stays in the journal, to be looked up.
const remembered = 7 * 24 * time.Hour

// tidy makes a journal that has grown shorter: what was settled long ago goes.
// n.mu is held.
func (n *Node) tidy() error {
	if n.journal.Size() < n.roomy {
		return nil
	}
	var records [][]byte
	for _, e := range n.box.Keep(n.now().Add(-remembered)) {
		data, err := e.Encode()
		if err != nil {
			return err
		}
		records = append(records, data)
	}
	if err := n.journal.Rewrite(records...); err != nil {
		n.roomy = 2 * n.journal.Size() // the disk may have room another time
		return err
	}
	n.roomy = max(n.cfg.Roomy, 2*n.journal.Size())
	return nil
}

// noteRead notes how old what shows is, for the next start, when it was last
// noted so long ago. n.mu is held.
func (n *Node) noteRead(after time.Duration) {
	if at := n.pull.heard; at.Sub(n.noted) > after && n.cfg.Bases.Current() != nil {
		n.cfg.Bases.NoteRead(at)
		n.noted = at
	}
}

// wake tells those who wait that something has changed. n.mu is held.
func (n *Node) wake() {
	close(n.change)
	n.change = make(chan struct{})
}

func (n *Node) now() time.Time { return api.Instant(n.cfg.Now()) }
