package journal

import (
	"encoding/binary"

	"bincard/server/api"
	"bincard/server/store/wire"
)

// appendBalanceAfter writes a bitmap of the quantities that are not zero, then
// those quantities.
func appendBalanceAfter(b []byte, s *BalanceAfter) []byte {
	b = append(b, s.Balance[:]...)
	b = binary.AppendVarint(b, s.Version)
	at := len(b)
	b = append(b, 0)
	for i, n := range s.Q {
		if n != 0 {
			b[at] |= 1 << i
			b = binary.AppendVarint(b, n)
		}
	}

	return b
}

func (d *RowReader) balanceAfter(s *BalanceAfter) {
	copy(s.Balance[:], d.Next(16))
	s.Version = d.Varint()
	nonZero := d.Byte()
	for i := range s.Q {
		if nonZero&(1<<i) != 0 {
			s.Q[i] = d.Varint()
		}
	}
}

// documentCreated is set in the kind of a document that the write created.
const documentCreated = 1 << 7

func appendDocumentRef(b []byte, s *DocumentRef) []byte {
	if s.Created {
		b = binary.BigEndian.AppendUint32(append(b, byte(s.Kind)|documentCreated), s.Sum)
	} else {
		b = append(b, byte(s.Kind))
	}

	return wire.AppendText(append(b, s.ID[:]...), s.State)
}

func (d *RowReader) documentRef(s *DocumentRef) {
	kind := d.Byte()
	s.Kind = DocumentKind(kind &^ documentCreated)
	if s.Kind == 0 || int(s.Kind) >= len(DocumentKindNames) {
		d.Fail()
		s.Kind = 0
		return
	}

	if s.Created = kind&documentCreated != 0; s.Created {
		if sum := d.Next(4); sum != nil {
			s.Sum = binary.BigEndian.Uint32(sum)
		}
	}

	copy(s.ID[:], d.Next(16))
	s.State = d.bytes()
}

// The second byte of a movement: its state and its flags.
const (
	moveState   = 1<<3 - 1
	moveLot     = 1 << 3
	moveNote    = 1 << 4
	moveSerials = 1 << 5
	moveBalance = 1 << 6 // other than the first
	moveAll     = 1<<7 - 1
)

func appendMovement(b []byte, m *Movement) []byte {
	head := byte(m.State)
	if m.Lot != api.NoID {
		head |= moveLot
	}
	if len(m.Metadata) > 0 {
		head |= moveNote
	}
	if len(m.Serials) > 0 {
		head |= moveSerials
	}
	if m.Balance != 0 {
		head |= moveBalance
	}

	b = append(b, OperationNumber(m.Op), head)
	if m.Balance != 0 {
		b = binary.AppendUvarint(b, uint64(m.Balance))
	}

	b = binary.AppendVarint(b, m.Delta)
	if head&moveLot != 0 {
		b = append(b, m.Lot[:]...)
	}
	if head&moveNote != 0 {
		b = wire.AppendText(b, m.Metadata)
	}

	if head&moveSerials != 0 {
		b = binary.AppendUvarint(b, uint64(len(m.Serials)))
		for _, s := range m.Serials {
			b = binary.AppendUvarint(b, uint64(s))
		}
	}

	return b
}

func (d *RowReader) movement(m *Movement) {
	n, head := d.Byte(), d.Byte()
	if m.Op = operationOf(n); m.Op == "" || head > moveAll {
		d.Fail()
		return
	}

	m.State = int(head & moveState)
	if head&moveBalance != 0 {
		m.Balance = d.index()
	}

	m.Delta = d.Varint()
	if head&moveLot != 0 {
		copy(m.Lot[:], d.Next(16))
	}
	if head&moveNote != 0 {
		m.Metadata = d.bytes()
	}
	if head&moveSerials == 0 {
		return
	}

	m.Serials = make([]int, d.Count())
	for i := range m.Serials {
		m.Serials[i] = d.index()
	}
}

// index reads an index into a list of the entry.
func (d *RowReader) index() int {
	n := d.Uvarint()
	if n > 1<<30 {
		d.Fail()
		return 0
	}
	return int(n)
}
