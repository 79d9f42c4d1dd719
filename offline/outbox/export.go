package outbox

import (
	"errors"
	"time"

	"github.com/go-json-experiment/json"

	"bincard/server/api"
)

// Exported is the format of an operation in an export file.
type Exported struct {
	Capture
	State   State     `json:"state"`
	Since   time.Time `json:"since"`
	SentAt  time.Time `json:"sentAt,omitzero"`
	Refusal *Refusal  `json:"refusal,omitempty"`
}

// Export encodes an operation for another journal.
func (b *Queue) Export(op *Operation) ([]byte, error) {
	x := Exported{b.resolve(op, func(string) bool { return true }), op.State, op.Since, op.SentAt, op.Refusal}
	x.Replaces = "" // the replaced operation is not exported
	x.Origin = new(b.OriginOf(op))
	return json.Marshal(x, json.Deterministic(true))
}

// ReadExported decodes what Export encoded.
func ReadExported(data []byte) (*Exported, error) {
	x := &Exported{}
	if err := json.Unmarshal(data, x); err != nil {
		return nil, errors.New(api.Textf("it is invalid: %v", err))
	}

	switch {
	case x.Key == "" || x.SpecID == "" || x.At.IsZero():
		return nil, errors.New(api.Text("it has no key, operation or time"))
	case !x.State.Open():
		return nil, errors.New(api.Textf("it is %q, which cannot be exported", x.State))
	case x.State != Pending && x.Refusal == nil:
		return nil, errors.New(api.Textf("it is %s without a reason", x.State))
	}

	x.FixedSeq = 0

	return x, nil
}

// Entries returns the entries that import the operation. If it may have been
// sent there, it counts as sent here.
func (x *Exported) Entries() []*Entry {
	op := Operation{State: x.State, Since: x.Since, SentAt: x.SentAt, Refusal: x.Refusal, maybeSent: true}
	op.Key = x.Key
	return op.history(x.Capture)
}
