// Package replica fills a partition with what another ledger has confirmed, so that a
// ledger over it returns and rejects the same.
//
// Update runs a function on a Tx, in one write transaction; View only reads. A replica
// that follows the feed is begun with Begin, filled with Page and continued with
// Changes. A polled replica follows a service that offers only the documented
// operations. It is built from reports and lists, so it has no lots or tracking, only
// the names of products, and only the documents that were listed.
package replica

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/ledger/internal/bitmap"
	"bincard/server/ledger/internal/journal"
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
}

// A Position is how far a replica has synced.
type Position struct {
	// Known is set once the replica has begun, Complete once its snapshot is complete.
	Known    bool `json:"known"`
	Complete bool `json:"whole"`
	// Epoch and Seq are of the last change applied.
	Epoch string `json:"epoch"`
	Seq   int64  `json:"seq"`
	// Since is when the replica began; it has no earlier history.
	Since time.Time `json:"since,omitzero"`
	// Polled is set if the replica is read with the documented operations only. It
	// then has no epoch, and SyncedUntil is the time of the newest data read.
	Polled      bool      `json:"plainly,omitzero"`
	SyncedUntil time.Time `json:"upto,omitzero"`
	// Stamp is new after each transaction: replicas with equal stamps are equal.
	Stamp string `json:"stamp"`
}

// IsPolled reports whether the replica is read with the documented operations only.
func (at *Position) IsPolled() bool { return at.Known && at.Polled }

var replicaKey = []byte("replica")

// ErrUsedAtService is wrapped by the error for a key that was used at the service,
// which alone has the response.
var ErrUsedAtService = errors.New("the key was used at the service this replica follows")

// UsedAtService is the error for a key whose response only the service has.
func UsedAtService(key string) error {
	return &api.Error{Code: api.Unavailable, Err: ErrUsedAtService,
		Message: api.Textf("The Idempotency-Key %q was used at the service. Its response is available only when the service can be reached.", key)}
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
	data, err := r.Get(stored.MetaTable, replicaKey)
	if err == nil && data != nil {
		err = json.Unmarshal(data, &at)
	}
	return at, err
}

// Update runs fn on the replica in a partition, in a write transaction.
func Update(ctx context.Context, st store.Store, p store.Partition, fn func(*Tx) error) error {
	stamp := uuid.NewString()
	return st.Update(ctx, p, func(tx store.Tx) error {
		at, err := PositionOf(tx)
		if err != nil {
			return err
		}
		r := &Tx{read: &stored.Tx{Reader: tx, Partition: p}, tx: tx, pos: at}
		if err := fn(r); err != nil {
			return err
		}
		if err := r.recountHeld(); err != nil {
			return err
		}
		r.pos.Stamp = stamp
		data, err := json.Marshal(r.pos)
		if err != nil {
			return err
		}
		return tx.Put(stored.MetaTable, replicaKey, data)
	})
}

// SetStart sets when the replica began.
func (r *Tx) SetStart(at time.Time) { r.pos.Since = at }

// Begin starts a replica of an organization's partition, which must be empty.
func (r *Tx) Begin(org api.Organization, in api.Rules) error {
	if r.pos.Known {
		return errors.New("the replica has already started")
	}
	r.pos.Known = true
	if err := account.Own.Insert(r.tx, &org); err != nil {
		return err
	}
	return r.Rules(in)
}

// Rules sets the organization's rules.
func (r *Tx) Rules(in api.Rules) error {
	current, err := stored.RulesOf(r.tx)
	if err != nil || *current == in {
		return err
	}
	return stored.PutRules(r.tx, in)
}

// Page applies a page of the snapshot. Pages must be applied in order.
func (r *Tx) Page(p *api.SnapshotPage) error {
	if r.pos.Epoch != "" && r.pos.Epoch != p.Epoch {
		return fmt.Errorf("a page of epoch %s follows one of %s", p.Epoch, r.pos.Epoch)
	}
	r.pos.Epoch, r.pos.Seq = p.Epoch, p.Since
	for i := range p.Documents {
		if err := r.setDocument(&p.Documents[i]); err != nil {
			return err
		}
	}
	for i := range p.Balances {
		if err := r.openBalance(&p.Balances[i]); err != nil {
			return err
		}
	}
	r.pos.Complete = p.NextCursor == nil
	return r.raiseCounter(nil)
}

// Changes applies changes that follow the replica's position, up to the newest one.
func (r *Tx) Changes(epoch string, list []api.Change) error {
	for i := range list {
		c := &list[i]
		if epoch != r.pos.Epoch || c.Seq != r.pos.Seq+1 {
			return fmt.Errorf("change %d of epoch %s does not follow %d of %s", c.Seq, epoch, r.pos.Seq, r.pos.Epoch)
		}
		if err := r.applyChange(c); err != nil {
			return fmt.Errorf("change %d: %w", c.Seq, err)
		}
		r.pos.Seq = c.Seq
	}
	if len(list) == 0 {
		return nil
	}
	return r.raiseCounter(&list[len(list)-1])
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

// setDocument writes a document in its current form.
func (r *Tx) setDocument(d *api.Document) error {
	set := documentSetters[d.Kind]
	if set == nil {
		return fmt.Errorf("unknown document kind %q", d.Kind)
	}
	if err := set(r.tx, d.Data); err != nil {
		return fmt.Errorf("%s %s: %w", d.Kind, d.ID, err)
	}
	return nil
}

var documentSetters = map[api.DocumentKind]func(store.Tx, []byte) error{
	api.DocOwner: rowSetter(stored.Owners), api.DocChannel: rowSetter(stored.Channels), api.DocLocation: rowSetter(stored.Locations),
	api.DocProduct: rowSetter(stored.Products), api.DocLot: rowSetter(stored.Lots), api.DocSerial: rowSetter(stored.Serials),
	api.DocInbound: rowSetter(stored.Inbounds), api.DocOutbound: rowSetter(stored.Outbounds),
	api.DocTransfer: rowSetter(stored.Transfers), api.DocReservation: rowSetter(stored.Reservations),
}

func rowSetter[T any](t *store.Table[T]) func(store.Tx, []byte) error {
	return func(tx store.Tx, data []byte) error {
		row := new(T)
		if err := json.Unmarshal(data, row); err != nil {
			return err
		}
		return t.Put(tx, row)
	}
}

// TouchedByAllWrites reports whether every write touches rows of a table, such as the
// sequence number, the keys or the journal. Such rows do not show that two writes
// conflict.
func TouchedByAllWrites(table string) bool {
	return slices.Contains([]string{stored.MetaTable, stored.KeysTable, journal.Entries.Name, stored.HistoryTable, account.RequestsTable, account.Own.Name, account.Plans.Name, stored.Rules.Name, bitmap.Table}, table)
}

// MadeByOneWrite reports whether each row of a table is created by one write, with an
// id derived from its key. Lots, serials and balances can be created by any write.
func MadeByOneWrite(table string) bool {
	return slices.Contains([]string{stored.Products.Name, stored.Locations.Name, stored.Owners.Name, stored.Channels.Name,
		stored.Inbounds.Name, stored.Outbounds.Name, stored.Transfers.Name, stored.Reservations.Name}, table)
}
