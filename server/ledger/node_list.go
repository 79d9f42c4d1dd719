package ledger

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"slices"
	"sync"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
)

const (
	// maxNodes is the number of nodes that are kept for an organization in an environment,
	// and maxReaders how many of them may be of one key that can only read.
	maxNodes, maxReaders = 1000, 16
	// forgetAfter is when a node that no longer reports is removed.
	forgetAfter = 7 * 24 * time.Hour
)

// A nodeRow is what is kept of a node.
type nodeRow struct {
	api.NodeStatus
	// Reader reports whether the key can only read. Such a key may claim any id.
	Reader bool `json:"reader,omitzero"`
	// Runs are those that have reported within runGone, at most maxRuns, in this order.
	Runs []nodeRun `json:"runs,omitzero"`
}

// A nodeRun is a run of a node. Reports may arrive late, so the last report of a run that
// has ended can be newer than the first one of the next. But only a run that was alive when
// another one had begun can name it. Two runs that name each other are copies.
type nodeRun struct {
	Session api.ID    `json:"session"`
	Other   api.ID    `json:"other,omitzero"`
	Label   string    `json:"label"`
	SeenAt  time.Time `json:"seenAt"`
}

const (
	runGone = time.Minute
	maxRuns = 16
)

// updated returns the row that replaces the one before, which may be nil, after a report. It
// returns nil if the report must not change that one.
func (s nodeRow) updated(before *nodeRow) *nodeRow {
	switch {
	case before != nil && s.Reader && s.KeyID != before.KeyID:
		return nil
	case s.Reader || s.Session == api.NoID:
		return &s
	case before != nil:
		for _, r := range before.Runs {
			if r.Session != s.Session && s.SeenAt.Sub(r.SeenAt).Abs() < runGone {
				s.Runs = append(s.Runs, r)
			}
		}
	}

	s.Runs = append(s.Runs, nodeRun{s.Session, s.OtherSession, s.Label, s.SeenAt})
	s.Runs = s.Runs[max(0, len(s.Runs)-maxRuns):]
	copied := false
	for _, r := range s.Runs {
		s.Copies = append(s.Copies, r.Label)
		copied = copied ||
			slices.ContainsFunc(s.Runs, func(o nodeRun) bool { return o.Session == r.Other && o.Other == r.Session })
	}

	slices.Sort(s.Copies)
	if !copied {
		s.Copies = nil
	}

	return &s
}

// otherRun returns the session of another run than that of a session, or zero. Of several
// runs it is the one with the lowest session, so that two of them soon name each other.
func (s *nodeRow) otherRun(session api.ID) (other api.ID) {
	for _, r := range s.Runs {
		if r.Session != session && (other == api.NoID || slices.Compare(r.Session[:], other[:]) < 0) {
			other = r.Session
		}
	}

	return other
}

// replaced returns the rows to remove for a new one: those of nodes that have not reported
// for long, or else, if there are too many, the one that reported longest ago.
func (s *nodeRow) replaced(rows iter.Seq[*nodeRow]) (gone []api.ID) {
	n, limit := 0, maxNodes
	if s.Reader {
		limit = maxReaders
	}

	var oldest *nodeRow
	for row := range rows {
		if s.SeenAt.Sub(row.SeenAt) > forgetAfter {
			gone = append(gone, row.ID)
		}
		if s.Reader && (!row.Reader || row.KeyID != s.KeyID) {
			continue
		}

		n++
		if oldest == nil || row.SeenAt.Before(oldest.SeenAt) {
			oldest = row
		}
	}

	if len(gone) == 0 && n >= limit {
		gone = append(gone, oldest.ID)
	}

	return gone
}

// A nodeList is the last report of each node that has read the changes since the ledger
// was opened. It is in memory only: nodes report again within seconds. Processes that share
// a store keep the reports there instead, in sharedNodes.
type nodeList struct {
	mu   sync.Mutex
	rows map[store.Partition]map[api.ID]*nodeRow
}

