package journal

import "bincard/server/store/wire"

// A Header is the part of an entry that reports filter by and sum up. It is
// at the start of the row; reports read many entries, and decoding a whole one
// takes ten times as long.
type Header struct {
	Operations uint64   // the operations of its movements, a bit each by OperationNumber
	States     uint64   // the states they change, a bit each by index in api.States
	Balances   [][]byte // the ids of its balances, slices of the row
	Movements  []QuantityChange
}

// A QuantityChange is the effect of one movement.
type QuantityChange struct {
	Balance, State int // as in movement
	Delta          int64
}

// Read decodes the header of a row. The header refers to the row's memory and
// reuses its own, so it is valid only as long as the row.
func (g *Header) Read(data []byte) error {
	d := ReadRow(data)
	g.Operations, g.States, g.Balances, g.Movements = 0, 0, g.Balances[:0], g.Movements[:0]
	if d.Byte() != entryFormat {
		return Entries.Codec.Decode(data, new(Entry)) // for its error
	}

	d.Uvarint() // sequence number
	d.Varint()  // time
	d.Uvarint() // flags
	for range d.Count() {
		g.Balances = append(g.Balances, d.Next(16))
		d.Varint() // version
		for nonZero := d.Byte(); nonZero != 0; nonZero &= nonZero - 1 {
			d.Varint()
		}
	}

	for range d.Count() {
		g.readMovement(&d)
	}
	if d.Bad {
		return wire.ErrTruncated
	}

	return nil
}

func (g *Header) readMovement(d *RowReader) {
	op, head := d.Byte(), d.Byte()
	balance := 0
	if head&moveBalance != 0 {
		balance = d.index()
	}
	if balance >= len(g.Balances) || operationOf(op) == "" {
		d.Fail()
		return
	}

	g.Operations |= 1 << op
	g.States |= 1 << (head & moveState)
	g.Movements = append(g.Movements, QuantityChange{balance, int(head & moveState), d.Varint()})
	if head&moveLot != 0 {
		d.Next(16)
	}
	if head&moveNote != 0 {
		d.Text()
	}
	if head&moveSerials != 0 {
		for range d.Count() {
			d.Uvarint()
		}
	}
}
