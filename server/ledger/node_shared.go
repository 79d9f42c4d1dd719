package ledger

import (
	"context"
	"reflect"
	"slices"
	"time"

	"bincard/server/api"
	"bincard/server/store"
)

// sharedNodes has the last report of each node, where any process may receive it.
var sharedNodes = store.NewTable(store.Table[nodeRow]{
	Name:  "nodes",
	Key:   func(s *nodeRow) []byte { return s.ID[:] },
	Codec: store.JSON[nodeRow](),
})

// seenInterval is how often a report that says nothing new is saved.
const seenInterval = 10 * time.Second

// shareNode saves a report, unless it says nothing new. It returns the row, or nil if the report
// must not change it.
func (l *Ledger) shareNode(ctx context.Context, p store.Partition, s *nodeRow) (row *nodeRow, err error) {
	err = l.store.View(ctx, p, func(r store.Reader) error {
		before, err := sharedNodes.Get(r, s.ID[:])
		if err != nil || before == nil {
			return err
		}

		again := *s
		again.SeenAt, again.Copies, again.Runs = before.SeenAt, before.Copies, before.Runs
		if reflect.DeepEqual(&again, before) && s.SeenAt.Sub(before.SeenAt) < seenInterval {
			row = before
		}

		return nil
	})
	if row != nil || err != nil {
		return row, err
	}

	err = l.store.Update(ctx, p, func(tx store.Tx) error {
		before, err := sharedNodes.Get(tx, s.ID[:])
		if err != nil {
			return err
		}

		row = s.updated(before)
		if row == nil {
			return nil
		}

		if before == nil {
			rows, err := allNodes(tx)
			if err != nil {
				return err
			}
			for _, id := range s.replaced(slices.Values(rows)) {
				if err := sharedNodes.Delete(tx, id[:]); err != nil {
					return err
				}
			}
		}

		return sharedNodes.Put(tx, row)
	})

	return row, err
}

func allNodes(r store.Reader) (rows []*nodeRow, err error) {
	err = sharedNodes.Scan(r, store.Range{}, func(s *nodeRow) error {
		row := *s
		rows = append(rows, &row)
		return nil
	})
	return rows, err
}

// sharedNodes returns the nodes of an organization and environment.
func (l *Ledger) sharedNodes(ctx context.Context, p store.Partition) (list []api.NodeStatus, err error) {
	err = l.store.View(ctx, p, func(r store.Reader) error {
		rows, err := allNodes(r)
		for _, row := range rows {
			list = append(list, row.NodeStatus)
		}
		return err
	})

	return list, err
}
