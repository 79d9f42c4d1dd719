package report

import (
	"encoding/binary"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
	"bincard/server/store/wire"
)

const (
	// rareLimit is the maximum number of entries with a rare term.
	rareLimit = 400
	// rareProbe is how many rows to scan before looking for a rare term.
	rareProbe = 256
)

// snapshotPage returns a page of balances. If a term of the request is rare, only the
// balances of the entries with it can match, and it reads just those; otherwise it
// scans the list.
func snapshotPage(
	tx *stored.Tx,
	list *stored.Listing[stored.BalanceKey],
	in *api.ReportSnapshotInput,
) ([]*stored.BalanceKey, *string, error) {
	limit := int64(50)
	if in.Limit != nil {
		limit = *in.Limit
	}

	page := api.Page{Limit: &limit, Cursor: in.Cursor}
	list.Budget = rareProbe
	keys, next, err := list.Page(tx, page)
	if err != nil || next == nil || int64(len(keys)) == limit {
		return keys, next, err
	}

	list.Budget = 0
	p := movementPage{in: &api.ReportMovementsInput{Operation: in.Operation, InventoryState: in.InventoryState,
		StockFilter: api.StockFilter{LocationID: in.LocationID, OwnerID: in.OwnerID, ChannelID: in.ChannelID}}}
	end, err := confirmedSeq(tx)
	if err != nil {
		return nil, nil, err
	}

	for _, s := range p.terms() {
		seqs, few, err := entriesWithTerm(tx, s)
		if err != nil {
			return nil, nil, err
		}
		if !few {
			continue
		}

		err = tx.Reader.Scan(
			journal.Entries.Name,
			store.Range{From: journal.SeqKey(stored.FirstSeqOf(stored.WholeBlocks(end)))},
			func(key, _ []byte) error {
				seqs = append(seqs, binary.BigEndian.Uint64(key))
				return nil
			},
		)
		if err != nil {
			return nil, nil, err
		}

		keys, err := balancesIn(tx, seqs, list.Keep)
		if err != nil {
			return nil, nil, err
		}

		return list.PageSorted(tx, keys, page)
	}

	return list.Page(tx, page)
}

// entriesWithTerm returns the entries of whole blocks that have a term, if they are few.
func entriesWithTerm(tx *stored.Tx, s stored.Term) (seqs []uint64, few bool, err error) {
	few = true
	err = tx.Reader.Scan(stored.BitmapTable, store.Prefix([]byte(s)), func(key, data []byte) error {
		var set stored.BlockSet
		if err := set.Read(data); err != nil || len(key) != len(s)+4 {
			return wire.ErrTruncated
		}
		if few = len(seqs)+set.Size() <= rareLimit; !few {
			return store.ErrStop
		}

		n := uint64(binary.BigEndian.Uint32(key[len(s):]))
		for i := set.Last(stored.BlockSize); i >= 0; i = set.Last(i) {
			seqs = append(seqs, stored.FirstSeqOf(n)+uint64(i))
		}

		return nil
	})

	return seqs, few, err
}

// balancesIn returns the distinct balances of the entries that satisfy keep.
func balancesIn(
	tx *stored.Tx,
	seqs []uint64,
	keep func(*stored.BalanceKey) bool,
) (keys []*stored.BalanceKey, err error) {
	var g journal.Header
	seen := map[api.ID]bool{}
	for _, seq := range seqs {
		data, err := tx.Reader.Get(journal.Entries.Name, journal.SeqKey(seq))
		if err != nil {
			return nil, err
		}
		if data == nil {
			return nil, stored.MissingEntry(seq)
		}
		if err := g.Read(data); err != nil {
			return nil, err
		}

		for _, id := range g.Balances {
			if seen[api.ID(id)] {
				continue
			}

			seen[api.ID(id)] = true
			k, err := stored.BalanceKeys.Shared(tx.Reader, id)
			if err != nil {
				return nil, err
			}
			if k != nil && keep(k) {
				keys = append(keys, k)
			}
		}
	}

	return keys, nil
}
