package offline

import (
	"context"
	"slices"
	"time"

	"bincard/offline/outbox"
	"bincard/offline/predict"
	"bincard/offline/syncer"
	"bincard/server/api"
)

// A feedSource is Bincard's own service. It has no state of its own.
type feedSource struct{ *state }

var _ source = (*feedSource)(nil)

func (f *feedSource) supports(*api.Spec) bool { return true }

func (f *feedSource) mayFind(error) bool { return false }

func (f *feedSource) keyExpired(*outbox.Operation) bool { return false }

func (f *feedSource) metered() bool { return false }

func (f *feedSource) historyUnknown() bool { return f.queue.HistoryUnknown() }

// read reads history from before the replica began at the service, and the data of
// locations that the node does not have.
func (f *feedSource) read(ctx context.Context, req *api.Request) (res *api.Response, answered bool, err error) {
	switch at := req.FilterLocation(); {
	case req.Spec.Writes() || !req.Caller.May(req.Spec.Scope):
		return nil, false, nil
	case at == api.NoID || f.here.has(at):
		return f.history(ctx, req)
	}

	res, err = f.readRemote(ctx, req)
	if api.HasCode(err, api.Unavailable) {
		err = api.Fail(api.Unavailable, api.AsError(err).Details,
			"Only the data of %s is stored here. Connect, then retry.", f.here)
	}

	return res, true, err
}

// history sends a read to the service if it needs history from before the replica
// began. answered is false if the local ledger should answer: if the history is not
// needed, or if it is optional and the service cannot be reached or lacks local work.
func (f *feedSource) history(ctx context.Context, req *api.Request) (res *api.Response, answered bool, err error) {
	position, err := f.Position(ctx)
	if err != nil || position.Since.IsZero() {
		return nil, false, nil
	}

	needed, required := historyNeeded(req, position.Since)
	if !needed || !required && !f.inSync() {
		return nil, false, nil
	}

	res, err = f.readRemote(ctx, req)
	if err == nil {
		if req.FilterLocation() == api.NoID {
			f.keepHere(res)
		}
		return res, true, nil
	}

	if !required && api.AsError(err).Code.Status() >= 500 {
		return nil, false, nil
	}

	if e := api.AsError(err); e.Code == api.Unavailable {
		return nil, true, &api.Error{
			Code:      api.Unavailable,
			Details:   e.Details,
			Err:       e.Err,
			RequestID: e.RequestID,
			Message: api.Textf(
				"History before %s is only at the service, which cannot be reached. Choose a later date, or retry when connected.",
				position.Since.Local().Format("2006-01-02 15:04"),
			),
		}
	}

	return nil, true, err
}

// historyNeeded reports whether a read needs history from before began, and whether the
// local result would be wrong without it. Else it is a part of the result.
func historyNeeded(req *api.Request, began time.Time) (needed, required bool) {
	before := func(at *time.Time) bool { return at != nil && at.Before(began) }
	switch in := req.Input.(type) {
	case *api.ReportSnapshotInput:
		if before(in.AsOf) {
			return true, true
		}
	case *api.ReportMovementsInput:
		switch {
		case before(in.CreatedFrom), before(in.CreatedTo):
			return true, true
		case in.CreatedFrom != nil:
			return false, false
		}
	}

	return req.Spec.History, false
}

// keepHere removes the rows of locations whose data the node does not have from a report.
func (f *feedSource) keepHere(res *api.Response) {
	switch out := res.Output.(type) {
	case *api.List[api.MovementRow]:
		out.Items = slices.DeleteFunc(out.Items, func(r api.MovementRow) bool { return !f.here.has(r.LocationID) })
	case *api.List[api.SnapshotRow]:
		out.Items = slices.DeleteFunc(out.Items, func(r api.SnapshotRow) bool { return !f.here.has(r.LocationID) })
	}
}

// inSync reports whether the service is connected and has everything done at the node.
func (f *feedSource) inSync() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.queue.Link(f.now()).Up && len(f.queue.Applied()) == 0
}

// hasDocument finds a document that exists because its key was used elsewhere: a snapshot
// does not contain keys.
func (f *feedSource) hasDocument(ctx context.Context, v *predict.LocalView, req *api.Request) bool {
	if !req.Spec.Creates() || req.Spec.Document == "" {
		return false
	}
	_, err := api.ReadDocument(ctx, api.As(v, f.cfg.Caller, ""), req.Spec.Document,
		f.cfg.derivedID(req.Spec, req.IdempotencyKey))
	return err == nil
}

// epochEntry returns the epoch if the journal has none yet. The write of it may have
// failed when the replica arrived, and without an epoch confirmed operations would not be
// checked again after the service is restored from a backup.
func (f *feedSource) epochEntry(ctx context.Context) *outbox.Entry {
	if f.queue.Epoch != "" {
		return nil
	}
	at, err := f.Position(ctx)
	if err != nil || at.Epoch == "" {
		return nil
	}
	return &outbox.Entry{Epoch: &outbox.Epoch{ID: at.Epoch, At: f.now()}}
}

// identify keeps the service from taking the request for the equal work of another node. The
// request has no number in the journal, but must have the same one when it is repeated.
func (f *feedSource) identify(req *api.Request) {
	req.Client, req.ClientNumber = f.queue.Header.Client, api.MaxQuantity
}

func (f *feedSource) proves(req *api.Request, res *api.Response) bool {
	return outbox.Proves(req, res, true) && (!req.Spec.Creates() || req.Spec.Document == "" ||
		res.DocumentID() == f.cfg.derivedID(req.Spec, req.IdempotencyKey))
}

// fillDefaults names the quantity and the lot: "all that is pending" may mean others by the
// time the service receives the request.
func (f *feedSource) fillDefaults(req *api.Request, res *api.Response) (*api.Request, []outbox.StockKey) {
	q, lot := movedQuantity(res.Movements())
	return withDefaults(req, q, lot), nil
}

// probe also finds out whether the service still has the last known change, if one is
// known, so that work can be sent at once when it is answered.
func (f *feedSource) probe() (*api.Request, int) {
	last, epoch, doubts := f.queue.ConfirmedAt, f.queue.Epoch, f.queue.HistoryDoubts()
	at, err := f.Position(context.Background())
	if epoch == "" && err == nil && at.Complete { // the next operation is saved with it
		epoch = at.Epoch
	}
	if err == nil && at.Complete && at.Epoch == epoch && at.Seq >= last.Seq {
		last = outbox.Position{Seq: at.Seq, Hash: at.Hash}
	}
	if epoch == "" {
		return syncer.NewRequest(api.GetCapabilities, api.CapabilitiesInput{}), doubts
	}

	return syncer.NewHistoryCheck(last, epoch), doubts
}

// permanentCodes are the errors in a request that any service would report too, whatever
// its data.
var permanentCodes = []api.Code{
	api.ValidationError, api.InvalidJSON, api.InvalidCursor, api.IdempotencyKeyRequired, api.IdempotencyKeyReused,
	api.InsufficientScope, api.LocationNotAllowed, api.ApprovalRequired, api.SerialCountMismatch, api.LotRequired,
}

// rejects includes the components of kits and the units of products, which a polled
// replica lacks.
func (f *feedSource) rejects(code api.Code) bool {
	return slices.Contains(permanentCodes, code) || code == api.UnitConversionMismatch || code == api.ProductNotComposed
}
