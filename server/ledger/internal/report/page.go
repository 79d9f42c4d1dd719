package report

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
)

// A movementPage is a page of the movements report being filled.
type movementPage struct {
	tx     *stored.Tx
	in     *api.ReportMovementsInput
	cursor historyCursor
	limit  int
	// from and to are the sequence numbers to scan: [from, to).
	from, to uint64
	// balances are the balances to include; nil for all.
	balances map[api.ID]bool
	out      *api.List[api.MovementRow]
	// last is the last movement scanned, for a page that its budget ends; end is
	// the last movement on the page, for a full page.
	last, end movementRef
	scanned   int  // rows, counted against the budget
	size      int  // estimated bytes of the page as JSON
	full      bool // the page ended before the list
	header    journal.Header
}

// A movementRef is an index into the movements of an entry; seq is 0 for none.
type movementRef struct {
	seq   uint64
	index int
}

// visit decodes an entry and adds it, unless its header shows that nothing matches.
func (p *movementPage) visit(seq uint64, data []byte) error {
	if err := p.header.Read(data); err != nil {
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

	e := new(journal.Entry)
	if err := journal.Entries.Codec.Decode(data, e); err != nil {
		return fmt.Errorf("journal entry %d: %w", seq, err)
	}

	return p.add(e)
}

// mayMatch reports, by the entry header, whether a movement may match.
func (p *movementPage) mayMatch() (bool, error) {
	if p.in.Operation != "" && p.header.Operations&(1<<journal.OperationNumber(p.in.Operation)) == 0 ||
		p.in.InventoryState != "" && p.header.States&(1<<slices.Index(api.States[:], p.in.InventoryState)) == 0 {
		return false, nil
	}
	if p.balances != nil {
		return true, nil // the entry is from their histories
	}
	for _, id := range p.header.Balances {
		if ok, err := p.matchesBalance(id); ok || err != nil {
			return ok, err
		}
	}

	return false, nil
}

// matchesBalance reports whether a balance has the requested product, location, owner and channel.
func (p *movementPage) matchesBalance(id []byte) (bool, error) {
	if p.in.StockFilter == (api.StockFilter{}) {
		return true, nil
	}
	k, err := stored.BalanceKeys.Shared(p.tx.Reader, id)
	if err != nil || k == nil {
		return false, err
	}
	return k.Matches(p.in.StockFilter), nil
}

// add adds the matching movements of an entry. It returns ErrStop if the page is
// full and more follow.
func (p *movementPage) add(e *journal.Entry) error {
	for _, i := range p.cursor.indexes(e) {
		ok, err := p.matches(e, i)
		if err != nil {
			return err
		}
		if ok && (len(p.out.Items) == p.limit || p.size > maxPageBytes) {
			p.last = p.end
			p.stop()
			return store.ErrStop
		}

		p.last = movementRef{e.Seq, i}
		if !ok {
			continue
		}

		row, err := movementRow(p.tx, e, i)
		if err != nil {
			return err
		}

		p.out.Items, p.end = append(p.out.Items, row), p.last
		p.size += rowSize + serialSize*len(row.SerialNumbers) + len(row.Reason)
	}

	p.last = movementRef{seq: e.Seq} // the entry is finished

	return nil
}

// stop ends the page before the end of the list.
func (p *movementPage) stop() {
	p.full = true
	if p.last.seq > 0 {
		text := journal.MovementID(p.tx.Partition, p.last.seq, p.last.index).String()
		p.out.NextCursor = &text
	}
}

func (p *movementPage) matches(e *journal.Entry, i int) (bool, error) {
	m, in := &e.Movements[i], p.in
	if in.Operation != "" && m.Op != in.Operation ||
		in.InventoryState != "" && api.States[m.State] != in.InventoryState ||
		!stored.InTimeRange(e.At, in.CreatedFrom, in.CreatedTo) ||
		!stored.InTimeRange(e.Occurred(), in.OccurredFrom, in.OccurredTo) {
		return false, nil
	}

	id := e.Balances[m.Balance].Balance
	if p.balances != nil {
		return p.balances[id], nil
	}

	return p.matchesBalance(id[:])
}

func movementRow(tx *stored.Tx, e *journal.Entry, i int) (api.MovementRow, error) {
	m, err := tx.Movement(e, i)
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

	row.LocationName, row.LocationCode = m.Location.NameAndCode()
	row.OwnerName, row.OwnerCode = m.Owner.NameAndCode()
	row.ChannelName, row.ChannelCode = m.Channel.NameAndCode()
	if m.Lot != nil {
		row.LotCode, row.ExpiresAt = m.Lot.LotCode, m.Lot.ExpiresAt
	}
	for i := range m.Serials {
		row.SerialNumbers = append(row.SerialNumbers, m.Serials[i].SerialNumber)
	}

	row.Operator, row.ApprovedBy, row.Device = m.Who()
	row.Device, row.OccurredAt, row.DocumentID = cmp.Or(e.Device, row.Device), m.OccurredAt, e.DocumentRef.ID

	return row, nil
}

// scanAll visits all journal entries, newest first.
func (p *movementPage) scanAll() error {
	span := store.Range{From: journal.SeqKey(p.from), To: journal.SeqKey(p.to), Reverse: true}

	return p.tx.Reader.Scan(journal.Entries.Name, span, func(key, data []byte) error {
		if p.scanned >= stored.RowBudget {
			p.stop()
			return store.ErrStop
		}
		p.scanned++
		return p.visit(binary.BigEndian.Uint64(key), data)
	})
}

// maxPageBytes is the estimated size at which a page of movements ends before its limit:
// a movement can name 1,000 serials and have 16 KiB of metadata.
const maxPageBytes = 4 << 20

// Estimated bytes in JSON.
const (
	rowSize    = 1 << 10
	serialSize = 1 << 9
)

// sizeOf estimates the bytes of a movement in JSON.
func sizeOf(m *api.Movement) int {
	return rowSize + serialSize*len(m.Serials) + len(m.Metadata) + len(m.Reason)
}
