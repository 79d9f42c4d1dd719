package audit

import (
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
)

// checkKey checks that the key of an entry leads to it.
func (v *verification) checkKey(name string, e *journal.Entry) error {
	row, err := v.Reader.Get(stored.KeysTable, stored.KeyDigest(e.Key))
	if err != nil {
		return err
	}

	list, _, err := stored.EntrySeqs(row)
	for _, seq := range list {
		if seq == e.Seq && err == nil {
			return nil
		}
	}

	v.reportFault(name, "has the idempotency key %q, which points to %d instead", e.Key, list)

	return nil
}

// checkKeys checks that there are as many keys as journal entries, and that each
// leads to one; checkKey has checked that each entry's key leads to it.
func (v *verification) checkKeys(found int) error {
	keys := 0
	err := v.Reader.Scan(stored.KeysTable, store.Range{}, func(key, row []byte) error {
		list, _, err := stored.EntrySeqs(row)
		if err != nil || len(list) == 0 {
			v.reportFault("idempotency key", "entry %x points nowhere", key)
			return nil
		}

		for _, seq := range list {
			keys++
			e, err := v.Reader.Get(journal.Entries.Name, journal.SeqKey(seq))
			if err != nil {
				return err
			}
			if e == nil {
				v.reportFault("idempotency key", "entry %x points to journal entry %d, which is missing", key, seq)
			}
		}

		return nil
	})
	if err == nil && keys != found {
		v.reportFault("idempotency keys", "found %d for %d journal entries", keys, found)
	}

	return err
}
