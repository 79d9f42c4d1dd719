package offline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/store"
)

// A feed reads from Bincard's own service: a snapshot into a base of its own,
// which takes the place of the one that is read when it is whole, and from
// there the changes.
type feed struct {
	*Node
	stage  store.Store // being filled; nil while the current base is followed
	cursor string
	news   []api.Change // read, and not yet applied: the replica is whole with the last
	sure   []string     // confirmed before the question under way was asked
	failed int          // how often the base did not take changes, one after the other
}

const (
	snapshotPage = 1000
	changesPage  = 500
	// patience is how long the service is asked to wait for a change, in seconds.
	patience = 25
	// staged is how many changes make a snapshot the shorter way.
	staged = 50_000
	// hopeless is how often a base may fail to take changes.
	hopeless = 3
)

func (f *feed) question(ctx context.Context) (*api.Request, time.Time, error) {
	at, err := f.reached(ctx)
	if err != nil {
		return nil, time.Time{}, err
	}
	f.sure = f.answered()
	switch {
	case !at.Known || at.Plainly && f.stage == nil:
		return ask(api.GetAccess, api.GetAccessInput{}), time.Time{}, nil
	case !at.Whole:
		limit := int64(snapshotPage)
		return ask(api.GetSnapshot, api.SnapshotInput{Limit: &limit, Cursor: f.cursor}), time.Time{}, nil
	}
	after, limit, wait := at.Seq+int64(len(f.news)), int64(changesPage), int64(patience)
	if f.stage != nil || len(f.news) > 0 || !f.box.Line(f.now()).Up {
		wait = 0 // one who does not know whether the service answers does not wait to hear it
	}
	return ask(api.ListChanges, api.ListChangesInput{After: &after, Limit: &limit, Wait: &wait, Epoch: at.Epoch}), time.Time{}, nil
}

// reached is how far the base has come that is being filled or followed. One
// that cannot be read any more, or takes no changes, is read anew.
func (f *feed) reached(ctx context.Context) (at ledger.ReplicaPlace, err error) {
	if f.stage != nil {
		at, err = f.place(ctx, f.stage)
		return at, f.halted(err)
	}
	at, err = f.place(ctx, f.cfg.Bases.Current())
	if ctx.Err() != nil || err == nil && f.failed < hopeless {
		return at, err
	}
	f.cfg.Log.Warn("what was read from the service is of no use any more and is read anew", "error", err)
	f.failed = 0
	return ledger.ReplicaPlace{}, f.restage()
}

func (f *feed) answer(ctx context.Context, _ *api.Request, res *api.Response) error {
	switch out := res.Output.(type) {
	case *api.Access:
		return f.begin(ctx, out)
	case *api.SnapshotPage:
		return f.fill(ctx, out)
	case *api.Changes:
		return f.follow(ctx, out)
	}
	return fmt.Errorf("the service answered %T", res.Output)
}

func (f *feed) fault(_ context.Context, _ *api.Request, asked error) (bool, error) {
	switch {
	case api.HasCode(asked, api.ChangesGone) || api.HasCode(asked, api.InvalidCursor):
		f.news = nil
		return true, f.restage()
	case foreign(asked): // it is another service than it was
		f.drop()
		f.box.Memory(memory)
		f.pull.way = &probe{Node: f.Node}
	}
	return false, nil
}

func (f *feed) drop() { f.stage, f.cursor, f.news = nil, "", nil }

// restage begins a base anew beside the current one.
func (f *feed) restage() error {
	stage, err := f.cfg.Bases.Stage()
	if err != nil {
		return f.halted(err)
	}
	f.stage, f.cursor, f.news = stage, "", nil
	return nil
}

// begin takes who the node is to the service: the first thing that a base holds.
func (f *feed) begin(ctx context.Context, a *api.Access) error {
	if a.Organization.ID != f.cfg.Caller.Organization || a.Environment != f.cfg.Caller.Environment {
		return f.halted(fmt.Errorf("the key is of organization %s (%s), the work kept here is of %s (%s): use the key that belongs to it",
			a.Organization.Name, a.Environment, f.cfg.Caller.Organization, f.cfg.Caller.Environment))
	}
	if f.stage == nil {
		if err := f.restage(); err != nil {
			return err
		}
	}
	return f.halted(f.replica(ctx, f.stage, func(r *ledger.Replica) error {
		r.From(f.now())
		return r.Begin(a.Organization, a.Rules)
	}))
}

