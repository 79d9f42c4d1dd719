package ledger

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"sort"
	"time"

	"bincard/server/api"
	"bincard/server/store"
)

// mergeWidth is how many balances' histories a report merges at most.
const mergeWidth = 128

// A movementPage is one page of the movements report in the making.
type movementPage struct {
	rd    *reading
	in    *api.ReportMovementsInput
	tour  tour
	limit int
	// from and to bound the counters to look at: [from, to).
	from, to uint64
	// of are the balances to look at; nil where all are.
	of  []api.ID
	out *api.List[api.MovementRow]
	// last is the movement looked at last, for a page cut short by its budget.
	last api.ID
}

// take adds the record's movements that match. It answers ErrStop when the
// page is full and more follow.
func (p *movementPage) take(rec *record) error {
	for _, i := range p.tour.places(rec) {
		id := movementID(p.rd.p, rec.Seq, i)
		ok, err := p.matches(rec, i)
		if err != nil {
			return err
		}
		if ok && len(p.out.Items) == p.limit {
			p.last = p.out.Items[p.limit-1].ID
			p.stop()
			return store.ErrStop
		}
		p.last = id
		if !ok {
			continue
		}
		row, err := p.rd.movementRow(rec, i)
		if err != nil {
			return err
		}
		p.out.Items = append(p.out.Items, row)
	}
	p.last = movementID(p.rd.p, rec.Seq, 0) // nothing of this record is left
	return nil
}

// stop ends the page before the end of the list.
func (p *movementPage) stop() {
	if p.last != (api.ID{}) {
		text := p.last.String()
		p.out.NextCursor = &text
	}
}

func (p *movementPage) matches(rec *record, i int) (bool, error) {
	m, in := &rec.Moves[i], p.in
	if in.Operation != "" && m.Op != in.Operation || in.InventoryState != "" && api.States[m.State] != in.InventoryState ||
		!within(rec.At, in.CreatedFrom, in.CreatedTo) {
		return false, nil
	}
	id := rec.Balances[m.Balance].Balance
	if p.of != nil {
		return slices.Contains(p.of, id), nil
	}
	k, err := balanceKeys.Shared(p.rd.r, id[:])
	if err != nil || k == nil {
		return false, err
	}
	return same(in.ProductID, k.Product) && same(in.LocationID, k.Location) && same(in.OwnerID, k.Owner) && same(in.ChannelID, k.Channel), nil
}

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
			rec, err := p.rd.record(seq)
			if err != nil {
				return err
			}
			if err := p.take(rec); err != nil {
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
		n, lowest := 0, uint64(0)
		span := store.Range{From: historyKey(id, p.from), To: historyKey(id, to), Reverse: true}
		err = p.rd.r.Scan(historyTable, span, func(key, _ []byte) error {
			if n > p.limit {
				floor = max(floor, lowest)
				return store.ErrStop
			}
			n++
			lowest = binary.BigEndian.Uint64(key[16:])
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

func (rd *reading) movementRow(rec *record, i int) (api.MovementRow, error) {
	m, err := rd.movement(rec, i)
	if err != nil {
		return api.MovementRow{}, err
	}
	row := api.MovementRow{ID: m.ID, CreatedAt: m.CreatedAt, ProductID: m.ProductID, LocationID: m.LocationID,
		OwnerID: m.OwnerID, ChannelID: m.ChannelID, Operation: m.Operation, InventoryState: m.InventoryState,
		Quantity: m.Quantity, BalanceBefore: m.BalanceBefore, BalanceAfter: m.BalanceAfter,
		UnitCode: m.UnitCode, UnitQuantity: m.UnitQuantity, BaseUnitCode: m.BaseUnitCode,
		ReferenceType: m.ReferenceType, ReferenceID: m.ReferenceID, Reason: m.Reason, Source: m.Source,
		ActorID: m.Actor.ID, ActorLabel: m.Actor.Label, ActorType: m.Actor.Type}
	if m.Product != nil {
		row.ProductName, row.ProductSKU = m.Product.Name, m.Product.SKU
	}
	row.LocationName, row.LocationCode = called(m.Location)
	row.OwnerName, row.OwnerCode = called(m.Owner)
	row.ChannelName, row.ChannelCode = called(m.Channel)
	return row, nil
}
