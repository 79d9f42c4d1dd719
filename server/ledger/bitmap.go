package ledger

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/store"
	"bincard/server/store/wire"
)

// The bitmap index tells reports which journal entries to read. Entries are
// grouped by sequence number into blocks of 256. For each term (an operation,
// state, location, owner or channel) that occurs in a block, a row has the set of
// entries with the term. The rows of a block are written with its last entry;
// reports read the entries after the last whole block one by one.
const (
	bitmapTable = "marks"
	blockSize   = 256
)

// A term is the prefix of a bitmap key. Of an id it has the first four bytes:
// when two ids share them, a report reads some entries that do not match.
type term string

const (
	operationTerm = 1 + iota
	stateTerm
	locationTerm
	ownerTerm
	channelTerm
)

func termOf(kind byte, of byte) term   { return term([]byte{kind, of}) }
func idTerm(kind byte, id api.ID) term { return term([]byte{kind, id[0], id[1], id[2], id[3]}) }

func (s term) key(block uint64) []byte {
	return binary.BigEndian.AppendUint32(append(make([]byte, 0, len(s)+4), s...), uint32(block))
}

// blockOf returns the block of an entry. A block begins with entry firstSeqOf.
func blockOf(seq uint64) uint64      { return (seq - 1) / blockSize }
func firstSeqOf(block uint64) uint64 { return block*blockSize + 1 }
func wholeBlocks(end uint64) uint64  { return end / blockSize } // of the records up to end

// A blockSet is a set of entries of a block, as a bitmap.
type blockSet [blockSize / 64]uint64

var fullBlock = blockSet{math.MaxUint64, math.MaxUint64, math.MaxUint64, math.MaxUint64}

func (s *blockSet) add(i int) { s[i/64] |= 1 << (i % 64) }

func (s *blockSet) and(t *blockSet) (any uint64) {
	for i := range s {
		s[i] &= t[i]
		any |= s[i]
	}
	return any
}

// last returns the greatest member below limit, or -1.
func (s *blockSet) last(limit int) int {
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

func (s *blockSet) size() (n int) {
	for _, word := range s {
		n += bits.OnesCount64(word)
	}
	return n
}

// append writes one byte per member, or the bitmap when that is shorter.
func (s *blockSet) append(b []byte) []byte {
	if s.size() >= blockSize/8 {
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

func (s *blockSet) read(data []byte) error {
	*s = blockSet{}
	switch {
	case len(data) == blockSize/8:
		for i := range s {
			s[i] = binary.BigEndian.Uint64(data[8*i:])
		}
	case len(data) == 0 || len(data) > blockSize/8:
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

// A block collects the sets of one block.
type block struct {
	tx      *readTx
	bitmaps map[term]*blockSet
	header  journal.Header
}

func newBlock(tx *readTx) *block { return &block{tx: tx, bitmaps: map[term]*blockSet{}} }

// add adds the terms of the i-th entry of the block.
func (x *block) add(i int, data []byte) error {
	if err := x.header.Read(data); err != nil {
		return err
	}
	for ops := x.header.Operations; ops != 0; ops &= ops - 1 {
		x.set(termOf(operationTerm, byte(bits.TrailingZeros64(ops))), i)
	}
	for states := x.header.States; states != 0; states &= states - 1 {
		x.set(termOf(stateTerm, byte(bits.TrailingZeros64(states))), i)
	}
	for _, id := range x.header.Balances {
		k, err := balanceKeys.Shared(x.tx.r, id)
		if err != nil {
			return err
		}
		if k == nil {
			continue // verify reports it
		}
		x.set(idTerm(locationTerm, k.Location), i)
		x.set(idTerm(ownerTerm, k.Owner), i)
		x.set(idTerm(channelTerm, k.Channel), i)
	}
	return nil
}

func (x *block) set(t term, i int) {
	set := x.bitmaps[t]
	if set == nil {
		set = new(blockSet)
		x.bitmaps[t] = set
	}
	set.add(i)
}

// saveBitmaps writes the bitmap rows of a block that an entry, already stored, ends.
func saveBitmaps(read *readTx, tx store.Tx, e *journal.Entry) error {
	if e.Seq%blockSize != 0 || e.Seq > localFrom {
		return nil
	}
	n := blockOf(e.Seq)
	x := newBlock(read)
	span := store.Range{From: journal.SeqKey(firstSeqOf(n)), To: journal.SeqKey(e.Seq + 1)}
	err := tx.Scan(journal.Entries.Name, span, func(key, data []byte) error {
		return x.add(int(binary.BigEndian.Uint64(key)-firstSeqOf(n)), data)
	})
	if err != nil {
		return fmt.Errorf("bitmap block of journal entry %d: %w", e.Seq, err)
	}
	for t, set := range x.bitmaps {
		if err := tx.Put(bitmapTable, t.key(n), set.append(nil)); err != nil {
			return err
		}
	}
	return nil
}

// checkBitmaps checks the rows of the block that an entry ends; checkBitmapTable
// then checks that there are no others.
func (v *verification) checkBitmaps(seq uint64, data []byte) error {
	if v.block == nil || seq%blockSize == 1 {
		v.block = newBlock(v.readTx)
	}
	if err := v.block.add(int((seq-1)%blockSize), data); err != nil {
		return nil // already reported with the entry
	}
	if seq%blockSize != 0 {
		return nil
	}
	for t, set := range v.block.bitmaps {
		v.bitmaps++
		row, err := v.r.Get(bitmapTable, t.key(blockOf(seq)))
		if err != nil {
			return err
		}
		if !bytes.Equal(row, set.append(nil)) {
			v.reportFault(bitmapTable, "row %x does not match journal entries %d to %d", t.key(blockOf(seq)), firstSeqOf(blockOf(seq)), seq)
		}
	}
	return nil
}

// checkBitmapTable checks that the table has no further rows.
func (v *verification) checkBitmapTable() error {
	found := 0
	err := v.r.Scan(bitmapTable, store.Range{}, func(_, _ []byte) error { found++; return nil })
	if err == nil && found != v.bitmaps {
		v.reportFault(bitmapTable, "has %d rows; the journal requires %d", found, v.bitmaps)
	}
	return err
}
