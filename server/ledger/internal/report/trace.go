package report

import (
	"encoding/binary"
	"slices"

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
	if err = addHoldings(tx, l, out, in); err != nil {
		return nil, err
	}

	out.Movements, out.NextCursor, err = tracePage(tx, stored.LotTraces, l.ID, in.HistoryPage,
		func(_ *journal.Entry, m *journal.Movement) bool { return m.Lot == l.ID })

	return out, err
}

// maxHoldings is the most holdings in a LotTrace.
const maxHoldings = 1000

// addHoldings adds the totals of a lot and a page of its holdings.
func addHoldings(tx *stored.Tx, l *stored.Lot, out *api.LotTrace, in *api.TraceLotInput) error {
	limit := maxHoldings
	if in.HoldingsLimit != nil {
		limit = int(*in.HoldingsLimit)
	}

	out.Holdings = []api.LotHolding{}
	var totals [8]int64
	found := in.HoldingsCursor == ""
	err := scanHoldings(tx, l, func(k *stored.BalanceKey, x *stored.LotBalance) {
		for i, q := range x.Q {
			totals[i] += q
		}

		switch {
		case !found:
			found = k.ID.String() == in.HoldingsCursor
		case len(out.Holdings) == limit:
			last := out.Holdings[limit-1].BalanceID.String()
			out.NextHoldingsCursor = &last
		default:
			out.Holdings = append(
				out.Holdings,
				api.LotHolding{BalanceID: k.ID, LocationID: k.Location, OwnerID: k.Owner, ChannelID: k.Channel,
					Quantities: stored.Quantities(&x.Q), Location: tx.PlaceRef(stored.Locations, k.Location),
					Owner: tx.PlaceRef(stored.Owners, k.Owner), Channel: tx.PlaceRef(stored.Channels, k.Channel)},
			)
		}
	})
	if err == nil && !found {
		err = stored.BadCursor(in.HoldingsCursor)
	}

	out.Totals = stored.Quantities(&totals)

	return err
}

// LotOnHand returns how much of a lot is on hand, in all balances.
func LotOnHand(tx *stored.Tx, l *stored.Lot) (sum int64, err error) {
	err = scanHoldings(tx, l, func(_ *stored.BalanceKey, x *stored.LotBalance) { sum += x.Q[stored.OnHand] })
	return sum, err
}

// scanHoldings calls fn with the balances that hold a lot, oldest first.
func scanHoldings(tx *stored.Tx, l *stored.Lot, fn func(*stored.BalanceKey, *stored.LotBalance)) error {
	return stored.BalanceKeys.ScanIndex(
		tx.Reader,
		"product",
		store.Prefix(l.ProductID[:]),
		func(k *stored.BalanceKey) error {
			x, err := stored.LotBalances.Get(tx.Reader, stored.Join(k.ID[:], l.ID[:]))
			if x == nil || err != nil {
				return err
			}
			fn(k, x)
			return nil
		},
	)
}

// SerialHistory returns a serial with its movements.
func SerialHistory(tx *stored.Tx, in *api.SerialHistoryInput) (*api.SerialHistory, error) {
	s, err := stored.Find(tx.Reader, stored.Serials, "serial", in.SerialID)
	if err != nil {
		return nil, err
	}

	out := &api.SerialHistory{Serial: s.Serial, Product: tx.ProductRef(s.ProductID)}
	if s.LotID != api.NoID {
		l, err := stored.Lots.Get(tx.Reader, s.LotID[:])
		if err != nil {
			return nil, err
		}
		if l != nil {
			out.Lot = &l.Lot
		}
	}

	out.Movements, out.NextCursor, err = tracePage(
		tx,
		stored.SerialTraces,
		s.ID,
		in.HistoryPage,
		func(e *journal.Entry, m *journal.Movement) bool {
			return slices.ContainsFunc(m.Serials, func(i int) bool { return e.Serials[i].ID == s.ID })
		},
	)

	return out, err
}

// tracePage returns a page of the movements of one lot or serial.
func tracePage(
	tx *stored.Tx,
	table string,
	id api.ID,
	in api.HistoryPage,
	touches func(*journal.Entry, *journal.Movement) bool,
) ([]api.Movement, *string, error) {
	p, err := newHistoryPage(tx, in, touches)
	if err != nil {
		return nil, nil, err
	}
	from, to := p.cursor.bounds()
	span := store.Range{From: stored.TraceKey(id, from), To: stored.TraceKey(id, to), Reverse: p.cursor.newest}
	err = tx.Reader.Scan(table, span, func(key, _ []byte) error { return p.add(binary.BigEndian.Uint64(key[16:])) })
	return p.list, p.next, err
}
