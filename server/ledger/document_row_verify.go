package ledger

import (
	"bytes"
	"fmt"

	"bincard/server/api"
	"bincard/server/store"
)

// checkDocumentRow checks that a document is as the newest journal entry left it.
func checkDocumentRow[T any, P documentRow[T]](v *verification, kind documentKind, id api.ID, doc P) {
	v.result.Documents++
	s := doc.rev()
	name := documentKindNames[kind] + " " + id.String()
	made, last := v.entryOfDocument(kind, id, s.Seq), v.entryOfDocument(kind, id, s.Last)
	if made == nil || last == nil || !made.DocumentRef.Created {
		v.reportFault(name, "first and last journal entries %d and %d do not match the journal", s.Seq, s.Last)
		return
	}
	if made.DocumentRef.Sum != sumOf(doc) {
		v.reportFault(name, "differs from the document that journal entry %d created", s.Seq)
	}
	if state, err := mutableState(doc); err != nil || !bytes.Equal(state, last.DocumentRef.State) {
		v.reportFault(name, "differs from the document after journal entry %d", s.Last)
	}
}

// entryOfDocument returns the journal entry with the sequence number, or nil when it
// did not change the document.
func (v *verification) entryOfDocument(kind documentKind, id api.ID, seq uint64) *entry {
	rec, err := journal.Get(v.r, seqKey(seq))
	if err != nil || rec == nil || rec.DocumentRef.Kind != kind || rec.DocumentRef.ID != id {
		return nil
	}
	return rec
}

// checkDocumentRef checks that the document of a journal entry exists, names the
// entry, and can be shown as it was.
func (v *verification) checkDocumentRef(rec *entry) {
	switch rec.DocumentRef.Kind {
	case inboundKind:
		checkState(v, inbounds, rec)
	case outboundKind:
		checkState(v, outbounds, rec)
	case transferKind:
		checkState(v, transfers, rec)
	case reservationKind:
		checkState(v, reservations, rec)
	}
}

func checkState[T any, P documentRow[T]](v *verification, t *store.Table[T], rec *entry) {
	name := fmt.Sprintf("journal entry %d", rec.Seq)
	doc, err := documentAt[T, P](v.readTx, t, rec)
	if err != nil {
		v.reportFault(name, "response cannot be rendered: %v", err)
		return
	}
	if s := doc.rev(); rec.Seq < s.Seq || rec.Seq > s.Last {
		v.reportFault(name, "changed %s %s, which covers journal entries %d to %d", documentKindNames[rec.DocumentRef.Kind], rec.DocumentRef.ID, s.Seq, s.Last)
	}
}
