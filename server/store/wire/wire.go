// Package wire reads and writes the tagged fields of stored rows.
//
// A row begins with the fields of format 3, in a fixed order. Every field that
// was added later follows them under a number of its own, in the protobuf wire
// format:
//
//   - a row without a field reads as its zero value, so older rows need no
//     conversion;
//   - a zero value is not written, so a row that does not use a field costs
//     nothing;
//   - a field with a number that this program does not know was written by a
//     newer one. It is kept, and written back with the row.
//
// A number means one field of one row forever: a retired field keeps its number.
package wire

import (
	"errors"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
)

var errDamaged = errors.New("the tagged fields of the row are damaged")

// Fields are the tagged fields of one row. One list of calls both reads and
// writes them: Text(1, &carrier) sets carrier when the Fields came from Read,
// and takes its value otherwise. The zero Fields write.
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

// Read returns the fields of data, which must hold nothing else. The fields
// share its memory.
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

// Text is a field of text.
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

// Bytes is a field of bytes; empty bytes read as nil.
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

// Int is a field with a whole number.
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

// Unknown returns the fields that no call has read, for Append to write back,
// and an error when the row is damaged. It is nil when there are none.
func (f *Fields) Unknown() ([]byte, error) {
	var data []byte
	for _, x := range f.list {
		data = append(data, x.data...)
	}
	return data, f.err
}

// Append appends the written fields and the unknown ones to b, in the order of
// their numbers, so that equal rows have equal bytes.
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

// take removes the fields with the number and returns the value of the last
// one, as protobuf does; nil when there is none.
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
