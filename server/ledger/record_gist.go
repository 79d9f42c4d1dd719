package ledger

// A gist is what a report has to know of a record to pass it over, and a sum
// to add it up. It is the beginning of the row: to decode all of it costs ten
// times as much, and they read many.
type gist struct {
	seen     uint64   // the operations of its movements, a bit each by operationNumber
	states   uint64   // the states they change, a bit each by their place in api.States
	balances [][]byte // the ids of its balances, parts of the row
	moves    []shift
}

// A shift is what one movement does to a quantity.
type shift struct {
	balance, state int // as in move
	delta          int64
}

// take reads the gist of a record's row. It keeps none of the row's own memory
// longer than the row is there, and reuses its own.
func (g *gist) take(data []byte) error {
	d := reader{data: data}
	g.seen, g.states, g.balances, g.moves = 0, 0, g.balances[:0], g.moves[:0]
	if d.byte() != recordFormat {
		return records.Codec.Decode(data, new(record)) // which says what is wrong
	}
	d.uvarint() // counter
	d.varint()  // instant
	d.uvarint() // what it has
	for range d.count() {
		g.balances = append(g.balances, d.take(16))
		d.varint() // version
		for there := d.byte(); there != 0; there &= there - 1 {
			d.varint()
		}
	}
	for range d.count() {
		g.move(&d)
	}
	if d.bad {
		return errTruncated
	}
	return nil
}

func (g *gist) move(d *reader) {
	op, head := d.byte(), d.byte()
	balance := 0
	if head&moveBalance != 0 {
		balance = d.place()
	}
	if balance >= len(g.balances) || operationOf(op) == "" {
		d.bad = true
		return
	}
	g.seen |= 1 << op
	g.states |= 1 << (head & moveState)
	g.moves = append(g.moves, shift{balance, int(head & moveState), d.varint()})
	if head&moveLot != 0 {
		d.take(16)
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
