// Package report answers questions about stock and its history, and feeds replicas.
//
// Snapshot lists the balances, now or at a past time. Movements lists movements: from
// the histories of balances if few match, else from the journal, by the bitmap index.
// ExplainBalance, TraceLot and SerialHistory list the movements of one balance, lot or
// serial. LookUp finds what a scanned text means.
//
// A Feed has what replicas read: a snapshot to start with, then the changes. A change is a
// journal entry with the documents and balances as they are now. The notifier wakes callers
// that wait for the next one. The epoch tells replicas that the data was restored from a
// backup, so that they start over.
package report

import (
	"time"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/stored"
)

// Snapshot returns a page of balances, as they are or as they were at a past time.
func Snapshot(tx *stored.Tx, in *api.ReportSnapshotInput) (*api.List[api.SnapshotRow], error) {
	var cut *asOfSeq
	if in.AsOf != nil {
		var err error
		if cut, err = asOfSeqAt(tx, *in.AsOf); err != nil {
			return nil, err
		}
	}

	var failed error
	seen := map[api.ID]*stored.Balance{}
	keep := func(k *stored.BalanceKey) bool {
		if !stored.InTimeRange(k.CreatedAt, in.CreatedFrom, in.CreatedTo) {
			return false
		}

		b, err := balanceAt(tx, k, cut)
		if err != nil {
			failed = err
		}
		if b == nil || err != nil {
			return false
		}

		seen[k.ID] = b

		return inSnapshot(in, &b.Q, b.Operations)
	}

	list := balancesOf(in.StockFilter, keep)
	if cut == nil && (in.InventoryState != "" || in.Status != "" || in.Operation != "") {
		list.Prefilter = func(id []byte) (bool, error) { return maybeInSnapshot(tx, id, in) }
	}

	keys, next, err := snapshotPage(tx, list, in)
	if err == nil {
		err = failed
	}

	return stored.ListOf(keys, next, err, func(k *stored.BalanceKey) *api.SnapshotRow {
		row := tx.SnapshotRow(seen[k.ID])
		return &row
	})
}

// inSnapshot reports whether a balance with these quantities and operations matches
// the request.
func inSnapshot(in *api.ReportSnapshotInput, q *[8]int64, operations uint64) bool {
	return (in.InventoryState == "" || q[in.InventoryState.Index()] != 0) &&
		(in.Status == "" || (in.Status == api.StockIn) == (q[stored.OnHand] > 0)) &&
		(in.Operation == "" || operations&(1<<journal.OperationNumber(in.Operation)) != 0)
}

// maybeInSnapshot reports whether a balance may match, decoding only part of its row:
// most balances that are scanned do not match.
func maybeInSnapshot(tx *stored.Tx, id []byte, in *api.ReportSnapshotInput) (bool, error) {
	data, err := tx.Reader.Get(stored.Balances.Name, id)
	if err != nil {
		return false, err
	}
	q, operations, err := stored.PeekBalance(data)
	return err == nil && inSnapshot(in, &q, operations), err
}

// Movements returns a page of movements, newest first: from the histories of
// the matching balances if they are few, else from the journal, limited by the row
// budget.
func Movements(tx *stored.Tx, in *api.ReportMovementsInput) (*api.List[api.MovementRow], error) {
	limit := 50
	if in.Limit != nil {
		limit = int(*in.Limit)
	}

	cursor, err := parseHistoryCursor(tx, in.Cursor, true, nil)
	if err != nil {
		return nil, err
	}

	p := &movementPage{
		tx:     tx,
		in:     in,
		cursor: cursor,
		limit:  limit,
		out:    &api.List[api.MovementRow]{Items: []api.MovementRow{}},
	}

	if p.from, p.to, err = window(tx, createdFrom(in), in.CreatedTo); err != nil {
		return nil, err
	}
	if cursor.seq > 0 {
		p.to = min(p.to, cursor.seq+1)
	}
	if p.balances, err = fewBalances(tx, in); err != nil {
		return nil, err
	}

	terms := p.terms()
	switch {
	case p.balances != nil:
		err = p.merge(terms)
	case len(terms) > 0:
		err = p.scanTerms(terms)
	default:
		err = p.scanAll()
	}

	return p.out, err
}

// maxOccurredAfter is how far the time when a write occurred may be after its entry's.
const maxOccurredAfter = 5 * time.Minute

// createdFrom returns the time before which no entry matches, or nil.
func createdFrom(in *api.ReportMovementsInput) *time.Time {
	if in.OccurredFrom == nil {
		return in.CreatedFrom
	}
	earliest := in.OccurredFrom.Add(-maxOccurredAfter)
	if in.CreatedFrom != nil && in.CreatedFrom.After(earliest) {
		return in.CreatedFrom
	}
	return &earliest
}

// fewBalances returns the matching balances, or nil if the request names none or too
// many match.
func fewBalances(tx *stored.Tx, in *api.ReportMovementsInput) (map[api.ID]bool, error) {
	limit := int64(mergeWidth)
	switch {
	case in.ProductID != api.NoID:
		limit = productWidth
	case in.LocationID == api.NoID:
		return nil, nil
	}

	keys, next, err := balancesOf(in.StockFilter, nil).Page(tx, api.Page{Limit: &limit})
	if err != nil || next != nil {
		return nil, err
	}

	ids := make(map[api.ID]bool, len(keys))
	for _, k := range keys {
		ids[k.ID] = true
	}

	return ids, nil
}
