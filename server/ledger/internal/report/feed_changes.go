package report

import (
	"encoding/hex"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
)

// changePageMovements is the approximate maximum of movements on a page of changes.
const changePageMovements = 4096

// changePageBytes is the approximate maximum of bytes on a page of changes: each movement
// repeats the metadata of its entry.
const changePageBytes = 8 << 20

// Changes returns the changes after the given sequence number.
func (f *Feed) Changes(tx *stored.Tx, in *api.ListChangesInput) (*api.Changes, error) {
	after, limit := int64(0), 100
	if in.After != nil {
		after = *in.After
	}
	if in.Limit != nil {
		limit = int(*in.Limit)
	}

	head, err := tx.Head()
	if err != nil {
		return nil, err
	}

	out := &api.Changes{Epoch: f.epoch(), Items: []api.Change{}, Latest: head.Seq, Hash: head.Hash}
	reason, err := goneReason(tx, in, after, out)
	if err == nil && reason != "" {
		err = changesGone(reason, after, out)
	}
	if err != nil {
		return nil, err
	}
	if in.Key != "" {
		return out, addChangeOfKey(tx, in.Key, out)
	}

	next, width, size := uint64(after)+1, 0, 0
	locations := stored.LocationSet(in.LocationIDs())
	if locations != nil {
		if out.Position, err = positionAt(tx, after); err != nil {
			return nil, err
		}
	}

	err = tx.Reader.Scan(journal.Entries.Name, store.Range{From: journal.SeqKey(next)}, func(_, row []byte) error {
		if len(out.Items) == limit || width > changePageMovements || size > changePageBytes {
			return store.ErrStop
		}

		e := new(journal.Entry)
		if err := journal.Entries.Codec.Decode(row, e); err != nil {
			return err
		}
		if e.Seq != next {
			return changesGone(api.GoneMissing, after, out)
		}

		next++
		width += 1 + len(e.Movements) + len(e.Serials)
		size += len(row) + len(e.Metadata)*len(e.Movements)
		hash := journal.HashOf(row)
		if locations != nil {
			*out.Position = api.Head{Seq: int64(e.Seq), Hash: hash.String()}
			if elsewhere, err := isElsewhere(tx, e, locations); elsewhere || err != nil {
				return err
			}
		}

		change, err := renderChange(tx, e, hash)
		if err != nil {
			return err
		}
		if concerned, err := locations.LimitChange(tx.Reader, change); !concerned || err != nil {
			return err
		}

		out.Items = append(out.Items, *change)

		return nil
	})
	if err == nil && next == uint64(after)+1 && after < out.Latest {
		err = changesGone(api.GoneMissing, after, out)
	}
	if err != nil {
		return nil, err
	}

	return out, nil
}

// positionAt returns the position of a reader that has the changes up to seq.
func positionAt(tx *stored.Tx, seq int64) (*api.Head, error) {
	hash, err := tx.HashAt(uint64(seq))
	return &api.Head{Seq: seq, Hash: hash.String()}, err
}

// isElsewhere reports whether an entry moves stock, none of it at the locations, and is of
// no transfer, which may have an end there. It decides without rendering the entry.
func isElsewhere(tx *stored.Tx, e *journal.Entry, locations stored.LocationSet) (bool, error) {
	if len(e.Balances) == 0 || e.DocumentRef.Kind == journal.TransferKind {
		return false, nil
	}

	for i := range e.Balances {
		id := e.Balances[i].Balance
		key, err := stored.BalanceKeys.Shared(tx.Reader, id[:])
		if err != nil || key == nil || locations.Has(key.Location) {
			return false, err
		}
	}

	return true, nil
}

// addChangeOfKey adds the change with an idempotency key, if there is one.
func addChangeOfKey(tx *stored.Tx, key string, out *api.Changes) error {
	out.Key = key
	e, err := tx.EntryOfKey(key)
	if err != nil || e == nil {
		return err
	}

	hash, err := tx.HashAt(e.Seq)
	if err != nil {
		return err
	}

	change, err := renderChange(tx, e, hash)
	if err == nil {
		out.Items = append(out.Items, *change)
	}

	return err
}

// goneReason returns why changes cannot continue from the reader's last one, or "".
func goneReason(tx *stored.Tx, in *api.ListChangesInput, after int64, at *api.Changes) (api.GoneReason, error) {
	switch {
	case in.Epoch != "" && in.Epoch != at.Epoch:
		return api.GoneEpoch, nil
	case after > at.Latest:
		return api.GoneAhead, nil
	case in.Hash == "":
		return "", nil
	}

	hash, err := tx.HashAt(uint64(after))
	if err != nil || in.Hash == hash.String() {
		return "", err
	}

	return api.GoneDiverged, nil
}

// changesGone returns the error for a position that the feed does not have.
func changesGone(reason api.GoneReason, after int64, at *api.Changes) error {
	return api.Fail(
		api.ChangesGone,
		api.Details{"reason": reason, "after": after, "latest": at.Latest, "epoch": at.Epoch},
		"Changes after %d are not available: the feed is at %d and may have been restored from a backup. Read a snapshot and continue from there.",
		after,
		at.Latest,
	)
}

// renderChange renders one journal entry.
func renderChange(tx *stored.Tx, e *journal.Entry, hash journal.Hash) (*api.Change, error) {
	out := &api.Change{Seq: int64(e.Seq), Key: e.Key, Operation: e.Spec, Reason: e.Reason,
		Hash: hash.String(), Device: e.Device, OccurredAt: e.OccurredAt,
		Actor: e.Actor, CreatedBy: e.Operator, ApprovedBy: e.Approver(), CreatedAt: e.At}
	if e.Fingerprint != ([16]byte{}) {
		out.Fingerprint = hex.EncodeToString(e.Fingerprint[:])
	}
	if e.Client != api.NoID {
		out.Client = &api.ClientNumber{ID: e.Client, Number: e.ClientNumber}
	}

	var err error
	if out.Movements, err = tx.Movements(e); err != nil {
		return nil, err
	}
	if out.Balances, err = tx.ShowBalances(e); err != nil {
		return nil, err
	}

	out.Stocks = make([]api.Stock, len(e.Balances))
	for i := range e.Balances {
		b, err := tx.MustBalance(e.Balances[i].Balance)
		if err != nil {
			return nil, err
		}
		if out.Stocks[i], err = stock(tx, b); err != nil {
			return nil, err
		}
	}

	out.Documents, err = documentsOf(tx, e)

	return out, err
}

// Capabilities returns what the service supports.
func (f *Feed) Capabilities(tx *stored.Tx, _ *api.CapabilitiesInput) (*api.Capabilities, error) {
	head, err := tx.Head()
	if err != nil {
		return nil, err
	}

	out := &api.Capabilities{Service: "bincard", Version: "v1", Operations: []string{}, MaxWait: api.MaxWait,
		Epoch: f.epoch(), Latest: head.Seq, Hash: head.Hash}
	for _, s := range api.Operations() {
		if f.supports(s.ID) {
			out.Operations = append(out.Operations, s.ID)
		}
	}

	return out, nil
}
