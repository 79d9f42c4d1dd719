package stored

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/store"
	"bincard/server/store/wire"
)

const (
	// BitmapTable is the name of the table.
	BitmapTable = "marks"
	// BlockSize is the number of entries of a block.
	BlockSize = 256
)

// A Term is the prefix of a bitmap key. Of an id it has the first four bytes:
// when two ids share them, a report reads some entries that do not match.
type Term string

// The kinds of terms.
const (
	OperationTerm = 1 + iota
	StateTerm
	LocationTerm
	OwnerTerm
	ChannelTerm
)

// TermOf returns the term of an operation or a state, by its number.
func TermOf(kind byte, of byte) Term { return Term([]byte{kind, of}) }

// IDTerm returns the term of a location, an owner or a channel.
func IDTerm(kind byte, id api.ID) Term { return Term([]byte{kind, id[0], id[1], id[2], id[3]}) }

// Key returns the row key of the term in a block.
func (s Term) Key(block uint64) []byte {
	return binary.BigEndian.AppendUint32(append(make([]byte, 0, len(s)+4), s...), uint32(block))
}

// BlockOf returns the block of an entry. A block begins with entry FirstSeqOf.
func BlockOf(seq uint64) uint64 { return (seq - 1) / BlockSize }

// FirstSeqOf returns the first entry of a block.
func FirstSeqOf(block uint64) uint64 { return block*BlockSize + 1 }

// WholeBlocks returns the number of whole blocks of the entries up to end.
func WholeBlocks(end uint64) uint64 { return end / BlockSize }

// A BlockSet is a set of entries of a block, as a bitmap.
type BlockSet [BlockSize / 64]uint64

// FullBlock has all entries of a block.
var FullBlock = BlockSet{math.MaxUint64, math.MaxUint64, math.MaxUint64, math.MaxUint64}

func (s *BlockSet) add(i int) { s[i/64] |= 1 << (i % 64) }

// And removes the members that t lacks; any is zero when none are left.
func (s *BlockSet) And(t *BlockSet) (any uint64) {
	for i := range s {
		s[i] &= t[i]
		any |= s[i]
	}
	return any
}

// Last returns the greatest member below limit, or -1.
func (s *BlockSet) Last(limit int) int {
	for i := len(s) - 1; i >= 0; i-- {
		word := s[i]
		if cut := limit - 64*i; cut <= 0 {
			continue
		} else if cut < 64 {
			word &= 1<<cut - 1
		}

		if word != 0 {
			return 64*i + 63 - bits.LeadingZeros64(word)
		}
	}

	return -1
}

// Size returns the number of members.
func (s *BlockSet) Size() (n int) {
	for _, word := range s {
		n += bits.OnesCount64(word)
	}
	return n
}

// Append writes one byte per member, or the bitmap when that is shorter.
func (s *BlockSet) Append(b []byte) []byte {
	if s.Size() >= BlockSize/8 {
		for _, word := range s {
			b = binary.BigEndian.AppendUint64(b, word)
		}
		return b
	}

	for i, word := range s {
		for ; word != 0; word &= word - 1 {
			b = append(b, byte(64*i+bits.TrailingZeros64(word)))
		}
	}

	return b
}

// Read decodes the set of a row.
func (s *BlockSet) Read(data []byte) error {
	*s = BlockSet{}
	switch {
	case len(data) == BlockSize/8:
		for i := range s {
			s[i] = binary.BigEndian.Uint64(data[8*i:])
		}
	case len(data) == 0 || len(data) > BlockSize/8:
		return wire.ErrTruncated
	default:
		for i, member := range data {
			if i > 0 && member <= data[i-1] {
				return wire.ErrTruncated
			}
			s.add(int(member))
		}
	}

	return nil
}

// A Block collects the sets of one block.
type Block struct {
	tx      *Tx
	Bitmaps map[Term]*BlockSet
	header  journal.Header
}

// NewBlock returns a block without entries.
func NewBlock(tx *Tx) *Block { return &Block{tx: tx, Bitmaps: map[Term]*BlockSet{}} }

// Add adds the terms of the i-th entry of the block.
func (x *Block) Add(i int, data []byte) error {
	if err := x.header.Read(data); err != nil {
		return err
	}
	for ops := x.header.Operations; ops != 0; ops &= ops - 1 {
		x.set(TermOf(OperationTerm, byte(bits.TrailingZeros64(ops))), i)
	}
	for states := x.header.States; states != 0; states &= states - 1 {
		x.set(TermOf(StateTerm, byte(bits.TrailingZeros64(states))), i)
	}

	for _, id := range x.header.Balances {
		k, err := BalanceKeys.Shared(x.tx.Reader, id)
		if err != nil {
			return err
		}
		if k == nil {
			continue // verify reports it
		}

		x.set(IDTerm(LocationTerm, k.Location), i)
		x.set(IDTerm(OwnerTerm, k.Owner), i)
		x.set(IDTerm(ChannelTerm, k.Channel), i)
	}

	return nil
}

func (x *Block) set(t Term, i int) {
	set := x.Bitmaps[t]
	if set == nil {
		set = new(BlockSet)
		x.Bitmaps[t] = set
	}
	set.add(i)
}

// SaveBitmaps writes the bitmap rows of a block that an entry, already stored, ends.
func SaveBitmaps(read *Tx, tx store.Tx, e *journal.Entry) error {
	if e.Seq%BlockSize != 0 || e.Seq > LocalFrom {
		return nil
	}

	n := BlockOf(e.Seq)
	x := NewBlock(read)
	span := store.Range{From: journal.SeqKey(FirstSeqOf(n)), To: journal.SeqKey(e.Seq + 1)}
	err := tx.Scan(journal.Entries.Name, span, func(key, data []byte) error {
		return x.Add(int(binary.BigEndian.Uint64(key)-FirstSeqOf(n)), data)
	})
	if err != nil {
		return fmt.Errorf("bitmap block of journal entry %d: %w", e.Seq, err)
	}
	for t, set := range x.Bitmaps {
		if err := tx.Put(BitmapTable, t.Key(n), set.Append(nil)); err != nil {
			return err
		}
	}

	return nil
}
