package ledger

import (
	"math"
	"slices"
	"sort"
	"time"

	"bincard/server/store"
)

// How many balances' histories a report merges at most: those of a location,
// which the marks find as well, and those of a product, which they do not.
const (
	mergeWidth   = 128
	productWidth = 1024
)

// merge looks at the histories of the balances together, newest first, but for
// the records that do not have the signs.
func (p *movementPage) merge(signs []term) error {
	pass := blockFilter{p: p, terms: signs}
	for to := p.to; ; {
		seqs, floor, err := p.newest(to)
		if err != nil {
			return err
		}
		for _, seq := range seqs {
			if may, err := pass.mayMatch(seq); err != nil {
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
		if p.scanned += pass.steps + pass.skipped/skipCost; p.scanned >= rowBudget {
			p.stop()
			return nil
		}
		pass.steps, pass.skipped = 0, pass.skipped%skipCost
		to = floor
	}
}

// skipCost is how many records passed over by their marks cost one looked at.
const skipCost = 8

// A blockFilter tells by the marks which records need not be looked at.
type blockFilter struct {
	p     *movementPage
	terms []term

	block          uint64
	set            blockSet
	known          bool
	steps, skipped int
}

// mayMatch tells whether the record may have all signs. It is asked of one block after the other.
func (x *blockFilter) mayMatch(seq uint64) (bool, error) {
	if len(x.terms) == 0 {
		return true, nil
	}
	if n := blockOf(seq); !x.known || n != x.block {
		if err := x.load(n); err != nil {
			return false, err
		}
	}
	place := int(seq - firstSeqOf(x.block))
	if x.set[place/64]&(1<<(place%64)) == 0 {
		x.skipped++
		return false, nil
	}
	return true, nil
}

// load reads the marks of a block; one that is not whole has none yet.
func (x *blockFilter) load(n uint64) error {
	x.block, x.known, x.set = n, true, fullBlock
	end, err := x.p.rd.confirmedSeq()
	if err != nil || n >= wholeBlocks(end) {
		return err
	}
	for _, s := range x.terms {
		x.steps++
		var has blockSet
		data, err := x.p.rd.r.Get(bitmapTable, s.key(n))
		if err == nil && data != nil {
			err = has.read(data)
		}
		if err != nil {
			return err
		}
		x.set.and(&has)
	}
	return nil
}

// newest lists, greatest first, the counters in [floor, to) at which one of the
// balances was moved; what lies below floor was not looked at. Of many balances
// most are passed over: their newest movement is older than a page is long.
func (p *movementPage) newest(to uint64) (seqs []uint64, floor uint64, err error) {
	floor = p.from
	for id := range p.balances {
		b, err := balances.Get(p.rd.r, id[:])
		if err != nil {
			return nil, 0, err
		}
		if b == nil || b.Last < floor {
			continue
		}
		if p.in.Operation != "" && b.Operations&(1<<operationNumber(p.in.Operation)) == 0 {
			continue
		}
		n, lowest := 0, uint64(0)
		err = p.rd.scanHistory(b, floor, to, true, func(seq uint64, value []byte) error {
			if value[0] == openingEntry {
				return nil // no record made it
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

// newestSeqs are the n greatest, each once, the greatest first.
func newestSeqs(seqs []uint64, n int) []uint64 {
	slices.Sort(seqs)
	seqs = slices.Compact(seqs)
	slices.Reverse(seqs)
	return seqs[:min(n, len(seqs))]
}

// window turns instants into counters: [from, to). The ledger's time never
// runs back, so it is searched by halves.
func (rd *readTx) window(from, to *time.Time) (uint64, uint64, error) {
	end, _, err := rd.counter()
	if err != nil {
		return 0, 0, err
	}
	lo, hi := uint64(1), end+1
	if from != nil {
		lo, err = rd.firstAt(*from, end)
	}
	if to != nil && err == nil {
		hi, err = rd.firstAt(*to, end)
	}
	return lo, hi, err
}

// firstAt is the counter of the first record at or after t.
func (rd *readTx) firstAt(t time.Time, end uint64) (uint64, error) {
	if end >= math.MaxInt {
		return 0, errTruncated
	}
	replica, failed := readReplicaPosition(rd.r)
	if replica.Known {
		return rd.firstAtLocal(t, end, uint64(replica.Seq))
	}
	i := sort.Search(int(end), func(i int) bool {
		rec, err := rd.entryAt(uint64(i) + 1)
		if err != nil {
			failed = err
			return true
		}
		return !rec.At.Before(t)
	})
	return uint64(i) + 1, failed
}
