// Package posting stages one write: the balances, lots, serials and document that a
// request changes, and the journal entry that records it. Post is the only way to move
// stock; rule.go has all its rules. Read post.go first, then pick_lots.go and
// serial_choice.go, which choose the lots and serials to move.
package posting

import (
	"time"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/ledger/internal/bitmap"
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

// Save writes the staged changes and the journal entry.
func (c *Tx) Save() error {
	if err := c.saveBalances(); err != nil {
		return err
	}
	if err := c.saveSerials(); err != nil {
		return err
	}
	if err := stored.SaveTraces(c.Writer, &c.Entry); err != nil {
		return err
	}
	if err := journal.Entries.Insert(c.Writer, &c.Entry); err != nil {
		return err
	}
	if err := stored.SaveKey(c.Writer, &c.Entry); err != nil {
		return err
	}
	if err := bitmap.Save(c.Tx, c.Writer, &c.Entry); err != nil {
		return err
	}
	return c.saveUsage()
}

// saveUsage counts the write and sets the sequence number to the write's.
func (c *Tx) saveUsage() error {
	t, err := account.ReadUsage(c.Reader)
	if err != nil {
		return err
	}
	if c.Entry.Seq > stored.LocalFrom { // local writes do not count
		t = &account.UsageRow{}
		t.StartMonth(account.MonthOf(c.Entry.At))
	} else {
		t.Add(c.Entry.Spec, c.Entry.At, c.Products)
	}
	t.Seq, t.At = c.Entry.Seq, c.Entry.At
	return t.Put(c.Writer)
}
