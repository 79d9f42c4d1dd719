package sim_test

import (
	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

// A book is what must hold of a tenant's ledger, read from the changes one by
// one: each movement follows on the one before it, a key has one effect, and
// nothing of another tenant is in it.
type book struct {
	of      *tenant
	by      map[string]string // who minted a key
	applied map[string]bool
	lost    map[string]bool // applied before a restore, and not since
	final   map[string]bool // told done at a site
	answers map[string]any
	counted map[string]int64
	seq     int64
	stands  map[stand]*[8]int64
}

// A stand is where goods are kept.
type stand struct{ product, location, owner, channel api.ID }

func newBook(t *tenant) *book {
	return &book{of: t, by: map[string]string{}, applied: map[string]bool{}, lost: map[string]bool{}, final: map[string]bool{},
		answers: map[string]any{}, counted: map[string]int64{}, stands: map[stand]*[8]int64{}}
}

// minted notes whose a key is.
func (b *book) minted(key, who string) {
	require.NotContains(b.of.w.t, b.by, key)
	b.by[key] = who
}

// answered holds that a key has one answer.
func (b *book) answered(key string, out any) {
	if first, ok := b.answers[key]; ok {
		require.Equal(b.of.w.t, first, out, "%s was answered otherwise before", key)
		return
	}
	b.answers[key] = out
}

// rewind begins anew, after a restore.
func (b *book) rewind() {
	before := b.applied
	b.applied, b.seq, b.stands = map[string]bool{}, 0, map[stand]*[8]int64{}
	b.read()
	for key := range before {
		if !b.applied[key] {
			b.lost[key] = true
			delete(b.answers, key)
		}
	}
}

// has tells whether the service has applied a key.
func (b *book) has(key string) bool {
	b.read()
	return b.applied[key]
}

// read takes what is new.
func (b *book) read() {
	t := b.of.w.t
	for limit := int64(500); ; {
		c, err := api.ListChanges.Call(b.of.w.ctx, b.of.svc(), api.ListChangesInput{After: &b.seq, Limit: &limit})
		require.NoError(t, err)
		for i := range c.Items {
			b.enter(&c.Items[i])
		}
		if b.seq == c.Latest {
			return
		}
	}
}

func (b *book) enter(c *api.Change) {
	t := b.of.w.t
	require.Equal(t, b.seq+1, c.Seq)
	b.seq = c.Seq
	if c.Actor.Type == api.APIKey {
		require.False(t, b.applied[c.Key], "%s was applied twice", c.Key)
		require.Equal(t, b.by[c.Key], c.Actor.ID, "%s was minted elsewhere", c.Key)
		if b.lost[c.Key] {
			b.of.w.met(doneAgain)
			delete(b.lost, c.Key)
		}
		b.applied[c.Key] = true
	}
	for i := range c.Movements {
		m := &c.Movements[i]
		require.Equal(t, b.of.org.ID, m.OrganizationID)
		require.Equal(t, b.of.env, m.Environment)
		q := b.stand(stand{m.ProductID, m.LocationID, m.OwnerID, m.ChannelID})
		at := stateOf(m.InventoryState)
		require.Equal(t, q[at], m.BalanceBefore, "the chain of %s is broken", m.ProductID)
		q[at] += m.Quantity
		require.Equal(t, q[at], m.BalanceAfter)
	}
	for i := range c.Balances {
		x := &c.Balances[i]
		q := b.stand(stand{x.ProductID, x.LocationID, x.OwnerID, x.ChannelID})
		for i, s := range api.States {
			require.Equal(t, q[i], x.Of(s), "the sums of %s are not its balance", x.ID)
		}
		if n, ok := b.counted[c.Key]; ok {
			require.Equal(t, n, x.OnHand, "the count is not kept")
		}
	}
}

// stand is what is at a stand of the tenant's.
func (b *book) stand(at stand) *[8]int64 {
	q := b.stands[at]
	if q == nil {
		require.True(b.of.w.t, b.of.deals(at.product, at.location), "the goods of another are here")
		q = new([8]int64)
		b.stands[at] = q
	}
	return q
}

// deals tells whether goods and a place are the tenant's; those that are being
// made are not known yet.
func (t *tenant) deals(product, location api.ID) bool {
	known := false
	for i := range t.goods {
		known = known || t.goods[i].ID == product
	}
	for i := range t.places {
		if t.places[i].ID == location {
			return known
		}
	}
	return false
}

func stateOf(s api.State) int {
	for i, x := range api.States {
		if x == s {
			return i
		}
	}
	return -1
}
