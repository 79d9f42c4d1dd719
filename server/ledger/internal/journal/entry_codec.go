package journal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"bincard/server/api"
	"bincard/server/store/wire"
)

// Codec writes entries compactly, because they are most of the ledger's
// data. The balances and movements come first: see Header.
type Codec struct{}

const entryFormat = 3

// Flags of an entry.
const (
	hasReason = 1 << iota
	hasReference
	refersToDocument // the reference is the document
	hasDocumentRef
	hasOperator
	hasUnits
	hasMetadata
	hasDocument
	hasSerials
	hasAdded // tagged fields up to the end of the row
	hasAll   = 1<<iota - 1
)

func (r *Entry) has(added bool) (bits uint64) {
	own := r.refersToItself()
	for _, x := range []struct {
		bit uint64
		is  bool
	}{{hasReason, r.Reason != ""}, {hasReference, !own && (r.ReferenceType != "" || r.ReferenceID != "")}, {refersToDocument, own},
		{hasDocumentRef, r.DocumentRef.Kind != 0}, {hasOperator, r.Operator != nil},
		{hasUnits, r.UnitCode != "" || r.UnitQuantity != 0 || r.BaseUnitCode != ""}, {hasMetadata, len(r.Metadata) > 0},
		{hasDocument, len(r.Document) > 0}, {hasSerials, len(r.Serials) > 0}, {hasAdded, added}} {
		if x.is {
			bits |= x.bit
		}
	}

	return bits
}

// refersToItself reports whether the reference is the document of the entry.
func (r *Entry) refersToItself() bool {
	if r.DocumentRef.Kind == 0 || len(r.ReferenceID) != 36 || r.ReferenceType != DocumentKindNames[r.DocumentRef.Kind] {
		return false
	}
	id, ok := ParseCanonicalUUID(r.ReferenceID)
	return ok && id == r.DocumentRef.ID
}

var errBrokenChain = errors.New("movements do not add up to the balances after")

// Append encodes an entry. It checks that the movements lead to the balances after.
func (Codec) Append(b []byte, r *Entry) ([]byte, error) {
	var buf [len(previousTag) + len(Hash{})]byte
	tagged := r.appendAdded(buf[:0])
	has := r.has(len(tagged) > 0)
	b = append(b, entryFormat)
	b = binary.AppendUvarint(b, r.Seq)
	b = binary.AppendVarint(b, r.At.UnixMilli())
	b = binary.AppendUvarint(b, has)
	b = binary.AppendUvarint(b, uint64(len(r.Balances)))
	for i := range r.Balances {
		b = appendBalanceAfter(b, &r.Balances[i])
	}

	b = binary.AppendUvarint(b, uint64(len(r.Movements)))
	for i := range r.Movements {
		b = appendMovement(b, &r.Movements[i])
	}

	b = append(b, r.Fingerprint[:]...)
	b = appendToken(b, r.Key)
	b = appendKnown(b, knownSpecs, r.Spec)
	b = appendKnown(b, knownSources, r.Source)
	b = appendActor(b, &r.Actor)
	if has&hasReason != 0 {
		b = wire.AppendText(b, r.Reason)
	}
	if has&hasReference != 0 {
		b = appendToken(wire.AppendText(b, r.ReferenceType), r.ReferenceID)
	}
	if has&hasDocumentRef != 0 {
		b = appendDocumentRef(b, &r.DocumentRef)
	}
	if has&hasOperator != 0 {
		b = appendActor(b, r.Operator)
	}
	if has&hasUnits != 0 {
		b = binary.AppendVarint(wire.AppendText(wire.AppendText(b, r.UnitCode), r.BaseUnitCode), r.UnitQuantity)
	}
	if has&hasMetadata != 0 {
		b = wire.AppendText(b, r.Metadata)
	}
	if has&hasDocument != 0 {
		b = wire.AppendText(b, r.Document)
	}

	if has&hasSerials != 0 {
		b = binary.AppendUvarint(b, uint64(len(r.Serials)))
		for i := range r.Serials {
			b = appendSerial(b, &r.Serials[i])
		}
	}

	b = append(b, tagged...)

	return b, r.eachBackwards(func(m *Movement, before int64) error {
		if m.Before != before {
			return errBrokenChain
		}
		return nil
	})
}

