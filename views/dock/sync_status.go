package dock

import (
	"context"

	"bincard/server/api"
)

// FetchSyncStatus asks how what the terminal works on stands to its service, and
// remembers it. Where nothing stands between the two that is a MissingError.
func (s *Site) FetchSyncStatus(ctx context.Context) (api.Sync, error) {
	st, err := CallNode(ctx, s, api.GetSync, api.SyncInput{})
	if err == nil {
		s.loadBadges(ctx, &st)
	}
	return st, err
}

// SyncStatus is what Stand last answered; nil where nothing stands between the
// terminal and its service, or it was not asked yet.
func (s *Site) SyncStatus() *api.Sync {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.syncStatus
}

// CallNode performs one of the operations that a node performs besides: it is
// answered without the service.
func CallNode[I, O any](ctx context.Context, s *Site, op api.Operation[I, O], in I, opts ...api.Option) (O, error) {
	var none O
	if !s.Supports(op.Spec) {
		return none, &UnsupportedError{Spec: op.Spec, t: s.T()}
	}
	out, err := op.Call(ctx, s.opts.Service, in, append([]api.Option{api.By(s.Operator())}, opts...)...)
	switch st, told := any(out).(api.Sync); {
	case err != nil && meansUnsupported(op.Spec, err) && op.ID == api.GetSync.ID:
		s.recordSupport(op.Spec, false)
		return none, &UnsupportedError{Spec: op.Spec, t: s.T()}
	case err != nil:
		return none, err
	case told:
		s.mu.Lock()
		s.syncStatus = &st
		s.mu.Unlock()
	}
	return out, nil
}

// isOffline tells whether it is known that the service cannot be reached.
func (s *Site) isOffline() bool {
	st := s.SyncStatus()
	return st != nil && st.State == api.SyncOffline
}
