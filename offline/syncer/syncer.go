package syncer

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"bincard/offline/outbox"
	"bincard/offline/replicas"
	"bincard/server/api"
)

// A Syncer fills and follows the replica. It fills a staged replica, makes it
// the current one when it is complete, and updates it from then on. The node
// calls it under its lock, and has one request in flight at a time.
type Syncer interface {
	// Next returns the next request. If it is nil, call Next again at the
	// given time or after a change.
	Next(ctx context.Context) (*api.Request, time.Time, error)
	// HandleAnswer takes the answer.
	HandleAnswer(ctx context.Context, asked *api.Request, res *api.Response) error
	// HandleError takes the error of a request.
	HandleError(ctx context.Context, asked *api.Request, err error) (Outcome, error)
	// Reset discards what is only partly read.
	Reset()
}

// An Outcome is what the error of a request means.
type Outcome int

const (
	// Failed means that the same request is repeated later.
	Failed Outcome = iota
	// Handled means that the syncer does without the answer.
	Handled
	// OtherService means, besides, that the service may need another
	OtherService
)

// Local is the data of a node that its syncer reads and writes. The node's lock
// guards it.
type Local struct {
	Queue    *outbox.SavedQueue
	Replicas *replicas.Tracker
	Caller   api.Caller
	// Locations are those that the replica is limited to; all if there are none.
	Locations []api.ID
	Now       func() time.Time
	Log       *slog.Logger
	Progress
}

// Progress is what the syncer reports to the node.
type Progress struct {
	// SyncedAt is when the replica was last known to match the service.
	SyncedAt time.Time
	// NextCycle is when to call Next again, as computed at CycleSetAt: a clock
	// that is set back before CycleSetAt ends the wait.
	NextCycle, CycleSetAt time.Time
	// HoldSends is set while nothing may be sent, so that several reads are
	// consistent.
	HoldSends bool
	// Rebuild is set when the replica or the operations applied to it have
	// changed. The node rebuilds its view once the call returns.
	Rebuild bool
	// Outdated is set when the view must be rebuilt before it is used again.
	Outdated bool
}

// KeyLifetime is how long a service remembers an idempotency key if it does not
// say. Bincard's own service never forgets one.
const KeyLifetime = 24 * time.Hour

// MaxFailures is how often in a row a replica may fail to take changes before
// it is downloaded again.
const MaxFailures = 3

// A MergeError is the error of a syncer that cannot use an answer. The node
// resets the syncer and continues later, from the replica's position.
type MergeError struct{ Err error }

func (e *MergeError) Error() string { return "cannot merge the service's changes: " + e.Err.Error() }
func (e *MergeError) Unwrap() error { return e.Err }

// Abort returns a MergeError, or nil if err is nil.
func Abort(err error) error {
	if err == nil {
		return nil
	}
	return &MergeError{err}
}

// IsUnsupported reports whether the service does not support what it was
// asked. A key that the service does not know is another matter.
func IsUnsupported(err error) bool {
	return !api.IsWrongOrganization(err) &&
		slices.Contains([]api.Code{api.NotFound, api.NotImplemented, api.MethodNotAllowed}, api.AsError(err).Code)
}

// MayLack reports whether the service, or something else that answers for it,
// has no such path. A service with the documented operations may say so in any
// words; what it lacks is settled only by what it does answer.
func MayLack(err error) bool {
	f := api.ForeignAnswerOf(err)
	return f != nil && f.NoRoute() || f == nil && err != nil && IsUnsupported(err)
}

// NewRequest returns the request of an operation.
func NewRequest[I, O any](op api.Operation[I, O], in I) *api.Request {
	return &api.Request{Spec: op.Spec, Input: &in}
}
