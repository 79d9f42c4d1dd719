package journal

import (
	"fmt"

	"bincard/server/api"
	"bincard/server/store/wire"
)

// A DocumentRow is a stored document that moves stock: an inbound, an outbound,
// a transfer or a reservation. Its row has all fields. The journal entry of each
// write has only the mutable fields after the write; responses take the immutable
// ones from the row, so the row of a document is never deleted.
//
// Three methods list the fields of format 3. Fields that were added later are listed
// by Added, under numbers of their own (see package wire).
type DocumentRow[T any] interface {
	*T
	// Immutable lists the fields that never change.
	Immutable(f *FieldCodec)
	// Mutable lists the fields that a write can change and a response shows,
	// except the time of the write. It is read after the immutable ones.
	Mutable(f *FieldCodec)
	// Private lists the fields that no response shows.
	Private(f *FieldCodec)
	// Added lists the fields of a part that were added after format 3.
	Added(part RowPart, f *wire.Fields)
	// Rev returns the bookkeeping of the document.
	Rev() *Revision
}

// A RowPart is a group of the fields of a document.
type RowPart int

// The parts of a document.
const (
	ImmutablePart RowPart = iota
	MutablePart
	PrivatePart
	rowParts
)

// A Revision is the bookkeeping of a stored document. The row types embed it.
type Revision struct {
	// Seq is the sequence number of the write that created the document, Last
	// that of the newest write to it.
	Seq  uint64 `json:"seq"`
	Last uint64 `json:"-"`
	// Unknown are the fields of each part that a newer version added.
	Unknown [rowParts][]byte `json:"-" stored:"-"`
}

// Rev returns the revision.
func (s *Revision) Rev() *Revision { return s }

// Added is the default for documents without added fields.
func (s *Revision) Added(RowPart, *wire.Fields) {}

// A DocumentRef identifies the document that a write created or changed. State is
// its mutable fields after the write. Sum is the checksum of its immutable fields;
// only the entry that created it has one.
type DocumentRef struct {
	Kind    DocumentKind
	ID      api.ID
	State   []byte
	Created bool
	Sum     uint32
}

// A DocumentKind is the stored number of a kind of document, 0 for none.
type DocumentKind byte

const (
	InboundKind DocumentKind = 1 + iota
	OutboundKind
	TransferKind
	ReservationKind
)

// DocumentKindNames has the name of each kind.
var DocumentKindNames = [...]string{"", "inbound", "outbound", "transfer", "reservation"}

// documentRowFormat is the first byte of the row of a document.
const documentRowFormat = 1

// DocumentCodec writes the three parts one after the other, then the fields
// that were added to each part, as tagged field 1, 2 and 3.
type DocumentCodec[T any, P DocumentRow[T]] struct{}

// Append encodes a document.
func (DocumentCodec[T, P]) Append(b []byte, v *T) ([]byte, error) {
	doc := P(v)
	f := FieldCodec{Out: append(b, documentRowFormat)}
	doc.Immutable(&f)
	doc.Mutable(&f)
	doc.Private(&f)
	for part := range rowParts {
		if group := appendAdded(nil, doc, part); len(group) > 0 {
			var parts wire.Fields
			parts.Bytes(int(part)+1, &group)
			f.Out = parts.Append(f.Out, nil)
		}
	}

	return f.Out, f.err
}

// Decode decodes a document.
func (DocumentCodec[T, P]) Decode(data []byte, v *T) error {
	doc := P(v)
	f := FieldCodec{In: ReadRow(data), Decoding: true}
	if n := f.In.Byte(); n != documentRowFormat {
		return fmt.Errorf("the document has format %d, but this program reads format %d; use the program that wrote it",
			n, documentRowFormat)
	}

	doc.Immutable(&f)
	doc.Mutable(&f)
	doc.Private(&f)
	if f.In.Bad {
		return wire.ErrTruncated
	}
	if len(f.In.Data) == 0 {
		return nil // v was zero, and so are its added fields
	}

	parts := wire.Read(f.In.Data)
	for part := range rowParts {
		var group []byte
		parts.Bytes(int(part)+1, &group)
		if err := readAdded(doc, part, group); err != nil {
			return err
		}
	}

	if other, err := parts.Unknown(); err != nil || other != nil {
		return wire.ErrTruncated
	}

	return nil
}

// appendAdded appends the fields that were added to a part, known or not.
func appendAdded[T any, P DocumentRow[T]](b []byte, doc P, part RowPart) []byte {
	var f wire.Fields
	doc.Added(part, &f)
	return f.Append(b, doc.Rev().Unknown[part])
}

func readAdded[T any, P DocumentRow[T]](doc P, part RowPart, data []byte) (err error) {
	f := wire.Read(data)
	doc.Added(part, &f)
	doc.Rev().Unknown[part], err = f.Unknown()
	return err
}

// MutableState encodes the mutable fields of a document.
func MutableState[T any, P DocumentRow[T]](doc P) ([]byte, error) {
	f := FieldCodec{Out: make([]byte, 0, 64)}
	doc.Mutable(&f)
	return appendAdded(f.Out, doc, MutablePart), f.err
}

// ReadState sets the mutable fields of a document to what MutableState encoded.
func ReadState[T any, P DocumentRow[T]](doc P, state []byte) error {
	f := FieldCodec{In: ReadRow(state), Decoding: true}
	doc.Mutable(&f)
	if f.In.Bad {
		return wire.ErrTruncated
	}
	return readAdded(doc, MutablePart, f.In.Data)
}

// SumOf returns the checksum of the immutable fields of a document.
func SumOf[T any, P DocumentRow[T]](doc P) uint32 {
	f := FieldCodec{Out: make([]byte, 0, 256)}
	doc.Immutable(&f)
	return wire.Checksum(appendAdded(f.Out, doc, ImmutablePart))
}