// Decode decodes an entry.
func (Codec) Decode(data []byte, r *Entry) error {
	d := ReadRow(data)
	if f := d.Byte(); f != entryFormat {
		return fmt.Errorf(
			"the journal entry has format %d, but this program reads format %d; use the program that wrote it", f,
			entryFormat)
	}

	r.Seq = d.Uvarint()
	r.At = time.UnixMilli(d.Varint()).UTC()
	has := d.Uvarint()
	r.Balances = make([]BalanceAfter, d.Count())
	for i := range r.Balances {
		d.balanceAfter(&r.Balances[i])
	}

	r.Movements = make([]Movement, d.Count())
	for i := range r.Movements {
		d.movement(&r.Movements[i])
	}

	copy(r.Fingerprint[:], d.Next(16))
	r.Key = d.token()
	r.Spec = d.known(knownSpecs)
	r.Source = d.known(knownSources)
	if a := d.actor(); a != nil {
		r.Actor = *a
	}

	d.entryRest(has, r)
	if has&hasAdded != 0 {
		if d.Bad || len(d.Data) == 0 {
			return wire.ErrTruncated
		}
		if err := r.readAdded(d.Data); err != nil {
			return err
		}
		d.Data = nil
	}

	if err := d.Err(); err != nil {
		return err
	}

	return r.check()
}

// entryRest reads the optional fields.
func (d *RowReader) entryRest(has uint64, r *Entry) {
	if has > hasAll {
		d.Fail()
	}
	if has&hasReason != 0 {
		r.Reason = string(d.Text())
	}
	if has&hasReference != 0 {
		r.ReferenceType, r.ReferenceID = string(d.Text()), d.token()
	}
	if has&hasDocumentRef != 0 {
		d.documentRef(&r.DocumentRef)
	}
	if has&refersToDocument != 0 {
		r.ReferenceType, r.ReferenceID = DocumentKindNames[r.DocumentRef.Kind], r.DocumentRef.ID.String()
	}
	if has&hasOperator != 0 {
		r.Operator = d.actor()
	}
	if has&hasUnits != 0 {
		r.UnitCode, r.BaseUnitCode, r.UnitQuantity = string(d.Text()), string(d.Text()), d.Varint()
	}
	if has&hasMetadata != 0 {
		r.Metadata = d.bytes()
	}
	if has&hasDocument != 0 {
		r.Document = d.bytes()
	}

	if has&hasSerials != 0 {
		r.Serials = make([]api.Serial, d.Count())
		for i := range r.Serials {
			d.serial(&r.Serials[i])
		}
	}
}

// check checks the indexes of an entry, and sets the quantity before each movement.
func (r *Entry) check() error {
	for i := range r.Movements {
		m := &r.Movements[i]
		if m.Balance >= len(r.Balances) {
			return wire.ErrTruncated
		}
		for _, s := range m.Serials {
			if s >= len(r.Serials) {
				return wire.ErrTruncated
			}
		}
	}

	return r.eachBackwards(func(m *Movement, before int64) error { m.Before = before; return nil })
}

// eachBackwards calls fn for each movement, last first, with the quantity before
// it. That quantity is not stored: it follows from the balances after the write
// and the later movements.
func (r *Entry) eachBackwards(fn func(m *Movement, before int64) error) error {
	var buf [4][8]int64
	after := buf[:0]
	for i := range r.Balances {
		after = append(after, r.Balances[i].Q)
	}

	for i := len(r.Movements) - 1; i >= 0; i-- {
		m := &r.Movements[i]
		q := &after[m.Balance][m.State]
		*q -= m.Delta
		if err := fn(m, *q); err != nil {
			return err
		}
	}

	return nil
}
