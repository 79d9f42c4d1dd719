package outbox

import (
	"fmt"
	"time"

	"github.com/go-json-experiment/json"

	"bincard/server/store"
)

// Format is the version of the entries.
const Format = 1

// An Entry is one thing that must survive. One of its members is set. What
// stands in a member can gain fields without another Format: older entries read
// with zero values, and the fields of a newer version are kept when the journal
// is rewritten. A new kind of entry is refused by older versions.
type Entry struct {
	Header      *Header      `json:"begin,omitempty"`
	Capture     *Capture     `json:"capture,omitempty"`
	Sending     *Sending     `json:"freeze,omitempty"`
	StateChange *StateChange `json:"mark,omitempty"`
	Confirm     *Confirm     `json:"settle,omitempty"`
	Epoch       *Epoch       `json:"epoch,omitempty"`
	store.Unknown
}

// Header says whose work the journal holds. It is the first entry.
type Header struct {
	Format       int    `json:"format"`
	Service      string `json:"service"`
	Organization string `json:"organization"`
	Environment  string `json:"environment"`
	store.Unknown
}

// Sending says that operations are about to be sent.
type Sending struct {
	Keys []string  `json:"keys"`
	At   time.Time `json:"at"`
	store.Unknown
}

// StateChange says what became of an operation.
type StateChange struct {
	Key       string    `json:"key"`
	State     State     `json:"state"`
	At        time.Time `json:"at"`
	Refusal   *Refusal  `json:"refusal,omitempty"`
	Reason    string    `json:"reason,omitempty"`
	By        string    `json:"by,omitempty"`
	Successor string    `json:"successor,omitempty"`
	// MaybeLost tells that the service was restored since it was done.
	MaybeLost bool `json:"doubted,omitempty"`
	// LocalID is the id here of what it made, and Called the service's, where that
	// is another one.
	LocalID  string `json:"made,omitempty"`
	RemoteID string `json:"called,omitempty"`
	store.Unknown
}

// Confirm says which operations the replica holds.
type Confirm struct {
	Keys []string `json:"keys"`
	store.Unknown
}

// Epoch says which epoch of the service the replica follows. Another one than
// before means that the service was restored from a backup: it may not have what
// it had confirmed, so all of that is asked again, by the same keys.
type Epoch struct {
	ID string    `json:"id"`
	At time.Time `json:"at"`
	store.Unknown
}

// Encode is an entry as the journal keeps it.
func (e Entry) Encode() ([]byte, error) { return json.Marshal(e, json.Deterministic(true)) }

// Decode reads what Encode wrote.
func Decode(data []byte) (Entry, error) {
	var e Entry
	if err := json.Unmarshal(data, &e); err != nil {
		return e, fmt.Errorf("invalid journal entry: %w", err)
	}
	if len(e.Members) > 0 {
		return e, fmt.Errorf("the journal was written by a newer Bincard: it has an unknown entry, %.80s. Use that version", e.Members)
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
		return fmt.Errorf("the journal was written by a newer Bincard (format %d; this version reads up to %d). Use that version", e.Header.Format, Format)
	case e.Capture != nil && (e.Capture.Key == "" || e.Capture.SpecID == ""):
		return fmt.Errorf("a journal entry captures nothing")
	}
	return nil
}
