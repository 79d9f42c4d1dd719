package ledger

// An entryHeader is what a report has to know of a record to pass it over, and a sum
// to add it up. It is the beginning of the row: to decode all of it costs ten
// times as much, and they read many.
type entryHeader struct {
	operations uint64   // the operations of its movements, a bit each by operationNumber
	states     uint64   // the states they change, a bit each by their place in api.States
	balances   [][]byte // the ids of its balances, parts of the row
	movements  []quantityChange
}

// A quantityChange is what one movement does to a quantity.
type quantityChange struct {
	balance, state int // as in move
	delta          int64
}

// read reads the gist of a record's row. It keeps none of the row's own memory
// longer than the row is there, and reuses its own.
func (g *entryHeader) read(data []byte) error {
	d := rowReader{data: data}
	g.operations, g.states, g.balances, g.movements = 0, 0, g.balances[:0], g.movements[:0]
	if d.byte() != entryFormat {
		return journal.Codec.Decode(data, new(entry)) // which says what is wrong
	}
	d.uvarint() // counter
	d.varint()  // instant
	d.uvarint() // what it has
	for range d.count() {
		g.balances = append(g.balances, d.next(16))
		d.varint() // version
		for there := d.byte(); there != 0; there &= there - 1 {
			d.varint()
		}
	}
	for range d.count() {
		g.readMovement(&d)
	}
	if d.bad {
		return errTruncated
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
