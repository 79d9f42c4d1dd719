package stored

import "bincard/server/api"

// Local writes over a replica that are not yet confirmed get sequence numbers far
// above all confirmed ones, derived from each write's own number. So their numbers,
// and all data that depends on them, stay the same when the replica advances or
// other local writes are discarded.
const (
	LocalFrom = 1 << 46
	// LocalStep leaves numbers for expiries between two writes.
	LocalStep = 1 << 12
)

// RemoteIDTable maps the id that a balance would have here to the service's id, where
// they differ.
const RemoteIDTable = "called"

// BalanceByRemoteID returns the balance that has another id at the service, or nil.
func (tx *Tx) BalanceByRemoteID(id api.ID) (*Balance, error) {
	data, err := tx.Reader.Get(RemoteIDTable, id[:])
	if err != nil || data == nil {
		return nil, err
	}
	return tx.Balance(api.ID(data))
}
