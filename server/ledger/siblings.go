package ledger

import "bincard/server/store"

// Other processes may change the store, if it is a store.Shared. Then what the ledger has in
// memory is brought up to date before it is used: within a transaction by the store, which
// calls changed before, and elsewhere by store.Refresh.

// changed notes that another process has changed rows of a partition, nil if they are not
// known.
func (l *Ledger) changed(p store.Partition, rows []store.Row) {
	l.accounts.Changed(p, rows)
}
