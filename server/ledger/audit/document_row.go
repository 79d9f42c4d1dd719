package audit

import (
	"bytes"
	"fmt"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
)

// checkDocumentRow checks that a document matches its first and newest journal entries.
func checkDocumentRow[T any, P journal.DocumentRow[T]](v *verification, kind journal.DocumentKind, id api.ID, doc P) {
	v.result.Documents++
	s := doc.Rev()
	name := journal.DocumentKindNames[kind] + " " + id.String()
	first, last := v.entryOfDocument(kind, id, s.Seq), v.entryOfDocument(kind, id, s.Last)
	if first == nil || last == nil || !first.DocumentRef.Created {
		v.reportFault(name, "first and last journal entries %d and %d do not match the journal", s.Seq, s.Last)
		return
	}
	if first.DocumentRef.Sum != journal.SumOf(doc) {
		v.reportFault(name, "differs from the document that journal entry %d created", s.Seq)
	}
	if state, err := journal.MutableState(doc); err != nil || !bytes.Equal(state, last.DocumentRef.State) {
		v.reportFault(name, "differs from the document after journal entry %d", s.Last)
	}
}

// entryOfDocument returns the journal entry with the sequence number, or nil when it
// did not change the document.
func (v *verification) entryOfDocument(kind journal.DocumentKind, id api.ID, seq uint64) *journal.Entry {
	e, err := journal.Entries.Get(v.Reader, journal.SeqKey(seq))
	if err != nil || e == nil || e.DocumentRef.Kind != kind || e.DocumentRef.ID != id {
		return nil
	}
	return e
}

// checkDocumentRef checks that the document of a journal entry exists, includes the
// entry in its revisions, and can be shown as it was.
func (v *verification) checkDocumentRef(e *journal.Entry) {
	switch e.DocumentRef.Kind {
	case journal.InboundKind:
		checkState(v, stored.Inbounds, e)
	case journal.OutboundKind:
		checkState(v, stored.Outbounds, e)
	case journal.TransferKind:
		checkState(v, stored.Transfers, e)
	case journal.ReservationKind:
		checkState(v, stored.Reservations, e)
	}
}

func checkState[T any, P journal.DocumentRow[T]](v *verification, t *store.Table[T], e *journal.Entry) {
	name := fmt.Sprintf("journal entry %d", e.Seq)
	doc, err := stored.DocumentAt[T, P](v.Tx, t, e)
	if err != nil {
		v.reportFault(name, "response cannot be rendered: %v", err)
		return
	}
	if s := doc.Rev(); e.Seq < s.Seq || e.Seq > s.Last {
		v.reportFault(name, "changed %s %s, which covers journal entries %d to %d",
			journal.DocumentKindNames[e.DocumentRef.Kind], e.DocumentRef.ID, s.Seq, s.Last)
	}
}
