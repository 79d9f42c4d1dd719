// Package outbox implements the queue of operations done at a node: which of
// them are pending, which may be sent now, and what an answer means for one.
//
// A Queue is a state machine without clock, disk or network. Its methods take
// events and return what to do: entries to store and operations to send. A
// SavedQueue writes each entry to the journal before it applies it to the
// Queue; applying the same entries again restores the Queue.
package outbox

import (
	"cmp"
	"hash/fnv"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"bincard/server/api"
	"bincard/server/store"
)

// A State is the state of an operation.
type State string

const (
	// Pending is saved here and not confirmed by the service.
	Pending State = "captured"
	// Done is confirmed by the service.
	Done State = "done"
	// Refused is rejected by the service; a person resolves it.
	Refused State = "refused"
	// Held is quarantined as a possible conflict; a person decides before it
	// is sent.
	Held State = "held"
	// Replaced is replaced by another operation.
	Replaced State = "superseded"
	// Discarded was discarded by a person, with a reason.
	Discarded State = "dropped"
)

// Open reports whether the operation is not resolved yet.
func (s State) Open() bool { return s == Pending || s == Refused || s == Held }

// A Capture is an operation as a person did it. It contains no defaults whose
// meaning may change until it is sent.
type Capture struct {
	// Key is the idempotency key.
	Key string `json:"key"`
	// SpecID is the id of its Spec; Target and Body are its input.
	SpecID   string         `json:"operation"`
	Target   string         `json:"target"`
	Body     jsontext.Value `json:"body,omitzero"`
	IfMatch  string         `json:"ifMatch,omitempty"`
	Operator string         `json:"operator,omitempty"`
	// ApprovedBy is the supervisor who approved it. Earlier versions had it in Operator.
	ApprovedBy string `json:"approvedBy,omitempty"`
	Proof      string `json:"proof,omitempty"`
	// Device is the label of the device's key; empty for an operation done at
	// the node itself.
	Device string `json:"device,omitempty"`
	// DeviceID is the id of that key; zero if there is none, or an earlier version saved
	// the operation.
	DeviceID api.ID    `json:"deviceId,omitzero"`
	At       time.Time `json:"at"`
	// OccurredAt is when the request says that it happened, or zero if it does not.
	OccurredAt time.Time `json:"occurredAt,omitzero"`
	// FixedSeq is the operation's Seq if it is not the next one.
	FixedSeq uint64 `json:"place,omitempty"`
	// Fingerprint distinguishes the request from others with the same key.
	Fingerprint string `json:"print,omitempty"`
	// RiskAccepted means that a person saved the operation although the local
	// ledger rejected it.
	RiskAccepted bool `json:"insisted,omitempty"`
	// After is the key of the operation that this one depends on, as moving
	// the damaged part of a receipt depends on the receipt: it is sent when
	// that one is done.
	After string `json:"after,omitempty"`
	// Needs are the keys of the operations not yet synced that created what
	// this one uses.
	Needs []string `json:"needs,omitempty"`
	// LotsOf are the keys of the operations not yet synced that created the lots and
	// serials which this one uses.
	LotsOf []string `json:"lotsOf,omitempty"`
	// Replaces is the key of the operation that this one replaces.
	Replaces string `json:"replaces,omitempty"`
	// Stock are the balances that the operation moves, for a service that must
	// be asked for them to find out whether the operation was done.
	Stock []StockKey `json:"spots,omitempty"`
	// Origin is the node that did an imported operation.
	Origin *Origin `json:"origin,omitempty"`
	store.Unknown
}

// An Origin is a node, and the number that it gave to an operation. Both are zero for
// an operation of a version without numbers.
type Origin struct {
	Client api.ID `json:"client,omitzero"`
	Number uint64 `json:"number,omitempty"`
}

// A StockKey identifies a balance.
type StockKey struct {
	Product  api.ID `json:"product"`
	Location api.ID `json:"location"`
	Owner    api.ID `json:"owner"`
	Channel  api.ID `json:"channel"`
}

// A Refusal is why an operation was rejected, or is predicted to be.
type Refusal struct {
	Code    api.Code    `json:"code"`
	Message string      `json:"message"`
	Details api.Details `json:"details,omitempty"`
	// Recorded is other work that the service recorded with the operation's key, or nil if
	// there is none or it is not known.
	Recorded *api.WorkRecord `json:"recorded,omitempty"`
}

// RefusalOf converts an error to a Refusal.
func RefusalOf(err error) *Refusal {
	e := api.AsError(err)
	return &Refusal{Code: e.Code, Message: e.Message, Details: e.Details}
}

