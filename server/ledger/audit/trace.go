package audit

import (
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
)

// checkTraced checks that the entry is in the traces of what it moves.
func (v *verification) checkTraced(e *journal.Entry) error {
	for k, ids := range stored.TracedIDs(e) {
		for id := range ids {
			v.traces[k]++
			row, err := v.Reader.Get(stored.TraceTables[k], stored.TraceKey(id, e.Seq))
			if err != nil {
				return err
			}
			if row == nil {
				v.reportFault(stored.TraceTables[k], "journal entry %d moves %s, but is missing from its trace", e.Seq,
					id)
			}
		}
	}

	return nil
}

// checkTraceTables checks that the traces have no further rows.
func (v *verification) checkTraceTables() error {
	for k, table := range stored.TraceTables {
		found := 0
		err := v.Reader.Scan(table, store.Range{}, func(_, _ []byte) error { found++; return nil })
		if err != nil {
			return err
		}
		if found != v.traces[k] {
			v.reportFault(table, "has %d entries; the journal requires %d", found, v.traces[k])
		}
	}

	return nil
}
