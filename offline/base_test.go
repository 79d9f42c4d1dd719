package offline_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/offline"
	"bincard/offline/journal"
	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/store"
)

// A mortal is a store that ends to answer.
type mortal struct {
	store.Store
	dead atomic.Bool
}

func (m *mortal) View(ctx context.Context, p store.Partition, fn func(store.Reader) error) error {
	if m.dead.Load() {
		return store.ErrUncertain
	}
	return m.Store.View(ctx, p, fn)
}

func (m *mortal) Update(ctx context.Context, p store.Partition, fn func(store.Tx) error) error {
	if m.dead.Load() {
		return store.ErrUncertain
	}
	return m.Store.Update(ctx, p, fn)
}

// mortals are bases of them.
type mortals struct {
	offline.MemoryBases
	current, next *mortal
}

func (b *mortals) Current() store.Store {
	if b.current == nil {
		return nil
	}
	return b.current
}

func (b *mortals) Stage() (store.Store, error) {
	st, err := b.MemoryBases.Stage()
	b.next = &mortal{Store: st}
	return b.next, err
}

func (b *mortals) Swap() (func() error, error) {
	b.current, b.next = b.next, nil
	return b.MemoryBases.Swap()
}

func TestABaseThatCannotBeReadAnyMoreIsReadAnew(t *testing.T) {
	t.Parallel()
	s := newSite(t, true)
	w := which{0, api.Live}
	bases := &mortals{}
	n, _, err := offline.Open(t.Context(), offline.Config{Upstream: upstream{s.ledger, s.caller(w)}, Bases: bases, Folder: &journal.Memory{},
		Caller: s.caller(w), Now: s.clock.Now, Owner: outbox.Begin{Organization: s.orgs[0].ID.String(), Environment: "live"}})
	require.NoError(t, err)
	s.nodes[w] = n
	s.sync(w)
	_, err = api.CreateProduct.Call(t.Context(), n, api.CreateProductInput{SKU: "A", Name: "A"})
	require.NoError(t, err)
	bases.current.dead.Store(true)
	_, err = api.ListProducts.Call(t.Context(), n, api.ListProductsInput{})
	require.Error(t, err)
	s.sync(w)
	list, err := api.ListProducts.Call(t.Context(), n, api.ListProductsInput{})
	require.NoError(t, err)
	require.Len(t, list.Items, 1)
	require.Zero(t, n.Status().Waiting)
}
