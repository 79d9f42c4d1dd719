package replica

import (
	"context"
	"errors"
	"time"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
)

// A Tx writes to a partition what another ledger has confirmed, so that a ledger
// over it returns and rejects the same. It has the catalog, open documents and
// balances. Its history starts when the replica began, with the totals at that time.
type Tx struct {
	read *stored.Tx
	tx   store.Tx
	pos  Position

	recount map[stored.StockKey]bool // balances whose HeldByDocuments must be recomputed

	onlyAdvanced bool // the transaction changed nothing but the position
}

// A Position is how far a replica has synced.
type Position struct {
	// Known is set once the replica has begun, Complete once its snapshot is complete.
	Known    bool `json:"known"`
	Complete bool `json:"whole"`
	// Epoch and Seq are of the last change applied.
	Epoch string `json:"epoch"`
	Seq   int64  `json:"seq"`
	// Hash is the service's hash of that change, or "" if it told none.
	Hash string `json:"hash,omitzero"`
	// Operators is set once the operators are read, as far as the changes announce them.
	Operators bool `json:"operators,omitzero"`
	// Since is when the replica began; it has no earlier history.
	Since time.Time `json:"since,omitzero"`
	// Locations are the locations that the replica is limited to, all if there are none.
	Locations stored.LocationSet `json:"locations,omitzero"`
	// Polled is set if the replica is read with the documented operations only. It
	// then has no epoch, and SyncedUntil is the time of the newest data read.
	Polled      bool      `json:"plainly,omitzero"`
	SyncedUntil time.Time `json:"upto,omitzero"`
	// Stamp is new after each transaction: replicas with equal stamps are equal.
	Stamp string `json:"stamp"`
}

// IsPolled reports whether the replica is read with the documented operations only.
func (at *Position) IsPolled() bool { return at.Known && at.Polled }

// ErrUsedAtService is wrapped by the error for a key that was used at the service,
// which alone has the response.
var ErrUsedAtService = errors.New("the key was used at the service this replica follows")

// UsedAtService is the error for a key whose response only the service has.
func UsedAtService(key string) error {
	return &api.Error{
		Code: api.Unavailable,
		Err:  ErrUsedAtService,
		Message: api.Textf(
			"The Idempotency-Key %q was used at the service. Its response is available only when the service can be reached.",
			key,
		),
	}
}

// ReadPosition returns the position of the replica in a partition.
func ReadPosition(ctx context.Context, st store.Store, p store.Partition) (at Position, err error) {
	err = st.View(ctx, p, func(r store.Reader) error {
		at, err = PositionOf(r)
		return err
	})
	return at, err
}

// PositionOf returns the position of the replica in a transaction.
func PositionOf(r store.Reader) (at Position, err error) {
	row, err := positions.Shared(r, stored.ReplicaKey)
	if row != nil {
		at = *row
	}
	return at, err
}

// positions reads the Position of a replica.
var positions = store.NewTable(store.Table[Position]{Name: stored.MetaTable, Codec: store.JSON[Position]()})

// View reads the replica in a partition.
func View(ctx context.Context, st store.Store, p store.Partition, fn func(*Tx) error) error {
	return st.View(ctx, p, func(tx store.Reader) error {
		at, err := PositionOf(tx)
		if err != nil {
			return err
		}
		return fn(&Tx{read: &stored.Tx{Reader: tx, Partition: p}, pos: at})
	})
}

// OperationOf returns the ID of the operation recorded with key, or "" if the replica has none.
func (r *Tx) OperationOf(key string) (string, error) {
	e, err := r.read.EntryOfKey(key)
	if e == nil || err != nil {
		return "", err
	}
	return e.Spec, nil
}

// raiseCounter raises the partition's sequence number to the replica's, so that local
// writes come after it.
func (r *Tx) raiseCounter(last *api.Change) error {
	row, err := account.ReadUsage(r.tx)
	if err != nil {
		return err
	}

	row.Seq = uint64(r.pos.Seq)
	if last != nil {
		row.At = last.CreatedAt
	}
	if row.At.Before(time.UnixMilli(0)) {
		row.At = time.UnixMilli(0)
	}

	row.Month, row.Billable, row.Products = account.MonthOf(row.At), 0, 0

	return row.Put(r.tx)
}

// raiseCounterTo raises the replica's sequence number to that of a time, and returns
// that of the time.
func (r *Tx) raiseCounterTo(at time.Time) uint64 {
	seq := seqAt(at)
	r.pos.Seq = max(r.pos.Seq, int64(seq))
	return seq
}

// seqAt derives a sequence number from a time, for sorting.
func seqAt(at time.Time) uint64 {
	return uint64(max(0, at.UnixMilli()-time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli())) << 6
}

// markRecount schedules recomputing what documents hold of balances.
func (r *Tx) markRecount(list ...stored.StockKey) {
	if r.recount == nil {
		r.recount = map[stored.StockKey]bool{}
	}
	for _, at := range list {
		r.recount[at] = true
	}
}
