package ledger

import (
	"encoding/binary"

	"bincard/server/api"
	"bincard/server/store/wire"
)

func appendText[S ~string | ~[]byte](b []byte, s S) []byte {
	b = binary.AppendUvarint(b, uint64(len(s)))
	return append(b, s...)
}

// appendID writes one byte for the zero id, seventeen for any other.
func appendID(b []byte, id api.ID) []byte {
	if id == (api.ID{}) {
		return append(b, 0)
	}
	return append(append(b, 1), id[:]...)
}

// appendToken writes a text that usually is a UUID: in seventeen bytes when it is
// one in canonical form.
func appendToken(b []byte, s string) []byte {
	if id, ok := parseCanonicalUUID(s); ok {
		return append(append(b, 1), id[:]...)
	}
	return appendText(append(b, 0), s)
}

// parseCanonicalUUID parses the canonical form of a UUID.
func parseCanonicalUUID(s string) (id api.ID, ok bool) {
	if len(s) != 36 {
		return id, false
	}
	n := 0
	for i := 0; i < 36; i++ {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if s[i] != '-' {
				return api.ID{}, false
			}
			continue
		}
		high, low := hexDigit(s[i]), hexDigit(s[i+1])
		if high > 15 || low > 15 {
			return api.ID{}, false
		}
		id[n] = high<<4 | low
		n, i = n+1, i+1
	}
	return id, true
}

// hexDigit returns the value of a lowercase hexadecimal digit, or 16.
func hexDigit(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return c - '0'
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10
	}
	return 16
}

func appendQuantities(b []byte, q *[8]int64) []byte {
	for _, n := range q {
		b = binary.AppendVarint(b, n)
	}
	return b
}

func appendActor(b []byte, a *api.Actor) []byte {
	if a == nil {
		return appendKnown(b, knownActors, "")
	}
	b = appendKnown(b, knownActors, string(a.Type))
	b = appendToken(b, a.ID)
	return appendText(b, a.Label)
}

func appendSerial(b []byte, s *api.Serial) []byte {
	b = appendText(b, s.SerialNumber)
	b = appendText(b, string(s.Status))
	for _, id := range []api.ID{s.ID, s.ProductID, s.LocationID, s.OwnerID, s.ChannelID, s.LotID} {
		b = appendID(b, id)
	}
	return b
}

// A rowReader decodes a compact row. After the first error it returns zero
// values; err reports the error.
type rowReader struct {
	data []byte
	bad  bool
}

func (d *rowReader) err() error {
	if d.bad || len(d.data) > 0 {
		return wire.ErrTruncated
	}
	return nil
}

// added consumes the rest of the row: the tagged fields added after format 3.
// Only document rows have some that this version knows. It returns those of a
// newer version, to be written back with the row.
func (d *rowReader) added() (unknown []byte, err error) {
	if d.bad {
		return nil, wire.ErrTruncated
	}
	if len(d.data) == 0 {
		return nil, nil
	}
	f := wire.Read(d.data)
	return f.Unknown()
}

func (d *rowReader) next(n int) []byte {
	if d.bad || n < 0 || n > len(d.data) {
		d.bad = true
		return nil
	}
	b := d.data[:n]
	d.data = d.data[n:]
	return b
}

func (d *rowReader) byte() byte {
	if b := d.next(1); b != nil {
		return b[0]
	}
	return 0
}

func (d *rowReader) uvarint() uint64 {
	n, size := binary.Uvarint(d.data)
	if size <= 0 {
		d.bad = true
		return 0
	}
	d.next(size)
	return n
}

func (d *rowReader) varint() int64 {
	n, size := binary.Varint(d.data)
	if size <= 0 {
		d.bad = true
		return 0
	}
	d.next(size)
	return n
}

// count reads a length and rejects one that exceeds the rest of the row, so that
// a damaged row cannot cause a large allocation.
func (d *rowReader) count() int {
	n := d.uvarint()
	if n > uint64(len(d.data)) {
		d.bad = true
		return 0
	}
	return int(n)
}

func (d *rowReader) text() []byte { return d.next(d.count()) }

func (d *rowReader) token() string {
	if d.byte() == 1 {
		var id api.ID
		copy(id[:], d.next(16))
		return id.String()
	}
	return string(d.text())
}

// bytes reads a text into memory of its own; nil when empty.
func (d *rowReader) bytes() []byte {
	b := d.text()
	if len(b) == 0 {
		return nil
	}
	return append([]byte(nil), b...)
}

func (d *rowReader) id() (id api.ID) {
	if d.byte() == 1 {
		copy(id[:], d.next(16))
	}
	return id
}

func (d *rowReader) quantities(q *[8]int64) {
	for i := range q {
		q[i] = d.varint()
	}
}

func (d *rowReader) actor() *api.Actor {
	t := d.known(knownActors)
	if t == "" {
		return nil
	}
	return &api.Actor{Type: api.ActorType(t), ID: d.token(), Label: string(d.text())}
}

func (d *rowReader) serial(s *api.Serial) {
	s.SerialNumber = string(d.text())
	s.Status = api.SerialStatus(d.text())
	for _, id := range []*api.ID{&s.ID, &s.ProductID, &s.LocationID, &s.OwnerID, &s.ChannelID, &s.LotID} {
		*id = d.id()
	}
}
