package journal

import (
	"encoding/binary"

	"bincard/server/api"
	"bincard/server/store/wire"
)

// appendID writes one byte for the zero id, seventeen for any other.
func appendID(b []byte, id api.ID) []byte {
	if id == api.NoID {
		return append(b, 0)
	}
	return append(append(b, 1), id[:]...)
}

// appendToken writes a text that usually is a UUID: in seventeen bytes when it is
// one in canonical form.
func appendToken(b []byte, s string) []byte {
	if id, ok := ParseCanonicalUUID(s); ok {
		return append(append(b, 1), id[:]...)
	}
	return wire.AppendText(append(b, 0), s)
}

// ParseCanonicalUUID parses the canonical form of a UUID.
func ParseCanonicalUUID(s string) (id api.ID, ok bool) {
	if len(s) != 36 {
		return id, false
	}

	n := 0
	for i := 0; i < 36; i++ {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if s[i] != '-' {
				return api.NoID, false
			}
			continue
		}

		high, low := hexDigit(s[i]), hexDigit(s[i+1])
		if high > 15 || low > 15 {
			return api.NoID, false
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

// AppendQuantities writes the quantities of all states.
func AppendQuantities(b []byte, q *[8]int64) []byte {
	for _, n := range q {
		b = binary.AppendVarint(b, n)
	}
	return b
}

func appendSerial(b []byte, s *api.Serial) []byte {
	b = wire.AppendText(b, s.SerialNumber)
	b = wire.AppendText(b, string(s.Status))
	for _, id := range []api.ID{s.ID, s.ProductID, s.LocationID, s.OwnerID, s.ChannelID, s.LotID} {
		b = appendID(b, id)
	}
	return b
}

// A RowReader decodes a compact row.
type RowReader struct{ wire.Reader }

// ReadRow returns a reader of a row.
func ReadRow(data []byte) RowReader { return RowReader{wire.Reader{Data: data}} }

func (d *RowReader) token() string {
	if d.Byte() == 1 {
		var id api.ID
		copy(id[:], d.Next(16))
		return id.String()
	}

	return string(d.Text())
}

// bytes reads a text into memory of its own; nil when empty.
func (d *RowReader) bytes() []byte {
	b := d.Text()
	if len(b) == 0 {
		return nil
	}
	return append([]byte(nil), b...)
}

func (d *RowReader) id() (id api.ID) {
	if d.Byte() == 1 {
		copy(id[:], d.Next(16))
	}
	return id
}

// Quantities reads the quantities of all states.
func (d *RowReader) Quantities(q *[8]int64) {
	for i := range q {
		q[i] = d.Varint()
	}
}

func (d *RowReader) serial(s *api.Serial) {
	s.SerialNumber = string(d.Text())
	s.Status = api.SerialStatus(d.Text())
	for _, id := range []*api.ID{&s.ID, &s.ProductID, &s.LocationID, &s.OwnerID, &s.ChannelID, &s.LotID} {
		*id = d.id()
	}
}
