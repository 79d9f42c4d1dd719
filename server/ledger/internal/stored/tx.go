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

	// Cached references: most occur many times in a response.
	productRefs []*api.ProductRef
	placeRefs   []namedPlace
}

// maxRefs limits the cached references of each kind.
const maxRefs = 16

// StockKeyOf returns the stock key of a request, with the organization's default
// owner and channel if not given.
func (tx *Tx) StockKeyOf(productID, locationID, ownerID, channelID api.ID) (StockKey, error) {
	at := StockKey{productID, locationID, ownerID, channelID}
	if at.Owner == (api.ID{}) || at.Channel == (api.ID{}) {
		org, err := tx.Organization()
		if err != nil {
			return at, err
		}
		if at.Owner == (api.ID{}) {
			at.Owner = org.DefaultOwnerID
		}
		if at.Channel == (api.ID{}) {
			at.Channel = org.DefaultChannelID
		}
	}
	for _, x := range []struct {
		t    *store.Table[Place]
		kind string
		id   api.ID
	}{{Locations, "location", at.Location}, {Owners, "owner", at.Owner}, {Channels, "channel", at.Channel}} {
		e, err := x.t.Shared(tx.Reader, x.id[:])
		if err != nil {
			return at, err
		}
		if e == nil {
			return at, NotFound(x.kind, x.kind+"Id", x.id)
		}
	}
	return at, nil
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
