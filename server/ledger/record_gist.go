package ledger

import "bincard/server/api"

// A gist is what a report has to know of a record to pass it over, and a sum
// to add it up: to decode all of it costs ten times as much, and they read many.
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
	d.take(16)  // fingerprint
	d.passToken()
	for range 7 { // operation, source, reason, reference, units
		d.text()
	}
	d.passActor()
	d.passActor()
	d.varint() // unit quantity
	d.text()   // metadata
	d.text()   // document
	for range d.count() {
		g.balances = append(g.balances, d.take(16))
		d.varint() // version
		d.passQuantities()
	}
	for range d.count() {
		d.passSerial()
	}
	for range d.count() {
		g.move(&d)
	}
	return d.err()
}

func (g *gist) move(d *reader) {
	g.seen |= 1 << d.byte()
	state := d.byte()
	g.states |= 1 << state
	balance := d.uvarint()
	d.passID() // lot
	if balance >= uint64(len(g.balances)) || int(state) >= len(api.States) {
		d.bad = true
		return
	}
	g.moves = append(g.moves, shift{int(balance), int(state), d.varint()})
	d.varint() // before
	d.text()   // metadata
	for range d.count() {
		d.uvarint() // serial
	}
}

func (d *reader) passID() {
	if d.byte() == 1 {
		d.take(16)
	}
}

func (d *reader) passToken() {
	if d.byte() == 1 {
		d.take(16)
		return
	}
	d.text()
}

func (d *reader) passActor() {
	if len(d.text()) > 0 { // its type
		d.passToken()
		d.text()
	}
}

func (d *reader) passQuantities() {
	for range 8 {
		d.varint()
	}
}

func (d *reader) passSerial() {
	d.text() // number
	d.text() // status
	for range 6 {
		d.passID()
	}
}
