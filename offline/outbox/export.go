package outbox

import (
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
)

// Exported is an operation as one journal hands it to another: as it was done,
// and what became of it.
type Exported struct {
	Capture
	State   State     `json:"state"`
	Since   time.Time `json:"since"`
	SentAt  time.Time `json:"sentAt,omitzero"`
	Refusal *Refusal  `json:"refusal,omitempty"`
}

// Export is an operation as it is handed to another journal.
func (b *Queue) Export(it *Operation) ([]byte, error) {
	h := Exported{Capture: it.Capture, State: it.State, Since: it.Since, SentAt: it.SentAt, Refusal: it.Refusal}
	h.Replaces = "" // what was there is no business of another journal
	if on := b.parent(it); on != nil {
		h.After = on.Key
	}
	return json.Marshal(h, json.Deterministic(true))
}

// ReadExported reads what HandOver wrote.
func ReadExported(data []byte) (*Exported, error) {
	h := &Exported{}
	if err := json.Unmarshal(data, h); err != nil {
		return nil, fmt.Errorf("it is invalid: %w", err)
	}
	switch {
	case h.Key == "" || h.SpecID == "" || h.At.IsZero():
		return nil, fmt.Errorf("it has no key, operation or time")
	case !h.State.Open():
		return nil, fmt.Errorf("it is %q, which cannot be exported", h.State)
	case h.State != Pending && h.Refusal == nil:
		return nil, fmt.Errorf("it is %s without a reason", h.State)
	}
	h.FixedSeq = 0
	return h, nil
}

// Entries are those by which a journal takes it in. What may have been sent may
// have been sent here as well.
func (h *Exported) Entries() []*Entry {
	entries := []*Entry{{Capture: &h.Capture}}
	if !h.SentAt.IsZero() {
		entries = append(entries, &Entry{Sending: &Sending{Keys: []string{h.Key}, At: h.SentAt}})
	}
	if h.State != Pending {
		entries = append(entries, &Entry{StateChange: &StateChange{Key: h.Key, State: h.State, At: h.Since, Refusal: h.Refusal}})
	}
	return entries
}
