package ledger

import (
	"math"
	"slices"

	"github.com/google/uuid"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/store"
)

func bindBalances(b map[string]binding) {
	reads(b, api.ListBalances, (*readTx).listBalances)
	reads(b, api.GetBalance, (*readTx).getBalance)
	reads(b, api.ExplainBalance, (*readTx).explainBalance)
}

func (tx *readTx) getBalance(in *api.GetBalanceInput) (*api.Balance, error) {
	b, err := tx.balanceOfInput(in.BalanceID)
	if err != nil {
		return nil, err
	}
	out := tx.showCurrent(b)
	return &out, nil
}

// balanceOfInput reads a balance that a request names.
func (tx *readTx) balanceOfInput(id api.ID) (*balance, error) {
	b, err := tx.balance(id)
	if err == nil && b == nil {
		return nil, notFound("balance", "balanceId", id)
	}
	return b, err
}

// mustBalance reads a balance that the ledger's own data refers to.
func (tx *readTx) mustBalance(id api.ID) (*balance, error) {
	b, err := tx.balance(id)
	if err == nil && b == nil {
		return nil, &InconsistencyError{"balance", id}
	}
	return b, err
}

func (tx *readTx) listBalances(in *api.ListBalancesInput) (*api.List[api.Balance], error) {
	keys, next, err := tx.balancesOf(in.ProductID, in.LocationID, in.OwnerID, in.ChannelID, nil).page(tx, in.Limit, 25, in.Cursor)
	if err != nil {
		return nil, err
	}
	out := &api.List[api.Balance]{Items: make([]api.Balance, len(keys)), NextCursor: next}
	for i, k := range keys {
		b, err := tx.mustBalance(k.ID)
		if err != nil {
			return nil, err
		}
		out.Items[i] = tx.showCurrent(b)
	}
	return out, nil
}

// balancesOf lists the balances that match, newest first; zero ids match all, and keep may be nil.
func (tx *readTx) balancesOf(product, location, owner, channel api.ID, keep func(*balanceKey) bool) *listing[balanceKey] {
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

// explainBalance returns a balance with its movements. The totals are summed from
// the movements, not taken from the balance, so that they prove it.
func (tx *readTx) explainBalance(in *api.ExplainBalanceInput) (*api.Explanation, error) {
	b, err := tx.balanceOfInput(in.BalanceID)
	if err != nil {
		return nil, err
	}
	out := &api.Explanation{Balance: tx.showCurrent(b), Movements: []api.Movement{}}
	sum, err := tx.totals(b, math.MaxUint64)
	if err != nil {
		return nil, err
	}
	out.Totals = quantities(&sum)
	limit := math.MaxInt
	if in.Limit != nil {
		limit = int(*in.Limit)
	}
	t, err := tx.historyCursor(in.Cursor, in.Order == api.NewestFirst, func(e *journal.Entry, m *journal.Movement) bool {
		return e.Balances[m.Balance].Balance == b.ID
	})
	if err != nil {
		return nil, err
	}
	from, to := t.bounds()
	err = tx.scanHistory(b, from, to, t.newest, func(seq uint64, value []byte) error {
		if value[0] == openingEntry {
			return nil // it belongs to no entry
		}
		e, err := tx.entryAt(seq)
		if err != nil {
			return err
		}
		for _, i := range t.indexes(e) {
			if e.Balances[e.Movements[i].Balance].Balance != b.ID {
				continue
			}
			if len(out.Movements) == limit {
				last := out.Movements[limit-1].ID.String()
				out.NextCursor = &last
				return store.ErrStop
			}
			m, err := tx.movement(e, i)
			if err != nil {
				return err
			}
			out.Movements = append(out.Movements, m)
		}
		return nil
	})
	return out, err
}

// A historyCursor walks movements in one direction, starting after a cursor.
type historyCursor struct {
	newest bool
	// seq and index are of the movement that the cursor names; seq is 0 at the start.
	seq   uint64
	index int
}

// historyCursor parses a cursor. The movement that it names must satisfy on, if on
// is not nil.
func (tx *readTx) historyCursor(cursor string, newest bool, on func(*journal.Entry, *journal.Movement) bool) (historyCursor, error) {
	t := historyCursor{newest: newest}
	if cursor == "" {
		return t, nil
	}
	id, err := uuid.Parse(cursor)
	if err != nil {
		return t, badCursor(cursor)
	}
	var ok bool
	if t.seq, t.index, ok = journal.MovementAt(tx.p, id); !ok || t.seq == 0 {
		return t, badCursor(cursor)
	}
	e, err := journal.Entries.Get(tx.r, journal.SeqKey(t.seq))
	if err != nil {
		return t, err
	}
	if e == nil || on != nil && (t.index >= len(e.Movements) || !on(e, &e.Movements[t.index])) {
		return t, badCursor(cursor)
	}
	return t, nil
}

// bounds returns the remaining sequence numbers, [from, to), including the cursor's own entry.
func (t historyCursor) bounds() (from, to uint64) {
	switch {
	case t.newest && t.seq > 0:
		return 0, t.seq + 1
	case t.newest:
		return 0, math.MaxUint64
	}
	return t.seq, math.MaxUint64
}

// span returns the remaining keys of a table.
func (t historyCursor) span(key func(seq uint64) []byte) store.Range {
	from, to := t.bounds()
	return store.Range{From: key(from), To: key(to), Reverse: t.newest}
}

// indexes returns the indexes of the remaining movements of an entry, in walking order.
func (t historyCursor) indexes(e *journal.Entry) []int {
	out := make([]int, 0, len(e.Movements))
	for i := range e.Movements {
		if e.Seq != t.seq || (t.newest && i < t.index) || (!t.newest && i > t.index) {
			out = append(out, i)
		}
	}
	if t.newest {
		slices.Reverse(out)
	}
	return out
}
