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

// A pull reads from the service what it has confirmed: a snapshot into a base
// of its own, which takes the place of the one that is read when it is whole,
// and from there the changes.
//
// It is a step machine too: Ask says what to ask next, Told takes the answer.
type pull struct {
	stage  store.Store // being filled; nil while the current base is followed
	cursor string
	asked  bool
	news   []api.Change // read, and not yet applied: the replica is whole with the last
	sure   []string     // confirmed before the question under way was asked
	tries  int
	next   time.Time // nothing is asked before
	heard  time.Time // when the replica was last known to be whole
}

const (
	snapshotPage = 1000
	changesPage  = 500
	// patience is how long the service is asked to wait for a change, in seconds.
	patience = 25
	// staged is how many changes make a snapshot the shorter way.
	staged = 50_000
)

// Ask is what to ask the service next, nil while an answer is awaited or it is
// not yet time, with the time to come again.
func (n *Node) Ask(ctx context.Context) (*api.Request, time.Time, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	now := n.now()
	if n.closed || n.pull.asked {
		return nil, time.Time{}, nil
	}
	if outbox.Ahead(now, n.pull.next) {
		return nil, n.pull.next, nil
	}
	req, err := n.question(ctx)
	n.pull.asked = req != nil
	n.pull.sure = n.pull.sure[:0]
	for _, it := range n.box.Unsettled() {
		n.pull.sure = append(n.pull.sure, it.Key)
	}
	return req, time.Time{}, err
}

func (n *Node) question(ctx context.Context) (*api.Request, error) {
	p := &n.pull
	base := p.stage
	if base == nil {
		base = n.cfg.Bases.Current()
	}
	at, err := n.place(ctx, base)
	if err != nil {
		return nil, err
	}
	switch {
	case !at.Known:
		return ask(api.GetAccess, api.GetAccessInput{}), nil
	case !at.Whole:
		limit := int64(snapshotPage)
		return ask(api.GetSnapshot, api.SnapshotInput{Limit: &limit, Cursor: p.cursor}), nil
	}
	after, limit, wait := at.Seq+int64(len(p.news)), int64(changesPage), int64(patience)
	if p.stage != nil || len(p.news) > 0 {
		wait = 0
	}
	return ask(api.ListChanges, api.ListChangesInput{After: &after, Limit: &limit, Wait: &wait, Epoch: at.Epoch}), nil
}

func ask[I, O any](op api.Operation[I, O], in I) *api.Request {
	return &api.Request{Spec: op.Spec, Input: &in}
}

// place is how far a base has come; a nil base has not begun.
func (n *Node) place(ctx context.Context, base store.Store) (at ledger.ReplicaPlace, err error) {
	if base == nil {
		return at, nil
	}
	return ledger.ReplicaAt(ctx, base, n.partition())
}

func (n *Node) partition() store.Partition {
	return store.Partition{Organization: n.cfg.Caller.Organization, Environment: string(n.cfg.Caller.Environment)}
}

// Told takes the answer to what Ask asked.
func (n *Node) Told(ctx context.Context, res *api.Response, asked error) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		return nil
	}
	p := &n.pull
	p.asked = false
	defer n.wake()
	if asked != nil {
		return n.untold(asked)
	}
	now := n.now()
	n.box.Heard(now)
	p.tries, p.next = 0, time.Time{}
	switch out := res.Output.(type) {
	case *api.Access:
		return n.begin(ctx, out)
	case *api.SnapshotPage:
		return n.fill(ctx, out)
	case *api.Changes:
		return n.follow(ctx, out)
	}
	return fmt.Errorf("the service answered %T", res.Output)
}

// untold takes an error: the line is down, the key is not taken, or the feed is
// another one than was followed.
func (n *Node) untold(asked error) error {
	p := &n.pull
	if api.HasCode(asked, api.ChangesGone) || api.HasCode(asked, api.InvalidCursor) {
		p.news = nil
		return n.restage()
	}
	p.tries++
	p.next = n.now().Add(outbox.Backoff(p.tries, n.cfg.Outbox.Random))
	if n.cfg.NotSent == nil || n.cfg.NotSent(asked) {
		n.box.Unheard(n.now())
	}
	return nil
}

// restage begins a base anew beside the current one.
func (n *Node) restage() error {
	p := &n.pull
	stage, err := n.cfg.Bases.Stage()
	if err != nil {
		return n.halted(err)
	}
	p.stage, p.cursor, p.news = stage, "", nil
	return nil
}

