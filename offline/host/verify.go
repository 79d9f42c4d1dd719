package host

import (
	"context"
	"errors"
	"fmt"
	"time"

	"bincard/offline/outbox"
	"bincard/server/api"
)

// A Proof is the result of a verification of a node's data.
type Proof struct {
	Service string `json:"service"`
	// Operations is the number of operations in the journal, and Open how many of them
	// have not synced.
	Operations int `json:"operations"`
	Open       int `json:"open"`
	// Balances is the number of balances in the data from the service, as of Read.
	Balances int        `json:"balances"`
	Read     *time.Time `json:"read,omitzero"`
	Faults   []string   `json:"faults"`
}

// VerifyStored verifies the data in a node's directory, which no process may have open:
// it reads the whole journal, every balance of the data from the service, and predicts
// all open operations on it again.
func VerifyStored(ctx context.Context, dir string, clock Clock) (proof *Proof, err error) {
	access, ok := LoadAccess(dir)
	if !ok {
		return nil, errors.New(
			api.Textf("cannot read %s: start the program that uses it once with a connection to recreate it", dir),
		)
	}

	n, err := Open(ctx, Config{Dir: dir, Access: access, Clock: clock})
	if locked := (*LockedError)(nil); errors.As(err, &locked) {
		return nil, fmt.Errorf("%w. Stop it to verify the data, or verify a copy", locked)
	}
	if err != nil {
		return nil, err
	}

	defer func() { err = errors.Join(err, n.Close()) }()
	proof = &Proof{Service: n.ServiceURL(), Read: n.Sync().Read, Faults: []string{}}
	proof.Faults = append(proof.Faults, n.Notes()...)
	for _, op := range n.Operations() {
		proof.Operations++
		if op.State.Open() {
			proof.Open++
		}
		if _, err := op.Request(); err != nil && op.State != outbox.Discarded {
			proof.Faults = append(proof.Faults, fmt.Sprintf("operation %s cannot be read: %v", op.Key, err))
		}
	}

	if !n.Ready() {
		return proof, nil
	}

	if err := n.countBalances(ctx, proof); err != nil {
		proof.Faults = append(
			proof.Faults,
			fmt.Sprintf(
				"the data from the service cannot be read: %v. Remove the directory %s in %s: it is downloaded again",
				err, replicasDir, dir),
		)

		return proof, nil
	}

	if err := n.Verify(ctx); err != nil {
		proof.Faults = append(proof.Faults, fmt.Sprintf("the open operations give another result: %v", err))
	}

	return proof, nil
}

// countBalances reads every balance.
func (h *Node) countBalances(ctx context.Context, proof *Proof) error {
	most := int64(100)
	for in := (api.ListBalancesInput{Page: api.Page{Limit: &most}}); ; {
		list, err := api.ListBalances.Call(ctx, h, in)
		if err != nil {
			return err
		}

		proof.Balances += len(list.Items)
		for i := range list.Items {
			if b := &list.Items[i]; !b.AddsUp() {
				proof.Faults = append(proof.Faults,
					fmt.Sprintf("the states of balance %s do not add up to what is on hand", b.ID))
			}
		}

		if list.NextCursor == nil {
			return nil
		}

		in.Cursor = *list.NextCursor
	}
}
