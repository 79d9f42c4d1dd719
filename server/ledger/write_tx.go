package ledger

import (
	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/ledger/internal/bitmap"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
)

// A writeTx is a write in progress: one transaction, one time, one journal entry.
type writeTx struct {
	*stored.Tx
	l           *Ledger
	tx          store.Tx
	position    LocalPosition // of a local write over a replica
	req         *api.Request
	entry       journal.Entry
	touched     []*stored.Balance // in the order of entry.Balances
	lotBalances map[stored.LotBalanceKey]*stored.LotBalance
	serials     []*stored.Serial // in the order of entry.Serials

	products       int64 // change in the number of active products
	versionChecked bool  // checkVersion was called
}

// save writes the staged changes and the journal entry.
func (c *writeTx) save() error {
	if err := c.saveBalances(); err != nil {
		return err
	}
	if err := c.saveSerials(); err != nil {
		return err
	}
	if err := stored.SaveTraces(c.tx, &c.entry); err != nil {
		return err
	}
	if err := journal.Entries.Insert(c.tx, &c.entry); err != nil {
		return err
	}
	if err := stored.SaveKey(c.tx, &c.entry); err != nil {
		return err
	}
	if err := bitmap.Save(c.Tx, c.tx, &c.entry); err != nil {
		return err
	}
	return c.saveUsage()
}

// saveUsage counts the write and sets the sequence number to the write's.
func (c *writeTx) saveUsage() error {
	t, err := account.ReadUsage(c.Reader)
	if err != nil {
		return err
	}
	if c.entry.Seq > stored.LocalFrom { // local writes do not count
		t = &account.UsageRow{}
		t.StartMonth(account.MonthOf(c.entry.At))
	} else {
		t.Add(c.entry.Spec, c.entry.At, c.products)
	}
	t.Seq, t.At = c.entry.Seq, c.entry.At
	return t.Put(c.tx)
}
