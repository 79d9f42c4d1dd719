package ledger

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"bincard/server/api"
	"bincard/server/store/wire"
)

// entryCodec writes entries compactly, because they are most of the ledger's
// data. The balances and movements come first: see entryHeader.
type entryCodec struct{}

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

func (r *entry) has() (bits uint64) {
	own := r.refersToItself()
	for _, x := range []struct {
		bit uint64
		is  bool
	}{{hasReason, r.Reason != ""}, {hasReference, !own && (r.ReferenceType != "" || r.ReferenceID != "")}, {refersToDocument, own},
		{hasDocumentRef, r.DocumentRef.Kind != 0}, {hasOperator, r.Operator != nil},
		{hasUnits, r.UnitCode != "" || r.UnitQuantity != 0 || r.BaseUnitCode != ""}, {hasMetadata, len(r.Metadata) > 0},
		{hasDocument, len(r.Document) > 0}, {hasSerials, len(r.Serials) > 0}, {hasAdded, len(r.unknown) > 0}} {
		if x.is {
			bits |= x.bit
		}
	}
	return bits
}

// refersToItself reports whether the reference is the document of the entry.
func (r *entry) refersToItself() bool {
	if r.DocumentRef.Kind == 0 || len(r.ReferenceID) != 36 || r.ReferenceType != documentKindNames[r.DocumentRef.Kind] {
		return false
	}
	id, ok := parseCanonicalUUID(r.ReferenceID)
	return ok && id == r.DocumentRef.ID
}

var errBrokenChain = errors.New("movements do not add up to the balances after")

func (entryCodec) Append(b []byte, r *entry) ([]byte, error) {
	has := r.has()
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
		b = appendText(b, r.Reason)
	}
	if has&hasReference != 0 {
		b = appendToken(appendText(b, r.ReferenceType), r.ReferenceID)
	}
	if has&hasDocumentRef != 0 {
		b = appendDocumentRef(b, &r.DocumentRef)
	}
	if has&hasOperator != 0 {
		b = appendActor(b, r.Operator)
	}
	if has&hasUnits != 0 {
		b = binary.AppendVarint(appendText(appendText(b, r.UnitCode), r.BaseUnitCode), r.UnitQuantity)
	}
	if has&hasMetadata != 0 {
		b = appendText(b, r.Metadata)
	}
	if has&hasDocument != 0 {
		b = appendText(b, r.Document)
	}
	if has&hasSerials != 0 {
		b = binary.AppendUvarint(b, uint64(len(r.Serials)))
		for i := range r.Serials {
			b = appendSerial(b, &r.Serials[i])
		}
	}
	b = append(b, r.unknown...)
	return b, r.eachBackwards(func(m *movement, before int64) error {
		if m.Before != before {
			return errBrokenChain
		}
		return nil
	})
}

func (entryCodec) Decode(data []byte, r *entry) error {
	d := rowReader{data: data}
	if f := d.byte(); f != entryFormat {
		return fmt.Errorf("the journal entry has format %d, but this program reads format %d; use the program that wrote it", f, entryFormat)
	}
	r.Seq = d.uvarint()
	r.At = time.UnixMilli(d.varint()).UTC()
	has := d.uvarint()
	r.Balances = make([]balanceAfter, d.count())
	for i := range r.Balances {
		d.balanceAfter(&r.Balances[i])
	}
	r.Movements = make([]movement, d.count())
	for i := range r.Movements {
		d.movement(&r.Movements[i])
	}
	copy(r.Fingerprint[:], d.next(16))
	r.Key = d.token()
	r.Spec = d.known(knownSpecs)
	r.Source = d.known(knownSources)
	if a := d.actor(); a != nil {
		r.Actor = *a
	}
	d.entryRest(has, r)
	if has&hasAdded != 0 {
		var err error
		if r.unknown, err = d.added(); err != nil {
			return err
		}
		d.data = nil
	}
	if err := d.err(); err != nil {
		return err
	}
	return r.check()
}

// entryRest reads the optional fields.
func (d *rowReader) entryRest(has uint64, r *entry) {
	if has > hasAll {
		d.bad = true
	}
	if has&hasReason != 0 {
		r.Reason = string(d.text())
	}
	if has&hasReference != 0 {
		r.ReferenceType, r.ReferenceID = string(d.text()), d.token()
	}
	if has&hasDocumentRef != 0 {
		d.documentRef(&r.DocumentRef)
	}
	if has&refersToDocument != 0 {
		r.ReferenceType, r.ReferenceID = documentKindNames[r.DocumentRef.Kind], r.DocumentRef.ID.String()
	}
	if has&hasOperator != 0 {
		r.Operator = d.actor()
	}
	if has&hasUnits != 0 {
		r.UnitCode, r.BaseUnitCode, r.UnitQuantity = string(d.text()), string(d.text()), d.varint()
	}
	if has&hasMetadata != 0 {
		r.Metadata = d.bytes()
	}
	if has&hasDocument != 0 {
		r.Document = d.bytes()
	}
	if has&hasSerials != 0 {
		r.Serials = make([]api.Serial, d.count())
		for i := range r.Serials {
			d.serial(&r.Serials[i])
		}
	}
}

// check checks the indexes of an entry, and sets the quantity before each movement.
func (r *entry) check() error {
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
	return r.eachBackwards(func(m *movement, before int64) error { m.Before = before; return nil })
}

// eachBackwards calls fn for each movement, last first, with the quantity before
// it. That quantity is not stored: it follows from the balances after the write
// and the later movements.
func (r *entry) eachBackwards(fn func(m *movement, before int64) error) error {
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
