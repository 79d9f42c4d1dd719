package report

import (
	"cmp"
	"slices"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
)

const (
	// maxDueBalances is the most balances of a location that are ranked, the oldest first.
	maxDueBalances = 50_000
	// nextShelves and maxNextCounts limit what is counted next.
	nextShelves   = 10
	maxNextCounts = 200
)

// A dueBalance is a balance to count.
type dueBalance struct {
	*stored.BalanceKey
	*stored.Balance
	moves, weight int64
	class         string
	taken         bool
}

// countClasses are the classes with the share of all movements, in percent, that they and those
// before them make up, and how often they are counted in a year.
var countClasses = []struct {
	class         string
	share, yearly int64
}{{"A", 80, 12}, {"B", 95, 4}, {"C", 101, 1}}

// NextCounts returns what to count next at a location: the products whose last count is the
// longest ago for their class, with all that lies on the same shelves.
func NextCounts(tx *stored.Tx, in *api.ListNextCountsInput) (*api.List[api.NextCount], error) {
	at, err := tx.StockKeyOf(api.StockKey{LocationID: in.LocationID})
	if err != nil {
		return nil, err
	}

	list, err := dueBalances(tx, at)
	if err != nil {
		return nil, err
	}

	on, shelves := map[api.ID][]string{}, map[string][]*dueBalance{}
	prefix := store.Prefix(at.Location[:])
	err = stored.Products.ScanKeys(tx.Reader, "shelf", prefix, func(key, product []byte) error {
		on[api.ID(product)] = append(on[api.ID(product)], string(key))
		return nil
	})
	for _, d := range list {
		for _, shelf := range on[d.Product] {
			shelves[shelf] = append(shelves[shelf], d)
		}
	}

	var out []*dueBalance
	left := nextShelves
	for _, d := range list {
		if d.taken || left == 0 {
			continue
		}

		left--
		together := []*dueBalance{d}
		for _, shelf := range on[d.Product] {
			together = append(together, shelves[shelf]...)
		}

		for _, x := range together {
			if !x.taken && len(out) < maxNextCounts {
				x.taken, out = true, append(out, x)
			}
		}
	}

	return stored.ListOf(out, nil, err, func(d *dueBalance) *api.NextCount {
		out := &api.NextCount{ProductID: d.Product, Product: tx.ProductRef(d.Product), Class: d.class}
		if e, _ := journal.Entries.Get(tx.Reader, journal.SeqKey(uint64(d.Counted))); e != nil {
			out.CountedAt, out.CountedBy = e.At, cmp.Or(e.Operator, &e.Actor)
		}
		return out
	})
}

// dueBalances returns the balances at a location, the most due one first: by the time since
// the last count, times the counts that the class has in a year.
func dueBalances(tx *stored.Tx, at stored.StockKey) (list []*dueBalance, err error) {
	var scanned int
	var all, sum int64
	prefix := store.Prefix(at.Location[:])
	err = stored.BalanceKeys.ScanKeys(tx.Reader, "location", prefix, func(_, id []byte) error {
		if scanned++; scanned > maxDueBalances {
			return store.ErrStop
		}

		k, err := stored.BalanceKeys.Shared(tx.Reader, id)
		if err != nil || k == nil || k.Owner != at.Owner || k.Channel != at.Channel {
			return err
		}

		b, err := stored.Balances.Get(tx.Reader, id)
		if err == nil && b != nil && b.Q[stored.OnHand] > 0 {
			d := &dueBalance{BalanceKey: k, Balance: b, moves: b.Moves(tx.Now)}
			all += d.moves
			list = append(list, d)
		}

		return err
	})

	slices.SortStableFunc(list, func(a, b *dueBalance) int { return cmp.Compare(b.moves, a.moves) })
	for _, d := range list {
		i := 0
		for sum*100 >= all*countClasses[i].share && i < len(countClasses)-1 {
			i++
		}

		sum += d.moves
		d.class = countClasses[i].class
		since := cmp.Or(d.CountedAt, d.CreatedAt.UnixMilli())
		d.weight = (tx.Now.UnixMilli() - since) * countClasses[i].yearly
	}

	slices.SortStableFunc(list, func(a, b *dueBalance) int { return cmp.Compare(b.weight, a.weight) })

	return list, err
}
