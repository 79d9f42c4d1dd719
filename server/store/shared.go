package store

import (
	"context"
	"time"
)

// A Shared is a Store that other processes may change too. Who keeps rows of it in memory
// calls OnChange; with any other store nobody else writes, and there is nothing to do.
type Shared interface {
	Store

	// OnChange calls fn with the rows that other processes have changed in a
	// partition, or nil if they are not known, before a View or Update of the partition
	// runs on them. A partition without a View or Update so far has no calls. Rows of
	// this process may be among them. fn must be short and must not call the store.
	OnChange(fn func(p Partition, rows []Row))

	// Refresh returns when the calls for all commits before it have been made. Calls
	// of Refresh that wait at the same time share one look at the database.
	Refresh(ctx context.Context, partitions ...Partition) error

	// Clock returns the time that the database has now, as far as is known since the
	// last Refresh.
	Clock() (now time.Time, known bool)
}

// Refresh calls Refresh of a Shared store. Otherwise nobody else writes, and it does nothing.
func Refresh(ctx context.Context, s Store, partitions ...Partition) error {
	if shared, ok := s.(Shared); ok {
		return shared.Refresh(ctx, partitions...)
	}
	return nil
}
