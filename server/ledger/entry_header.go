package ledger

import "bincard/server/store/wire"

// An entryHeader is the part of an entry that reports filter by and sum up. It is
// at the start of the row; reports read many entries, and decoding a whole one
// takes ten times as long.
type entryHeader struct {
	operations uint64   // the operations of its movements, a bit each by operationNumber
	states     uint64   // the states they change, a bit each by index in api.States
	balances   [][]byte // the ids of its balances, slices of the row
	movements  []quantityChange
}

// A quantityChange is the effect of one movement.
type quantityChange struct {
	balance, state int // as in movement
	delta          int64
}

// read decodes the header of a row. The header refers to the row's memory and
// reuses its own, so it is valid only as long as the row.
func (g *entryHeader) read(data []byte) error {
	d := rowReader{data: data}
	g.operations, g.states, g.balances, g.movements = 0, 0, g.balances[:0], g.movements[:0]
	if d.byte() != entryFormat {
		return journal.Codec.Decode(data, new(entry)) // for its error
	}
	d.uvarint() // sequence number
	d.varint()  // time
	d.uvarint() // flags
	for range d.count() {
		g.balances = append(g.balances, d.next(16))
		d.varint() // version
		for nonZero := d.byte(); nonZero != 0; nonZero &= nonZero - 1 {
			d.varint()
		}
	}
	for range d.count() {
		g.readMovement(&d)
	}
	if d.bad {
		return wire.ErrTruncated
	}
	return nil
}

func (g *entryHeader) readMovement(d *rowReader) {
	op, head := d.byte(), d.byte()
	balance := 0
	if head&moveBalance != 0 {
		balance = d.index()
	}
	if balance >= len(g.balances) || operationOf(op) == "" {
		d.bad = true
		return
	}
	g.operations |= 1 << op
	g.states |= 1 << (head & moveState)
	g.movements = append(g.movements, quantityChange{balance, int(head & moveState), d.varint()})
	if head&moveLot != 0 {
		d.next(16)
	}
	if head&moveNote != 0 {
		d.text()
	}
	if head&moveSerials != 0 {
		for range d.count() {
			d.uvarint()
		}
	}
}
