package report

import (
	"encoding/binary"
	"errors"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
	"bincard/server/store/wire"
)

// terms returns the filters of the request that the bitmap index covers.
func (p *movementPage) terms() (list []stored.Term) {
	if p.in.Operation != "" {
		list = append(list, stored.TermOf(stored.OperationTerm, journal.OperationNumber(p.in.Operation)))
	}
	if p.in.InventoryState != "" {
		list = append(list, stored.TermOf(stored.StateTerm, byte(p.in.InventoryState.Index())))
	}
	if p.balances != nil {
		return list // the balances are more specific than the other terms
	}

	for _, x := range []struct {
		kind byte
		id   api.ID
	}{{stored.LocationTerm, p.in.LocationID}, {stored.OwnerTerm, p.in.OwnerID}, {stored.ChannelTerm, p.in.ChannelID}} {
		if x.id != api.NoID {
			list = append(list, stored.IDTerm(x.kind, x.id))
		}
	}

	return list
}

// A bitmapScanner finds the entries that have all of its terms, newest first.
type bitmapScanner struct {
	r     store.Reader
	terms []stored.Term
	rows  []bitmapRow // the last row read of each term
	steps int
}

type bitmapRow struct {
	block uint64
	set   stored.BlockSet
	known bool
}

// next returns the greatest block up to n that may have entries with all terms, and
// the set of those entries. ok is false if there is none.
func (w *bitmapScanner) next(n uint64) (found uint64, set stored.BlockSet, ok bool, err error) {
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
		set.And(&w.rows[1+i].set)
	}

	return n, set, true, nil
}

// seek reads the row of term i with the greatest block up to n.
func (w *bitmapScanner) seek(i int, n uint64) error {
	s, at := w.terms[i], &w.rows[i]
	at.known = false
	w.steps++

	return w.r.Scan(
		stored.BitmapTable,
		store.Range{From: []byte(s), To: s.Key(n + 1), Reverse: true},
		func(key, data []byte) error {
			if len(key) != len(s)+4 {
				return wire.ErrTruncated
			}
			at.block, at.known = uint64(binary.BigEndian.Uint32(key[len(s):])), true
			if err := at.set.Read(data); err != nil {
				return err
			}
			return store.ErrStop
		},
	)
}

// stepCost is the cost of moving to another block, in rows.
const stepCost = 4

// scanTerms visits the entries that have all terms, newest first. It starts with the
// entries after the last whole block, which are not indexed yet.
func (p *movementPage) scanTerms(terms []stored.Term) error {
	end, err := confirmedSeq(p.tx)
	if err != nil {
		return err
	}

	indexed := stored.FirstSeqOf(stored.WholeBlocks(end))
	if p.to > indexed {
		from := p.from
		p.from = max(p.from, indexed)
		err := p.scanAll()
		p.from = from
		if err != nil || p.full {
			return err
		}
	}

	w := bitmapScanner{r: p.tx.Reader, terms: terms}
	for to := min(p.to, indexed); to > p.from; {
		n, set, ok, err := w.next(stored.BlockOf(to - 1))
		if !ok || err != nil {
			return err
		}
		if stored.FirstSeqOf(n+1) <= p.from {
			return nil
		}

		to = min(to, stored.FirstSeqOf(n+1))
		for i := set.Last(int(to - stored.FirstSeqOf(n))); i >= 0; i = set.Last(i) {
			seq := stored.FirstSeqOf(n) + uint64(i)
			if seq < p.from {
				return nil
			}
			if err := p.visitAt(seq); err != nil || p.full {
				return err
			}
		}

		to = stored.FirstSeqOf(n)
		p.last = movementRef{seq: to} // the block is finished
		if p.scanned += stepCost * w.steps; p.scanned >= stored.RowBudget && to > p.from {
			p.stop()
			return nil
		}

		w.steps = 0
	}

	return nil
}

// visitAt visits one journal entry.
func (p *movementPage) visitAt(seq uint64) error {
	if p.scanned >= stored.RowBudget {
		p.stop()
		return nil
	}

	p.scanned++
	data, err := p.tx.Reader.Get(journal.Entries.Name, journal.SeqKey(seq))
	if err != nil {
		return err
	}
	if data == nil {
		return stored.MissingEntry(seq)
	}
	if err := p.visit(seq, data); !errors.Is(err, store.ErrStop) {
		return err
	}

	return nil
}
