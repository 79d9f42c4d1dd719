package report

import (
	"slices"
	"sort"

	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
)

// The maximum number of balances whose histories a report merges: for a location, for
// which the bitmap index is an alternative, and for a product, for which it is not.
const (
	mergeWidth   = 128
	productWidth = 1024
)

// merge visits the merged histories of the balances, newest first, skipping entries
// that do not have all terms.
func (p *movementPage) merge(terms []stored.Term) error {
	filter := blockFilter{p: p, terms: terms}
	for to := p.to; ; {
		seqs, floor, err := p.newest(to)
		if err != nil {
			return err
		}

		for _, seq := range seqs {
			if may, err := filter.mayMatch(seq); err != nil {
				return err
			} else if !may {
				p.last = movementRef{seq: seq}
				continue
			}

			if err := p.visitAt(seq); err != nil || p.full {
				return err
			}
		}

		if floor <= p.from {
			return nil
		}
		if p.scanned += filter.steps + filter.skipped/skipCost; p.scanned >= stored.RowBudget {
			p.stop()
			return nil
		}

		filter.steps, filter.skipped = 0, filter.skipped%skipCost
		to = floor
	}
}

// skipCost is how many skipped entries cost as much as one row.
const skipCost = 8

// A blockFilter reports by the bitmap index which entries can be skipped.
type blockFilter struct {
	p     *movementPage
	terms []stored.Term

	block          uint64
	set            stored.BlockSet
	known          bool
	steps, skipped int
}

// mayMatch reports whether an entry may have all terms. Call it block by block.
func (x *blockFilter) mayMatch(seq uint64) (bool, error) {
	if len(x.terms) == 0 {
		return true, nil
	}
	if n := stored.BlockOf(seq); !x.known || n != x.block {
		if err := x.load(n); err != nil {
			return false, err
		}
	}

	i := int(seq - stored.FirstSeqOf(x.block))
	if x.set[i/64]&(1<<(i%64)) == 0 {
		x.skipped++
		return false, nil
	}

	return true, nil
}

// load reads the rows of a block. A block that is not whole has none and matches everything.
func (x *blockFilter) load(n uint64) error {
	x.block, x.known, x.set = n, true, stored.FullBlock
	end, err := confirmedSeq(x.p.tx)
	if err != nil || n >= stored.WholeBlocks(end) {
		return err
	}

	for _, s := range x.terms {
		x.steps++
		var has stored.BlockSet
		data, err := x.p.tx.Reader.Get(stored.BitmapTable, s.Key(n))
		if err == nil && data != nil {
			err = has.Read(data)
		}
		if err != nil {
			return err
		}

		x.set.And(&has)
	}

	return nil
}

// newest returns, descending, the sequence numbers in [floor, to) that move one of
// the balances; numbers below floor were not scanned. With many balances most are
// skipped, because their newest movement is older than the page.
func (p *movementPage) newest(to uint64) (seqs []uint64, floor uint64, err error) {
	floor = p.from
	for id := range p.balances {
		b, err := stored.Balances.Get(p.tx.Reader, id[:])
		if err != nil {
			return nil, 0, err
		}
		if b == nil || b.Last < floor {
			continue
		}
		if p.in.Operation != "" && b.Operations&(1<<journal.OperationNumber(p.in.Operation)) == 0 {
			continue
		}

		n, lowest := 0, uint64(0)
		err = p.tx.ScanHistory(b, floor, to, true, func(seq uint64, value []byte) error {
			if value[0] == stored.OpeningEntry {
				return nil // it belongs to no entry
			}
			if n > p.limit {
				floor = max(floor, lowest)
				return store.ErrStop
			}

			n++
			lowest = seq
			seqs = append(seqs, lowest)

			return nil
		})
		if err != nil {
			return nil, 0, err
		}
		if len(seqs) > 4*(p.limit+1) {
			if seqs = newestSeqs(seqs, p.limit+1); len(seqs) > p.limit {
				floor = max(floor, seqs[p.limit])
			}
		}
	}

	seqs = newestSeqs(seqs, len(seqs))
	cut := sort.Search(len(seqs), func(i int) bool { return seqs[i] < floor })

	return seqs[:cut], floor, nil
}

// newestSeqs returns the n greatest distinct numbers, descending.
func newestSeqs(seqs []uint64, n int) []uint64 {
	slices.Sort(seqs)
	seqs = slices.Compact(seqs)
	slices.Reverse(seqs)
	return seqs[:min(n, len(seqs))]
}
