package ledger

import (
	"math"
	"slices"

	"github.com/google/uuid"

	"bincard/server/api"
	"bincard/server/store"
)

func bindBalances(b map[string]binding) {
	reads(b, api.ListBalances, (*readTx).listBalances)
	reads(b, api.GetBalance, (*readTx).getBalance)
	reads(b, api.ExplainBalance, (*readTx).explainBalance)
}

func (rd *readTx) getBalance(in *api.GetBalanceInput) (*api.Balance, error) {
	b, err := rd.balanceOfInput(in.BalanceID)
	if err != nil {
		return nil, err
	}
	out := rd.showCurrent(b)
	return &out, nil
}

// balanceOfInput reads a balance that an input names.
func (rd *readTx) balanceOfInput(id api.ID) (*balance, error) {
	b, err := rd.balance(id)
	if err == nil && b == nil {
		return nil, notFound("balance", "balanceId", id)
	}
	return b, err
}

// mustBalance reads a balance that the ledger itself speaks of.
func (rd *readTx) mustBalance(id api.ID) (*balance, error) {
	b, err := rd.balance(id)
	if err == nil && b == nil {
		return nil, &InconsistencyError{"balance", id}
	}
	return b, err
}

func (rd *readTx) listBalances(in *api.ListBalancesInput) (*api.List[api.Balance], error) {
	keys, next, err := rd.balancesOf(in.ProductID, in.LocationID, in.OwnerID, in.ChannelID, nil).page(rd, in.Limit, 25, in.Cursor)
	if err != nil {
		return nil, err
	}
	out := &api.List[api.Balance]{Items: make([]api.Balance, len(keys)), NextCursor: next}
	for i, k := range keys {
		b, err := rd.mustBalance(k.ID)
		if err != nil {
			return nil, err
		}
		out.Items[i] = rd.showCurrent(b)
	}
	return out, nil
}

// balancesOf lists the balances of what is named, newest first, narrowed by keep.
func (rd *readTx) balancesOf(product, location, owner, channel api.ID, keep func(*balanceKey) bool) *listing[balanceKey] {
	l := &listing[balanceKey]{table: balanceKeys, seq: func(k *balanceKey) uint64 { return k.Seq },
		id: func(k *balanceKey) api.ID { return k.ID },
		keep: func(k *balanceKey) bool {
			return matchesID(product, k.Product) && matchesID(location, k.Location) && matchesID(owner, k.Owner) &&
				matchesID(channel, k.Channel) && (keep == nil || keep(k))
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
func (rd *readTx) explainBalance(in *api.ExplainBalanceInput) (*api.Explanation, error) {
	b, err := rd.balanceOfInput(in.BalanceID)
	if err != nil {
		return nil, err
	}
	out := &api.Explanation{Balance: rd.showCurrent(b), Movements: []api.Movement{}}
	sum, err := rd.totals(b, math.MaxUint64)
	if err != nil {
		return nil, err
	}
	out.Totals = quantities(&sum)
	limit := math.MaxInt
	if in.Limit != nil {
		limit = int(*in.Limit)
	}
	t, err := rd.historyCursor(in.Cursor, in.Order == api.NewestFirst, func(rec *entry, m *movement) bool {
		return rec.Balances[m.Balance].Balance == b.ID
	})
	if err != nil {
		return nil, err
	}
	from, to := t.bounds()
	err = rd.scanHistory(b, from, to, t.newest, func(seq uint64, value []byte) error {
		if value[0] == openingEntry {
			return nil // no record made it
		}
		rec, err := rd.entryAt(seq)
		if err != nil {
			return err
		}
		for _, i := range t.indexes(rec) {
			if rec.Balances[rec.Movements[i].Balance].Balance != b.ID {
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

// A historyCursor walks movements in one direction, from after a cursor.
type historyCursor struct {
	newest bool
	// seq and place are of the movement that the cursor names; seq 0 is the beginning.
	seq   uint64
	index int
}

// historyCursor begins after the movement that a cursor names, which must be one that is
// walked by; on is nil where all are.
func (rd *readTx) historyCursor(cursor string, newest bool, on func(*entry, *movement) bool) (historyCursor, error) {
	t := historyCursor{newest: newest}
	if cursor == "" {
		return t, nil
	}
	id, err := uuid.Parse(cursor)
	if err != nil {
		return t, badCursor(cursor)
	}
	var ok bool
	if t.seq, t.index, ok = movementAt(rd.p, id); !ok || t.seq == 0 {
		return t, badCursor(cursor)
	}
	rec, err := journal.Get(rd.r, seqKey(t.seq))
	if err != nil {
		return t, err
	}
	if rec == nil || on != nil && (t.index >= len(rec.Movements) || !on(rec, &rec.Movements[t.index])) {
		return t, badCursor(cursor)
	}
	return t, nil
}

// bounds are the counters yet to be walked, [from, to), the cursor's own record included.
func (t historyCursor) bounds() (from, to uint64) {
	switch {
	case t.newest && t.seq > 0:
		return 0, t.seq + 1
	case t.newest:
		return 0, math.MaxUint64
	}
	return t.seq, math.MaxUint64
}

// span is the keys of a table yet to be walked.
func (t historyCursor) span(key func(seq uint64) []byte) store.Range {
	from, to := t.bounds()
	return store.Range{From: key(from), To: key(to), Reverse: t.newest}
}

// indexes are the places of the record's movements yet to be walked, in order.
func (t historyCursor) indexes(rec *entry) []int {
	out := make([]int, 0, len(rec.Movements))
	for i := range rec.Movements {
		if rec.Seq != t.seq || (t.newest && i < t.index) || (!t.newest && i > t.index) {
			out = append(out, i)
		}
	}
	if t.newest {
		slices.Reverse(out)
	}
	return out
}
