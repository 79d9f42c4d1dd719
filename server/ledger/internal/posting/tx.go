// Package posting stages one write: the balances, lots, serials and document that a
// request changes, and the journal entry that records it. Post is the only way to move
// stock; rule.go has all its rules. Read post.go first, then pick_lots.go and
// serial_choice.go, which choose the lots and serials to move.
package posting

import (
	"time"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
)

// A Tx is a write in progress: one transaction, one time, one journal entry.
type Tx struct {
	*stored.Tx
	Writer  store.Tx // the same transaction as the Reader
	Request *api.Request
	Entry   journal.Entry
	// Local is set for the writes of a replica, whose balances may be inconsistent.
	Local bool
	// Locations are those that the replica is limited to, which has no stock elsewhere:
	// the part of a write at another location is not posted.
	Locations stored.LocationSet
	// Clock is the time by which reservations expire. Now may be later: journal entries
	// stay in order even if the clock goes back.
	Clock time.Time
	// Products is the change in the number of active products.
	Products int64
	// Expires is when a reservation created by the write expires.
	Expires time.Time

	touched        []*stored.Balance // in the order of Entry.Balances
	lotBalances    map[stored.LotBalanceKey]*stored.LotBalance
	serials        []*stored.Serial // in the order of Entry.Serials
	versionChecked bool             // CheckVersion was called
}

// Part returns a write whose entry comes before that of c: an entry has one document, so a write
// that changes several has a part for each. SavePart saves it.
func (c *Tx) Part(spec *api.Spec, document api.ID) *Tx {
	part := &Tx{
		Tx:        c.Tx,
		Writer:    c.Writer,
		Request:   c.Request,
		Entry:     c.Entry,
		Local:     c.Local,
		Locations: c.Locations,
		Clock:     c.Clock,
	}

	// The key has a space, so it cannot collide with a caller's.
	part.Entry.Key = "part " + journal.Derive(c.Partition, "part", []byte(c.Entry.Key), document[:]).String()
	part.Entry.Spec, part.Entry.Fingerprint = spec.ID, [16]byte{}
	part.Entry.Client, part.Entry.ClientNumber = api.NoID, 0

	return part
}

// SavePart saves a part of the write.
func (c *Tx) SavePart(part *Tx) error {
	c.Entry.Seq++
	return part.Save()
}
