package report

import (
	"math"
	"slices"

	"github.com/google/uuid"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
)

// GetBalance returns a balance.
func GetBalance(tx *stored.Tx, in *api.GetBalanceInput) (*api.Balance, error) {
	b, err := tx.BalanceOfInput(in.BalanceID)
	if err != nil {
		return nil, err
	}
	out := tx.ShowCurrent(b)
	return &out, nil
}

// ListBalances returns a page of balances, newest first.
func ListBalances(tx *stored.Tx, in *api.ListBalancesInput) (*api.List[api.Balance], error) {
	keys, next, err := balancesOf(in.StockFilter, nil).Page(tx, in.Page)
	if err != nil {
		return nil, err
	}

	out := &api.List[api.Balance]{Items: make([]api.Balance, len(keys)), NextCursor: next}
	for i, k := range keys {
		b, err := tx.MustBalance(k.ID)
		if err != nil {
			return nil, err
		}
		out.Items[i] = tx.ShowCurrent(b)
	}

	return out, nil
}

// balancesOf lists the balances that match, newest first; keep may be nil.
func balancesOf(in api.StockFilter, keep func(*stored.BalanceKey) bool) *stored.Listing[stored.BalanceKey] {
	l := &stored.Listing[stored.BalanceKey]{
		Table: stored.BalanceKeys,
		Seq:   func(k *stored.BalanceKey) uint64 { return k.Seq },
		ID:    func(k *stored.BalanceKey) api.ID { return k.ID },
		Keep:  func(k *stored.BalanceKey) bool { return k.Matches(in) && (keep == nil || keep(k)) },
	}

	switch {
	case in.ProductID != api.NoID:
		l.Index, l.Prefix = "product", in.ProductID[:]
	case in.LocationID != api.NoID:
		l.Index, l.Prefix = "location", in.LocationID[:]
	}

	return l
}

// ExplainBalance returns a balance with its movements. The totals are summed from
// the movements, not taken from the balance, so that they prove it.
func ExplainBalance(tx *stored.Tx, in *api.ExplainBalanceInput) (*api.Explanation, error) {
	b, err := tx.BalanceOfInput(in.BalanceID)
	if err != nil {
		return nil, err
	}

	out := &api.Explanation{Balance: tx.ShowCurrent(b)}
	sum, err := tx.Totals(b, math.MaxUint64)
	if err != nil {
		return nil, err
	}

	out.Totals = stored.Quantities(&sum)
	p, err := newHistoryPage(tx, in.HistoryPage, func(e *journal.Entry, m *journal.Movement) bool {
		return e.Balances[m.Balance].Balance == b.ID && stored.InTimeRange(e.Occurred(), in.OccurredFrom, in.OccurredTo)
	})
	if err != nil {
		return nil, err
	}

	from, to := p.cursor.bounds()
	err = tx.ScanHistory(b, from, to, p.cursor.newest, func(seq uint64, value []byte) error {
		if value[0] == stored.OpeningEntry {
			return nil // it belongs to no entry
		}
		return p.add(seq)
	})

	out.Movements, out.NextCursor = p.list, p.next

	return out, err
}

// A historyPage is a page of the movements of a history.
type historyPage struct {
	tx      *stored.Tx
	cursor  historyCursor
	limit   int
	size    int                                          // estimated bytes of the list as JSON
	touches func(*journal.Entry, *journal.Movement) bool // selects the movements
	list    []api.Movement
	next    *string
}

// defaultHistory is the number of movements on a page without a limit.
const defaultHistory = 1000

// newHistoryPage returns the page after the cursor, which is empty yet.
func newHistoryPage(
	tx *stored.Tx,
	in api.HistoryPage,
	touches func(*journal.Entry, *journal.Movement) bool,
) (*historyPage, error) {
	p := &historyPage{tx: tx, limit: defaultHistory, touches: touches, list: []api.Movement{}}
	if in.Limit != nil {
		p.limit = int(*in.Limit)
	}
	var err error
	p.cursor, err = parseHistoryCursor(tx, in.Cursor, in.Order == api.NewestFirst, touches)
	return p, err
}

// add adds the movements of an entry. It returns ErrStop if the page is full and more
// follow.
func (p *historyPage) add(seq uint64) error {
	e, err := p.tx.EntryAt(seq)
	if err != nil {
		return err
	}

	for _, i := range p.cursor.indexes(e) {
		if !p.touches(e, &e.Movements[i]) {
			continue
		}
		if len(p.list) == p.limit || p.size > maxPageBytes {
			last := p.list[len(p.list)-1].ID.String()
			p.next = &last
			return store.ErrStop
		}

		m, err := p.tx.Movement(e, i)
		if err != nil {
			return err
		}

		p.list = append(p.list, m)
		p.size += sizeOf(&m)
	}

	return nil
}

// A historyCursor walks movements in one direction, starting after a cursor.
type historyCursor struct {
	newest bool
	// seq and index are of the movement that the cursor names; seq is 0 at the start.
	seq   uint64
	index int
}

// parseHistoryCursor parses a cursor. The movement that it names must satisfy on, if on
// is not nil.
func parseHistoryCursor(
	tx *stored.Tx,
	cursor string,
	newest bool,
	on func(*journal.Entry, *journal.Movement) bool,
) (historyCursor, error) {
	t := historyCursor{newest: newest}
	if cursor == "" {
		return t, nil
	}

	id, err := uuid.Parse(cursor)
	if err != nil {
		return t, stored.BadCursor(cursor)
	}

	var ok bool
	if t.seq, t.index, ok = journal.MovementAt(tx.Partition, id); !ok || t.seq == 0 {
		return t, stored.BadCursor(cursor)
	}

	e, err := journal.Entries.Get(tx.Reader, journal.SeqKey(t.seq))
	if err != nil {
		return t, err
	}
	if e == nil || on != nil && (t.index >= len(e.Movements) || !on(e, &e.Movements[t.index])) {
		return t, stored.BadCursor(cursor)
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