// An Operation is a Capture and its state.
type Operation struct {
	Capture
	// Seq is the position in the order of operations, from 1.
	Seq uint64
	// EffectiveAt is the time at which the operation applies: not before the
	// preceding operation's, even if the clock was set back.
	EffectiveAt time.Time
	State       State
	// Since is when the operation reached its state.
	Since time.Time
	// SentAt is when the operation was first sent, or zero if it was not. The
	// operation is immutable from then on.
	SentAt time.Time
	// Refusal is why the service rejected the operation, or why it is
	// quarantined.
	Refusal *Refusal
	// Reason and By are the person's who resolved the operation; Successor is
	// the key of the operation that replaced it.
	Reason, By, Successor string
	// NotRecordedAt is when the service was found not to have the operation after
	// its last attempt, or zero if it was not.
	NotRecordedAt time.Time
	// LocalID is the local id of the document that the operation created, and
	// RemoteID the service's, if they differ.
	LocalID, RemoteID string
	// Confirmed means that the replica contains the operation.
	Confirmed bool
	// MaybeLost means that the service was restored from a backup after it had
	// confirmed the operation. It is sent again with its key, and is not
	// applied over the replica.
	MaybeLost bool
	// FailedAt is when an attempt last ended without an answer, or zero if none did since the
	// operation reached its state.
	FailedAt time.Time
	// Risk is why the local ledger rejects the operation: the service may too.
	Risk *Refusal
	// Missing is the service's answer that it lacks what a pending operation needs, which
	// another node sends again; nil if it did not answer so.
	Missing *Refusal

	// Fields that a newer version stored.
	sendingExtra, changeExtra, confirmExtra store.Unknown

	retried        bool   // a person retried it, and accepts the risk
	document       string // the id of the document that it is for
	created        string // the local id of the document that it creates, if that is known
	excluded       bool   // not applied over the replica for now
	footprint      Footprint
	footprintKnown bool      // footprint is known
	lotsUnknown    bool      // an operation of LotsOf failed since the local ledger was last asked
	inFlight       bool      // waiting for an answer
	attemptedAt    time.Time // when it was last sent
	lookedUp       bool      // the service was asked for its key since the last attempt or state change
	staleAnswer    bool      // sent before the service was restored: its answer is void
	maybeSent      bool      // may have been sent since its state last changed
	neverArrived   bool      // certainly none of these attempts arrived
	omitTime       bool      // the service rejects the time at which it occurred
	replays        int       // how often the service answered with the result of an earlier attempt
	tries          int
	notBefore      time.Time // do not send before
	notDoneAt      time.Time // when it was found not done, or a person retried it
	rejectedBefore bool      // rejected before: a delayed copy may have been done since
}

// Attempted reports whether the operation may have been sent.
func (op *Operation) Attempted() bool { return !op.SentAt.IsZero() }

// MaybeDone reports whether the operation may have been done without an
// answer. An operation that never arrived, that the service did not record, or
// that was rejected and not sent since, was not.
func (op *Operation) MaybeDone() bool {
	return op.State == Pending &&
		(op.MaybeLost || op.maybeSent && op.NotRecordedAt.IsZero() && (op.inFlight || !op.neverArrived))
}

// Applies reports whether the operation is applied over the replica: it is not
// in the replica, and neither rejected nor discarded.
func (op *Operation) Applies() bool {
	return !op.excluded && !op.MaybeLost && (op.State == Pending || op.State == Done && !op.Confirmed)
}

// AcceptsRisk reports whether a person accepted that the service may reject the operation, when
// it was done or retried.
func (op *Operation) AcceptsRisk() bool { return op.RiskAccepted || op.retried }

// Exclude sets whether the operation is kept from being applied over the replica.
func (op *Operation) Exclude(exclude bool) { op.excluded = exclude }

// NeedsDecision reports whether a person must resolve the operation.
func (op *Operation) NeedsDecision() bool { return op.State == Refused || op.State == Held }

// mayChange reports whether the operation is not resolved, or not in the replica yet.
func (op *Operation) mayChange() bool { return op.State.Open() || op.State == Done && !op.Confirmed }

func (op *Operation) occurredAt() time.Time { return cmp.Or(op.OccurredAt, op.At) }

func (op *Operation) resetDelay() {
	op.tries, op.notBefore = 0, time.Time{}
}

// isReused reports whether the service recorded other work with the operation's key.
func (op *Operation) isReused() bool {
	return op.State == Held && op.Refusal != nil && op.Refusal.Code == api.IdempotencyKeyReused
}

// isFor reports whether the operation depends on another one, which creates its document.
func (op *Operation) isFor(creation *Operation) bool {
	return op.document != "" && op.document == creation.created && slices.Contains(op.Needs, creation.Key)
}

// parentKeys returns the keys of the operations that op depends on.
func (op *Operation) parentKeys() []string {
	if op.After == "" {
		return op.Needs
	}
	return append([]string{op.After}, op.Needs...)
}

// mayLackLot reports whether the local ledger may lack a lot or serial that an operation uses:
// it was not asked since, or rejects the operation, for whatever it finds first. Another
// operation may have created it too.
func (op *Operation) mayLackLot() bool {
	return op.lotsUnknown || !op.footprintKnown || op.MaybeLost || op.Risk != nil
}

func (op *Operation) lacksLot() bool {
	switch {
	case op.Risk == nil:
		return false
	case op.Risk.Code == api.NotFound:
		return op.Risk.Details["resource"] == "lot"
	}

	return op.Risk.Code == api.SerialNotAvailable && op.Risk.Details["serial"] != nil
}

// withDocument returns a footprint with a row for the document of an operation. An
// operation that the local ledger rejects writes no rows, and yet must keep its order with
// the others on its document.
func (op *Operation) withDocument(f Footprint) Footprint {
	if op.document == "" {
		return f
	}
	row := fnv.New64a()
	_, _ = row.Write([]byte(op.document))
	f.Writes = append(slices.Clip(f.Writes), row.Sum64())
	return f
}

// Billable reports whether an operation counts against the quota.
func Billable(operation string) bool {
	spec := api.FindOperation(operation)
	return spec != nil && spec.Billable
}
