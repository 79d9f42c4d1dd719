package redo

import (
	"encoding/binary"
	"errors"

	"bincard/server/store"
	"bincard/server/store/wire"
)

// The payload of changes has, for each partition, the organization, the environment's name
// and the number of tables; for each table its name and the number of rows; for each row the
// key, the length of the value plus one (0 for a deleted row), and the value. Lengths and
// numbers are varints.

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
		b = appendTables(b, c.Rows)
	}
	return b
}

func appendTables(b []byte, rows []store.Row) []byte {
	tables := 0
	for i := range rows {
		if i == 0 || rows[i].Table != rows[i-1].Table {
			tables++
		}
	}
	b = binary.AppendUvarint(b, uint64(tables))
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && rows[n].Table == rows[0].Table {
			n++
		}
		b = wire.AppendText(b, rows[0].Table)
		b = binary.AppendUvarint(b, uint64(n))
		for _, row := range rows[:n] {
			b = wire.AppendOptional(wire.AppendText(b, row.Key), row.Value)
		}
		rows = rows[n:]
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
		for range r.Count() {
			table := string(r.Text())
			for range r.Count() {
				c.Rows = append(c.Rows, store.Row{Table: table, Key: r.Text(), Value: r.Optional()})
			}
		}
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
