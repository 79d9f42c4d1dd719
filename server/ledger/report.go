package ledger

import (
	"encoding/binary"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/store"
)

func bindReports(b map[string]binding) {
	reads(b, api.ReportMovements, (*readTx).reportMovements)
	reads(b, api.ReportSnapshot, (*readTx).reportSnapshot)
}

func (tx *readTx) reportSnapshot(in *api.ReportSnapshotInput) (*api.List[api.SnapshotRow], error) {
	var cut *asOfSeq
	if in.AsOf != nil {
		var err error
		if cut, err = tx.asOfSeqAt(*in.AsOf); err != nil {
			return nil, err
		}
	}
	var failed error
	seen := map[api.ID]*balance{}
	keep := func(k *balanceKey) bool {
		if !inTimeRange(k.CreatedAt, in.CreatedFrom, in.CreatedTo) {
			return false
		}
		b, err := tx.balanceAt(k, cut)
		if err != nil {
			failed = err
		}
		if b == nil || err != nil {
			return false
		}
		seen[k.ID] = b
		return inSnapshot(in, &b.Q, b.Operations)
	}
	list := tx.balancesOf(in.ProductID, in.LocationID, in.OwnerID, in.ChannelID, keep)
	if cut == nil && (in.InventoryState != "" || in.Status != "" || in.Operation != "") {
		list.prefilter = func(id []byte) (bool, error) { return tx.maybeInSnapshot(id, in) }
	}
	keys, next, err := tx.snapshotPage(list, in)
	if err == nil {
		err = failed
	}
	if err != nil {
		return nil, err
	}
	out := &api.List[api.SnapshotRow]{Items: make([]api.SnapshotRow, len(keys)), NextCursor: next}
	for i, k := range keys {
		out.Items[i] = tx.snapshotRow(seen[k.ID])
	}
	return out, nil
}

// inSnapshot reports whether a balance with these quantities and operations matches
// the request.
func inSnapshot(in *api.ReportSnapshotInput, q *[8]int64, operations uint64) bool {
	return (in.InventoryState == "" || q[in.InventoryState.Index()] != 0) &&
		(in.Status == "" || (in.Status == api.StockIn) == (q[OnHand] > 0)) &&
		(in.Operation == "" || operations&(1<<journal.OperationNumber(in.Operation)) != 0)
}

// maybeInSnapshot reports whether a balance may match, decoding only part of its row:
// most balances that are scanned do not match.
func (tx *readTx) maybeInSnapshot(id []byte, in *api.ReportSnapshotInput) (bool, error) {
	data, err := tx.r.Get(balances.Name, id)
	if err != nil {
		return false, err
	}
	q, operations, err := peekBalance(data)
	return err == nil && inSnapshot(in, &q, operations), err
}

func (tx *readTx) snapshotRow(b *balance) api.SnapshotRow {
	x := tx.showCurrent(b)
	row := api.SnapshotRow{ID: x.ID, ProductID: x.ProductID, LocationID: x.LocationID, OwnerID: x.OwnerID,
		ChannelID: x.ChannelID, Quantities: x.Quantities, UpdatedAt: x.UpdatedAt}
	if x.Product != nil {
		row.ProductName, row.ProductSKU = x.Product.Name, x.Product.SKU
	}
	row.LocationName, row.LocationCode = nameAndCode(x.Location)
	row.OwnerName, row.OwnerCode = nameAndCode(x.Owner)
	row.ChannelName, row.ChannelCode = nameAndCode(x.Channel)
	return row
}

func nameAndCode(ref *api.PlaceRef) (name, code string) {
	if ref == nil {
		return "", ""
	}
	return ref.Name, ref.Code
}

// reportMovements returns a page of movements, newest first: from the histories of
// the matching balances if they are few, else from the journal, limited by the row
// budget.
func (tx *readTx) reportMovements(in *api.ReportMovementsInput) (*api.List[api.MovementRow], error) {
	limit := 50
	if in.Limit != nil {
		limit = int(*in.Limit)
	}
	cursor, err := tx.historyCursor(in.Cursor, true, nil)
	if err != nil {
		return nil, err
	}
	p := &movementPage{tx: tx, in: in, cursor: cursor, limit: limit, out: &api.List[api.MovementRow]{Items: []api.MovementRow{}}}
	if p.from, p.to, err = tx.window(in.CreatedFrom, in.CreatedTo); err != nil {
		return nil, err
	}
	if cursor.seq > 0 {
		p.to = min(p.to, cursor.seq+1)
	}
	if p.balances, err = tx.fewBalances(in); err != nil {
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

// fewBalances returns the matching balances, or nil if the request names none or too
// many match.
func (tx *readTx) fewBalances(in *api.ReportMovementsInput) (map[api.ID]bool, error) {
	limit := int64(mergeWidth)
	switch {
	case in.ProductID != api.ID{}:
		limit = productWidth
	case in.LocationID == api.ID{}:
		return nil, nil
	}
	keys, next, err := tx.balancesOf(in.ProductID, in.LocationID, in.OwnerID, in.ChannelID, nil).page(tx, &limit, 0, "")
	if err != nil || next != nil {
		return nil, err
	}
	ids := make(map[api.ID]bool, len(keys))
	for _, k := range keys {
		ids[k.ID] = true
	}
	return ids, nil
}

// scanAll visits all journal entries, newest first.
func (p *movementPage) scanAll() error {
	span := store.Range{From: journal.SeqKey(p.from), To: journal.SeqKey(p.to), Reverse: true}
	return p.tx.r.Scan(journal.Entries.Name, span, func(key, data []byte) error {
		if p.scanned >= rowBudget {
			p.stop()
			return store.ErrStop
		}
		p.scanned++
		return p.visit(binary.BigEndian.Uint64(key), data)
	})
}
