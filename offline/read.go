package offline

import (
	"context"
	"errors"

	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/store"
)

// A reader answers reads from the local data, and says what became of the operations done
// here. It holds mu only while it looks at the queue. It reads the view and waits for the
// service without it.
type reader struct {
	*state
	note *noteFile
}

// answer answers a read from the view, and a document that is not here from the service.
func (r *reader) answer(ctx context.Context, req *api.Request) (*api.Response, error) {
	v := r.view.Load()
	res, err := v.Do(ctx, req)
	if current := r.view.Load(); errors.Is(err, store.ErrClosed) && current != v {
		return current.Do(ctx, req) // the replica was replaced during the read
	}
	if err != nil {
		return r.readMissing(ctx, req, r.explainMissing(req, err))
	}

	return res, nil
}

// Local returns the reads of the local data.
func (r *reader) Local() api.Service { return serviceFunc(r.readLocal) }

func (r *reader) readLocal(ctx context.Context, req *api.Request) (*api.Response, error) {
	if err := r.refresh(ctx); err != nil {
		return nil, err
	}
	s := r.view.Load()
	if s == nil {
		return nil, notReadyError()
	}
	return s.Do(ctx, r.withCaller(req))
}

// readMissing reads a document that is not here at the service, which has those of all
// locations. It returns missing if the service does not answer.
func (r *reader) readMissing(ctx context.Context, req *api.Request, missing error) (*api.Response, error) {
	if len(r.here) == 0 || !api.HasCode(missing, api.NotFound) || !req.Spec.Document.HasStock() ||
		req.DocumentID() == api.NoID || !r.online() {
		return nil, missing
	}
	if res, err := r.readRemote(ctx, req); err == nil {
		return res, nil
	}
	return nil, missing
}

// explainMissing returns the error of a read. A document whose creation is
// saved here, but rejected by the local ledger or the service, is missing in
// the local data; it is not confirmed rather than unknown.
func (r *reader) explainMissing(req *api.Request, err error) error {
	id := req.DocumentID()
	if id == api.NoID || !api.HasCode(err, api.NotFound) {
		return err
	}

	r.mu.Lock()
	defer r.mu.Unlock()
	for _, op := range r.queue.Operations() {
		spec := api.FindOperation(op.SpecID)
		if !op.State.Open() || spec == nil || !spec.Creates() || spec.Document != req.Spec.Document ||
			r.cfg.derivedID(spec, op.Key) != id {
			continue
		}

		why := op.Risk
		if op.State != outbox.Pending {
			why = op.Refusal
		}
		if why == nil {
			return err
		}

		return api.Fail(api.AtRisk, api.Details{"because": why.Code, "key": op.Key},
			"Saved here, but not confirmed: %v", why.Message)
	}

	return err
}
