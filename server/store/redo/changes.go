package redo

import (
	"encoding/binary"
	"errors"

	"bincard/server/store"
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
		b = appendBytes(b, c.Partition.Environment)
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
		b = appendBytes(b, rows[0].Table)
		b = binary.AppendUvarint(b, uint64(n))
		for _, row := range rows[:n] {
			b = appendBytes(b, row.Key)
			if row.Value == nil {
				b = append(b, 0)
				continue
			}
			b = binary.AppendUvarint(b, uint64(len(row.Value))+1)
			b = append(b, row.Value...)
		}
		rows = rows[n:]
	}
	return b
}

func appendBytes[T string | []byte](b []byte, part T) []byte {
	return append(binary.AppendUvarint(b, uint64(len(part))), part...)
}

var errPayload = errors.New("a log record cannot be read")

// Decode calls fn with the changes of a payload. Their slices refer to the payload.
func Decode(payload []byte, fn func(store.Changes)) error {
	d := decoder{data: payload}
	if d.byte() != kindChanges {
		return errPayload
	}
	for range d.count() {
		var c store.Changes
		copy(c.Partition.Organization[:], d.next(uint64(len(c.Partition.Organization))))
		c.Partition.Environment = string(d.bytes())
		for range d.count() {
			table := string(d.bytes())
			n := d.count()
			for range n {
				row := store.Row{Table: table, Key: d.bytes()}
				if size := d.number(); size > 0 {
					row.Value = d.next(size - 1)
				}
				c.Rows = append(c.Rows, row)
			}
		}
		if d.failed {
			return errPayload
		}
		fn(c)
	}
	if d.failed || len(d.data) > 0 {
		return errPayload
	}
	return nil
}

// A decoder decodes a payload; failed is set at the first error.
type decoder struct {
	data   []byte
	failed bool
}

func (d *decoder) next(n uint64) []byte {
	if d.failed || n > uint64(len(d.data)) {
		d.failed, d.data = true, nil
		return []byte{}
	}
	b := d.data[:n:n]
	d.data = d.data[n:]
	return b
}

func (d *decoder) byte() byte {
	if b := d.next(1); len(b) == 1 {
		return b[0]
	}
	return 0
}

func (d *decoder) number() uint64 {
	v, n := binary.Uvarint(d.data)
	if n <= 0 {
		d.failed, d.data = true, nil
		return 0
	}
	d.data = d.data[n:]
	return v
}

// count decodes the number of elements, each of at least one byte.
func (d *decoder) count() uint64 {
	n := d.number()
	if n > uint64(len(d.data)) {
		d.failed, d.data = true, nil
		return 0
	}
	return n
}

func (d *decoder) bytes() []byte { return d.next(d.number()) }
