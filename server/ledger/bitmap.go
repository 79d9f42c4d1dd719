package ledger

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"

	"bincard/server/api"
	"bincard/server/store"
)

// The marks tell reports where to look. The records lie in blocks of 256 by
// their counters; for every operation, state, location, owner and channel that
// a block has there is a row that says which of its records have it. The rows
// of a block are written with its last record; what comes after the last whole
// block is short enough to be looked at.
const (
	bitmapTable = "marks"
	blockSize   = 256
)

// A term is what a record may have, as the marks' keys begin with it. Of a
// place it is the beginning of its id: where two begin alike a report looks at
// some records in vain.
type term string

const (
	operationTerm = 1 + iota
	stateTerm
	locationTerm
	ownerTerm
	channelTerm
)

func termOf(kind byte, of byte) term      { return term([]byte{kind, of}) }
func placeTerm(kind byte, id api.ID) term { return term([]byte{kind, id[0], id[1], id[2], id[3]}) }

func (s term) key(block uint64) []byte {
	return binary.BigEndian.AppendUint32(append(make([]byte, 0, len(s)+4), s...), uint32(block))
}

// blockOf is the block of a record; it begins with record firstOf.
func blockOf(seq uint64) uint64      { return (seq - 1) / blockSize }
func firstSeqOf(block uint64) uint64 { return block*blockSize + 1 }
func wholeBlocks(end uint64) uint64  { return end / blockSize } // of the records up to end

// A blockSet is a set of the records of a block, a bit each.
type blockSet [blockSize / 64]uint64

var fullBlock = blockSet{math.MaxUint64, math.MaxUint64, math.MaxUint64, math.MaxUint64}

func (s *blockSet) add(place int) { s[place/64] |= 1 << (place % 64) }

func (s *blockSet) and(t *blockSet) (any uint64) {
	for i := range s {
		s[i] &= t[i]
		any |= s[i]
	}
	return any
}

// last is the greatest member below the limit, -1 where there is none.
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

// append writes the members, a byte each, or all bits where that is shorter.
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
		return errTruncated
	default:
		for i, place := range data {
			if i > 0 && place <= data[i-1] {
				return errTruncated
			}
			s.add(int(place))
		}
	}
	return nil
}

// A block gathers the marks of one block.
type block struct {
	rd      *readTx
	bitmaps map[term]*blockSet
	header  entryHeader
}

// add gathers what the record at a place of the block has.
func (x *block) add(place int, data []byte) error {
	if err := x.header.read(data); err != nil {
		return err
	}
	for ops := x.header.operations; ops != 0; ops &= ops - 1 {
		x.set(termOf(operationTerm, byte(bits.TrailingZeros64(ops))), place)
	}
	for states := x.header.states; states != 0; states &= states - 1 {
		x.set(termOf(stateTerm, byte(bits.TrailingZeros64(states))), place)
	}
	for _, id := range x.header.balances {
		k, err := balanceKeys.Shared(x.rd.r, id)
		if err != nil {
			return err
		}
		if k == nil {
			continue // which verify tells of
		}
		x.set(placeTerm(locationTerm, k.Location), place)
		x.set(placeTerm(ownerTerm, k.Owner), place)
		x.set(placeTerm(channelTerm, k.Channel), place)
	}
	return nil
}

func (x *block) set(s term, place int) {
	set := x.bitmaps[s]
	if set == nil {
		set = new(blockSet)
		x.bitmaps[s] = set
	}
	set.add(place)
}

// saveBitmaps writes the marks of a block that the record, which is written, ends.
func (c *writeTx) saveBitmaps() error {
	if c.entry.Seq%blockSize != 0 || c.entry.Seq > localFrom {
		return nil
	}
	n := blockOf(c.entry.Seq)
	x := block{rd: c.readTx, bitmaps: map[term]*blockSet{}}
	span := store.Range{From: seqKey(firstSeqOf(n)), To: seqKey(c.entry.Seq + 1)}
	err := c.tx.Scan(journal.Name, span, func(key, data []byte) error {
		return x.add(int(binary.BigEndian.Uint64(key)-firstSeqOf(n)), data)
	})
	if err != nil {
		return fmt.Errorf("bitmap block of journal entry %d: %w", c.entry.Seq, err)
	}
	for s, set := range x.bitmaps {
		if err := c.tx.Put(bitmapTable, s.key(n), set.append(nil)); err != nil {
			return err
		}
	}
	return nil
}

// checkBitmaps holds the marks of the block that a record ends. The rows that
// are there beside them are counted at the end.
func (v *verification) checkBitmaps(seq uint64, data []byte) error {
	if v.block.bitmaps == nil || seq%blockSize == 1 {
		v.block = block{rd: v.readTx, bitmaps: map[term]*blockSet{}}
	}
	if err := v.block.add(int((seq-1)%blockSize), data); err != nil {
		return nil // told already, with the record
	}
	if seq%blockSize != 0 {
		return nil
	}
	for s, set := range v.block.bitmaps {
		v.bitmaps++
		row, err := v.r.Get(bitmapTable, s.key(blockOf(seq)))
		if err != nil {
			return err
		}
		if !bytes.Equal(row, set.append(nil)) {
			v.reportFault(bitmapTable, "row %x does not match journal entries %d to %d", s.key(blockOf(seq)), firstSeqOf(blockOf(seq)), seq)
		}
	}
	return nil
}

// checkBitmapTable holds that there are no other marks.
func (v *verification) checkBitmapTable() error {
	found := 0
	err := v.r.Scan(bitmapTable, store.Range{}, func(_, _ []byte) error { found++; return nil })
	if err == nil && found != v.bitmaps {
		v.reportFault(bitmapTable, "has %d rows; the journal requires %d", found, v.bitmaps)
	}
	return err
}
