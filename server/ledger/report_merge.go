package ledger

import (
	"errors"
	"math"
	"slices"
	"sort"
	"time"

	"bincard/server/store"
)

// mergeWidth is how many balances' histories a report merges at most.
const mergeWidth = 128

// merge looks at the histories of the balances together, newest first.
func (p *movementPage) merge() error {
	for looked, to := 0, p.to; ; {
		seqs, floor, err := p.newest(to)
		if err != nil {
			return err
		}
		for _, seq := range seqs {
			if looked == rowBudget {
				p.stop()
				return nil
			}
			looked++
			data, err := p.rd.r.Get(records.Name, seqKey(seq))
			if err != nil {
				return err
			}
			if data == nil {
				return lost(seq)
			}
			if err := p.look(seq, data); err != nil {
				if errors.Is(err, store.ErrStop) {
					return nil
				}
				return err
			}
		}
		if floor <= p.from {
			return nil
		}
		to = floor
	}
}

// newest lists, greatest first, the counters in [floor, to) at which one of the
// balances was moved; what lies below floor was not looked at.
func (p *movementPage) newest(to uint64) (seqs []uint64, floor uint64, err error) {
	floor = p.from
	for _, id := range p.of {
		b, err := p.rd.known(id)
		if err != nil {
			return nil, 0, err
		}
		n, lowest := 0, uint64(0)
		err = p.rd.past(b, p.from, to, true, func(seq uint64, _ []byte) error {
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
	}
	slices.Sort(seqs)
	seqs = slices.Compact(seqs)
	slices.Reverse(seqs)
	cut := sort.Search(len(seqs), func(i int) bool { return seqs[i] < floor })
	return seqs[:cut], floor, nil
}

// window turns instants into counters: [from, to). The ledger's time never
// runs back, so it is searched by halves.
func (rd *reading) window(from, to *time.Time) (uint64, uint64, error) {
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
func (rd *reading) firstAt(t time.Time, end uint64) (uint64, error) {
	if end >= math.MaxInt {
		return 0, errTruncated
	}
	var failed error
	i := sort.Search(int(end), func(i int) bool {
		rec, err := rd.record(uint64(i) + 1)
		if err != nil {
			failed = err
			return true
		}
		return !rec.At.Before(t)
	})
	return uint64(i) + 1, failed
}
