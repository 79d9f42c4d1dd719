// Package outbox knows what people did here and what became of it: which
// operations wait, which of them may be sent now, what an answer means.
//
// A Box is a step machine. It has no clock, no disk and no network: it is told
// what happened and says what is to be kept and to be sent. What must survive
// stands in entries, which its owner writes to the journal before it lets them
// apply; the same entries, read again, make the same Box.
package outbox

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"bincard/server/api"
	"bincard/server/store"
)

// A State is where an operation is in its life.
type State string

const (
	// Pending is kept here and not confirmed.
	Pending State = "captured"
	// Done is confirmed by the service.
	Done State = "done"
	// Refused is turned down by the service; a person settles it.
	Refused State = "refused"
	// Held looks like a conflict; a person decides before it is sent.
	Held State = "held"
	// Replaced has another one in its place.
	Replaced State = "superseded"
	// Discarded was given up by a person, with a reason.
	Discarded State = "dropped"
)

// Open tells whether anything is still to be done about it.
func (s State) Open() bool { return s == Pending || s == Refused || s == Held }

// A Capture is an operation as a person did it. Nothing is left out of it that
// would mean something else later.
type Capture struct {
	// Key is the idempotency key, minted here.
	Key string `json:"key"`
	// SpecID is the id of its Spec; Target and Body are its input.
	SpecID   string         `json:"operation"`
	Target   string         `json:"target"`
	Body     jsontext.Value `json:"body,omitzero"`
	IfMatch  string         `json:"ifMatch,omitempty"`
	Operator string         `json:"operator,omitempty"`
	// Device is the label of the key by which it came; empty where it was done
	// at the node itself.
	Device string    `json:"device,omitempty"`
	At     time.Time `json:"at"`
	// FixedSeq is its N where that is not the next.
	FixedSeq uint64 `json:"place,omitempty"`
	// Fingerprint tells the request that was made from others with its key.
	Fingerprint string `json:"print,omitempty"`
	// RiskAccepted tells that a person had it kept although it looked wrong.
	RiskAccepted bool `json:"insisted,omitempty"`
	// After is the key of the operation that it belongs to, as the damaged share
	// of a receipt does: it goes when that one is done.
	After string `json:"after,omitempty"`
	// Replaces is the key of the operation whose place it takes.
	Replaces string `json:"replaces,omitempty"`
	// Stock are the balances that it moves, where its service may have to be
	// asked by them whether it was done.
	Stock []StockKey `json:"spots,omitempty"`
	store.Unknown
}

// A StockKey is what a balance is of.
type StockKey struct {
	Product  api.ID `json:"product"`
	Location api.ID `json:"location"`
	Owner    api.ID `json:"owner"`
	Channel  api.ID `json:"channel"`
}

// A Refusal is why an operation was, or would be, turned down.
type Refusal struct {
	Code    api.Code    `json:"code"`
	Message string      `json:"message"`
	Details api.Details `json:"details,omitempty"`
}

// RefusalOf is err as a Refusal.
func RefusalOf(err error) *Refusal {
	e := api.AsError(err)
	return &Refusal{Code: e.Code, Message: e.Message, Details: e.Details}
}

// An Operation is an operation with what became of it.
type Operation struct {
	Capture
	// Seq is its place in the order in which things were done here, from 1.
	Seq uint64
	// EffectiveAt is the instant that counts for it, after those before it.
	EffectiveAt time.Time
	State       State
	// Since is when it came to its state.
	Since time.Time
	// SentAt is when it was first about to be sent, zero before: from then on
	// nothing of it changes.
	SentAt time.Time
	// Refusal is the service's, or why it is held.
	Refusal *Refusal
	// Reason and By are the person's who settled it; Successor is the key of
	// what took its place.
	Reason, By, Successor string
	// LocalID is the id here of what it made, and Called the service's, where that
	// is another one.
	LocalID, RemoteID string
	// Confirmed tells that the replica holds what it did.
	Confirmed bool
	// MaybeLost tells that the service was restored from a backup after it had
	// confirmed this: it is sent again by its key, and shows as the replica has it.
	MaybeLost bool
	// Risk is what the ledger here says against it: it may be refused.
	Risk *Refusal

	// What a newer version said of it beside what is known here.
	sendingExtra, changeExtra, confirmExtra store.Unknown

	footprint      Footprint
	footprintKnown bool      // print is known
	inFlight       bool      // sent, and the answer is awaited
	attemptedAt    time.Time // since when
	staleAnswer    bool      // sent before the service was restored: that answer says nothing
	maybeSent      bool      // it was about to be sent since it was last settled
	neverArrived   bool      // and none of the attempts arrived, which is certain
	tries          int
	notBefore      time.Time // not before
	notDoneAt      time.Time // when the service had it not, or a person said to send it again
	rejectedBefore bool      // it was refused before: a copy of it may have been done since
}

// Attempted tells whether it may have left.
func (it *Operation) Attempted() bool { return !it.SentAt.IsZero() }

// MaybeDone tells whether it may have been carried out without an answer: what
// never arrived, and what was refused and is to be sent again, was not.
func (it *Operation) MaybeDone() bool {
	return it.State == Pending && (it.MaybeLost || it.maybeSent && (it.inFlight || !it.neverArrived))
}

// Applies tells whether what it does shows here: it is not confirmed by the
// replica, and is not given up.
func (it *Operation) Applies() bool {
	return !it.MaybeLost && (it.State == Pending || it.State == Done && !it.Confirmed)
}

// A Footprint is the rows that an operation reads, writes and makes, as
// numbers: two operations with a row in common keep their order when one of
// them writes it.
type Footprint struct {
	Reads, Writes, Makes []uint64
}
