// Package journal is the form of journal entries and document rows in the store: bytes,
// and no rules about stock.
//
// An Entry is the permanent row of one write; Codec writes it compactly, and a Header
// reads only the part that reports need. A DocumentRow has the fields of a document;
// entries have its mutable part after each write. Rows are read with a RowReader, and
// documents are written and read by the same list of fields, a FieldCodec.
package journal

import (
	"encoding/binary"

	"bincard/server/store"
)

// Entries is the journal, in order.
var Entries = store.NewTable(store.Table[Entry]{
	Name:  "records",
	Key:   func(r *Entry) []byte { return SeqKey(r.Seq) },
	Codec: Codec{},
})

// SeqKey returns the key of the entry with a sequence number.
func SeqKey(seq uint64) []byte { return binary.BigEndian.AppendUint64(nil, seq) }
