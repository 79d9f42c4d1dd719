package report

import (
	"encoding/binary"
	"math"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
)

// TraceLot returns the stock and the movements of a lot.
func TraceLot(tx *stored.Tx, in *api.TraceLotInput) (*api.LotTrace, error) {
	l, err := stored.Find(tx.Reader, stored.Lots, "lot", in.LotID)
	if err != nil {
		return nil, err
	}
	out := &api.LotTrace{Lot: l.Lot, Product: tx.ProductRef(l.ProductID)}
	if out.Holdings, err = Holdings(tx, l); err != nil {
		return nil, err
	}
	w := traceScan{tx: tx, table: stored.LotTraces, id: l.ID, touches: func(_ *journal.Entry, m *journal.Movement) bool { return m.Lot == l.ID }}
	out.Movements, out.NextCursor, err = w.page(in.Limit, in.Cursor, in.Order)
	return out, err
}

// Holdings returns the stock of a lot by balance.
func Holdings(tx *stored.Tx, l *stored.Lot) ([]api.LotHolding, error) {
	out := []api.LotHolding{}
	err := stored.BalanceKeys.ScanIndex(tx.Reader, "product", store.Prefix(l.ProductID[:]), func(k *stored.BalanceKey) error {
		x, err := stored.LotBalances.Get(tx.Reader, stored.Join(k.ID[:], l.ID[:]))
		if x == nil || err != nil {
			return err
		}
		out = append(out, api.LotHolding{BalanceID: k.ID, LocationID: k.Location, OwnerID: k.Owner, ChannelID: k.Channel,
			Quantities: stored.Quantities(&x.Q), Location: tx.PlaceRef(stored.Locations, k.Location),
			Owner: tx.PlaceRef(stored.Owners, k.Owner), Channel: tx.PlaceRef(stored.Channels, k.Channel)})
		return nil
	})
	return out, err
}

// SerialHistory returns a serial with its movements.
func SerialHistory(tx *stored.Tx, in *api.SerialHistoryInput) (*api.SerialHistory, error) {
	s, err := stored.Find(tx.Reader, stored.Serials, "serial", in.SerialID)
	if err != nil {
		return nil, err
	}
	out := &api.SerialHistory{Serial: s.Serial, Product: tx.ProductRef(s.ProductID)}
	if s.LotID != (api.ID{}) {
		l, err := stored.Lots.Get(tx.Reader, s.LotID[:])
		if err != nil {
			return nil, err
		}
		if l != nil {
			out.Lot = &l.Lot
		}
	}
	w := traceScan{tx: tx, table: stored.SerialTraces, id: s.ID, touches: func(e *journal.Entry, m *journal.Movement) bool {
		for _, i := range m.Serials {
			if e.Serials[i].ID == s.ID {
				return true
			}
		}
		return false
	}}
	out.Movements, out.NextCursor, err = w.page(in.Limit, in.Cursor, in.Order)
	return out, err
}

// A traceScan lists the movements of one lot or serial.
type traceScan struct {
	tx      *stored.Tx
	table   string
	id      api.ID
	touches func(*journal.Entry, *journal.Movement) bool
}

// page returns the movements after the cursor; without a limit all of them.
func (w *traceScan) page(limit *int64, cursor string, order api.Order) (list []api.Movement, next *string, err error) {
	list = []api.Movement{}
	max := math.MaxInt
	if limit != nil {
		max = int(*limit)
	}
	t, err := parseHistoryCursor(w.tx, cursor, order == api.NewestFirst, w.touches)
	if err != nil {
		return nil, nil, err
	}
	span := t.span(func(seq uint64) []byte { return stored.TraceKey(w.id, seq) })
	err = w.tx.Reader.Scan(w.table, span, func(key, _ []byte) error {
		e, err := w.tx.EntryAt(binary.BigEndian.Uint64(key[16:]))
		if err != nil {
			return err
		}
		for _, i := range t.indexes(e) {
			if !w.touches(e, &e.Movements[i]) {
				continue
			}
			if len(list) == max {
				last := list[max-1].ID.String()
				next = &last
				return store.ErrStop
			}
			m, err := w.tx.Movement(e, i)
			if err != nil {
				return err
			}
			list = append(list, m)
		}
		return nil
	})
	return list, next, err
}
