// Package audit verifies a ledger: it recomputes everything from the journal and
// compares it with what is stored.
//
// Verify folds the entries of each partition, in order, into sums for each balance, and
// checks on the way that no entry is missing and that each movement continues the one
// before it. Then it checks the balances, lots, serials, documents, keys and indexes
// against the sums. It shares the rows with the ledger, not its rules.
package audit

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/ledger/internal/bitmap"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
)

// A Result is the result of verifying the ledger.
type Result struct {
	Partitions int `json:"partitions"`
	Balances   int `json:"balances"`
	Movements  int `json:"movements"`
	Records    int `json:"records"`
	Documents  int `json:"documents"`
	// Faults are the inconsistencies found, at most a thousand.
	Faults []Fault `json:"faults"`
}

// A Fault is an inconsistency.
type Fault struct {
	Organization api.ID          `json:"organizationId"`
	Environment  api.Environment `json:"environment"`
	// Balance is the affected balance, Name its readable stock key (OAT-1L at
	// WH-1) or the name of something else, State the affected state; each may be empty.
	Balance api.ID    `json:"balanceId,omitzero"`
	Name    string    `json:"name,omitzero"`
	State   api.State `json:"inventoryState,omitzero"`
	Message string    `json:"message"`
}

// String returns the fault on one line.
func (f Fault) String() string {
	where := fmt.Sprintf("%s/%s", f.Organization, f.Environment)
	if f.Name != "" {
		where += ", " + f.Name
	}
	if f.State != "" {
		where += ", " + f.State.Title()
	}
	return where + ": " + f.Message
}

const maxFaults = 1000

// Verify verifies the ledger in a store and regularly calls progress, which may be nil,
// with the number of journal entries verified and their total.
func Verify(ctx context.Context, st store.Store, now time.Time, progress func(done, of int64)) (*Result, error) {
	parts, err := st.Partitions(ctx)
	if err != nil {
		return nil, err
	}
	result := &Result{Faults: []Fault{}}
	progress = countEntries(ctx, st, parts, progress)
	for _, p := range parts {
		err := st.View(ctx, p, func(r store.Reader) error {
			v := &verification{Tx: &stored.Tx{Reader: r, Partition: p, Now: now},
				ctx: ctx, result: result, progress: progress, balances: map[api.ID]*journalBalance{}, billed: map[account.Month]int64{}}
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
func countEntries(ctx context.Context, st store.Store, parts []store.Partition, progress func(done, of int64)) func(done, of int64) {
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

// A verification verifies one partition.
type verification struct {
	*stored.Tx
	ctx      context.Context
	result   *Result
	progress func(done, of int64)
	balances map[api.ID]*journalBalance
	counter  uint64
	latest   time.Time // of the entries so far
	traces   [2]int    // rows required by the entries, for lots and for serials
	billed   map[account.Month]int64
	block    *bitmap.Block // of the entries so far
	bitmaps  int           // rows required by the entries
}

// A journalBalance is what the journal says about a balance, next to its stored rows.
type journalBalance struct {
	id  api.ID
	key *stored.BalanceKey
	row *stored.Balance

	sum             [8]int64 // of all movements
	chain           [8]int64 // the quantities after the last movement, as it states them
	unlotted        [8]int64 // stock in no lot
	lots            map[api.ID]*[8]int64
	version         int64
	records         int64
	last            uint64
	heldByDocuments [8]int64
	operations      uint64 // as in stored.Balance.Operations

	serials      [8]int64 // on hand, by state
	serialsByLot map[api.ID]int64
	recent       int64 // entries found in the row's recent history
	entries      int64 // rows in the history table
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
	return verifyTable(v, account.Keys, nil)
}

// journalBalance returns what the journal says about a balance, adding it if needed.
func (v *verification) journalBalance(id api.ID) *journalBalance {
	a := v.balances[id]
	if a == nil {
		a = &journalBalance{id: id}
		v.balances[id] = a
	}
	return a
}

// sorted returns the balances in order of creation.
func (v *verification) sorted() []*journalBalance {
	list := make([]*journalBalance, 0, len(v.balances))
	for _, a := range v.balances {
		list = append(list, a)
	}
	slices.SortFunc(list, func(a, b *journalBalance) int {
		if a.key != nil && b.key != nil && a.key.Seq != b.key.Seq {
			return cmp.Compare(a.key.Seq, b.key.Seq)
		}
		return bytes.Compare(a.id[:], b.id[:])
	})
	return list
}

// reportBalanceFault reports a fault of a balance; state is negative for none.
func (v *verification) reportBalanceFault(a *journalBalance, state int, format string, args ...any) {
	f := Fault{Balance: a.id, Name: "balance " + a.id.String()}
	if a.key != nil {
		f.Name = v.DescribeStockKey(a.key.StockKey)
	}
	if state >= 0 {
		f.State = api.States[state]
	}
	v.addFault(f, format, args...)
}

// reportFault reports a fault that is not of a balance; name says what it is of.
func (v *verification) reportFault(name, format string, args ...any) {
	v.addFault(Fault{Name: name}, format, args...)
}

func (v *verification) addFault(f Fault, format string, args ...any) {
	if len(v.result.Faults) >= maxFaults {
		return
	}
	f.Organization, f.Environment = v.Partition.Organization, api.Environment(v.Partition.Environment)
	f.Message = fmt.Sprintf(format, args...)
	v.result.Faults = append(v.result.Faults, f)
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
