package ledger

import (
	"encoding/binary"
	"math"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/store"
)

// The trace tables have a row for every journal entry that moves a lot or a serial,
// under its id and the sequence number.
const (
	lotTraces    = "traces.lot"
	serialTraces = "traces.serial"
)

var traceTables = [2]string{lotTraces, serialTraces}

// traceKey returns the row key of a trace; it has the form of a history key.
func traceKey(id api.ID, seq uint64) []byte { return historyKey(id, seq) }

// saveTraces adds the entry to the traces of the lots and serials it moves.
func saveTraces(tx store.Tx, e *journal.Entry) error {
	for i := range e.Movements {
		if m := &e.Movements[i]; m.Lot != (api.ID{}) || len(m.Serials) > 0 {
			return saveTraceRows(tx, e)
		}
	}
	return nil
}

// saveTraceRows adds an entry to the traces. Its serials must be complete.
func saveTraceRows(tx store.Tx, e *journal.Entry) error {
	for k, ids := range tracedIDs(e) {
		for id := range ids {
			if err := tx.Put(traceTables[k], traceKey(id, e.Seq), []byte{0}); err != nil {
				return err
			}
		}
	}
	return nil
}

// tracedIDs returns the lots and the serials that the entry's movements name.
func tracedIDs(r *journal.Entry) (ids [2]map[api.ID]bool) {
	ids[0], ids[1] = map[api.ID]bool{}, map[api.ID]bool{}
	for i := range r.Movements {
		m := &r.Movements[i]
		if m.Lot != (api.ID{}) {
			ids[0][m.Lot] = true
		}
		for _, s := range m.Serials {
			ids[1][r.Serials[s].ID] = true
		}
	}
	return ids
}

func bindTraces(b map[string]binding) {
	reads(b, api.TraceLot, (*readTx).traceLot)
	reads(b, api.GetSerialHistory, (*readTx).serialHistory)
}

func (tx *readTx) traceLot(in *api.TraceLotInput) (*api.LotTrace, error) {
	l, err := lots.Shared(tx.r, in.LotID[:])
	if err != nil {
		return nil, err
	}
	if l == nil {
		return nil, notFound("lot", "lotId", in.LotID)
	}
	out := &api.LotTrace{Lot: l.Lot, Product: tx.productRef(l.ProductID)}
	if out.Holdings, err = tx.holdings(l); err != nil {
		return nil, err
	}
	w := traceScan{tx: tx, table: lotTraces, id: l.ID, touches: func(_ *journal.Entry, m *journal.Movement) bool { return m.Lot == l.ID }}
	out.Movements, out.NextCursor, err = w.page(in.Limit, in.Cursor, in.Order)
	return out, err
}

// holdings returns the stock of a lot by balance.
func (tx *readTx) holdings(l *lot) ([]api.LotHolding, error) {
	out := []api.LotHolding{}
	err := balanceKeys.ScanIndex(tx.r, "product", store.Prefix(l.ProductID[:]), func(k *balanceKey) error {
		x, err := lotBalances.Get(tx.r, join(k.ID[:], l.ID[:]))
		if x == nil || err != nil {
			return err
		}
		out = append(out, api.LotHolding{BalanceID: k.ID, LocationID: k.Location, OwnerID: k.Owner, ChannelID: k.Channel,
			Quantities: quantities(&x.Q), Location: tx.placeRef(locations, k.Location),
			Owner: tx.placeRef(owners, k.Owner), Channel: tx.placeRef(channels, k.Channel)})
		return nil
	})
	return out, err
}

func (tx *readTx) serialHistory(in *api.SerialHistoryInput) (*api.SerialHistory, error) {
	s, err := serials.Shared(tx.r, in.SerialID[:])
	if err != nil {
		return nil, err
	}
	if s == nil {
		return nil, notFound("serial", "serialId", in.SerialID)
	}
	out := &api.SerialHistory{Serial: s.Serial, Product: tx.productRef(s.ProductID)}
	if s.LotID != (api.ID{}) {
		l, err := lots.Shared(tx.r, s.LotID[:])
		if err != nil {
			return nil, err
		}
		if l != nil {
			current := l.Lot
			out.Lot = &current
		}
	}
	w := traceScan{tx: tx, table: serialTraces, id: s.ID, touches: func(e *journal.Entry, m *journal.Movement) bool {
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
	tx      *readTx
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
	t, err := w.tx.historyCursor(cursor, order == api.NewestFirst, w.touches)
	if err != nil {
		return nil, nil, err
	}
	span := t.span(func(seq uint64) []byte { return traceKey(w.id, seq) })
	err = w.tx.r.Scan(w.table, span, func(key, _ []byte) error {
		e, err := w.tx.entryAt(binary.BigEndian.Uint64(key[16:]))
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
			m, err := w.tx.movement(e, i)
			if err != nil {
				return err
			}
			list = append(list, m)
		}
		return nil
	})
	return list, next, err
}

// checkTraced checks that the entry is in the traces of what it moves.
func (v *verification) checkTraced(e *journal.Entry) error {
	for k, ids := range tracedIDs(e) {
		for id := range ids {
			v.traces[k]++
			row, err := v.r.Get(traceTables[k], traceKey(id, e.Seq))
			if err != nil {
				return err
			}
			if row == nil {
				v.reportFault(traceTables[k], "journal entry %d moves %s, but is missing from its trace", e.Seq, id)
			}
		}
	}
	return nil
}

// checkTraceTables checks that the traces have no further rows.
func (v *verification) checkTraceTables() error {
	for k, table := range traceTables {
		found := 0
		err := v.r.Scan(table, store.Range{}, func(_, _ []byte) error { found++; return nil })
		if err != nil {
			return err
		}
		if found != v.traces[k] {
			v.reportFault(table, "has %d entries; the journal requires %d", found, v.traces[k])
		}
	}
	return nil
}
