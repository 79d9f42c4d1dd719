package ledger

import (
	"time"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/store"
)

// A writeTx is a write in progress: one transaction, one time, one journal entry.
type writeTx struct {
	*readTx
	l           *Ledger
	tx          store.Tx
	position    LocalPosition // of a local write over a replica
	req         *api.Request
	entry       journal.Entry
	touched     []*balance // in the order of entry.Balances
	lotBalances map[lotBalanceKey]*lotBalance
	serials     []*serial // in the order of entry.Serials

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
	if err := saveTraces(c.tx, &c.entry); err != nil {
		return err
	}
	if err := journal.Entries.Insert(c.tx, &c.entry); err != nil {
		return err
	}
	if err := saveKey(c.tx, &c.entry); err != nil {
		return err
	}
	if err := saveBitmaps(c.readTx, c.tx, &c.entry); err != nil {
		return err
	}
	return c.saveUsage()
}

// metaTable has single rows of a partition, among them the account.UsageRow, whose
// sequence number orders everything.
const metaTable = "meta"

// counter returns the sequence number and the time of the last write.
func (tx *readTx) counter() (uint64, time.Time, error) { return account.LastWrite(tx.r) }

// saveUsage counts the write and sets the sequence number to the write's.
func (c *writeTx) saveUsage() error {
	t, err := account.ReadUsage(c.r)
	if err != nil {
		return err
	}
	if c.entry.Seq > localFrom { // local writes do not count
		t = &account.UsageRow{}
		t.StartMonth(account.MonthOf(c.entry.At))
	} else {
		t.Add(c.entry.Spec, c.entry.At, c.products)
	}
	t.Seq, t.At = c.entry.Seq, c.entry.At
	return t.Put(c.tx)
}
