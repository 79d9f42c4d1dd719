package offline

import (
	"context"

	"bincard/offline/outbox"
	"bincard/offline/predict"
	"bincard/server/api"
)

// A source is the kind of service that is behind a node: a feedSource or a pollSource.
type source interface {
	// supports reports whether the service has an operation.
	supports(spec *api.Spec) bool
	// read answers a read for which the local data is not enough. answered is false if the
	// local ledger should answer. The state's mu is not held.
	read(ctx context.Context, req *api.Request) (res *api.Response, answered bool, err error)
	// mayFind reports whether the service may have what the local ledger did not find.
	mayFind(err error) bool
	// keyExpired reports whether the service may have forgotten the key of an operation, so
	// that sending it again could apply it twice. The operation is nil if it is not known.
	keyExpired(op *outbox.Operation) bool

	// The state's mu is held for all others.

	// rejects reports whether the service rejects a request with this code whatever its data.
	rejects(code api.Code) bool
	// fillDefaults returns a write with its default quantity and lot filled in from the local
	// response, and the stock that it moved if the replica may not tell that later.
	fillDefaults(req *api.Request, res *api.Response) (*api.Request, []outbox.StockKey)
	// hasDocument reports whether the document that a write would create is in the replica.
	hasDocument(ctx context.Context, v *predict.LocalView, req *api.Request) bool
	// epochEntry returns the entry that must precede the next operation in the journal.
	epochEntry(ctx context.Context) *outbox.Entry
	// historyUnknown reports whether nothing may be sent, because the service may have gone
	// back to an earlier state.
	historyUnknown() bool
	// identify adds to a request which node sends it.
	identify(req *api.Request)
	// proves reports whether a response is that to a request.
	proves(req *api.Request, res *api.Response) bool
	// probe returns the request that checks the connection. doubts is the HistoryDoubts that
	// its answer ends.
	probe() (req *api.Request, doubts int)
	// metered reports whether each request counts against a quota.
	metered() bool
}
