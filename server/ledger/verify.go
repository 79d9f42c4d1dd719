package ledger

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"bincard/server/api"
	"bincard/server/store"
)

// A VerifyResult is what a full re-count of the ledger found.
type VerifyResult struct {
	Partitions int `json:"partitions"`
	Balances   int `json:"balances"`
	Movements  int `json:"movements"`
	Records    int `json:"records"`
	Documents  int `json:"documents"`
	// Faults are what does not add up, at most a thousand; none means it all does.
	Faults []Fault `json:"faults"`
}

// A Fault is one thing that does not add up.
type Fault struct {
	Organization api.ID          `json:"organizationId"`
	Environment  api.Environment `json:"environment"`
	// Balance is the balance it is of, Name how people call it (OAT-1L at
	// WH-1), State the state; each is empty where the fault is of none.
	Balance api.ID    `json:"balanceId,omitzero"`
	Name    string    `json:"name,omitzero"`
	State   api.State `json:"inventoryState,omitzero"`
	Message string    `json:"message"`
}

// String is the fault in a line.
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

// Verify re-counts everything from the records: that they are all there in
// order, that each movement follows from the one before it, that they add up
// to the balances, and that buckets, pieces, documents and indexes agree.
//
// It reads a partition from one snapshot, which a file that must grow waits
// for, and keeps an account per balance in memory.
func (l *Ledger) Verify(ctx context.Context) (*VerifyResult, error) {
	return l.VerifyWithProgress(ctx, nil)
}

// VerifyWithProgress verifies and tells now and then how many of all records it has
// re-counted; told may be nil.
func (l *Ledger) VerifyWithProgress(ctx context.Context, told func(done, of int64)) (*VerifyResult, error) {
	parts, err := l.store.Partitions(ctx)
	if err != nil {
		return nil, toAPIError(ctx, err)
	}
	proof := &VerifyResult{Faults: []Fault{}}
	told = l.countEntries(ctx, parts, told)
	for _, p := range parts {
		err := l.store.View(ctx, p, func(r store.Reader) error {
			v := &verification{readTx: &readTx{l: l, r: r, p: p, now: api.Instant(l.now())},
				ctx: ctx, result: proof, progress: told, accounts: map[api.ID]*account{}, billed: map[month]int64{}}
			if p == (store.Partition{}) {
				return v.verifySystem()
			}
			proof.Partitions++
			return v.run()
		})
		if err != nil {
			return nil, toAPIError(ctx, err)
		}
	}
	return proof, nil
}

// countEntries adds up how many records there are, for told; it does nothing where
// nobody is told.
func (l *Ledger) countEntries(ctx context.Context, parts []store.Partition, told func(done, of int64)) func(done, of int64) {
	if told == nil {
		return func(int64, int64) {}
	}
	var all uint64
	for _, p := range parts {
		_ = l.store.View(ctx, p, func(r store.Reader) error {
			n, _, err := (&readTx{l: l, r: r, p: p}).counter()
			all += n
			return err // a counter that cannot be read is a fault, and told as one
		})
	}
	return func(done, _ int64) { told(min(done, int64(all)), int64(all)) }
}

// A verification is the re-count of one partition.
type verification struct {
	*readTx
	ctx      context.Context
	result   *VerifyResult
	progress func(done, of int64)
	accounts map[api.ID]*account
	counter  uint64
	latest   time.Time // of the records so far
	traces   [2]int    // entries that the records ask for, of lots and of pieces
	billed   map[month]int64
	block    block // of the records so far
	bitmaps  int   // rows that the records ask for
}

// An account is what the records say of one balance, beside what is stored of it.
type account struct {
	id  api.ID
	key *balanceKey
	row *balance

	sum             [8]int64 // of all movements
	chain           [8]int64 // where the movements say they stand
	unlotted        [8]int64 // what is in no lot
	lots            map[api.ID]*[8]int64
	version         int64
	records         int64
	last            uint64
	heldByDocuments [8]int64
	operations      uint64 // the operations of its movements, as balance.Seen has them

	serials      [8]int64 // on hand, by the state they count in
	serialsByLot map[api.ID]int64
	recent       int64 // records that are among the newest entries in its row
	entries      int64 // of its history in the table
}

// run re-counts the partition of an organization.
func (v *verification) run() error {
	for _, step := range []func() error{
		v.loadBalances, v.fold, v.checkHistory, v.checkLotBalances, v.checkCatalogue, v.checkSerials, v.checkDocuments, v.checkTraceTables, v.checkBitmapTable, v.checkAccounts, v.checkUsage,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// verifySystem holds the partition of the organizations and keys.
func (v *verification) verifySystem() error {
	if err := verifyTable(v, organizations, nil); err != nil {
		return err
	}
	return verifyTable(v, apiKeys, nil)
}

// account is the account of a balance; one that only a record names is new.
func (v *verification) account(id api.ID) *account {
	a := v.accounts[id]
	if a == nil {
		a = &account{id: id}
		v.accounts[id] = a
	}
	return a
}

// sorted lists the accounts in the order in which the balances came to be.
func (v *verification) sorted() []*account {
	list := make([]*account, 0, len(v.accounts))
	for _, a := range v.accounts {
		list = append(list, a)
	}
	slices.SortFunc(list, func(a, b *account) int {
		if a.key != nil && b.key != nil && a.key.Seq != b.key.Seq {
			return cmp.Compare(a.key.Seq, b.key.Seq)
		}
		return bytes.Compare(a.id[:], b.id[:])
	})
	return list
}

// reportBalanceFault notes a fault of a balance; state is negative where it is of none.
func (v *verification) reportBalanceFault(a *account, state int, format string, args ...any) {
	f := Fault{Balance: a.id, Name: "balance " + a.id.String()}
	if a.key != nil {
		f.Name = v.describeStockKey(a.key.stockKey)
	}
	if state >= 0 {
		f.State = api.States[state]
	}
	v.addFault(f, format, args...)
}

// reportFault notes a fault of no balance; name says of what.
func (v *verification) reportFault(name, format string, args ...any) {
	v.addFault(Fault{Name: name}, format, args...)
}

func (v *verification) addFault(f Fault, format string, args ...any) {
	if len(v.result.Faults) >= maxFaults {
		return
	}
	f.Organization, f.Environment = v.p.Organization, api.Environment(v.p.Environment)
	f.Message = fmt.Sprintf(format, args...)
	v.result.Faults = append(v.result.Faults, f)
}

// loadBalances reads what is stored of the balances.
func (v *verification) loadBalances() error {
	err := verifyTable(v, balanceKeys, func(k *balanceKey) {
		a := v.account(k.ID)
		a.key = k
		if want := balanceID(v.p, k.stockKey); want != k.ID {
			v.reportBalanceFault(a, -1, "id should be %s for its product, location, owner and channel", want)
		}
	})
	if err != nil {
		return err
	}
	v.result.Balances += len(v.accounts)
	return verifyTable(v, balances, func(b *balance) { v.account(b.ID).row = b })
}
