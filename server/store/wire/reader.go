package wire

import (
	"encoding/binary"
	"hash/crc32"
)

// AppendText appends a text after its length.
func AppendText[S ~string | ~[]byte](b []byte, s S) []byte {
	b = binary.AppendUvarint(b, uint64(len(s)))
	return append(b, s...)
}

// AppendOptional appends bytes that may be nil: their length plus one, or 0.
func AppendOptional(b, value []byte) []byte {
	if value == nil {
		return append(b, 0)
	}
	b = binary.AppendUvarint(b, uint64(len(value))+1)
	return append(b, value...)
}

// A Reader reads values one after another from Data, which has what is left. A
// slice that it returns is a slice of Data. After the first value that cannot be
// read, Bad is true, nothing is left, and it returns zero values.
type Reader struct {
	Data []byte
	Bad  bool
}

// Fail makes the reader return zero values only.
func (r *Reader) Fail() { r.Bad, r.Data = true, nil }

// Err returns ErrTruncated if a value could not be read or something is left.
func (r *Reader) Err() error {
	if r.Bad || len(r.Data) > 0 {
		return ErrTruncated
	}
	return nil
}

// Added reads the rest of a row: tagged fields, none of which this version
// knows. It returns them, to be written back with the row.
func (r *Reader) Added() (unknown []byte, err error) {
	if r.Bad {
		return nil, ErrTruncated
	}
	if len(r.Data) == 0 {
		return nil, nil
	}

	f := Read(r.Data)
	r.Data = nil

	return f.Unknown()
}

// Next reads n bytes.
func (r *Reader) Next(n int) []byte {
	if n < 0 || n > len(r.Data) {
		r.Fail()
		return nil
	}
	b := r.Data[:n:n]
	r.Data = r.Data[n:]
	return b
}

// Byte reads a byte.
func (r *Reader) Byte() byte {
	if len(r.Data) == 0 {
		r.Fail()
		return 0
	}
	b := r.Data[0]
	r.Data = r.Data[1:]
	return b
}

// Uvarint reads an unsigned number.
func (r *Reader) Uvarint() uint64 {
	n, size := binary.Uvarint(r.Data)
	if size <= 0 {
		r.Fail()
		return 0
	}
	r.Data = r.Data[size:]
	return n
}

// Varint reads a number.
func (r *Reader) Varint() int64 {
	n, size := binary.Varint(r.Data)
	if size <= 0 {
		r.Fail()
		return 0
	}
	r.Data = r.Data[size:]
	return n
}

// Count reads the length of a list whose elements have at least a byte each. It
// rejects a length that exceeds the rest, so that damaged data cannot cause a
// large allocation.
func (r *Reader) Count() int {
	n := r.Uvarint()
	if n > uint64(len(r.Data)) {
		r.Fail()
		return 0
	}
	return int(n)
}

// Text reads what AppendText appended.
func (r *Reader) Text() []byte { return r.Next(r.Count()) }

// Optional reads what AppendOptional appended.
func (r *Reader) Optional() []byte {
	switch n := r.Uvarint(); {
	case n == 0:
		return nil
	case n-1 > uint64(len(r.Data)):
		r.Fail()
		return nil
	default:
		return r.Next(int(n - 1))
	}
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Checksum returns the CRC-32C of the parts, one after another.
func Checksum(parts ...[]byte) (sum uint32) {
	for _, part := range parts {
		sum = crc32.Update(sum, castagnoli, part)
	}
	return sum
}
