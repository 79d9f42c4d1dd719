package wire

import (
	"errors"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
)

var errDamaged = errors.New("the tagged fields of the row are damaged")

// ErrTruncated reports a row that ends before its fields do, or after them.
var ErrTruncated = errors.New("the row is truncated or damaged")

// Fields are the tagged fields of one row. The same calls read and write them: Text(1,
// &carrier) sets carrier if the Fields came from Read, and otherwise writes its value. The
// zero Fields write.
type Fields struct {
	reading bool
	list    []field
	err     error
}

type field struct {
	number protowire.Number
	kind   protowire.Type
	data   []byte // tag and value
}

// Read returns the fields in data, which must have nothing else. The fields refer to data's
// memory.
func Read(data []byte) Fields {
	f := Fields{reading: true}
	for len(data) > 0 {
		number, kind, size := protowire.ConsumeField(data)
		if size < 0 {
			return Fields{reading: true, err: errDamaged}
		}
		f.list = append(f.list, field{number, kind, data[:size]})
		data = data[size:]
	}

	return f
}

// Text reads or writes a text field.
func (f *Fields) Text(number int, p *string) {
	if f.reading {
		data, _ := protowire.ConsumeBytes(f.take(number, protowire.BytesType))
		*p = string(data)
		return
	}

	if *p != "" {
		f.put(number, protowire.BytesType, func(b []byte) []byte { return protowire.AppendString(b, *p) })
	}
}

// Bytes reads or writes a bytes field; empty bytes read as nil.
func (f *Fields) Bytes(number int, p *[]byte) {
	if f.reading {
		data, _ := protowire.ConsumeBytes(f.take(number, protowire.BytesType))
		*p = append([]byte(nil), data...)
		return
	}

	if len(*p) > 0 {
		f.put(number, protowire.BytesType, func(b []byte) []byte { return protowire.AppendBytes(b, *p) })
	}
}

// Int reads or writes an integer field.
func (f *Fields) Int(number int, p *int64) {
	if f.reading {
		n, _ := protowire.ConsumeVarint(f.take(number, protowire.VarintType))
		*p = protowire.DecodeZigZag(n)
		return
	}

	if *p != 0 {
		f.put(number, protowire.VarintType, func(b []byte) []byte {
			return protowire.AppendVarint(b, protowire.EncodeZigZag(*p))
		})
	}
}

// Unknown returns the fields that no call has read, for Append to write back, or nil if
// there are none. It returns an error if the row is damaged.
func (f *Fields) Unknown() ([]byte, error) {
	var data []byte
	for _, x := range f.list {
		data = append(data, x.data...)
	}
	return data, f.err
}

// Append appends the written fields and the unknown ones to b, sorted by number, so that
// equal rows have equal encodings.
func (f *Fields) Append(b, unknown []byte) []byte {
	list := f.list
	if len(unknown) > 0 {
		list = append(list, Read(unknown).list...)
	}

	slices.SortStableFunc(list, func(a, b field) int { return int(a.number) - int(b.number) })
	for _, x := range list {
		b = append(b, x.data...)
	}

	return b
}

func (f *Fields) put(number int, kind protowire.Type, value func([]byte) []byte) {
	n := protowire.Number(number)
	f.list = append(f.list, field{n, kind, value(protowire.AppendTag(nil, n, kind))})
}

// take removes the fields with the number and returns the value of the last one, as protobuf
// requires, or nil.
func (f *Fields) take(number int, kind protowire.Type) (value []byte) {
	rest := f.list[:0]
	for _, x := range f.list {
		if int(x.number) != number {
			rest = append(rest, x)
			continue
		}
		if x.kind != kind {
			f.err = errDamaged
			continue
		}

		_, _, size := protowire.ConsumeTag(x.data)
		value = x.data[size:]
	}

	f.list = rest

	return value
}
