package ledger

import (
	"encoding/binary"

	"bincard/server/api"
	"bincard/server/store"
)

func bindReports(b map[string]binding) {
	reads(b, api.ReportMovements, (*reading).reportMovements)
	reads(b, api.ReportSnapshot, (*reading).reportSnapshot)
}

func (rd *reading) reportSnapshot(in *api.ReportSnapshotInput) (*api.List[api.SnapshotRow], error) {
	var cut *horizon
	if in.AsOf != nil {
		var err error
		if cut, err = rd.horizonAt(*in.AsOf); err != nil {
			return nil, err
		}
	}
	var failed error
	seen := map[api.ID]*balance{}
	keep := func(k *balanceKey) bool {
		if !within(k.CreatedAt, in.CreatedFrom, in.CreatedTo) {
			return false
		}
		b, err := rd.standing(k, cut)
		if err != nil {
			failed = err
		}
		if b == nil || err != nil {
			return false
		}
		seen[k.ID] = b
		q := b.quantities()
		return (in.InventoryState == "" || q.Of(in.InventoryState) != 0) &&
			(in.Status == "" || (in.Status == api.StockIn) == (b.Q[onHand] > 0)) &&
			(in.Operation == "" || b.Seen&(1<<operationNumber(in.Operation)) != 0)
	}
	keys, next, err := rd.balancesOf(in.ProductID, in.LocationID, in.OwnerID, in.ChannelID, keep).page(rd, in.Limit, 50, in.Cursor)
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

func (rd *reading) snapshotRow(b *balance) api.SnapshotRow {
	x := rd.showNow(b)
	row := api.SnapshotRow{ID: x.ID, ProductID: x.ProductID, LocationID: x.LocationID, OwnerID: x.OwnerID,
		ChannelID: x.ChannelID, Quantities: x.Quantities, UpdatedAt: x.UpdatedAt}
	if x.Product != nil {
		row.ProductName, row.ProductSKU = x.Product.Name, x.Product.SKU
	}
	row.LocationName, row.LocationCode = called(x.Location)
	row.OwnerName, row.OwnerCode = called(x.Owner)
	row.ChannelName, row.ChannelCode = called(x.Channel)
	return row
}

func called(ref *api.PlaceRef) (name, code string) {
	if ref == nil {
		return "", ""
	}
	return ref.Name, ref.Code
}

// reportMovements answers a page of the ledger, newest first: from the history
// of the balances that match, where few do, else from all records under the
// row budget.
func (rd *reading) reportMovements(in *api.ReportMovementsInput) (*api.List[api.MovementRow], error) {
	limit := 50
	if in.Limit != nil {
		limit = int(*in.Limit)
	}
	t, err := rd.tour(in.Cursor, true, nil)
	if err != nil {
		return nil, err
	}
	p := &movementPage{rd: rd, in: in, tour: t, limit: limit, out: &api.List[api.MovementRow]{Items: []api.MovementRow{}}}
	if p.from, p.to, err = rd.window(in.CreatedFrom, in.CreatedTo); err != nil {
		return nil, err
	}
	if t.seq > 0 {
		p.to = min(p.to, t.seq+1)
	}
	if p.of, err = rd.fewBalances(in); err != nil {
		return nil, err
	}
	if p.of != nil {
		err = p.merge()
	} else {
		err = p.walk()
	}
	return p.out, err
}

// fewBalances lists the balances that match the filters, or nil when none are
// named or too many match.
func (rd *reading) fewBalances(in *api.ReportMovementsInput) ([]api.ID, error) {
	if in.ProductID == (api.ID{}) && in.LocationID == (api.ID{}) && in.OwnerID == (api.ID{}) && in.ChannelID == (api.ID{}) {
		return nil, nil
	}
	limit := int64(mergeWidth)
	keys, next, err := rd.balancesOf(in.ProductID, in.LocationID, in.OwnerID, in.ChannelID, nil).page(rd, &limit, 0, "")
	if err != nil || next != nil {
		return nil, err
	}
	ids := make([]api.ID, len(keys))
	for i, k := range keys {
		ids[i] = k.ID
	}
	return ids, nil
}

// walk looks at all records, newest first.
func (p *movementPage) walk() error {
	looked := 0
	span := store.Range{From: seqKey(p.from), To: seqKey(p.to), Reverse: true}
	return p.rd.r.Scan(records.Name, span, func(key, data []byte) error {
		if looked == rowBudget {
			p.stop()
			return store.ErrStop
		}
		looked++
		return p.look(binary.BigEndian.Uint64(key), data)
	})
}
