package ledger

import (
	"bytes"
	"fmt"
	"hash/crc32"

	"bincard/server/api"
	"bincard/server/store"
)

// A voucher is a document that stock moves by: an inbound, an outbound, a
// transfer or a reservation. Its row has all of it. The record of each write
// to it has its state alone, as the write left it; what never changes an answer
// takes from the row, and so no voucher is ever deleted.
type voucher[T any] interface {
	*T
	// fixed are the fields that never change.
	fixed(f *form)
	// changing are those that a write can change and an answer shows, but for the
	// instant of the write. It is read over fixed.
	changing(f *form)
	// kept are those that no answer shows.
	kept(f *form)
	mark() *stamp
}

// A stamp is what the row of a voucher has beside the voucher itself.
type stamp struct {
	// Seq is the counter of the write that made it, Last of the newest one.
	Seq  uint64 `json:"seq"`
	Last uint64 `json:"-"`
}

func (s *stamp) mark() *stamp { return s }

// A subject is the voucher that a record's write made or changed: which, and
// its state. Sum is, in the record that made it, of what never changes of it.
type subject struct {
	Kind  voucherKind
	ID    api.ID
	State []byte
	Made  bool
	Sum   uint32
}

// A voucherKind is the stored number of a kind of voucher, 0 of none.
type voucherKind byte

const (
	inboundVoucher voucherKind = 1 + iota
	outboundVoucher
	transferVoucher
	reservationVoucher
)

var voucherNames = [...]string{"", "inbound", "outbound", "transfer", "reservation"}

// voucherFormat is the first byte of the row of a voucher.
const voucherFormat = 1

type voucherCodec[T any, P voucher[T]] struct{}

func (voucherCodec[T, P]) Append(b []byte, v *T) ([]byte, error) {
	f := form{out: append(b, voucherFormat)}
	P(v).fixed(&f)
	P(v).changing(&f)
	P(v).kept(&f)
	return f.out, f.end()
}

func (voucherCodec[T, P]) Decode(data []byte, v *T) error {
	f := form{in: reader{data: data}, reads: true}
	if n := f.in.byte(); n != voucherFormat {
		return fmt.Errorf("the document is of format %d and this program reads format %d; use the program that wrote it", n, voucherFormat)
	}
	P(v).fixed(&f)
	P(v).changing(&f)
	P(v).kept(&f)
	return f.end()
}

// saveVoucher writes the row of a voucher, and its state to the record.
func saveVoucher[T any, P voucher[T]](c *change, t *store.Table[T], kind voucherKind, id api.ID, doc P) error {
	doc.mark().Last = c.rec.Seq
	f := form{out: make([]byte, 0, 64)}
	doc.changing(&f)
	if err := f.end(); err != nil {
		return err
	}
	c.rec.Subject = subject{Kind: kind, ID: id, State: f.out}
	if doc.mark().Seq != c.rec.Seq {
		return t.Put(c.tx, doc)
	}
	c.rec.Subject.Made, c.rec.Subject.Sum = true, sumOf(doc)
	return t.Insert(c.tx, doc)
}

// sumOf is a checksum of what never changes of a voucher.
func sumOf[T any, P voucher[T]](doc P) uint32 {
	f := form{out: make([]byte, 0, 256)}
	doc.fixed(&f)
	return crc32.Checksum(f.out, castagnoli)
}

// voucherOf is the voucher of a record as its write left it.
func voucherOf[T any, P voucher[T]](rd *reading, t *store.Table[T], rec *record) (P, error) {
	doc, err := t.Get(rd.r, rec.Subject.ID[:])
	if err != nil {
		return nil, err
	}
	if doc == nil {
		return nil, api.Internal(fmt.Errorf("record %d is of %s %s, which is not there", rec.Seq, voucherNames[rec.Subject.Kind], rec.Subject.ID))
	}
	f := form{in: reader{data: rec.Subject.State}, reads: true}
	P(doc).changing(&f)
	if err := f.end(); err != nil {
		return nil, fmt.Errorf("record %d: %w", rec.Seq, err)
	}
	return doc, nil
}

// checkVoucher holds that a voucher stands as its newest record left it.
func checkVoucher[T any, P voucher[T]](v *verification, kind voucherKind, id api.ID, doc P) {
	v.proof.Documents++
	s := doc.mark()
	name := voucherNames[kind] + " " + id.String()
	made, last := v.changeOf(kind, id, s.Seq), v.changeOf(kind, id, s.Last)
	if made == nil || last == nil || !made.Subject.Made {
		v.stray(name, "it says that record %d made it and record %d changed it last, which is not so", s.Seq, s.Last)
		return
	}
	if made.Subject.Sum != sumOf(doc) {
		v.stray(name, "it is not as record %d made it", s.Seq)
	}
	var f form
	doc.changing(&f)
	if !bytes.Equal(f.out, last.Subject.State) {
		v.stray(name, "it is not as record %d left it", s.Last)
	}
}

// changeOf is the record at the counter, nil where it is not of the voucher.
func (v *verification) changeOf(kind voucherKind, id api.ID, seq uint64) *record {
	rec, err := records.Get(v.r, seqKey(seq))
	if err != nil || rec == nil || rec.Subject.Kind != kind || rec.Subject.ID != id {
		return nil
	}
	return rec
}

// checkSubject holds that the voucher a record is of is there, knows of it, and
// can be shown as it was.
func (v *verification) checkSubject(rec *record) {
	switch rec.Subject.Kind {
	case inboundVoucher:
		checkState(v, inbounds, rec)
	case outboundVoucher:
		checkState(v, outbounds, rec)
	case transferVoucher:
		checkState(v, transfers, rec)
	case reservationVoucher:
		checkState(v, reservations, rec)
	}
}

func checkState[T any, P voucher[T]](v *verification, t *store.Table[T], rec *record) {
	name := fmt.Sprintf("record %d", rec.Seq)
	doc, err := voucherOf[T, P](v.reading, t, rec)
	if err != nil {
		v.stray(name, "what it answered cannot be shown again: %v", err)
		return
	}
	if s := doc.mark(); rec.Seq < s.Seq || rec.Seq > s.Last {
		v.stray(name, "it changed %s %s, which says that records %d to %d did", voucherNames[rec.Subject.Kind], rec.Subject.ID, s.Seq, s.Last)
	}
}
