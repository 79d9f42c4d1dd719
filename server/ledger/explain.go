package ledger

import (
	"math"
	"slices"

	"github.com/google/uuid"

	"bincard/server/api"
	"bincard/server/store"
)

func bindBalances(b map[string]binding) {
	reads(b, api.ListBalances, (*reading).listBalances)
	reads(b, api.GetBalance, (*reading).getBalance)
	reads(b, api.ExplainBalance, (*reading).explainBalance)
}

func (rd *reading) getBalance(in *api.GetBalanceInput) (*api.Balance, error) {
	b, err := rd.known(in.BalanceID)
	if err != nil {
		return nil, err
	}
	out := rd.showNow(b)
	return &out, nil
}

// known reads a balance that an input names.
func (rd *reading) known(id api.ID) (*balance, error) {
	b, err := rd.balance(id)
	if err == nil && b == nil {
		return nil, missing("balance", "balanceId", id)
	}
	return b, err
}

// own reads a balance that the ledger itself speaks of.
func (rd *reading) own(id api.ID) (*balance, error) {
	b, err := rd.balance(id)
	if err == nil && b == nil {
		return nil, &GapError{"balance", id}
	}
	return b, err
}

func (rd *reading) listBalances(in *api.ListBalancesInput) (*api.List[api.Balance], error) {
	keys, next, err := rd.balancesOf(in.ProductID, in.LocationID, in.OwnerID, in.ChannelID, nil).page(rd, in.Limit, 25, in.Cursor)
	if err != nil {
		return nil, err
	}
	out := &api.List[api.Balance]{Items: make([]api.Balance, len(keys)), NextCursor: next}
	for i, k := range keys {
		b, err := rd.own(k.ID)
		if err != nil {
			return nil, err
		}
		out.Items[i] = rd.showNow(b)
	}
	return out, nil
}

// balancesOf lists the balances of what is named, newest first, narrowed by keep.
func (rd *reading) balancesOf(product, location, owner, channel api.ID, keep func(*balanceKey) bool) *listing[balanceKey] {
	l := &listing[balanceKey]{table: balanceKeys, seq: func(k *balanceKey) uint64 { return k.Seq },
		id: func(k *balanceKey) api.ID { return k.ID },
		keep: func(k *balanceKey) bool {
			return same(product, k.Product) && same(location, k.Location) && same(owner, k.Owner) &&
				same(channel, k.Channel) && (keep == nil || keep(k))
		}}
	switch {
	case product != api.ID{}:
		l.index, l.prefix = "product", product[:]
	case location != api.ID{}:
		l.index, l.prefix = "location", location[:]
	}
	return l
}

// explainBalance answers a balance with its movements. The totals are added up
// from the movements, never taken from the balance: they are the proof.
func (rd *reading) explainBalance(in *api.ExplainBalanceInput) (*api.Explanation, error) {
	b, err := rd.known(in.BalanceID)
	if err != nil {
		return nil, err
	}
	out := &api.Explanation{Balance: rd.showNow(b), Movements: []api.Movement{}}
	sum, err := rd.totals(b, math.MaxUint64)
	if err != nil {
		return nil, err
	}
	out.Totals = quantities(&sum)
	limit := math.MaxInt
	if in.Limit != nil {
		limit = int(*in.Limit)
	}
	t, err := rd.tour(in.Cursor, in.Order == api.NewestFirst, func(rec *record, m *move) bool {
		return rec.Balances[m.Balance].Balance == b.ID
	})
	if err != nil {
		return nil, err
	}
	from, to := t.bounds()
	err = rd.past(b, from, to, t.newest, func(seq uint64, value []byte) error {
		if value[0] == opening {
			return nil // no record made it
		}
		rec, err := rd.record(seq)
		if err != nil {
			return err
		}
		for _, i := range t.places(rec) {
			if rec.Balances[rec.Moves[i].Balance].Balance != b.ID {
				continue
			}
			if len(out.Movements) == limit {
				last := out.Movements[limit-1].ID.String()
				out.NextCursor = &last
				return store.ErrStop
			}
			m, err := rd.movement(rec, i)
			if err != nil {
				return err
			}
			out.Movements = append(out.Movements, m)
		}
		return nil
	})
	return out, err
}

// A tour walks movements in one direction, from after a cursor.
type tour struct {
	newest bool
	// seq and place are of the movement that the cursor names; seq 0 is the beginning.
	seq   uint64
	place int
}

// tour begins after the movement that a cursor names, which must be one that is
// walked by; on is nil where all are.
func (rd *reading) tour(cursor string, newest bool, on func(*record, *move) bool) (tour, error) {
	t := tour{newest: newest}
	if cursor == "" {
		return t, nil
	}
	id, err := uuid.Parse(cursor)
	if err != nil {
		return t, badCursor(cursor)
	}
	var ok bool
	if t.seq, t.place, ok = movementAt(rd.p, id); !ok || t.seq == 0 {
		return t, badCursor(cursor)
	}
	rec, err := records.Get(rd.r, seqKey(t.seq))
	if err != nil {
		return t, err
	}
	if rec == nil || on != nil && (t.place >= len(rec.Moves) || !on(rec, &rec.Moves[t.place])) {
		return t, badCursor(cursor)
	}
	return t, nil
}

// bounds are the counters yet to be walked, [from, to), the cursor's own record included.
func (t tour) bounds() (from, to uint64) {
	switch {
	case t.newest && t.seq > 0:
		return 0, t.seq + 1
	case t.newest:
		return 0, math.MaxUint64
	}
	return t.seq, math.MaxUint64
}

// span is the keys of a table yet to be walked.
func (t tour) span(key func(seq uint64) []byte) store.Range {
	from, to := t.bounds()
	return store.Range{From: key(from), To: key(to), Reverse: t.newest}
}

// places are the places of the record's movements yet to be walked, in order.
func (t tour) places(rec *record) []int {
	out := make([]int, 0, len(rec.Moves))
	for i := range rec.Moves {
		if rec.Seq != t.seq || (t.newest && i < t.place) || (!t.newest && i > t.place) {
			out = append(out, i)
		}
	}
	if t.newest {
		slices.Reverse(out)
	}
	return out
}
