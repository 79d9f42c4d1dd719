package ledger

import (
	"encoding/binary"
	"fmt"
	"time"

	"bincard/server/api"
)

// recordCodec writes records compactly: they are most of what the ledger keeps.
type recordCodec struct{}

const recordFormat = 2

func (recordCodec) Append(b []byte, r *record) ([]byte, error) {
	b = append(b, recordFormat)
	b = binary.AppendUvarint(b, r.Seq)
	b = binary.AppendVarint(b, r.At.UnixMilli())
	b = append(b, r.Fingerprint[:]...)
	b = appendToken(b, r.Key)
	for _, s := range []string{r.Spec, r.Source, r.Reason, r.ReferenceType, r.ReferenceID, r.UnitCode, r.BaseUnitCode} {
		b = appendText(b, s)
	}
	b = appendActor(b, &r.Actor)
	b = appendActor(b, r.Operator)
	b = binary.AppendVarint(b, r.UnitQuantity)
	b = appendText(b, r.Metadata)
	b = appendText(b, r.Document)
	b = binary.AppendUvarint(b, uint64(len(r.Balances)))
	for i := range r.Balances {
		s := &r.Balances[i]
		b = append(b, s.Balance[:]...)
		b = binary.AppendVarint(b, s.Version)
		b = appendQuantities(b, &s.Q)
	}
	b = binary.AppendUvarint(b, uint64(len(r.Serials)))
	for i := range r.Serials {
		b = appendSerial(b, &r.Serials[i])
	}
	b = binary.AppendUvarint(b, uint64(len(r.Moves)))
	for i := range r.Moves {
		b = appendMove(b, &r.Moves[i])
	}
	return b, nil
}

func appendMove(b []byte, m *move) []byte {
	b = append(b, operationNumber(m.Op), byte(m.State))
	b = binary.AppendUvarint(b, uint64(m.Balance))
	b = appendID(b, m.Lot)
	b = binary.AppendVarint(b, m.Delta)
	b = binary.AppendVarint(b, m.Before)
	b = appendText(b, m.Metadata)
	b = binary.AppendUvarint(b, uint64(len(m.Serials)))
	for _, s := range m.Serials {
		b = binary.AppendUvarint(b, uint64(s))
	}
	return b
}

func (recordCodec) Decode(data []byte, r *record) error {
	d := reader{data: data}
	if f := d.byte(); f != recordFormat {
		return fmt.Errorf("the record is of format %d and this program reads format %d; use the program that wrote it", f, recordFormat)
	}
	r.Seq = d.uvarint()
	r.At = time.UnixMilli(d.varint()).UTC()
	copy(r.Fingerprint[:], d.take(16))
	r.Key = d.token()
	for _, s := range []*string{&r.Spec, &r.Source, &r.Reason, &r.ReferenceType, &r.ReferenceID, &r.UnitCode, &r.BaseUnitCode} {
		*s = string(d.text())
	}
	if a := d.actor(); a != nil {
		r.Actor = *a
	}
	r.Operator = d.actor()
	r.UnitQuantity = d.varint()
	r.Metadata = d.bytes()
	r.Document = d.bytes()
	r.Balances = make([]standing, d.count())
	for i := range r.Balances {
		s := &r.Balances[i]
		copy(s.Balance[:], d.take(16))
		s.Version = d.varint()
		d.quantities(&s.Q)
	}
	r.Serials = make([]api.Serial, d.count())
	for i := range r.Serials {
		d.serial(&r.Serials[i])
	}
	r.Moves = make([]move, d.count())
	for i := range r.Moves {
		d.move(&r.Moves[i])
	}
	if err := d.err(); err != nil {
		return err
	}
	return r.sound()
}

// sound holds that the places a record names are within it.
func (r *record) sound() error {
	for i := range r.Moves {
		m := &r.Moves[i]
		if m.Balance >= len(r.Balances) || m.State >= len(api.States) {
			return errTruncated
		}
		for _, s := range m.Serials {
			if s >= len(r.Serials) {
				return errTruncated
			}
		}
	}
	return nil
}

func (d *reader) move(m *move) {
	m.Op = operationOf(d.byte())
	m.State = int(d.byte())
	m.Balance = int(d.uvarint())
	m.Lot = d.id()
	m.Delta = d.varint()
	m.Before = d.varint()
	m.Metadata = d.bytes()
	if n := d.count(); n > 0 {
		m.Serials = make([]int, n)
		for i := range m.Serials {
			m.Serials[i] = int(d.uvarint())
		}
	}
}

// operationNumber is the stored number of an operation: its place in the
// interface's list, counted from 1, which never changes.
func operationNumber(op api.MovementOperation) byte { return operationNumbers[op] }

func operationOf(n byte) api.MovementOperation {
	if n == 0 {
		return api.OpReservationCreate
	}
	if int(n) > len(api.MovementOperations) {
		return ""
	}
	return api.MovementOperations[n-1]
}

var operationNumbers = func() map[api.MovementOperation]byte {
	m := map[api.MovementOperation]byte{api.OpReservationCreate: 0}
	for i, op := range api.MovementOperations {
		m[op] = byte(i + 1)
	}
	return m
}()
