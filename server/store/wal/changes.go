package wal

import (
	"encoding/binary"
	"errors"

	"bincard/server/store"
	"bincard/server/store/wire"
)

// The payload of changes has their number as a varint, and for each partition the
// organization, the environment's name and the rows.

// encode returns a record of changes with an empty header.
func encode(changes []store.Changes) []byte {
	size := headSize + 1 + binary.MaxVarintLen64
	for _, c := range changes {
		size += len(c.Partition.Organization) + len(c.Partition.Environment) + 2*binary.MaxVarintLen64
		for i, row := range c.Rows {
			if i == 0 || row.Table != c.Rows[i-1].Table {
				size += len(row.Table) + 2*binary.MaxVarintLen64
			}
			size += len(row.Key) + len(row.Value) + 2*binary.MaxVarintLen32
		}
	}

	b := make([]byte, headSize, size)
	b = append(b, kindChanges)
	b = binary.AppendUvarint(b, uint64(len(changes)))
	for _, c := range changes {
		b = append(b, c.Partition.Organization[:]...)
		b = wire.AppendText(b, c.Partition.Environment)
		b = store.AppendRows(b, c.Rows)
	}

	return b
}

var errPayload = errors.New("a log record cannot be read")

// Decode calls fn with the changes of a payload. Their slices refer to the payload.
func Decode(payload []byte, fn func(store.Changes)) error {
	r := wire.Reader{Data: payload}
	if r.Byte() != kindChanges {
		return errPayload
	}

	for range r.Count() {
		var c store.Changes
		copy(c.Partition.Organization[:], r.Next(len(c.Partition.Organization)))
		c.Partition.Environment = string(r.Text())
		c.Rows = store.ReadRows(&r)
		if r.Bad {
			return errPayload
		}
		fn(c)
	}

	if r.Err() != nil {
		return errPayload
	}

	return nil
}
