package ledger

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"bincard/server/api"
	"bincard/server/ledger/internal/stored"
)

// maxNodes is the number of nodes that a nodeList keeps for an organization.
const maxNodes = 1000

// A nodeList is the last report of each node that has read the changes since the ledger
// was opened. It is in memory only: nodes report again within seconds. Processes that share
// a store keep the reports there instead, in sharedNodes.
type nodeList struct {
	mu      sync.Mutex
	reports map[api.ID]map[nodeKey]api.NodeStatus // by organization
}

type nodeKey struct {
	environment api.Environment
	id          api.ID
}

// add keeps a report. If there are too many it removes the one seen longest ago.
func (l *nodeList) add(c *api.Caller, s *api.NodeStatus) {
	l.mu.Lock()
	defer l.mu.Unlock()
	of := l.reports[c.Organization]
	if of == nil {
		of = map[nodeKey]api.NodeStatus{}
		if l.reports == nil {
			l.reports = map[api.ID]map[nodeKey]api.NodeStatus{}
		}
		l.reports[c.Organization] = of
	}
	of[nodeKey{c.Environment, s.ID}] = *s
	if len(of) <= maxNodes {
		return
	}
	var oldest nodeKey
	for key, s := range of {
		if oldest.id == (api.ID{}) || s.SeenAt.Before(of[oldest].SeenAt) {
			oldest = key
		}
	}
	delete(of, oldest)
}

// of returns the nodes of the caller's organization and environment.
func (l *nodeList) of(c *api.Caller) (list []api.NodeStatus) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for key, s := range l.reports[c.Organization] {
		if key.environment == c.Environment {
			list = append(list, s)
		}
	}
	return list
}

// nodesOf returns the nodes of the caller's organization and environment, by label.
func (l *Ledger) nodesOf(ctx context.Context, c *api.Caller) (list []api.NodeStatus, err error) {
	if l.shared == nil {
		list = l.nodes.of(c)
	} else if list, err = l.sharedNodes(ctx, c); err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(a, b api.NodeStatus) int {
		return cmp.Or(cmp.Compare(a.Label, b.Label), slices.Compare(a.ID[:], b.ID[:]))
	})
	return list, nil
}

// addNode keeps the report of a node.
func (l *Ledger) addNode(ctx context.Context, c *api.Caller, r *api.NodeReport) {
	s := &api.NodeStatus{NodeReport: *r, KeyID: c.KeyID, KeyLabel: c.KeyLabel, SeenAt: api.Instant(l.now())}
	if l.shared == nil {
		l.nodes.add(c, s)
	} else if err := l.shareNode(ctx, c, s); err != nil {
		l.log.Debug("could not save the report of a node", "node", s.ID, "error", err)
	}
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
