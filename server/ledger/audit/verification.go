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
	"bincard/server/ledger/internal/stored"
)

// A Result is the result of verifying the ledger.
type Result struct {
	Partitions int `json:"partitions"`
	Balances   int `json:"balances"`
	Movements  int `json:"movements"`
	Records    int `json:"records"`
	Documents  int `json:"documents"`
	// Heads are the newest journal entries of each organization and environment.
	Heads []Head `json:"heads,omitempty"`
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

// A verification verifies one partition.
type verification struct {
	*stored.Tx
	ctx      context.Context
	result   *Result
	progress func(done, of int64)
	balances map[api.ID]*journalBalance
	counter  uint64
	chain    chain
	latest   time.Time // of the entries so far
	traces   [2]int    // rows required by the entries, for lots and for serials
	billed   map[account.Month]int64
	recorded map[api.ID]account.Checksum // of products, places and keys, after their last entries
	block    *stored.Block               // of the entries so far
	bitmaps  int                         // rows required by the entries
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
	counted         uint64 // as in stored.Balance.Counted

	serials      [8]int64 // on hand, by state
	serialsByLot map[api.ID]int64
	recent       int64 // entries found in the row's recent history
	entries      int64 // rows in the history table
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

// reportFault records a fault of the object called name, which is not a balance.
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
