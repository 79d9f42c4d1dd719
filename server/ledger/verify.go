package ledger

import (
	"context"

	"bincard/server/api"
	"bincard/server/ledger/audit"
)

// Verify recomputes everything from the journal: it checks that the entries are
// complete and in order, that each movement continues the one before it, that the
// movements add up to the balances, and that lot balances, serials, documents and
// indexes agree.
//
// It reads each partition in one read transaction, which a file that must grow waits
// for, and keeps the sums of each balance in memory.
func (l *Ledger) Verify(ctx context.Context) (*audit.Result, error) {
	return l.VerifyWithProgress(ctx, nil)
}

// VerifyWithProgress is like Verify and regularly calls progress with the number of
// journal entries verified and their total. progress may be nil.
func (l *Ledger) VerifyWithProgress(ctx context.Context, progress func(done, of int64)) (*audit.Result, error) {
	result, err := audit.Verify(ctx, l.store, api.Instant(l.now()), progress)
	return result, toAPIError(ctx, err)
}
