package session

import (
	"context"

	"bincard/server/api"
)

// FetchSyncStatus reads the sync status and stores it. It returns an UnsupportedError
// if there is no node between the terminal and the service.
func (s *Site) FetchSyncStatus(ctx context.Context) (api.Sync, error) {
	st, err := CallNode(ctx, s, api.GetSync, api.SyncInput{})
	if err == nil {
		s.loadBadges(ctx, &st)
	}
	return st, err
}

// CallNode performs an operation of the node, which answers without the service.
func CallNode[I, O any](ctx context.Context, s *Site, op api.Operation[I, O], in I, opts ...api.Option) (O, error) {
	var zero O
	if !s.Supports(op.Spec) {
		return zero, &UnsupportedError{Spec: op.Spec, t: s.T()}
	}
	out, err := op.Call(ctx, s.opts.Service, in, append([]api.Option{api.By(s.Operator())}, opts...)...)
	switch st, isStatus := any(out).(api.Sync); {
	case err != nil && meansUnsupported(op.Spec, err) && op.Spec.ID == api.GetSync.Spec.ID:
		s.recordSupport(op.Spec, false)
		return zero, &UnsupportedError{Spec: op.Spec, t: s.T()}
	case err != nil:
		return zero, err
	case isStatus:
		s.setSyncStatus(&st)
	}
	return out, nil
}

// maxBadgedWork limits how much work, oldest first, is read for the badges.
const maxBadgedWork = 200

// loadBadges reloads the badges if the counts of the work have changed. If that fails,
// the old badges stay.
func (s *Site) loadBadges(ctx context.Context, st *api.Sync) {
	now := workCountsOf(st)
	if s.hasBadges(now) {
		return
	}
	fresh := &syncBadges{counts: now, documents: map[api.ID]string{}, balances: map[[2]api.ID]bool{}}
	if now != (workCounts{}) {
		limit := int64(maxBadgedWork)
		page, err := CallNode(ctx, s, api.ListWork, api.ListWorkInput{Limit: &limit})
		if err != nil {
			return
		}
		for i := range page.Items {
			fresh.add(&page.Items[i])
		}
	}
	s.setBadges(fresh)
}