// fill takes a page of the snapshot. It tells no keys: what was refused, given
// up here and then done for a copy of the request that was late shows in the
// balances alone.
func (f *feed) fill(ctx context.Context, page *api.SnapshotPage) error {
	err := f.replica(ctx, f.stage, func(r *ledger.Replica) error { return r.Page(page) })
	if err != nil {
		return f.halted(err)
	}
	if f.cursor = ""; page.NextCursor != nil {
		f.cursor = *page.NextCursor
	}
	return nil
}

// follow takes changes. They are applied when they reach the newest one: until
// then what is read with them is ahead of what is known.
func (f *feed) follow(ctx context.Context, c *api.Changes) error {
	f.news = append(f.news, c.Items...)
	if len(f.news) > 0 && f.news[len(f.news)-1].Seq < c.Latest {
		if len(f.news) > staged {
			return f.restage()
		}
		return nil
	}
	base := f.stage
	if base == nil {
		base = f.cfg.Bases.Current()
	}
	news := f.news
	f.news = nil
	if len(news) > 0 {
		err := f.replica(ctx, base, func(r *ledger.Replica) error { return r.Changes(c.Epoch, news) })
		if err != nil {
			f.failed++
			return f.halted(err)
		}
		f.failed = 0
	}
	f.pull.heard = f.now()
	fresh := f.stage != nil
	if fresh {
		f.stage = nil
		release, err := f.swap()
		if err != nil {
			return f.halted(err)
		}
		f.plainly.Store(false)
		defer release()
	}
	noted, err := f.note(c.Epoch, news)
	if !fresh && !noted && len(news) == 0 {
		return err
	}
	return errors.Join(err, f.rebuild(ctx))
}

// note notes in the journal what the base has come to.
func (f *feed) note(epoch string, news []api.Change) (bool, error) {
	turned, err := f.turn(epoch)
	if err != nil {
		return false, err
	}
	settled, err := f.settle(news)
	if err == nil && settled {
		err = f.tidy()
	}
	return turned || settled, err
}

// turn notes the epoch that the base follows. After another one what the
// service had confirmed waits to be confirmed again.
func (n *Node) turn(epoch string) (bool, error) {
	if epoch == n.box.Epoch {
		return false, nil
	}
	return true, n.keep(&outbox.Entry{Epoch: &outbox.Epoch{ID: epoch, At: n.now()}})
}

// rooted is the entry by which work that is kept has an epoch before it, nil
// where there is one: the disk may not have taken it when the base came. Without
// it what the service confirms would not be asked again after a restore. n.mu is
// held.
func (n *Node) rooted(ctx context.Context) *outbox.Entry {
	if n.box.Epoch != "" || n.plainly.Load() {
		return nil
	}
	at, err := n.place(ctx, n.cfg.Bases.Current())
	if err != nil || at.Epoch == "" {
		return nil
	}
	return &outbox.Entry{Epoch: &outbox.Epoch{ID: at.Epoch, At: n.now()}}
}

// settle notes which of the operations here the base has: those among the
// changes, which are done whatever became of their answers, and those confirmed
// before the changes were asked for, up to the newest one.
func (f *feed) settle(news []api.Change) (bool, error) {
	var entries []*outbox.Entry
	var keys []string
	for i := range news {
		it := f.box.Item(news[i].Key)
		if it == nil || it.Settled {
			continue
		}
		if it.State != outbox.Done {
			entries = append(entries, f.box.Seen(f.now(), it.Key))
		}
		keys = append(keys, it.Key)
	}
	for _, key := range f.sure {
		if it := f.box.Item(key); it.State == outbox.Done && !it.Settled && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	if len(keys) > 0 {
		entries = append(entries, &outbox.Entry{Settle: &outbox.Settle{Keys: keys}})
	}
	return len(keys) > 0, f.keep(entries...)
}

// learn takes the rules that the service works by, where somebody asked it. Until
// it is asked again the rules here are those of then: what the service refuses
// of what they allow is told like any refusal.
func (n *Node) learn(ctx context.Context, res *api.Response) {
	a, ok := res.Output.(*api.Access)
	if !ok || a.Organization.ID != n.cfg.Caller.Organization || a.Environment != n.cfg.Caller.Environment {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	base := n.cfg.Bases.Current()
	if n.closed || base == nil {
		return
	}
	if err := n.replica(ctx, base, func(r *ledger.Replica) error { return r.Rules(a.Rules) }); err != nil {
		n.cfg.Log.Warn("the rules of the organization cannot be kept here", "error", err)
	}
}
