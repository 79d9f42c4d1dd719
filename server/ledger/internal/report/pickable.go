package report

import (
	"slices"

	"bincard/server/api"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
)

// maxPickableSerials is the most serials of a lot in a PickableLot.
const maxPickableSerials = 20

// PickableStock returns the unexpired stock of a balance by lot, in the order in which
// documents take it.
func PickableStock(tx *stored.Tx, in *api.ListPickableStockInput) (*api.List[api.PickableLot], error) {
	if _, err := tx.Product("productId", in.ProductID); err != nil {
		return nil, err
	}
	at, err := tx.StockKeyOf(api.StockKey{ProductID: in.ProductID, LocationID: in.LocationID, OwnerID: in.OwnerID, ChannelID: in.ChannelID})
	if err != nil {
		return nil, err
	}
	out := &api.List[api.PickableLot]{Items: []api.PickableLot{}}
	b, err := tx.Balance(stored.BalanceID(tx.Partition, at))
	if b == nil || err != nil {
		return out, err
	}
	serials, err := pickableSerials(tx, b)
	if err != nil {
		return nil, err
	}
	list, err := tx.LotBalancesOf(b.ID)
	if err != nil {
		return nil, err
	}
	unlotted := b.Q[stored.Available]
	var lots []*stored.Lot
	available := map[api.ID]int64{}
	for _, x := range list {
		unlotted -= x.Q[stored.Available]
		if x.Q[stored.Available] == 0 && len(serials[x.Lot]) == 0 {
			continue
		}
		l, err := stored.Lots.Shared(tx.Reader, x.Lot[:])
		if err != nil {
			return nil, err
		}
		if l != nil && !l.Expired(tx.Now) {
			lots = append(lots, l)
			available[l.ID] = x.Q[stored.Available]
		}
	}
	if none := serials[api.ID{}]; unlotted > 0 || len(none) > 0 {
		out.Items = append(out.Items, api.PickableLot{AvailableQuantity: unlotted, SerialNumbers: none})
	}
	slices.SortFunc(lots, stored.ByExpiry)
	for _, l := range lots {
		out.Items = append(out.Items, api.PickableLot{LotID: l.ID, LotCode: l.LotCode, ExpiresAt: l.ExpiresAt,
			AvailableQuantity: available[l.ID], SerialNumbers: serials[l.ID]})
	}
	return out, nil
}

// pickableSerials returns the numbers of the oldest serials in stock, by lot.
func pickableSerials(tx *stored.Tx, b *stored.Balance) (map[api.ID][]string, error) {
	out := map[api.ID][]string{}
	if b.Serials == 0 {
		return out, nil
	}
	at := b.Key.StockKey
	err := stored.Serials.ScanIndex(tx.Reader, "shelf", store.Prefix(stored.Join(at.Product[:], at.Location[:])), func(s *stored.Serial) error {
		if s.Pickable(at) && len(out[s.LotID]) < maxPickableSerials {
			out[s.LotID] = append(out[s.LotID], s.SerialNumber)
		}
		return nil
	})
	return out, err
}
