package store

import (
	"encoding/binary"
	"slices"

	"bincard/server/store/wire"
)

// Encoded rows have the number of tables; for each table its name and the number of rows;
// for each row the key, the length of the value plus one (0 for a deleted row), and the
// value. Lengths and numbers are varints.

// AppendRows appends rows, which are sorted by table.
func AppendRows(b []byte, rows []Row) []byte {
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

// maxGrow is how many rows ReadRows makes room for at once: most tables of a commit have
// fewer, and the number in damaged data may be wrong.
const maxGrow = 1 << 10

// ReadRows reads what AppendRows appended. The rows refer to the reader's data; r.Bad says
// whether it cannot be read.
func ReadRows(r *wire.Reader) (rows []Row) {
	for range r.Count() {
		table := string(r.Text())
		n := r.Count()
		rows = slices.Grow(rows, min(n, maxGrow))
		for range n {
			rows = append(rows, Row{Table: table, Key: r.Text(), Value: r.Optional()})
		}
	}

	return rows
}
