package ledger

import (
	"fmt"
	"hash/crc32"

	"bincard/server/api"
	"bincard/server/store"
	"bincard/server/store/wire"
)

// A documentRow is a stored document that moves stock: an inbound, an outbound,
// a transfer or a reservation. Its row has all fields. The journal entry of each
// write has only the mutable fields after the write; responses take the immutable
// ones from the row, so the row of a document is never deleted.
//
// The three methods list the fields of format 3. Fields that were added later
// are listed by added, under numbers of their own (see package wire).
type documentRow[T any] interface {
	*T
	// immutable lists the fields that never change.
	immutable(f *fieldCodec)
	// mutable lists the fields that a write can change and a response shows,
	// except the time of the write. It is read after the immutable ones.
	mutable(f *fieldCodec)
	// private lists the fields that no response shows.
	private(f *fieldCodec)
	// added lists the fields of a part that were added after format 3.
	added(part rowPart, f *wire.Fields)
	rev() *revision
}

// A rowPart is a group of the fields of a document.
type rowPart int

const (
	immutablePart rowPart = iota
	mutablePart
	privatePart
	rowParts
)

// A revision is the bookkeeping of a stored document. The row types embed it.
type revision struct {
	// Seq is the sequence number of the write that created the document, Last
	// that of the newest write to it.
	Seq  uint64 `json:"seq"`
	Last uint64 `json:"-"`
	// unknown are the fields of each part that a newer version added.
	unknown [rowParts][]byte
}

func (s *revision) rev() *revision { return s }

// added is the default for documents without added fields.
func (s *revision) added(rowPart, *wire.Fields) {}

// A documentRef identifies the document that a write created or changed. State is
// its mutable fields after the write. Sum is the checksum of its immutable fields;
// only the entry that created it has one.
type documentRef struct {
	Kind    documentKind
	ID      api.ID
	State   []byte
	Created bool
	Sum     uint32
}

// A documentKind is the stored number of a kind of document, 0 for none.
type documentKind byte

const (
	inboundKind documentKind = 1 + iota
	outboundKind
	transferKind
	reservationKind
)

var documentKindNames = [...]string{"", "inbound", "outbound", "transfer", "reservation"}

// documentRowFormat is the first byte of the row of a document.
const documentRowFormat = 1

// documentCodec writes the three parts one after the other, then the fields
// that were added to each part, as tagged field 1, 2 and 3.
type documentCodec[T any, P documentRow[T]] struct{}

func (documentCodec[T, P]) Append(b []byte, v *T) ([]byte, error) {
	doc := P(v)
	f := fieldCodec{out: append(b, documentRowFormat)}
	doc.immutable(&f)
	doc.mutable(&f)
	doc.private(&f)
	for part := range rowParts {
		if group := appendAdded(nil, doc, part); len(group) > 0 {
			var parts wire.Fields
			parts.Bytes(int(part)+1, &group)
			f.out = parts.Append(f.out, nil)
		}
	}
	return f.out, f.err
}

func (documentCodec[T, P]) Decode(data []byte, v *T) error {
	doc := P(v)
	f := fieldCodec{in: rowReader{data: data}, decoding: true}
	if n := f.in.byte(); n != documentRowFormat {
		return fmt.Errorf("the document has format %d, but this program reads format %d; use the program that wrote it", n, documentRowFormat)
	}
	doc.immutable(&f)
	doc.mutable(&f)
	doc.private(&f)
	if f.in.bad {
		return wire.ErrTruncated
	}
	if len(f.in.data) == 0 {
		return nil // v was zero, and so are its added fields
	}
	parts := wire.Read(f.in.data)
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
func appendAdded[T any, P documentRow[T]](b []byte, doc P, part rowPart) []byte {
	var f wire.Fields
	doc.added(part, &f)
	return f.Append(b, doc.rev().unknown[part])
}

func readAdded[T any, P documentRow[T]](doc P, part rowPart, data []byte) (err error) {
	f := wire.Read(data)
	doc.added(part, &f)
	doc.rev().unknown[part], err = f.Unknown()
	return err
}

// saveDocument writes the row of a document, and its state to the journal entry.
func saveDocument[T any, P documentRow[T]](c *writeTx, t *store.Table[T], kind documentKind, id api.ID, doc P) error {
	doc.rev().Last = c.entry.Seq
	state, err := mutableState(doc)
	if err != nil {
		return err
	}
	c.entry.DocumentRef = documentRef{Kind: kind, ID: id, State: state}
	if doc.rev().Seq != c.entry.Seq {
		return t.Put(c.tx, doc)
	}
	c.entry.DocumentRef.Created, c.entry.DocumentRef.Sum = true, sumOf(doc)
	return t.Insert(c.tx, doc)
}

// mutableState encodes the mutable fields of a document.
func mutableState[T any, P documentRow[T]](doc P) ([]byte, error) {
	f := fieldCodec{out: make([]byte, 0, 64)}
	doc.mutable(&f)
	return appendAdded(f.out, doc, mutablePart), f.err
}

// readState sets the mutable fields of a document to what mutableState encoded.
func readState[T any, P documentRow[T]](doc P, state []byte) error {
	f := fieldCodec{in: rowReader{data: state}, decoding: true}
	doc.mutable(&f)
	if f.in.bad {
		return wire.ErrTruncated
	}
	return readAdded(doc, mutablePart, f.in.data)
}

// sumOf returns the checksum of the immutable fields of a document.
func sumOf[T any, P documentRow[T]](doc P) uint32 {
	f := fieldCodec{out: make([]byte, 0, 256)}
	doc.immutable(&f)
	return crc32.Checksum(appendAdded(f.out, doc, immutablePart), castagnoli)
}

// documentAt returns the document of a journal entry as it was after that write.
func documentAt[T any, P documentRow[T]](tx *readTx, t *store.Table[T], e *entry) (P, error) {
	doc, err := t.Get(tx.r, e.DocumentRef.ID[:])
	if err != nil {
		return nil, err
	}
	if doc == nil {
		return nil, api.Internal(fmt.Errorf("journal entry %d changed %s %s, which is missing", e.Seq, documentKindNames[e.DocumentRef.Kind], e.DocumentRef.ID))
	}
	if err := readState(P(doc), e.DocumentRef.State); err != nil {
		return nil, fmt.Errorf("journal entry %d: %w", e.Seq, err)
	}
	return doc, nil
}
