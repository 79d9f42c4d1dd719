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
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
)

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
		if !r.onlyAdvanced {
			r.pos.Stamp = stamp
		}

		data, err := json.Marshal(r.pos)
		if err != nil {
			return err
		}

		return tx.Put(stored.MetaTable, stored.ReplicaKey, data)
	})
}

// SetStart sets when the replica began.
func (r *Tx) SetStart(at time.Time) { r.pos.Since = at }

// SetLocations limits the replica to some locations before it is filled. It ignores the
// stock and documents of others.
func (r *Tx) SetLocations(list []api.ID) { r.pos.Locations = list }

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
	if err != nil || current.Equal(&in) {
		return err
	}
	return stored.PutRules(r.tx, in)
}

// Operators sets operators of the organization, of which there are more after a page.
func (r *Tx) Operators(page *api.List[api.Operator]) error {
	for _, o := range page.Items {
		row := &stored.Operator{Operator: o, Seq: uint64(o.CreatedAt.UnixMilli())}
		if err := stored.Operators.Put(r.tx, row); err != nil {
			return err
		}
	}

	r.pos.Operators = page.NextCursor == nil

	return nil
}

// Page applies a page of the snapshot. Pages must be applied in order.
func (r *Tx) Page(p *api.SnapshotPage) error {
	if r.pos.Epoch != "" && r.pos.Epoch != p.Epoch {
		return fmt.Errorf("a page of epoch %s follows one of %s", p.Epoch, r.pos.Epoch)
	}
	if r.pos.Hash != "" && r.pos.Hash != p.Hash {
		return fmt.Errorf("a page of the history %s follows one of %s", p.Hash, r.pos.Hash)
	}

	r.pos.Epoch, r.pos.Seq, r.pos.Hash = p.Epoch, p.Since, p.Hash
	for i := range p.Documents {
		d := &p.Documents[i]
		if has, err := r.pos.Locations.HasDocument(r.tx, d); err != nil {
			return err
		} else if !has {
			continue
		}

		if err := r.setDocument(d); err != nil {
			return err
		}
	}

	for i := range p.Balances {
		if !r.pos.Locations.Has(p.Balances[i].Balance.LocationID) {
			continue
		}
		if err := r.openBalance(&p.Balances[i]); err != nil {
			return err
		}
	}

	r.pos.Complete = p.NextCursor == nil

	return r.raiseCounter(nil)
}

// Changes applies changes that follow the replica's position, up to the newest one. There
// are gaps between them only if the service left out the changes of other locations: then
// upTo is its position, nil otherwise.
func (r *Tx) Changes(epoch string, list []api.Change, upTo *api.Head) error {
	for i := range list {
		c := list[i]
		if epoch != r.pos.Epoch || c.Seq <= r.pos.Seq || upTo == nil && c.Seq != r.pos.Seq+1 {
			return fmt.Errorf("change %d of epoch %s does not follow %d of %s", c.Seq, epoch, r.pos.Seq, r.pos.Epoch)
		}

		concerned, err := r.limitChange(&c)
		if err == nil && concerned {
			err = r.applyChange(&c)
		}
		if err != nil {
			return fmt.Errorf("change %d: %w", c.Seq, err)
		}

		r.pos.Seq, r.pos.Hash = c.Seq, c.Hash
		r.pos.Operators = r.pos.Operators && c.Operation != api.CreateOperator.ID &&
			c.Operation != api.ChangeOperator.ID
	}

	if upTo != nil {
		if epoch != r.pos.Epoch || upTo.Seq < r.pos.Seq {
			return fmt.Errorf("position %d of epoch %s does not follow %d of %s", upTo.Seq, epoch, r.pos.Seq,
				r.pos.Epoch)
		}
		r.pos.Seq, r.pos.Hash = upTo.Seq, upTo.Hash
	}

	if len(list) == 0 {
		r.onlyAdvanced = true
		return r.raiseCounter(nil)
	}

	return r.raiseCounter(&list[len(list)-1])
}

// limitChange removes from a change what belongs to other locations, and reports whether
// it concerns those of the replica.
func (r *Tx) limitChange(c *api.Change) (bool, error) {
	if len(r.pos.Locations) == 0 {
		return true, nil
	}
	c.Movements, c.Balances, c.Stocks = slices.Clone(c.Movements), slices.Clone(c.Balances), slices.Clone(c.Stocks)
	return r.pos.Locations.LimitChange(r.tx, c)
}

// LocationCode returns the code of a location, or "" if it is unknown.
func (r *Tx) LocationCode(id api.ID) (string, error) {
	l, err := stored.Locations.Get(r.read.Reader, id[:])
	if l == nil || err != nil {
		return "", err
	}
	return l.Code, nil
}

// TouchedByAllWrites reports whether every write touches rows of a table, such as the
// sequence number, the keys or the journal. Such rows do not show that two writes
// conflict.
func TouchedByAllWrites(table string) bool {
	return slices.Contains(
		[]string{
			stored.MetaTable,
			stored.KeysTable,
			journal.Entries.Name,
			stored.HistoryTable,
			account.RequestsTable,
			account.Own.Name,
			account.Plans.Name,
			stored.Rules.Name,
			stored.BitmapTable,
		},
		table,
	)
}

// MadeByOneWrite reports whether each row of a table is created by one write, with an
// id derived from its key. Lots, serials and balances can be created by any write.
func MadeByOneWrite(table string) bool {
	return slices.Contains(
		[]string{
			stored.Products.Name,
			stored.Locations.Name,
			stored.Owners.Name,
			stored.Channels.Name,
			stored.Operators.Name,
			stored.Inbounds.Name,
			stored.Outbounds.Name,
			stored.Transfers.Name,
			stored.Reservations.Name,
		},
		table,
	)
}

// MadeByFirstUse reports whether the first of several writes creates a row of a table,
// which the others share and name.
func MadeByFirstUse(table string) bool {
	return table == stored.Lots.Name || table == stored.Serials.Name
}
