package sim_test

import (
	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

// An auditor is what must hold of a tenant's ledger, read from the changes one by
// one: each movement follows on the one before it, a key has one effect, and
// nothing of another tenant is in it.
type auditor struct {
	tenant   *tenant
	keyOwner map[string]string // who minted a key
	applied  map[string]bool
	lost     map[string]bool // applied before a restore, and not since
	done     map[string]bool // told done at a site
	answers  map[string]any
	counted  map[string]int64
	seq      int64
	balances map[stockKey]*[8]int64
}

// A stockKey is where goods are kept.
type stockKey struct{ product, location, owner, channel api.ID }

func newAuditor(t *tenant) *auditor {
	return &auditor{tenant: t, keyOwner: map[string]string{}, applied: map[string]bool{}, lost: map[string]bool{}, done: map[string]bool{},
		answers: map[string]any{}, counted: map[string]int64{}, balances: map[stockKey]*[8]int64{}}
}

// addKey notes whose a key is.
func (b *auditor) addKey(key, who string) {
	require.NotContains(b.tenant.sim.t, b.keyOwner, key)
	b.keyOwner[key] = who
}

// checkAnswer holds that a key has one answer.
func (b *auditor) checkAnswer(key string, out any) {
	if first, ok := b.answers[key]; ok {
		require.Equal(b.tenant.sim.t, first, out, "%s was answered otherwise before", key)
		return
	}
	b.answers[key] = out
}

// rewind begins anew, after a restore.
func (b *auditor) rewind() {
	before := b.applied
	b.applied, b.seq, b.balances = map[string]bool{}, 0, map[stockKey]*[8]int64{}
	b.readChanges()
	for key := range before {
		if !b.applied[key] {
			b.lost[key] = true
			delete(b.answers, key)
		}
	}
}

// has tells whether the service has applied a key.
func (b *auditor) has(key string) bool {
	b.readChanges()
	return b.applied[key]
}

// readChanges takes what is new.
func (b *auditor) readChanges() {
	t := b.tenant.sim.t
	for limit := int64(500); ; {
		c, err := api.ListChanges.Call(b.tenant.sim.ctx, b.tenant.svc(), api.ListChangesInput{After: &b.seq, Limit: &limit})
		require.NoError(t, err)
		for i := range c.Items {
			b.checkChange(&c.Items[i])
		}
		if b.seq == c.Latest {
			return
		}
	}
}

func (b *auditor) checkChange(c *api.Change) {
	t := b.tenant.sim.t
	require.Equal(t, b.seq+1, c.Seq)
	b.seq = c.Seq
	if c.Actor.Type == api.APIKey {
		require.False(t, b.applied[c.Key], "%s was applied twice", c.Key)
		require.Equal(t, b.keyOwner[c.Key], c.Actor.ID, "%s was minted elsewhere", c.Key)
		if b.lost[c.Key] {
			b.tenant.sim.count(doneAgain)
			delete(b.lost, c.Key)
		}
		b.applied[c.Key] = true
	}
	for i := range c.Movements {
		m := &c.Movements[i]
		require.Equal(t, b.tenant.org.ID, m.OrganizationID)
		require.Equal(t, b.tenant.env, m.Environment)
		q := b.balance(stockKey{m.ProductID, m.LocationID, m.OwnerID, m.ChannelID})
		at := stateIndex(m.InventoryState)
		require.Equal(t, q[at], m.BalanceBefore, "the chain of %s is broken", m.ProductID)
		q[at] += m.Quantity
		require.Equal(t, q[at], m.BalanceAfter)
	}
	for i := range c.Balances {
		x := &c.Balances[i]
		q := b.balance(stockKey{x.ProductID, x.LocationID, x.OwnerID, x.ChannelID})
		for i, s := range api.States {
			require.Equal(t, q[i], x.Of(s), "the sums of %s are not its balance", x.ID)
		}
		if n, ok := b.counted[c.Key]; ok {
			require.Equal(t, n, x.OnHand, "the count is not kept")
		}
	}
}

// balance is what is at a stand of the tenant's.
func (b *auditor) balance(at stockKey) *[8]int64 {
	q := b.balances[at]
	if q == nil {
		require.True(b.tenant.sim.t, b.tenant.owns(at.product, at.location), "the goods of another are here")
		q = new([8]int64)
		b.balances[at] = q
	}
	return q
}

// owns tells whether goods and a place are the tenant's; those that are being
// made are not known yet.
func (t *tenant) owns(product, location api.ID) bool {
	known := false
	for i := range t.products {
		known = known || t.products[i].ID == product
	}
	for i := range t.locations {
		if t.locations[i].ID == location {
			return known
		}
	}
	return false
}

func stateIndex(s api.State) int {
	for i, x := range api.States {
		if x == s {
			return i
		}
	}
	return -1
}
