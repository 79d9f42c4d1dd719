package ledger

import (
	"encoding/binary"

	"bincard/server/api"
	"bincard/server/store"
)

func bindReports(b map[string]binding) {
	reads(b, api.ReportMovements, (*readTx).reportMovements)
	reads(b, api.ReportSnapshot, (*readTx).reportSnapshot)
}

func (rd *readTx) reportSnapshot(in *api.ReportSnapshotInput) (*api.List[api.SnapshotRow], error) {
	var cut *asOfSeq
	if in.AsOf != nil {
		var err error
		if cut, err = rd.asOfSeqAt(*in.AsOf); err != nil {
			return nil, err
		}
	}
	var failed error
	seen := map[api.ID]*balance{}
	keep := func(k *balanceKey) bool {
		if !inTimeRange(k.CreatedAt, in.CreatedFrom, in.CreatedTo) {
			return false
		}
		b, err := rd.balanceAt(k, cut)
		if err != nil {
			failed = err
		}
		if b == nil || err != nil {
			return false
		}
		seen[k.ID] = b
		return inSnapshot(in, &b.Q, b.Operations)
	}
	list := rd.balancesOf(in.ProductID, in.LocationID, in.OwnerID, in.ChannelID, keep)
	if cut == nil && (in.InventoryState != "" || in.Status != "" || in.Operation != "") {
		list.prefilter = func(id []byte) (bool, error) { return rd.maybeInSnapshot(id, in) }
	}
	keys, next, err := rd.snapshotPage(list, in)
	if err == nil {
		err = failed
	}
	if err != nil {
		return nil, err
	}
	out := &api.List[api.SnapshotRow]{Items: make([]api.SnapshotRow, len(keys)), NextCursor: next}
	for i, k := range keys {
		out.Items[i] = rd.snapshotRow(seen[k.ID])
	}
	return out, nil
}

// inSnapshot tells whether the snapshot asked for has a balance of these quantities
// and operations.
func inSnapshot(in *api.ReportSnapshotInput, q *[8]int64, seen uint64) bool {
	return (in.InventoryState == "" || q[in.InventoryState.Index()] != 0) &&
		(in.Status == "" || (in.Status == api.StockIn) == (q[onHand] > 0)) &&
		(in.Operation == "" || seen&(1<<operationNumber(in.Operation)) != 0)
}

// maybeInSnapshot tells whether a balance may be in the snapshot, by what little of its
// row that takes: most of those that are looked at in vain cost no more.
func (rd *readTx) maybeInSnapshot(id []byte, in *api.ReportSnapshotInput) (bool, error) {
	data, err := rd.r.Get(balances.Name, id)
	if err != nil {
		return false, err
	}
	q, seen, err := peekBalance(data)
	return err == nil && inSnapshot(in, &q, seen), err
}

func (rd *readTx) snapshotRow(b *balance) api.SnapshotRow {
	x := rd.showCurrent(b)
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

// reportMovements answers a page of the ledger, newest first: from the history
// of the balances that match, where few do, else from all records under the
// row budget.
func (rd *readTx) reportMovements(in *api.ReportMovementsInput) (*api.List[api.MovementRow], error) {
	limit := 50
	if in.Limit != nil {
		limit = int(*in.Limit)
	}
	t, err := rd.historyCursor(in.Cursor, true, nil)
	if err != nil {
		return nil, err
	}
	p := &movementPage{rd: rd, in: in, cursor: t, limit: limit, out: &api.List[api.MovementRow]{Items: []api.MovementRow{}}}
	if p.from, p.to, err = rd.window(in.CreatedFrom, in.CreatedTo); err != nil {
		return nil, err
	}
	if t.seq > 0 {
		p.to = min(p.to, t.seq+1)
	}
	if p.balances, err = rd.fewBalances(in); err != nil {
		return nil, err
	}
	signs := p.terms()
	switch {
	case p.balances != nil:
		err = p.merge(signs)
	case len(signs) > 0:
		err = p.scanTerms(signs)
	default:
		err = p.scanAll()
	}
	return p.out, err
}

// fewBalances are the balances that match the filters, or nil when none are
// named or too many match.
func (rd *readTx) fewBalances(in *api.ReportMovementsInput) (map[api.ID]bool, error) {
	limit := int64(mergeWidth)
	switch {
	case in.ProductID != api.ID{}:
		limit = productWidth
	case in.LocationID == api.ID{}:
		return nil, nil
	}
	keys, next, err := rd.balancesOf(in.ProductID, in.LocationID, in.OwnerID, in.ChannelID, nil).page(rd, &limit, 0, "")
	if err != nil || next != nil {
		return nil, err
	}
	ids := make(map[api.ID]bool, len(keys))
	for _, k := range keys {
		ids[k.ID] = true
	}
	return ids, nil
}

// scanAll looks at all records, newest first.
func (p *movementPage) scanAll() error {
	span := store.Range{From: seqKey(p.from), To: seqKey(p.to), Reverse: true}
	return p.rd.r.Scan(journal.Name, span, func(key, data []byte) error {
		if p.scanned >= rowBudget {
			p.stop()
			return store.ErrStop
		}
		p.scanned++
		return p.visit(binary.BigEndian.Uint64(key), data)
	})
}
