package stored

import (
	"crypto/sha256"
	"encoding/binary"

	"bincard/server/ledger/internal/journal"
	"bincard/server/store"
	"bincard/server/store/wire"
)

// KeysTable maps the digest of an idempotency key to the sequence numbers of the
// entries whose keys have it: almost always one. The keys are in the entries.
const KeysTable = "keys"

// KeyDigest returns the table key of an idempotency key. For a UUID it starts with
// its first bytes, so that time-ordered UUIDs append to the table.
func KeyDigest(key string) []byte {
	if id, ok := journal.ParseCanonicalUUID(key); ok {
		return binary.BigEndian.AppendUint32(append(make([]byte, 0, 10), id[:6]...), wire.Checksum(id[6:]))
	}
	h := sha256.Sum256([]byte(key))
	return h[:10]
}

// EntrySeqs returns the sequence numbers in a row. As no entry has number 0, a 0
// ends the list when a newer version added fields, which are returned as rest.
func EntrySeqs(row []byte) (list []uint64, rest []byte, err error) {
	d := wire.Reader{Data: row}
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

// EntryOfKey returns the journal entry of an idempotency key, or nil.
func (tx *Tx) EntryOfKey(key string) (*journal.Entry, error) {
	row, err := tx.Reader.Get(KeysTable, KeyDigest(key))
	if err != nil || row == nil {
		return nil, err
	}

	list, _, err := EntrySeqs(row)
	if err != nil {
		return nil, err
	}

	for _, seq := range list {
		e, err := tx.EntryAt(seq)
		if err != nil {
			return nil, err
		}
		if e.Key == key {
			return e, nil
		}
	}

	return nil, nil
}

// SaveKey adds the key of the entry, which is new.
func SaveKey(tx store.Tx, e *journal.Entry) error {
	digest := KeyDigest(e.Key)
	row, err := tx.Get(KeysTable, digest)
	if err != nil {
		return err
	}

	_, rest, err := EntrySeqs(row)
	if err != nil {
		return err
	}

	list := append(make([]byte, 0, len(row)+8), row[:len(row)-len(rest)]...)

	return tx.Put(KeysTable, digest, append(binary.AppendUvarint(list, e.Seq), rest...))
}
