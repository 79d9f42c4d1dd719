package ledger

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"bincard/server/api"
	"bincard/server/store"
)

// A Replica writes to a partition what another ledger has confirmed, so that a
// ledger over it shows the same and would refuse the same. It holds the
// catalogue, what is open, and the balances; of the past it has what it was
// told since it began, over the totals of then.
type Replica struct {
	rd  *readTx
	tx  store.Tx
	pos ReplicaPosition

	recount map[stockKey]bool // what documents hold there is to be counted anew
}

// A ReplicaPosition is how far a replica has come.
type ReplicaPosition struct {
	// Known tells that it has begun, Whole that its snapshot is complete.
	Known    bool `json:"known"`
	Complete bool `json:"whole"`
	// Epoch and Seq are of the last change that it holds.
	Epoch string `json:"epoch"`
	Seq   int64  `json:"seq"`
	// Since is when it began: what happened before it is not here.
	Since time.Time `json:"since,omitzero"`
	// Polled tells that it was read by the documented operations alone. It then
	// has no epoch, and Upto is the instant of the newest thing that was read.
	Polled      bool      `json:"plainly,omitzero"`
	SyncedUntil time.Time `json:"upto,omitzero"`
	// Stamp is another one after each transaction: two replicas, or one at two
	// moments, are the same where it is.
	Stamp string `json:"stamp"`
}

// IsPolled tells whether it was read by the documented operations alone.
func (at *ReplicaPosition) IsPolled() bool { return at.Known && at.Polled }

var replicaKey = []byte("replica")

// ErrUsedAtService is within the error of a key that another ledger knows: its
// answer is to be asked for there.
var ErrUsedAtService = errors.New("the key was used at the service this replica follows")

func usedAtService(key string) error {
	return &api.Error{Code: api.Unavailable, Err: ErrUsedAtService,
		Message: fmt.Sprintf("The Idempotency-Key %q was used at the service. Its response is available only when the service can be reached.", key)}
}

// ReadReplicaPosition is how far the replica in a partition has come.
func ReadReplicaPosition(ctx context.Context, st store.Store, p store.Partition) (at ReplicaPosition, err error) {
	err = st.View(ctx, p, func(r store.Reader) error {
		at, err = readReplicaPosition(r)
		return err
	})
	return at, err
}

func readReplicaPosition(r store.Reader) (at ReplicaPosition, err error) {
	data, err := r.Get(metaTable, replicaKey)
	if err == nil && data != nil {
		err = json.Unmarshal(data, &at)
	}
	return at, err
}

// UpdateReplica runs fn on the replica in a partition, in one transaction.
func UpdateReplica(ctx context.Context, st store.Store, p store.Partition, fn func(*Replica) error) error {
	stamp := uuid.NewString()
	return st.Update(ctx, p, func(tx store.Tx) error {
		at, err := readReplicaPosition(tx)
		if err != nil {
			return err
		}
		r := &Replica{rd: &readTx{r: tx, p: p}, tx: tx, pos: at}
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
		return tx.Put(metaTable, replicaKey, data)
	})
}

// SetStart says when the replica begins.
func (r *Replica) SetStart(at time.Time) { r.pos.Since = at }

// Begin begins a replica of an organization's partition, which must be empty.
func (r *Replica) Begin(org api.Organization, in api.Rules) error {
	if r.pos.Known {
		return errors.New("the replica has already started")
	}
	r.pos.Known = true
	if err := ownOrganization.Insert(r.tx, &org); err != nil {
		return err
	}
	return r.Rules(in)
}

// Rules takes how the organization works from now on.
func (r *Replica) Rules(in api.Rules) error {
	known, err := rulesOf(r.tx)
	if err != nil || *known == in {
		return err
	}
	return putRules(r.tx, in)
}

// Page takes a page of the snapshot, in their order.
func (r *Replica) Page(p *api.SnapshotPage) error {
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

// Changes takes changes that follow on what the replica holds, up to the newest
// that there is.
func (r *Replica) Changes(epoch string, list []api.Change) error {
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

// raiseCounter raises the partition's counter to the replica's, so that what is done
// over it comes after.
func (r *Replica) raiseCounter(last *api.Change) error {
	t, err := r.rd.usageRow()
	if err != nil {
		return err
	}
	t.Seq = uint64(r.pos.Seq)
	if last != nil {
		t.At = last.CreatedAt
	}
	if t.At.Before(time.UnixMilli(0)) {
		t.At = time.UnixMilli(0)
	}
	t.Month, t.Billable, t.Products = monthOf(t.At), 0, 0
	return t.put(r.tx)
}

// setDocument sets a document as it stands.
func (r *Replica) setDocument(d *api.Document) error {
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
	api.DocOwner: rowSetter(owners), api.DocChannel: rowSetter(channels), api.DocLocation: rowSetter(locations),
	api.DocProduct: rowSetter(products), api.DocLot: rowSetter(lots), api.DocSerial: rowSetter(serials),
	api.DocInbound: rowSetter(inbounds), api.DocOutbound: rowSetter(outbounds),
	api.DocTransfer: rowSetter(transfers), api.DocReservation: rowSetter(reservations),
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

// TouchedByAllWrites tells whether all writes touch the rows of a table, which so say
// nothing of what two writes have in common: the counter, the keys, the
// records, and what is counted.
func TouchedByAllWrites(table string) bool {
	return slices.Contains([]string{metaTable, keysTable, journal.Name, historyTable, requestsTable, ownOrganization.Name, plans.Name, rules.Name, bitmapTable}, table)
}

// MadeByOneWrite tells whether a row of the table comes to be by one write, under an id
// that derives from the write's key. Lots, pieces and balances do not: any
// write of theirs makes them.
func MadeByOneWrite(table string) bool {
	return slices.Contains([]string{products.Name, locations.Name, owners.Name, channels.Name,
		inbounds.Name, outbounds.Name, transfers.Name, reservations.Name}, table)
}
