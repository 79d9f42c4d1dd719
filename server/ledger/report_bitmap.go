package ledger

import (
	"encoding/binary"
	"errors"

	"bincard/server/api"
	"bincard/server/store"
)

// terms are what the marks know of what is asked for.
func (p *movementPage) terms() (list []term) {
	if p.in.Operation != "" {
		list = append(list, termOf(operationTerm, operationNumber(p.in.Operation)))
	}
	if p.in.InventoryState != "" {
		list = append(list, termOf(stateTerm, byte(p.in.InventoryState.Index())))
	}
	if p.balances != nil {
		return list // the balances are known, and say more than places do
	}
	for _, x := range []struct {
		kind byte
		id   api.ID
	}{{locationTerm, p.in.LocationID}, {ownerTerm, p.in.OwnerID}, {channelTerm, p.in.ChannelID}} {
		if x.id != (api.ID{}) {
			list = append(list, placeTerm(x.kind, x.id))
		}
	}
	return list
}

// A bitmapScanner finds the records that have all of some signs, newest first.
type bitmapScanner struct {
	r     store.Reader
	terms []term
	rows  []bitmapRow // of each sign, the row found last
	steps int
}

type bitmapRow struct {
	block uint64
	set   blockSet
	known bool
}

// next is the greatest block up to n in which records may have all signs, and
// which they are. Where there is none ok is false.
func (w *bitmapScanner) next(n uint64) (found uint64, set blockSet, ok bool, err error) {
	if w.rows == nil {
		w.rows = make([]bitmapRow, len(w.terms))
	}
	for i := 0; i < len(w.terms); {
		at := &w.rows[i]
		if !at.known || at.block > n {
			if err := w.seek(i, n); err != nil || !at.known {
				return 0, set, false, err
			}
		}
		if at.block < n {
			n, i = at.block, 0
			continue
		}
		i++
	}
	set = w.rows[0].set
	for i := range w.rows[1:] {
		set.and(&w.rows[1+i].set)
	}
	return n, set, true, nil
}

// seek finds the row of a sign of the greatest block up to n.
func (w *bitmapScanner) seek(i int, n uint64) error {
	s, at := w.terms[i], &w.rows[i]
	at.known = false
	w.steps++
	return w.r.Scan(bitmapTable, store.Range{From: []byte(s), To: s.key(n + 1), Reverse: true}, func(key, data []byte) error {
		if len(key) != len(s)+4 {
			return errTruncated
		}
		at.block, at.known = uint64(binary.BigEndian.Uint32(key[len(s):])), true
		if err := at.set.read(data); err != nil {
			return err
		}
		return store.ErrStop
	})
}

// stepCost is what a step to another block costs, in rows looked at.
const stepCost = 4

// scanTerms looks at the records that the marks name, newest first, after those
// that no mark is of yet.
func (p *movementPage) scanTerms(signs []term) error {
	end, err := p.rd.confirmedSeq()
	if err != nil {
		return err
	}
	marked := firstSeqOf(wholeBlocks(end))
	if p.to > marked {
		from := p.from
		p.from = max(p.from, marked)
		err := p.scanAll()
		p.from = from
		if err != nil || p.full {
			return err
		}
	}
	w := bitmapScanner{r: p.rd.r, terms: signs}
	for to := min(p.to, marked); to > p.from; {
		n, set, ok, err := w.next(blockOf(to - 1))
		if !ok || err != nil {
			return err
		}
		if firstSeqOf(n+1) <= p.from {
			return nil
		}
		to = min(to, firstSeqOf(n+1))
		for place := set.last(int(to - firstSeqOf(n))); place >= 0; place = set.last(place) {
			seq := firstSeqOf(n) + uint64(place)
			if seq < p.from {
				return nil
			}
			if err := p.visitAt(seq); err != nil || p.full {
				return err
			}
		}
		to = firstSeqOf(n)
		p.last = movementRef{seq: to} // all of the block is looked at
		if p.scanned += stepCost * w.steps; p.scanned >= rowBudget && to > p.from {
			p.stop()
			return nil
		}
		w.steps = 0
	}
	return nil
}

// visitAt looks at one record.
func (p *movementPage) visitAt(seq uint64) error {
	if p.scanned >= rowBudget {
		p.stop()
		return nil
	}
	p.scanned++
	data, err := p.rd.r.Get(journal.Name, seqKey(seq))
	if err != nil {
		return err
	}
	if data == nil {
		return missingEntry(seq)
	}
	if err := p.visit(seq, data); !errors.Is(err, store.ErrStop) {
		return err
	}
	return nil
}
