package stored

import (
	"time"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/store"
)

// A Tx is a read transaction on a partition, at one point in time.
type Tx struct {
	Reader      store.Reader
	Partition   store.Partition
	Caller      *api.Caller
	Now         time.Time
	lastBalance api.Balance // cache of showID
	lastProduct *Product    // cache of SharedProduct

	// Cached references: most occur many times in a response.
	productRefs []*api.ProductRef
	placeRefs   []namedPlace
}

// maxRefs limits the cached references of each kind.
const maxRefs = 16

// Find returns the row with an id. The error for an unknown id names the kind of object.
func Find[T any](r store.Reader, t *store.Table[T], kind string, id api.ID) (*T, error) {
	row, err := t.Get(r, id[:])
	if err == nil && row == nil {
		return nil, NotFound(kind, kind+"Id", id)
	}
	return row, err
}

// NotFound is also the error for another tenant's data.
func NotFound(kind, field string, id api.ID) error {
	return api.Fail(api.NotFound, api.Details{"resource": kind, field: id},
		"No %v %s in this organization and environment.", api.Text(kind), id)
}

// Organization returns the partition's organization with its defaults.
func (tx *Tx) Organization() (*api.Organization, error) {
	return account.OwnOf(tx.Reader, tx.Partition)
}

// MetaTable has single rows of a partition, among them the account.UsageRow, whose
// sequence number orders everything.
const MetaTable = "meta"

// Counter returns the sequence number and the time of the last write.
func (tx *Tx) Counter() (uint64, time.Time, error) { return account.LastWrite(tx.Reader) }

// A namedPlace is a cached reference; ids are unique only within a table.
type namedPlace struct {
	in  *store.Table[Place]
	ref *api.PlaceRef
}

// The states, as indexes into api.States.
const (
	OnHand = iota
	Available
	Reserved
	Committed
	Incoming
	Damaged
	QualityControl
	SafetyStock
)
