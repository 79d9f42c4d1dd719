package replicas

import (
	"time"

	"bincard/server/store"
)

// A Set is the current replica, and a staged one that is being filled to replace
// it. Losing either is harmless.
type Set interface {
	// Current returns the current replica, or nil if none was ever complete.
	Current() store.Store
	// Stage returns a new, empty replica and discards the one staged before.
	Stage() (store.Store, error)
	// Swap makes the staged replica the current one. release closes the old
	// one once nothing reads it.
	Swap() (release func() error, err error)
	// SyncedAt returns the time last passed to SetSyncedAt for the current
	// replica, or zero if unknown. It is saved now and then and may be lost.
	SyncedAt() time.Time
	SetSyncedAt(at time.Time)
}
