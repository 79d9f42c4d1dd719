package stored

import (
	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/store"
)

// The trace tables have a row for every journal entry that moves a lot or a serial,
// under its id and the sequence number.
const (
	LotTraces    = "traces.lot"
	SerialTraces = "traces.serial"
)

// TraceTables are the trace tables, in the order of TracedIDs.
var TraceTables = [2]string{LotTraces, SerialTraces}

// TraceKey returns the row key of a trace; it has the form of a history key.
func TraceKey(id api.ID, seq uint64) []byte { return HistoryKey(id, seq) }

// SaveTraces adds the entry to the traces of the lots and serials it moves.
func SaveTraces(tx store.Tx, e *journal.Entry) error {
	for i := range e.Movements {
		if m := &e.Movements[i]; m.Lot != api.NoID || len(m.Serials) > 0 {
			return saveTraceRows(tx, e)
		}
	}

	return nil
}

// saveTraceRows adds an entry to the traces. Its serials must be complete.
func saveTraceRows(tx store.Tx, e *journal.Entry) error {
	for k, ids := range TracedIDs(e) {
		for id := range ids {
			if err := tx.Put(TraceTables[k], TraceKey(id, e.Seq), []byte{0}); err != nil {
				return err
			}
		}
	}

	return nil
}

// TracedIDs returns the lots and the serials that the entry's movements name.
func TracedIDs(r *journal.Entry) (ids [2]map[api.ID]bool) {
	ids[0], ids[1] = map[api.ID]bool{}, map[api.ID]bool{}
	for i := range r.Movements {
		m := &r.Movements[i]
		if m.Lot != api.NoID {
			ids[0][m.Lot] = true
		}
		for _, s := range m.Serials {
			ids[1][r.Serials[s].ID] = true
		}
	}

	return ids
}
