package report

import (
	"slices"

	"github.com/google/uuid"

	"bincard/server/api"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
)

// maxPickableSerials is the most serials of a lot in a PickableLot.
const maxPickableSerials = 20

// defaultPickable is the number of lots on a page without a limit.
const defaultPickable = 1000

// noLot is the cursor after the stock without a lot, which comes first.
const noLot = "none"

// PickableStock returns a page of the unexpired stock of a balance by lot, in the order in
// which documents take it.
func PickableStock(tx *stored.Tx, in *api.ListPickableStockInput) (*api.PickableStock, error) {
	if _, err := tx.Product("productId", in.ProductID); err != nil {
		return nil, err
	}

	at, err := tx.StockKeyOf(
		api.StockKey{ProductID: in.ProductID, LocationID: in.LocationID, OwnerID: in.OwnerID, ChannelID: in.ChannelID})
	if err != nil {
		return nil, err
	}

	after, err := lotOfCursor(tx, in)
	if err != nil {
		return nil, err
	}

	out := &api.PickableStock{List: api.List[api.PickableLot]{Items: []api.PickableLot{}}}
	b, err := tx.Balance(stored.BalanceID(tx.Partition, at))
	if b == nil || err != nil {
		return out, err
	}

	serials, err := pickableSerials(tx, b)
	if err != nil {
		return nil, err
	}

	lots, available, err := pickableLots(tx, b, serials)
	if err != nil {
		return nil, err
	}
	for _, n := range available {
		out.AvailableQuantity += n
	}
	if none := available[api.NoID]; in.Cursor == "" && (none > 0 || len(serials[api.NoID]) > 0) {
		out.Items = append(out.Items, api.PickableLot{AvailableQuantity: none, SerialNumbers: serials[api.NoID]})
	}

	limit := defaultPickable
	if in.Limit != nil {
		limit = int(*in.Limit)
	}

	slices.SortFunc(lots, stored.ByExpiry)
	for _, l := range lots {
		if after != nil && stored.ByExpiry(l, after) <= 0 {
			continue
		}
		if len(out.Items) == limit {
			out.NextCursor = new(cursorOfLot(out.Items[limit-1].LotID))
			break
		}

		out.Items = append(out.Items, api.PickableLot{LotID: l.ID, LotCode: l.LotCode, ExpiresAt: l.ExpiresAt,
			AvailableQuantity: available[l.ID], SerialNumbers: serials[l.ID]})
	}

	return out, nil
}

// lotOfCursor returns the lot after which a page begins, or nil if it begins with the first
// one. The lot may have been used up since.
func lotOfCursor(tx *stored.Tx, in *api.ListPickableStockInput) (*stored.Lot, error) {
	if in.Cursor == "" || in.Cursor == noLot {
		return nil, nil
	}

	id, err := uuid.Parse(in.Cursor)
	if err != nil || id.String() != in.Cursor {
		return nil, stored.BadCursor(in.Cursor)
	}

	l, err := stored.Lots.Get(tx.Reader, id[:])
	if err == nil && (l == nil || l.ProductID != in.ProductID) {
		err = stored.BadCursor(in.Cursor)
	}

	return l, err
}

func cursorOfLot(id api.ID) string {
	if id == api.NoID {
		return noLot
	}
	return id.String()
}

// pickableLots returns the lots of a balance that have not expired and have stock to pick,
// and how much of each is available; that without a lot has the zero ID.
func pickableLots(
	tx *stored.Tx,
	b *stored.Balance,
	serials map[api.ID][]string,
) (lots []*stored.Lot, available map[api.ID]int64, err error) {
	list, err := tx.LotBalancesOf(b.ID)
	if err != nil {
		return nil, nil, err
	}

	unlotted := b.Q[stored.Available]
	available = map[api.ID]int64{}
	for _, x := range list {
		unlotted -= x.Q[stored.Available]
		if x.Q[stored.Available] == 0 && len(serials[x.Lot]) == 0 {
			continue
		}

		l, err := stored.Lots.Shared(tx.Reader, x.Lot[:])
		if err != nil {
			return nil, nil, err
		}
		if l != nil && !l.Expired(tx.Now) {
			lots = append(lots, l)
			available[l.ID] = x.Q[stored.Available]
		}
	}

	available[api.NoID] = unlotted

	return lots, available, nil
}

// pickableSerials returns the numbers of the oldest serials in stock, by lot.
func pickableSerials(tx *stored.Tx, b *stored.Balance) (map[api.ID][]string, error) {
	out := map[api.ID][]string{}
	if b.Serials == 0 {
		return out, nil
	}

	at := b.Key.StockKey
	err := stored.Serials.ScanIndex(
		tx.Reader,
		"shelf",
		store.Prefix(stored.Join(at.Product[:], at.Location[:])),
		func(s *stored.Serial) error {
			if s.Pickable(at) && len(out[s.LotID]) < maxPickableSerials {
				out[s.LotID] = append(out[s.LotID], s.SerialNumber)
			}
			return nil
		},
	)

	return out, err
}
