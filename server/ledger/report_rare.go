package ledger

import (
	"encoding/binary"

	"bincard/server/api"
	"bincard/server/store"
)

const (
	// rareLimit is how many records may have a sign for the snapshot to go by them.
	rareLimit = 400
	// rareProbe is how many rows are looked at before something is held to be rare.
	rareProbe = 256
)

// snapshotPage is a page of the balances. Where hardly any record has something
// that is asked for, only the balances of those records can be meant, and they
// are found at once; otherwise the list is walked.
func (rd *readTx) snapshotPage(list *listing[balanceKey], in *api.ReportSnapshotInput) ([]*balanceKey, *string, error) {
	limit := int64(50)
	if in.Limit != nil {
		limit = *in.Limit
	}
	list.budget = rareProbe
	keys, next, err := list.page(rd, &limit, limit, in.Cursor)
	if err != nil || next == nil || int64(len(keys)) == limit {
		return keys, next, err
	}
	list.budget = 0
	p := movementPage{in: &api.ReportMovementsInput{Operation: in.Operation, InventoryState: in.InventoryState,
		LocationID: in.LocationID, OwnerID: in.OwnerID, ChannelID: in.ChannelID}}
	end, err := rd.confirmedSeq()
	if err != nil {
		return nil, nil, err
	}
	for _, s := range p.terms() {
		seqs, few, err := rd.entriesWithTerm(s)
		if err != nil {
			return nil, nil, err
		}
		if !few {
			continue
		}
		err = rd.r.Scan(journal.Name, store.Range{From: seqKey(firstSeqOf(wholeBlocks(end)))}, func(key, _ []byte) error {
			seqs = append(seqs, binary.BigEndian.Uint64(key))
			return nil
		})
		if err != nil {
			return nil, nil, err
		}
		keys, err := rd.balancesIn(seqs, list.keep)
		if err != nil {
			return nil, nil, err
		}
		return list.pageSorted(rd, keys, limit, in.Cursor)
	}
	return list.page(rd, &limit, limit, in.Cursor)
}

// entriesWithTerm are the records of whole blocks that have a sign, where they are few.
func (rd *readTx) entriesWithTerm(s term) (seqs []uint64, few bool, err error) {
	few = true
	err = rd.r.Scan(bitmapTable, store.Prefix([]byte(s)), func(key, data []byte) error {
		var set blockSet
		if err := set.read(data); err != nil || len(key) != len(s)+4 {
			return errTruncated
		}
		if few = len(seqs)+set.size() <= rareLimit; !few {
			return store.ErrStop
		}
		n := uint64(binary.BigEndian.Uint32(key[len(s):]))
		for place := set.last(blockSize); place >= 0; place = set.last(place) {
			seqs = append(seqs, firstSeqOf(n)+uint64(place))
		}
		return nil
	})
	return seqs, few, err
}

// balancesIn are the balances in the records that keep leaves, each once.
func (rd *readTx) balancesIn(seqs []uint64, keep func(*balanceKey) bool) (keys []*balanceKey, err error) {
	var g entryHeader
	seen := map[api.ID]bool{}
	for _, seq := range seqs {
		data, err := rd.r.Get(journal.Name, seqKey(seq))
		if err != nil {
			return nil, err
		}
		if data == nil {
			return nil, missingEntry(seq)
		}
		if err := g.read(data); err != nil {
			return nil, err
		}
		for _, id := range g.balances {
			if seen[api.ID(id)] {
				continue
			}
			seen[api.ID(id)] = true
			k, err := balanceKeys.Shared(rd.r, id)
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
