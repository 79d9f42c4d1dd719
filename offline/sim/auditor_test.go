package sim_test

import (
	"github.com/stretchr/testify/require"

	"bincard/offline/outbox"
	"bincard/server/api"
)

// An auditor follows the changes of a tenant's ledger and checks that each
// movement continues the one before, that a key has one effect, and that no
// data is another tenant's.
type auditor struct {
	tenant    *tenant
	keys      map[bool][]string          // of sites, those that create documents and others
	users     map[string]map[string]bool // the sites that used a key
	appliedBy map[string]string          // the site whose operation was applied
	applied   map[string]bool
	// anonymous are the fingerprints of work that was recorded without a client, by key. Work
	// of a site with that key and fingerprint is the same.
	anonymous map[string]string
	lost      map[string]bool // applied before a restore, and not since, by key and site
	done      map[string]bool // reported as done by a node, by key and site
	answers   map[string]any
	counted   map[string]int64
	// fulfilled are the lots of fulfillments by key.
	fulfilled map[string]api.ID
	seq       int64
	balances  map[stockKey]*[8]int64
	state     readCache // without answers: the data of which all changes are read
}

// A stockKey identifies a balance.
type stockKey struct{ product, location, owner, channel api.ID }

func newAuditor(t *tenant) *auditor {
	return &auditor{tenant: t, keys: map[bool][]string{}, users: map[string]map[string]bool{}, appliedBy: map[string]string{}, applied: map[string]bool{}, anonymous: map[string]string{}, lost: map[string]bool{}, done: map[string]bool{},
		answers: map[string]any{}, counted: map[string]int64{}, fulfilled: map[string]api.ID{}, balances: map[stockKey]*[8]int64{}}
}

// addKey records that a site uses a key.
func (a *auditor) addKey(key, who string) {
	if a.users[key] == nil {
		a.users[key] = map[string]bool{}
	}
	a.users[key][who] = true
}

// checkAnswer requires that a key has one answer.
func (a *auditor) checkAnswer(key string, out any) {
	if first, ok := a.answers[key]; ok {
		require.Equal(a.tenant.sim.t, first, out, "%s had another answer before", key)
		return
	}
	a.answers[key] = out
}

// rewind reads all changes again after a restore.
func (a *auditor) rewind() {
	before := a.applied
	a.applied, a.anonymous, a.seq, a.balances, a.state = map[string]bool{}, map[string]string{}, 0, map[stockKey]*[8]int64{}, readCache{}
	a.readChanges()
	for key := range before {
		if !a.applied[key] {
			a.lost[key+a.appliedBy[key]] = true
			delete(a.answers, key)
		}
	}
}

// has reports whether the service has applied a site's operation.
func (a *auditor) has(key, site string) bool {
	a.readChanges()
	return a.applied[key] && a.appliedBy[key] == site
}

// hasWork reports whether the service has applied the work of a site's operation, for
// whomever.
func (a *auditor) hasWork(op *outbox.Operation, site string) bool {
	return a.has(op.Key, site) || op.Fingerprint != "" && a.anonymous[op.Key] == op.Fingerprint
}

// readChanges checks the new changes.
func (a *auditor) readChanges() {
	t, service := a.tenant.sim.t, a.tenant.sim.service
	if a.state.isCurrent(service, a.tenant) {
		return
	}
	for limit := int64(500); ; {
		c, err := api.ListChanges.Call(a.tenant.sim.ctx, a.tenant.svc(), api.ListChangesInput{After: &a.seq, Limit: &limit})
		require.NoError(t, err)
		for i := range c.Items {
			a.checkChange(&c.Items[i])
		}
		if a.seq == c.Latest {
			a.state.reset(service, a.tenant)
			return
		}
	}
}

func (a *auditor) checkChange(c *api.Change) {
	t := a.tenant.sim.t
	require.Equal(t, a.seq+1, c.Seq)
	a.seq = c.Seq
	if c.Actor.Type == api.APIKey {
		require.False(t, a.applied[c.Key], "%s was applied twice", c.Key)
		require.True(t, a.users[c.Key][c.Actor.ID], "%s was used by another site", c.Key)
		a.appliedBy[c.Key] = c.Actor.ID
		if a.lost[c.Key+c.Actor.ID] {
			a.tenant.sim.count(doneAgain)
			delete(a.lost, c.Key+c.Actor.ID)
		}
		a.applied[c.Key] = true
		if c.Client == nil {
			a.anonymous[c.Key] = c.Fingerprint
		}
	}
	for i := range c.Movements {
		m := &c.Movements[i]
		require.Equal(t, a.tenant.org.ID, m.OrganizationID)
		require.Equal(t, a.tenant.env, m.Environment)
		q := a.balance(stockKey{m.ProductID, m.LocationID, m.OwnerID, m.ChannelID})
		at := stateIndex(m.InventoryState)
		require.Equal(t, q[at], m.BalanceBefore, "the chain of %s is broken", m.ProductID)
		q[at] += m.Quantity
		require.Equal(t, q[at], m.BalanceAfter)
		if lot, ok := a.fulfilled[c.Key]; ok && m.InventoryState == api.OnHand {
			require.Equal(t, lot, m.LotID, "another lot than the named one left")
		}
		anywhere := c.Operation == api.CancelTransfer.ID || c.Operation == api.CloseTransfer.ID // at either end
		if s := a.siteOf(c); s != nil && m.InventoryState == api.OnHand && !anywhere {
			require.True(t, s.concerns([]api.ID{m.LocationID}), "%s, which is limited to another location, did %s %s", s.name, c.Operation, c.Key)
		}
		if c.Device == boundDevice && m.InventoryState == api.OnHand {
			a.tenant.sim.count(boundDeviceWorked)
			require.Equal(t, a.tenant.locations[0].ID, m.LocationID, "a device bound to another location did %s %s", c.Operation, c.Key)
		}
	}
	for i := range c.Balances {
		x := &c.Balances[i]
		q := a.balance(stockKey{x.ProductID, x.LocationID, x.OwnerID, x.ChannelID})
		for i, s := range api.States {
			require.Equal(t, q[i], x.Of(s), "the movements of %s do not add up to its balance", x.ID)
		}
		if n, ok := a.counted[c.Key]; ok {
			require.Equal(t, n, x.OnHand, "the balance is not the count")
		}
	}
}

// siteOf returns the site that made a change, nil if none did.
func (a *auditor) siteOf(c *api.Change) *site {
	for _, s := range a.tenant.sim.nodes {
		if s.tenant == a.tenant && s.name == c.Actor.ID {
			return s
		}
	}
	return nil
}

// balance returns the quantities of a balance by state.
func (a *auditor) balance(at stockKey) *[8]int64 {
	q := a.balances[at]
	if q == nil {
		require.True(a.tenant.sim.t, a.tenant.owns(at.product, at.location), "stock of another tenant")
		q = new([8]int64)
		a.balances[at] = q
	}
	return q
}

// owns reports whether product and location are the tenant's. Those being
// created are not known yet.
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
