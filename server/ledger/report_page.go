package ledger

import (
	"fmt"
	"slices"

	"bincard/server/api"
	"bincard/server/store"
)

// A movementPage is one page of the movements report in the making.
type movementPage struct {
	rd     *readTx
	in     *api.ReportMovementsInput
	cursor historyCursor
	limit  int
	// from and to bound the counters to look at: [from, to).
	from, to uint64
	// balances are the balances to look at; nil where all are.
	balances map[api.ID]bool
	out      *api.List[api.MovementRow]
	// last is the movement looked at last, for a page cut short by its budget,
	// and end the last one on the page, for a full one.
	last, end movementRef
	scanned   int  // rows, of the budget
	full      bool // the page has ended before the list
	header    entryHeader
}

// A movementRef is a movement by its record and its place in it; none has the counter 0.
type movementRef struct {
	seq   uint64
	index int
}

// visit takes the record of a row, unless its gist says that nothing of it matches.
func (p *movementPage) visit(seq uint64, data []byte) error {
	if err := p.header.read(data); err != nil {
		return fmt.Errorf("journal entry %d: %w", seq, err)
	}
	may, err := p.mayMatch()
	if err != nil {
		return err
	}
	if !may {
		p.last = movementRef{seq: seq}
		return nil
	}
	rec := new(entry)
	if err := journal.Codec.Decode(data, rec); err != nil {
		return fmt.Errorf("journal entry %d: %w", seq, err)
	}
	return p.add(rec)
}

// mayMatch tells whether a movement of the record may match, by its gist.
func (p *movementPage) mayMatch() (bool, error) {
	if p.in.Operation != "" && p.header.operations&(1<<operationNumber(p.in.Operation)) == 0 ||
		p.in.InventoryState != "" && p.header.states&(1<<slices.Index(api.States[:], p.in.InventoryState)) == 0 {
		return false, nil
	}
	if p.balances != nil {
		return true, nil // the record is of their histories
	}
	for _, id := range p.header.balances {
		if ok, err := p.matchesBalance(id); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// matchesBalance tells whether a balance is at the places that are asked for.
func (p *movementPage) matchesBalance(id []byte) (bool, error) {
	in := p.in
	if in.ProductID == (api.ID{}) && in.LocationID == (api.ID{}) && in.OwnerID == (api.ID{}) && in.ChannelID == (api.ID{}) {
		return true, nil
	}
	k, err := balanceKeys.Shared(p.rd.r, id)
	if err != nil || k == nil {
		return false, err
	}
	return matchesID(in.ProductID, k.Product) && matchesID(in.LocationID, k.Location) && matchesID(in.OwnerID, k.Owner) && matchesID(in.ChannelID, k.Channel), nil
}

// add adds the record's movements that match. It answers ErrStop when the
// page is full and more follow.
func (p *movementPage) add(rec *entry) error {
	for _, i := range p.cursor.indexes(rec) {
		ok, err := p.matches(rec, i)
		if err != nil {
			return err
		}
		if ok && len(p.out.Items) == p.limit {
			p.last = p.end
			p.stop()
			return store.ErrStop
		}
		p.last = movementRef{rec.Seq, i}
		if !ok {
			continue
		}
		row, err := p.rd.movementRow(rec, i)
		if err != nil {
			return err
		}
		p.out.Items, p.end = append(p.out.Items, row), p.last
	}
	p.last = movementRef{seq: rec.Seq} // nothing of this record is left
	return nil
}

// stop ends the page before the end of the list.
func (p *movementPage) stop() {
	p.full = true
	if p.last.seq > 0 {
		text := movementID(p.rd.p, p.last.seq, p.last.index).String()
		p.out.NextCursor = &text
	}
}

func (p *movementPage) matches(rec *entry, i int) (bool, error) {
	m, in := &rec.Movements[i], p.in
	if in.Operation != "" && m.Op != in.Operation || in.InventoryState != "" && api.States[m.State] != in.InventoryState ||
		!inTimeRange(rec.At, in.CreatedFrom, in.CreatedTo) {
		return false, nil
	}
	id := rec.Balances[m.Balance].Balance
	if p.balances != nil {
		return p.balances[id], nil
	}
	return p.matchesBalance(id[:])
}

func (rd *readTx) movementRow(rec *entry, i int) (api.MovementRow, error) {
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
	row.LocationName, row.LocationCode = nameAndCode(m.Location)
	row.OwnerName, row.OwnerCode = nameAndCode(m.Owner)
	row.ChannelName, row.ChannelCode = nameAndCode(m.Channel)
	return row, nil
}
