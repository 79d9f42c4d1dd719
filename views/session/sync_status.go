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

// SyncStatus returns the sync status last read; nil if there is no node or it was not
// read yet.
func (s *Site) SyncStatus() *api.Sync {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.syncStatus
}

// CallNode performs an operation of the node, which answers without the service.
func CallNode[I, O any](ctx context.Context, s *Site, op api.Operation[I, O], in I, opts ...api.Option) (O, error) {
	var zero O
	if !s.Supports(op.Spec) {
		return zero, &UnsupportedError{Spec: op.Spec, t: s.T()}
	}
	out, err := op.Call(ctx, s.opts.Service, in, append([]api.Option{api.By(s.Operator())}, opts...)...)
	switch st, isStatus := any(out).(api.Sync); {
	case err != nil && meansUnsupported(op.Spec, err) && op.ID == api.GetSync.ID:
		s.recordSupport(op.Spec, false)
		return zero, &UnsupportedError{Spec: op.Spec, t: s.T()}
	case err != nil:
		return zero, err
	case isStatus:
		s.mu.Lock()
		s.syncStatus = &st
		s.mu.Unlock()
	}
	return out, nil
}

// isOffline reports whether the service is known to be unreachable.
func (s *Site) isOffline() bool {
	st := s.SyncStatus()
	return st != nil && st.State == api.SyncOffline
}
