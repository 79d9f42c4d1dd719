package ledger

import (
	"context"
	"reflect"
	"time"

	"bincard/server/api"
	"bincard/server/store"
)

// sharedNodes has the last report of each node, where any process may receive it.
var sharedNodes = store.NewTable(store.Table[api.NodeStatus]{
	Name:  "nodes",
	Key:   func(s *api.NodeStatus) []byte { return s.ID[:] },
	Codec: store.JSON[api.NodeStatus](),
})

const (
	// seenInterval is how often a report that says nothing new is saved.
	seenInterval = 10 * time.Second
	// forgetAfter is when a node that no longer reports is removed.
	forgetAfter = 7 * 24 * time.Hour
)

// shareNode saves a report, unless it says nothing new.
func (l *Ledger) shareNode(ctx context.Context, c *api.Caller, s *api.NodeStatus) error {
	p, known := partition(c), false
	err := l.store.View(ctx, p, func(r store.Reader) error {
		before, err := sharedNodes.Get(r, s.ID[:])
		if err != nil || before == nil {
			return err
		}
		again := *s
		again.SeenAt = before.SeenAt
		known = reflect.DeepEqual(&again, before) && s.SeenAt.Sub(before.SeenAt) < seenInterval
		return nil
	})
	if known || err != nil {
		return err
	}
	return l.store.Update(ctx, p, func(tx store.Tx) error {
		before, err := sharedNodes.Get(tx, s.ID[:])
		if err == nil && before == nil {
			err = forgetNodes(tx, s.SeenAt)
		}
		if err != nil {
			return err
		}
		return sharedNodes.Put(tx, s)
	})
}

// forgetNodes makes room for one more node.
func forgetNodes(tx store.Tx, now time.Time) error {
	var gone, oldest []api.NodeStatus
	n := 0
	err := sharedNodes.Scan(tx, store.Range{}, func(s *api.NodeStatus) error {
		n++
		if now.Sub(s.SeenAt) > forgetAfter {
			gone = append(gone, *s)
		}
		if len(oldest) == 0 || s.SeenAt.Before(oldest[0].SeenAt) {
			oldest = []api.NodeStatus{*s}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if len(gone) == 0 && n >= maxNodes {
		gone = oldest
	}
	for _, s := range gone {
		if err := sharedNodes.Delete(tx, s.ID[:]); err != nil {
			return err
		}
	}
	return nil
}

// sharedNodes returns the nodes of the caller's organization and environment.
func (l *Ledger) sharedNodes(ctx context.Context, c *api.Caller) (list []api.NodeStatus, err error) {
	err = l.store.View(ctx, partition(c), func(r store.Reader) error {
		return sharedNodes.Scan(r, store.Range{}, func(s *api.NodeStatus) error {
			list = append(list, *s)
			return nil
		})
	})
	return list, err
}