// add saves a report and returns the row, or nil if the report must not change it.
func (l *nodeList) add(p store.Partition, s *nodeRow) *nodeRow {
	l.mu.Lock()
	defer l.mu.Unlock()
	of := l.rows[p]
	if of == nil {
		of = map[api.ID]*nodeRow{}
		if l.rows == nil {
			l.rows = map[store.Partition]map[api.ID]*nodeRow{}
		}
		l.rows[p] = of
	}

	row := s.updated(of[s.ID])
	if row == nil {
		return nil
	}
	if of[s.ID] == nil {
		for _, id := range s.replaced(maps.Values(of)) {
			delete(of, id)
		}
	}

	of[s.ID] = row

	return row
}

// of returns the nodes of an organization and environment.
func (l *nodeList) of(p store.Partition) (list []api.NodeStatus) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, row := range l.rows[p] {
		list = append(list, row.NodeStatus)
	}
	return list
}

// nodesOf returns the nodes of the caller's organization and environment, by label.
func (l *Ledger) nodesOf(ctx context.Context, c *api.Caller) (list []api.NodeStatus, err error) {
	if l.shared == nil {
		list = l.nodes.of(partition(c))
	} else if list, err = l.sharedNodes(ctx, partition(c)); err != nil {
		return nil, err
	}

	slices.SortFunc(list, func(a, b api.NodeStatus) int {
		return cmp.Or(cmp.Compare(a.Label, b.Label), slices.Compare(a.ID[:], b.ID[:]))
	})

	return list, nil
}

// addNode saves the report of a node. It returns the row, or nil if the report was not saved. A
// key that can only read cannot change the nodes of other keys.
func (l *Ledger) addNode(ctx context.Context, c *api.Caller, r *api.NodeReport) *nodeRow {
	s := &nodeRow{
		NodeStatus: api.NodeStatus{NodeReport: *r, KeyID: c.KeyID, KeyLabel: c.KeyLabel, SeenAt: api.Instant(l.now())},
	}
	s.Reader = !c.May(api.InventoryWrite) && !c.May(api.TransfersWrite) && !c.May(api.ReservationsWrite)
	if l.shared == nil {
		return l.nodes.add(partition(c), s)
	}

	row, err := l.shareNode(ctx, partition(c), s)
	if err != nil {
		l.log.Debug("could not save the report of a node", "node", s.ID, "error", err)
	}

	return row
}

func bindNodes(b map[string]binding) {
	reads[api.ListNodesInput, api.List[api.NodeStatus]](b, api.ListNodes, nil)
	handleWith(b, listNodes, api.ListNodes.Spec.ID)
}

// listNodes returns a page of the nodes of the caller's environment.
func listNodes(ctx context.Context, l *Ledger, req *api.Request, _ binding) (*api.Response, error) {
	if err := l.admit(ctx, req.Caller); err != nil {
		return nil, err
	}
	if err := api.Check(req.Input); err != nil {
		return nil, err
	}

	list, err := l.nodesOf(ctx, req.Caller)
	if err != nil {
		return nil, toAPIError(ctx, err)
	}

	out, err := pageOf(list, req.Input.(*api.ListNodesInput).Page, func(s *api.NodeStatus) api.ID { return s.ID })
	if err != nil {
		return nil, err
	}

	return &api.Response{Output: out}, nil
}

// pageOf returns one page of a list that is in memory.
func pageOf[T any](list []T, page api.Page, idOf func(*T) api.ID) (*api.List[T], error) {
	limit := 25
	if page.Limit != nil {
		limit = int(*page.Limit)
	}

	if page.Cursor != "" {
		at := slices.IndexFunc(list, func(x T) bool { return idOf(&x).String() == page.Cursor })
		if at < 0 {
			return nil, stored.BadCursor(page.Cursor)
		}
		list = list[at+1:]
	}

	out := &api.List[T]{Items: []T{}}
	if len(list) > limit {
		list = list[:limit]
		last := idOf(&list[limit-1]).String()
		out.NextCursor = &last
	}

	out.Items = append(out.Items, list...)

	return out, nil
}
