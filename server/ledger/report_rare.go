package ledger

import (
	"encoding/binary"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
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
func (tx *readTx) snapshotPage(list *listing[balanceKey], in *api.ReportSnapshotInput) ([]*balanceKey, *string, error) {
	limit := int64(50)
	if in.Limit != nil {
		limit = *in.Limit
	}
	list.budget = rareProbe
	keys, next, err := list.page(tx, &limit, limit, in.Cursor)
	if err != nil || next == nil || int64(len(keys)) == limit {
		return keys, next, err
	}
	list.budget = 0
	p := movementPage{in: &api.ReportMovementsInput{Operation: in.Operation, InventoryState: in.InventoryState,
		LocationID: in.LocationID, OwnerID: in.OwnerID, ChannelID: in.ChannelID}}
	end, err := tx.confirmedSeq()
	if err != nil {
		return nil, nil, err
	}
	for _, s := range p.terms() {
		seqs, few, err := tx.entriesWithTerm(s)
		if err != nil {
			return nil, nil, err
		}
		if !few {
			continue
		}
		err = tx.r.Scan(journal.Entries.Name, store.Range{From: journal.SeqKey(firstSeqOf(wholeBlocks(end)))}, func(key, _ []byte) error {
			seqs = append(seqs, binary.BigEndian.Uint64(key))
			return nil
		})
		if err != nil {
			return nil, nil, err
		}
		keys, err := tx.balancesIn(seqs, list.keep)
		if err != nil {
			return nil, nil, err
		}
		return list.pageSorted(tx, keys, limit, in.Cursor)
	}
	return list.page(tx, &limit, limit, in.Cursor)
}

// entriesWithTerm returns the entries of whole blocks that have a term, if they are few.
func (tx *readTx) entriesWithTerm(s term) (seqs []uint64, few bool, err error) {
	few = true
	err = tx.r.Scan(bitmapTable, store.Prefix([]byte(s)), func(key, data []byte) error {
		var set blockSet
		if err := set.read(data); err != nil || len(key) != len(s)+4 {
			return wire.ErrTruncated
		}
		if few = len(seqs)+set.size() <= rareLimit; !few {
			return store.ErrStop
		}
		n := uint64(binary.BigEndian.Uint32(key[len(s):]))
		for i := set.last(blockSize); i >= 0; i = set.last(i) {
			seqs = append(seqs, firstSeqOf(n)+uint64(i))
		}
		return nil
	})
	return seqs, few, err
}

// balancesIn returns the distinct balances of the entries that satisfy keep.
func (tx *readTx) balancesIn(seqs []uint64, keep func(*balanceKey) bool) (keys []*balanceKey, err error) {
	var g journal.Header
	seen := map[api.ID]bool{}
	for _, seq := range seqs {
		data, err := tx.r.Get(journal.Entries.Name, journal.SeqKey(seq))
		if err != nil {
			return nil, err
		}
		if data == nil {
			return nil, missingEntry(seq)
		}
		if err := g.Read(data); err != nil {
			return nil, err
		}
		for _, id := range g.Balances {
			if seen[api.ID(id)] {
				continue
			}
			seen[api.ID(id)] = true
			k, err := balanceKeys.Shared(tx.r, id)
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
