package ledger

import (
	"crypto/sha256"
	"encoding/binary"
	"hash/crc32"

	"bincard/server/ledger/internal/journal"
	"bincard/server/store"
)

// The idempotency keys are in the journal entries. This table maps the digest of a
// key to the sequence numbers of the entries whose keys have it: almost always one.
const keysTable = "keys"

// keyDigest returns the table key of an idempotency key. For a UUID it starts with
// its first bytes, so that time-ordered UUIDs append to the table.
func keyDigest(key string) []byte {
	if id, ok := journal.ParseCanonicalUUID(key); ok {
		return binary.BigEndian.AppendUint32(append(make([]byte, 0, 10), id[:6]...), crc32.Checksum(id[6:], keySums))
	}
	h := sha256.Sum256([]byte(key))
	return h[:10]
}

var keySums = crc32.MakeTable(crc32.Castagnoli)

// entrySeqs returns the sequence numbers in a row. As no entry has number 0, a 0
// ends the list when a newer version added fields, which are returned as rest.
func entrySeqs(row []byte) (list []uint64, rest []byte, err error) {
	d := journal.RowReader{Data: row}
	for len(d.Data) > 0 && !d.Bad {
		rest = d.Data
		seq := d.Uvarint()
		if seq == 0 {
			return list, rest, nil
		}
		list = append(list, seq)
	}
	return list, nil, d.Err()
}

// entryOfKey returns the journal entry of an idempotency key, or nil.
func (tx *readTx) entryOfKey(key string) (*journal.Entry, error) {
	row, err := tx.r.Get(keysTable, keyDigest(key))
	if err != nil || row == nil {
		return nil, err
	}
	list, _, err := entrySeqs(row)
	if err != nil {
		return nil, err
	}
	for _, seq := range list {
		e, err := tx.entryAt(seq)
		if err != nil {
			return nil, err
		}
		if e.Key == key {
			return e, nil
		}
	}
	return nil, nil
}

// saveKey adds the key of the entry, which is new.
func saveKey(tx store.Tx, e *journal.Entry) error {
	digest := keyDigest(e.Key)
	row, err := tx.Get(keysTable, digest)
	if err != nil {
		return err
	}
	_, rest, err := entrySeqs(row)
	if err != nil {
		return err
	}
	list := append(make([]byte, 0, len(row)+8), row[:len(row)-len(rest)]...)
	return tx.Put(keysTable, digest, append(binary.AppendUvarint(list, e.Seq), rest...))
}

// checkKey checks that the key of an entry leads to it.
func (v *verification) checkKey(name string, e *journal.Entry) error {
	row, err := v.r.Get(keysTable, keyDigest(e.Key))
	if err != nil {
		return err
	}
	list, _, err := entrySeqs(row)
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
	err := v.r.Scan(keysTable, store.Range{}, func(key, row []byte) error {
		list, _, err := entrySeqs(row)
		if err != nil || len(list) == 0 {
			v.reportFault("idempotency key", "entry %x points nowhere", key)
			return nil
		}
		for _, seq := range list {
			keys++
			e, err := v.r.Get(journal.Entries.Name, journal.SeqKey(seq))
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
