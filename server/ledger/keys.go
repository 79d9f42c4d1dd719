package ledger

import (
	"crypto/sha256"
	"encoding/binary"
	"hash/crc32"

	"bincard/server/store"
)

// The idempotency keys stand in the records. The table leads from the print of
// a key to the counters of the records whose keys have it: one, as good as
// always, and then it is the record that tells.
const keysTable = "keys"

// keyDigest is where an idempotency key is kept. Of a UUID it begins with what
// those that sort by time begin with, so that their entries append.
func keyDigest(key string) []byte {
	if id, ok := parseCanonicalUUID(key); ok {
		return binary.BigEndian.AppendUint32(append(make([]byte, 0, 10), id[:6]...), crc32.Checksum(id[6:], castagnoli))
	}
	h := sha256.Sum256([]byte(key))
	return h[:10]
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// entrySeqs are those of an entry. No record has the counter 0: it ends the
// list where a newer version added fields to the entry, which are the rest.
func entrySeqs(entry []byte) (list []uint64, rest []byte, err error) {
	d := rowReader{data: entry}
	for len(d.data) > 0 && !d.bad {
		rest = d.data
		seq := d.uvarint()
		if seq == 0 {
			return list, rest, nil
		}
		list = append(list, seq)
	}
	return list, nil, d.err()
}

// entryOfKey is the record that an idempotency key made, or nil.
func (rd *readTx) entryOfKey(key string) (*entry, error) {
	entry, err := rd.r.Get(keysTable, keyDigest(key))
	if err != nil || entry == nil {
		return nil, err
	}
	list, _, err := entrySeqs(entry)
	if err != nil {
		return nil, err
	}
	for _, seq := range list {
		rec, err := rd.entryAt(seq)
		if err != nil {
			return nil, err
		}
		if rec.Key == key {
			return rec, nil
		}
	}
	return nil, nil
}

// saveKey notes the key of the record, which is new.
func (c *writeTx) saveKey() error {
	print := keyDigest(c.entry.Key)
	entry, err := c.tx.Get(keysTable, print)
	if err != nil {
		return err
	}
	_, rest, err := entrySeqs(entry)
	if err != nil {
		return err
	}
	list := append(make([]byte, 0, len(entry)+8), entry[:len(entry)-len(rest)]...)
	return c.tx.Put(keysTable, print, append(binary.AppendUvarint(list, c.entry.Seq), rest...))
}

// checkKey holds that the key of a record leads to it.
func (v *verification) checkKey(name string, rec *entry) error {
	entry, err := v.r.Get(keysTable, keyDigest(rec.Key))
	if err != nil {
		return err
	}
	list, _, err := entrySeqs(entry)
	for _, seq := range list {
		if seq == rec.Seq && err == nil {
			return nil
		}
	}
	v.reportFault(name, "has the idempotency key %q, which points to %d instead", rec.Key, list)
	return nil
}

// checkKeys holds that there are as many idempotency keys as records; that
// each record's key leads to it is known by then.
func (v *verification) checkKeys(found int) error {
	keys := 0
	err := v.r.Scan(keysTable, store.Range{}, func(key, entry []byte) error {
		list, _, err := entrySeqs(entry)
		if err != nil || len(list) == 0 {
			v.reportFault("idempotency key", "entry %x points nowhere", key)
			return nil
		}
		for _, seq := range list {
			keys++
			rec, err := v.r.Get(journal.Name, seqKey(seq))
			if err != nil {
				return err
			}
			if rec == nil {
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
