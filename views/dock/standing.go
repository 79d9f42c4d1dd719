package dock

import (
	"context"

	"bincard/server/api"
)

// Stand asks how what the terminal works on stands to its service, and
// remembers it. Where nothing stands between the two that is a MissingError.
func (s *Site) Stand(ctx context.Context) (api.Sync, error) {
	st, err := AskNode(ctx, s, api.GetSync, api.SyncInput{})
	if err == nil {
		s.mark(ctx, &st)
	}
	return st, err
}

// Stands is what Stand last answered; nil where nothing stands between the
// terminal and its service, or it was not asked yet.
func (s *Site) Stands() *api.Sync {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stands
}

// AskNode performs one of the operations that a node performs besides: it is
// answered without the service.
func AskNode[I, O any](ctx context.Context, s *Site, op api.Operation[I, O], in I, opts ...api.Option) (O, error) {
	var none O
	if !s.Has(op.Spec) {
		return none, &MissingError{Spec: op.Spec}
	}
	out, err := op.Call(ctx, s.opts.Service, in, append([]api.Option{api.By(s.Operator())}, opts...)...)
	switch st, told := any(out).(api.Sync); {
	case err != nil && lacks(op.Spec, err) && op.ID == api.GetSync.ID:
		s.note(op.Spec, false)
		return none, &MissingError{Spec: op.Spec}
	case err != nil:
		return none, err
	case told:
		s.mu.Lock()
		s.stands = &st
		s.mu.Unlock()
	}
	return out, nil
}

// alone tells whether it is known that the service cannot be reached.
func (s *Site) alone() bool {
	st := s.Stands()
	return st != nil && st.State == api.SyncOffline
}
