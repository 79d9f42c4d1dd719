package ledger

import (
	"bytes"
	"fmt"

	"bincard/server/api"
	"bincard/server/store"
)

// checkDocumentRow checks that a document matches its first and newest journal entries.
func checkDocumentRow[T any, P documentRow[T]](v *verification, kind documentKind, id api.ID, doc P) {
	v.result.Documents++
	s := doc.rev()
	name := documentKindNames[kind] + " " + id.String()
	first, last := v.entryOfDocument(kind, id, s.Seq), v.entryOfDocument(kind, id, s.Last)
	if first == nil || last == nil || !first.DocumentRef.Created {
		v.reportFault(name, "first and last journal entries %d and %d do not match the journal", s.Seq, s.Last)
		return
	}
	if first.DocumentRef.Sum != sumOf(doc) {
		v.reportFault(name, "differs from the document that journal entry %d created", s.Seq)
	}
	if state, err := mutableState(doc); err != nil || !bytes.Equal(state, last.DocumentRef.State) {
		v.reportFault(name, "differs from the document after journal entry %d", s.Last)
	}
}

// entryOfDocument returns the journal entry with the sequence number, or nil when it
// did not change the document.
func (v *verification) entryOfDocument(kind documentKind, id api.ID, seq uint64) *entry {
	e, err := journal.Get(v.r, seqKey(seq))
	if err != nil || e == nil || e.DocumentRef.Kind != kind || e.DocumentRef.ID != id {
		return nil
	}
	return e
}

// checkDocumentRef checks that the document of a journal entry exists, includes the
// entry in its revisions, and can be shown as it was.
func (v *verification) checkDocumentRef(e *entry) {
	switch e.DocumentRef.Kind {
	case inboundKind:
		checkState(v, inbounds, e)
	case outboundKind:
		checkState(v, outbounds, e)
	case transferKind:
		checkState(v, transfers, e)
	case reservationKind:
		checkState(v, reservations, e)
	}
}

func checkState[T any, P documentRow[T]](v *verification, t *store.Table[T], e *entry) {
	name := fmt.Sprintf("journal entry %d", e.Seq)
	doc, err := documentAt[T, P](v.readTx, t, e)
	if err != nil {
		v.reportFault(name, "response cannot be rendered: %v", err)
		return
	}
	if s := doc.rev(); e.Seq < s.Seq || e.Seq > s.Last {
		v.reportFault(name, "changed %s %s, which covers journal entries %d to %d", documentKindNames[e.DocumentRef.Kind], e.DocumentRef.ID, s.Seq, s.Last)
	}
}
