package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"bincard/server/api"
	"bincard/server/store/wire"
)

// A Hash identifies the row of an entry, and, as each row has the hash of the one
// before it, all rows up to that one.
type Hash [24]byte

// HashOf returns the hash of the row of an entry.
func HashOf(row []byte) Hash {
	sum := sha256.Sum256(row)
	return Hash(sum[:24])
}

// String returns the hash in hexadecimal.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// ParseHash parses a hash in hexadecimal.
func ParseHash(s string) (h Hash, ok bool) {
	if len(s) != 2*len(h) {
		return h, false
	}
	_, err := hex.Decode(h[:], []byte(s))
	return h, err == nil
}

// An Origin is where and when a write was made, and who approved it, as its request said.
type Origin struct {
	Client       api.ID // the node that sent it
	ClientNumber int64
	Device       string
	// OccurredAt is when it happened, or zero if unknown or the time of the entry.
	OccurredAt time.Time
	// ApprovedBy is the supervisor who approved it, if one did.
	ApprovedBy string
}

// Approver returns the supervisor who approved the write, or nil if none did.
func (o *Origin) Approver() *api.Actor {
	if o.ApprovedBy == "" {
		return nil
	}
	return &api.Actor{Type: api.User, Label: o.ApprovedBy}
}

// Occurred returns when the write happened, as far as known.
func (r *Entry) Occurred() time.Time {
	if r.OccurredAt.IsZero() {
		return r.At
	}
	return r.OccurredAt
}

// The tagged fields of an entry.
const (
	clientField = 1 + iota
	clientNumberField
	deviceField
	occurredField
	previousField
	approvedField
)

// previousTag starts the field of the hash, which most entries have alone.
// Writing it here avoids the allocations of wire.Fields.
var previousTag = [2]byte{previousField<<3 | 2, byte(len(Hash{}))}

// appendAdded appends the fields that were added after format 3.
func (r *Entry) appendAdded(b []byte) []byte {
	if r.Origin == (Origin{}) && len(r.Unknown) == 0 && len(r.Previous) == len(Hash{}) {
		return append(append(b, previousTag[:]...), r.Previous...)
	}
	var f wire.Fields
	r.added(&f)
	return f.Append(b, r.Unknown)
}

// readAdded reads the fields that were added after format 3.
func (r *Entry) readAdded(data []byte) (err error) {
	if rest, ok := bytes.CutPrefix(data, previousTag[:]); ok && len(rest) == len(Hash{}) {
		r.Previous = bytes.Clone(rest)
		return nil
	}
	f := wire.Read(data)
	r.added(&f)
	r.Unknown, err = f.Unknown()
	return err
}

// added lists the fields that were added after format 3.
func (r *Entry) added(f *wire.Fields) {
	o := &r.Origin
	client := o.Client[:]
	if o.Client == api.NoID {
		client = nil
	}

	f.Bytes(clientField, &client)
	copy(o.Client[:], client)
	f.Int(clientNumberField, &o.ClientNumber)
	f.Text(deviceField, &o.Device)
	var late int64
	if !o.OccurredAt.IsZero() {
		late = o.OccurredAt.Sub(r.At).Milliseconds()
	}

	f.Int(occurredField, &late)
	if late != 0 {
		o.OccurredAt = r.At.Add(time.Duration(late) * time.Millisecond)
	}

	f.Bytes(previousField, &r.Previous)
	f.Text(approvedField, &o.ApprovedBy)
}
