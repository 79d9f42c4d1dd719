package outbox

import (
	"fmt"
	"time"

	"github.com/go-json-experiment/json"

	"bincard/server/api"
	"bincard/server/store"
)

// Format is the version of the entry format.
const Format = 1

// An Entry is a record of the journal. Exactly one of its members is set. A
// member can gain fields without a new Format: in older entries they are zero,
// and the fields of a newer version are preserved when the journal is
// rewritten. Older versions reject a new kind of entry.
type Entry struct {
	Header      *Header      `json:"begin,omitempty"`
	Capture     *Capture     `json:"capture,omitempty"`
	Sending     *Sending     `json:"freeze,omitempty"`
	StateChange *StateChange `json:"mark,omitempty"`
	Confirm     *Confirm     `json:"settle,omitempty"`
	Epoch       *Epoch       `json:"epoch,omitempty"`
	store.Unknown
}

// Header identifies the journal's owner. It is the first entry; a later one replaces it, but
// operations before its ClientSince keep the client of the one before.
type Header struct {
	Format       int    `json:"format"`
	Service      string `json:"service"`
	Organization string `json:"organization"`
	Environment  string `json:"environment"`
	// Client is the id of the node at the service, zero in journals of older versions.
	// Operations from ClientSince on are sent with it and with their Seq.
	Client      api.ID `json:"client,omitzero"`
	ClientSince uint64 `json:"clientSince,omitempty"`
	store.Unknown
}

// Sending records that operations are about to be sent.
type Sending struct {
	Keys []string  `json:"keys"`
	At   time.Time `json:"at"`
	// NotArrived means that they were not done: no attempt since their state
	// last changed arrived. To an older version they may have been.
	NotArrived bool `json:"notArrived,omitempty"`
	store.Unknown
}

// StateChange records the new state of an operation.
type StateChange struct {
	Key       string    `json:"key"`
	State     State     `json:"state"`
	At        time.Time `json:"at"`
	Refusal   *Refusal  `json:"refusal,omitempty"`
	Reason    string    `json:"reason,omitempty"`
	By        string    `json:"by,omitempty"`
	Successor string    `json:"successor,omitempty"`
	// ApprovedBy is the supervisor who approved that the operation is retried, with the Proof
	// that it then has.
	ApprovedBy string `json:"approvedBy,omitempty"`
	Proof      string `json:"proof,omitempty"`
	// MaybeLost means that the service was restored after the operation was
	// done.
	MaybeLost bool `json:"doubted,omitempty"`
	// LocalID is the local id of the document that the operation created, and
	// RemoteID the service's, if they differ.
	LocalID  string `json:"made,omitempty"`
	RemoteID string `json:"called,omitempty"`
	store.Unknown
}

// Confirm records that the replica contains operations.
type Confirm struct {
	Keys []string `json:"keys"`
	// Position is that of the replica then, zero in entries of older versions.
	Position
	store.Unknown
}

// A Position is a change of the service, with its hash.
type Position struct {
	Seq  int64  `json:"seq,omitempty"`
	Hash string `json:"hash,omitempty"`
}

// Epoch records the service's epoch that the replica follows. A change of
// epoch means that the service was restored from a backup and may have lost
// what it had confirmed, so all of that is sent again with the same keys.
type Epoch struct {
	ID string    `json:"id"`
	At time.Time `json:"at"`
	// WentBack means that the service lost changes without a new epoch, as when the
	// disk of its machine was put back. It has the effect of a new epoch.
	WentBack bool `json:"wentBack,omitempty"`
	// AgreedAt is when the service and the replica last had the same changes. What the
	// service rejected since then may have lacked what the service lost, so that is
	// sent again too. It is zero in journals of older versions.
	AgreedAt time.Time `json:"agreedAt,omitzero"`
	store.Unknown
}

// Encode encodes an entry for the journal.
func (e Entry) Encode() ([]byte, error) { return json.Marshal(e, json.Deterministic(true)) }

// Decode decodes what Encode encoded.
func Decode(data []byte) (*Entry, error) {
	e := &Entry{}
	if err := json.Unmarshal(data, e); err != nil {
		return e, fmt.Errorf("invalid journal entry: %w", err)
	}

	if len(e.Members) > 0 {
		return e, fmt.Errorf(
			"the journal was written by a newer Bincard: it has an unknown entry, %.80s. Use that version",
			e.Members,
		)
	}

	return e, e.check()
}

func (e *Entry) check() error {
	n := 0
	for _, set := range []bool{e.Header != nil, e.Capture != nil, e.Sending != nil, e.StateChange != nil, e.Confirm != nil, e.Epoch != nil} {
		if set {
			n++
		}
	}

	switch {
	case n != 1:
		return fmt.Errorf("a journal entry has %d members, not one", n)
	case e.Header != nil && e.Header.Format > Format:
		return fmt.Errorf(
			"the journal was written by a newer Bincard (format %d; this version reads up to %d). Use that version",
			e.Header.Format, Format)
	case e.Capture != nil && (e.Capture.Key == "" || e.Capture.SpecID == ""):
		return fmt.Errorf("a journal entry has an operation without key or type")
	}

	return nil
}

func stateChange(op *Operation, s State, at time.Time, why *Refusal) *Entry {
	return &Entry{
		StateChange: &StateChange{Key: op.Key, State: s, At: at, Refusal: why, MaybeLost: op.MaybeLost && s == Done},
	}
}

// Hold returns the entry that quarantines an operation until a person decides,
// or nil if it may have been sent.
func (op *Operation) Hold(now time.Time, why *Refusal) *Entry {
	if op.State != Pending || op.MaybeDone() {
		return nil
	}
	return stateChange(op, Held, now, why)
}

// notArrived returns the entry for an operation that was certainly not done,
// or nil if an earlier attempt may have arrived. Without it the operation could
// not be discarded after a restart.
func (op *Operation) notArrived(now time.Time) *Entry {
	if !op.maybeSent || !op.neverArrived {
		return nil
	}
	return &Entry{Sending: &Sending{Keys: []string{op.Key}, At: now, NotArrived: true}}
}

func (op *Operation) setSending(s *Sending) {
	op.sendingExtra, op.maybeSent = s.Unknown, !s.NotArrived
	switch {
	case !s.NotArrived && op.SentAt.IsZero():
		op.SentAt = s.At
	case s.NotArrived:
		op.neverArrived = false
		if !op.rejectedBefore && op.notDoneAt.IsZero() && !op.MaybeLost { // it was sent for the first time
			op.SentAt = time.Time{}
		}
	}
}
