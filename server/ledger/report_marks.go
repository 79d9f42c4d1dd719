package ledger

import (
	"encoding/binary"
	"errors"

	"bincard/server/api"
	"bincard/server/store"
)

// signs are what the marks know of what is asked for.
func (p *movementPage) signs() (list []sign) {
	if p.in.Operation != "" {
		list = append(list, signOf(operationSign, operationNumber(p.in.Operation)))
	}
	if p.in.InventoryState != "" {
		list = append(list, signOf(stateSign, byte(p.in.InventoryState.Index())))
	}
	if p.of != nil {
		return list // the balances are known, and say more than places do
	}
	for _, x := range []struct {
		kind byte
		id   api.ID
	}{{locationSign, p.in.LocationID}, {ownerSign, p.in.OwnerID}, {channelSign, p.in.ChannelID}} {
		if x.id != (api.ID{}) {
			list = append(list, placeSign(x.kind, x.id))
		}
	}
	return list
}

// A markWalk finds the records that have all of some signs, newest first.
type markWalk struct {
	r     store.Reader
	signs []sign
	at    []markRow // of each sign, the row found last
	steps int
}

type markRow struct {
	block uint64
	set   blockSet
	known bool
}

// next is the greatest block up to n in which records may have all signs, and
// which they are. Where there is none ok is false.
func (w *markWalk) next(n uint64) (found uint64, set blockSet, ok bool, err error) {
	if w.at == nil {
		w.at = make([]markRow, len(w.signs))
	}
	for i := 0; i < len(w.signs); {
		at := &w.at[i]
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
	set = w.at[0].set
	for i := range w.at[1:] {
		set.and(&w.at[1+i].set)
	}
	return n, set, true, nil
}

// seek finds the row of a sign of the greatest block up to n.
func (w *markWalk) seek(i int, n uint64) error {
	s, at := w.signs[i], &w.at[i]
	at.known = false
	w.steps++
	return w.r.Scan(marksTable, store.Range{From: []byte(s), To: s.key(n + 1), Reverse: true}, func(key, data []byte) error {
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

// follow looks at the records that the marks name, newest first, after those
// that no mark is of yet.
func (p *movementPage) follow(signs []sign) error {
	end, err := p.rd.reached()
	if err != nil {
		return err
	}
	marked := firstOf(wholeBlocks(end))
	if p.to > marked {
		from := p.from
		p.from = max(p.from, marked)
		err := p.walk()
		p.from = from
		if err != nil || p.full {
			return err
		}
	}
	w := markWalk{r: p.rd.r, signs: signs}
	for to := min(p.to, marked); to > p.from; {
		n, set, ok, err := w.next(blockOf(to - 1))
		if !ok || err != nil {
			return err
		}
		if firstOf(n+1) <= p.from {
			return nil
		}
		to = min(to, firstOf(n+1))
		for place := set.last(int(to - firstOf(n))); place >= 0; place = set.last(place) {
			seq := firstOf(n) + uint64(place)
			if seq < p.from {
				return nil
			}
			if err := p.lookAt(seq); err != nil || p.full {
				return err
			}
		}
		to = firstOf(n)
		p.last = spot{seq: to} // all of the block is looked at
		if p.looked += stepCost * w.steps; p.looked >= rowBudget && to > p.from {
			p.stop()
			return nil
		}
		w.steps = 0
	}
	return nil
}

// lookAt looks at one record.
func (p *movementPage) lookAt(seq uint64) error {
	if p.looked >= rowBudget {
		p.stop()
		return nil
	}
	p.looked++
	data, err := p.rd.r.Get(records.Name, seqKey(seq))
	if err != nil {
		return err
	}
	if data == nil {
		return lost(seq)
	}
	if err := p.look(seq, data); !errors.Is(err, store.ErrStop) {
		return err
	}
	return nil
}
