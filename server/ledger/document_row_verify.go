package ledger

import (
	"bytes"
	"fmt"

	"bincard/server/api"
	"bincard/server/store"
)

// checkDocumentRow checks that a document is as the newest journal entry left it.
func checkDocumentRow[T any, P documentRow[T]](v *verification, kind documentKind, id api.ID, doc P) {
	v.proof.Documents++
	s := doc.rev()
	name := documentKindNames[kind] + " " + id.String()
	made, last := v.changeOf(kind, id, s.Seq), v.changeOf(kind, id, s.Last)
	if made == nil || last == nil || !made.Subject.Made {
		v.stray(name, "it names records %d and %d as its first and last, but they are not", s.Seq, s.Last)
		return
	}
	if made.Subject.Sum != sumOf(doc) {
		v.stray(name, "it differs from what record %d created", s.Seq)
	}
	if state, err := mutableState(doc); err != nil || !bytes.Equal(state, last.Subject.State) {
		v.stray(name, "it differs from what record %d left", s.Last)
	}
}

// changeOf returns the journal entry with the sequence number, or nil when it
// did not change the document.
func (v *verification) changeOf(kind documentKind, id api.ID, seq uint64) *record {
	rec, err := records.Get(v.r, seqKey(seq))
	if err != nil || rec == nil || rec.Subject.Kind != kind || rec.Subject.ID != id {
		return nil
	}
	return rec
}

// checkDocumentRef checks that the document of a journal entry exists, names the
// entry, and can be shown as it was.
func (v *verification) checkDocumentRef(rec *record) {
	switch rec.Subject.Kind {
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

func checkState[T any, P documentRow[T]](v *verification, t *store.Table[T], rec *record) {
	name := fmt.Sprintf("record %d", rec.Seq)
	doc, err := documentAt[T, P](v.reading, t, rec)
	if err != nil {
		v.stray(name, "its answer cannot be rendered: %v", err)
		return
	}
	if s := doc.rev(); rec.Seq < s.Seq || rec.Seq > s.Last {
		v.stray(name, "it changed %s %s, which names records %d to %d", documentKindNames[rec.Subject.Kind], rec.Subject.ID, s.Seq, s.Last)
	}
}