// begin takes who the node is to the service: the first thing that a base holds.
func (n *Node) begin(ctx context.Context, a *api.Access) error {
	p := &n.pull
	if a.Organization.ID != n.cfg.Caller.Organization || a.Environment != n.cfg.Caller.Environment {
		return n.halted(fmt.Errorf("the key is of organization %s (%s), the work kept here is of %s (%s): use the key that belongs to it",
			a.Organization.Name, a.Environment, n.cfg.Caller.Organization, n.cfg.Caller.Environment))
	}
	if p.stage == nil {
		if err := n.restage(); err != nil {
			return err
		}
	}
	return n.halted(n.replica(ctx, p.stage, func(r *ledger.Replica) error { return r.Begin(a.Organization, a.Rules) }))
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

func (n *Node) replica(ctx context.Context, base store.Store, fn func(*ledger.Replica) error) error {
	return ledger.Replicate(ctx, base, n.partition(), fn)
}

// fill takes a page of the snapshot.
func (n *Node) fill(ctx context.Context, page *api.SnapshotPage) error {
	p := &n.pull
	err := n.replica(ctx, p.stage, func(r *ledger.Replica) error { return r.Page(page) })
	if err != nil {
		return n.halted(err)
	}
	if p.cursor = ""; page.NextCursor != nil {
		p.cursor = *page.NextCursor
	}
	return nil
}

// follow takes changes. They are applied when they reach the newest one: until
// then what is read with them is ahead of what is known.
func (n *Node) follow(ctx context.Context, c *api.Changes) error {
	p := &n.pull
	p.news = append(p.news, c.Items...)
	if len(p.news) > 0 && p.news[len(p.news)-1].Seq < c.Latest {
		if len(p.news) > staged {
			return n.restage()
		}
		return nil
	}
	base := p.stage
	if base == nil {
		base = n.cfg.Bases.Current()
	}
	news := p.news
	p.news = nil
	if len(news) > 0 {
		err := n.replica(ctx, base, func(r *ledger.Replica) error { return r.Changes(c.Epoch, news) })
		if err != nil {
			return n.halted(err)
		}
	}
	p.heard = n.now()
	fresh := p.stage != nil
	if fresh {
		p.stage = nil
		release, err := n.cfg.Bases.Swap()
		if err != nil {
			return n.halted(err)
		}
		defer func() {
			if err := release(); err != nil {
				n.cfg.Log.Warn("what was read before could not be removed", "error", err)
			}
		}()
	}
	noted, err := n.note(c.Epoch, news)
	if !fresh && !noted && len(news) == 0 {
		return err
	}
	return errors.Join(err, n.rebuild(ctx))
}

// note notes in the journal what the base has come to.
func (n *Node) note(epoch string, news []api.Change) (bool, error) {
	turned, err := n.turn(epoch)
	if err != nil {
		return false, err
	}
	settled, err := n.settle(news)
	if err == nil && settled {
		err = n.tidy()
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

// settle notes which of the operations here the base has: those among the
// changes, which are done whatever became of their answers, and those confirmed
// before the changes were asked for, up to the newest one.
func (n *Node) settle(news []api.Change) (bool, error) {
	var entries []*outbox.Entry
	var keys []string
	for i := range news {
		it := n.box.Item(news[i].Key)
		if it == nil || it.Settled {
			continue
		}
		if it.State != outbox.Done {
			entries = append(entries, n.box.Seen(n.now(), it.Key))
		}
		keys = append(keys, it.Key)
	}
	for _, key := range n.pull.sure {
		if it := n.box.Item(key); it.State == outbox.Done && !it.Settled && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	if len(keys) > 0 {
		entries = append(entries, &outbox.Entry{Settle: &outbox.Settle{Keys: keys}})
	}
	return len(keys) > 0, n.keep(entries...)
}

// halted tells of what stops the pull for a while: it is tried again from
// where the base stands.
func (n *Node) halted(err error) error {
	if err == nil {
		return nil
	}
	p := &n.pull
	p.tries++
	p.next = n.now().Add(outbox.Backoff(p.tries, n.cfg.Outbox.Random))
	p.stage, p.cursor, p.news = nil, "", nil
	return errors.Join(errors.New("what the service has could not be taken over"), err)
}
