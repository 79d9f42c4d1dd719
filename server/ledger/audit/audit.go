// Package audit verifies a ledger: it recomputes everything from the journal and
// compares it with what is stored.
//
// Verify folds the entries of each partition, in order, into sums for each balance, and
// checks on the way that no entry is missing and that each movement continues the one
// before it. Then it checks the balances, lots, serials, documents, keys and indexes
// against the sums. It shares the rows with the ledger, not its rules.
package audit

import (
	"cmp"
	"context"
	"slices"
	"time"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
)

// Verify verifies the ledger in a store and regularly calls progress, which may be nil,
// with the number of journal entries verified and their total.
func Verify(ctx context.Context, st store.Store, now time.Time, progress func(done, of int64)) (*Result, error) {
	parts, err := st.Partitions(ctx)
	if err != nil {
		return nil, err
	}

	slices.SortStableFunc(parts, func(a, b store.Partition) int { // the keys, after the journals that have them
		return cmp.Compare(isSystem(a), isSystem(b))
	})
	result, recorded := &Result{Faults: []Fault{}}, map[api.ID]account.Checksum{}
	progress = countEntries(ctx, st, parts, progress)
	for _, p := range parts {
		err := st.View(ctx, p, func(r store.Reader) error {
			v := &verification{
				Tx:       &stored.Tx{Reader: r, Partition: p, Now: now},
				ctx:      ctx,
				result:   result,
				progress: progress,
				balances: map[api.ID]*journalBalance{},
				recorded: recorded,
				billed:   map[account.Month]int64{},
			}

			if p == (store.Partition{}) {
				return v.verifySystem()
			}

			result.Partitions++

			return v.run()
		})
		if err != nil {
			return nil, err
		}
	}

	return result, nil
}

// countEntries returns a progress function that passes on the total number of journal
// entries; for a nil progress it does nothing.
func countEntries(
	ctx context.Context,
	st store.Store,
	parts []store.Partition,
	progress func(done, of int64),
) func(done, of int64) {
	if progress == nil {
		return func(int64, int64) {}
	}

	var all uint64
	for _, p := range parts {
		_ = st.View(ctx, p, func(r store.Reader) error {
			n, _, err := account.LastWrite(r)
			all += n
			return err // an unreadable counter is reported as a fault later
		})
	}

	return func(done, _ int64) { progress(min(done, int64(all)), int64(all)) }
}

// run verifies the partition of an organization.
func (v *verification) run() error {
	for _, step := range []func() error{
		v.loadBalances, v.fold, v.checkHistory, v.checkLotBalances, v.checkCatalog, v.checkSerials, v.checkDocuments, v.checkTraceTables, v.checkBitmapTable, v.checkJournalBalances, v.checkUsage,
	} {
		if err := step(); err != nil {
			return err
		}
	}

	return nil
}

// verifySystem verifies the partition of the organizations and keys.
func (v *verification) verifySystem() error {
	if err := verifyTable(v, account.Organizations, nil); err != nil {
		return err
	}
	return verifyTable(v, account.Keys,
		func(k *account.KeyRow) { v.checkRecorded("API key "+k.Hint, k.ID, k.Fixed(), k.Sum) })
}

func isSystem(p store.Partition) int {
	if p == (store.Partition{}) {
		return 1
	}
	return 0
}

// loadBalances reads the stored balances.
func (v *verification) loadBalances() error {
	err := verifyTable(v, stored.BalanceKeys, func(k *stored.BalanceKey) {
		a := v.journalBalance(k.ID)
		a.key = k
		if want := stored.BalanceID(v.Partition, k.StockKey); want != k.ID {
			v.reportBalanceFault(a, -1, "id should be %s for its product, location, owner and channel", want)
		}
	})
	if err != nil {
		return err
	}

	v.result.Balances += len(v.balances)

	return verifyTable(v, stored.Balances, func(b *stored.Balance) { v.journalBalance(b.ID).row = b })
}
