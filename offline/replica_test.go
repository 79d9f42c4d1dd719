package offline_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/offline"
	"bincard/offline/journal"
	"bincard/offline/outbox"
	"bincard/offline/replicas"
	"bincard/server/api"
	"bincard/server/store"
)

// A failingStore is a store that can stop working.
type failingStore struct {
	store.Store
	dead        atomic.Bool
	afterUpdate func() // nil: nothing
}

func (m *failingStore) View(ctx context.Context, p store.Partition, fn func(store.Reader) error) error {
	if m.dead.Load() {
		return store.ErrUncertain
	}
	return m.Store.View(ctx, p, fn)
}

func (m *failingStore) Update(ctx context.Context, p store.Partition, fn func(store.Tx) error) error {
	if m.dead.Load() {
		return store.ErrUncertain
	}
	err := m.Store.Update(ctx, p, fn)
	if m.afterUpdate != nil {
		m.afterUpdate()
	}
	return err
}

// failingReplicas are replicas in failingStores.
type failingReplicas struct {
	replicas.Memory
	current, next *failingStore
}

func (b *failingReplicas) Current() store.Store {
	if b.current == nil {
		return nil
	}
	return b.current
}

func (b *failingReplicas) Stage() (store.Store, error) {
	st, err := b.Memory.Stage()
	b.next = &failingStore{Store: st}
	return b.next, err
}

func (b *failingReplicas) Swap() (func() error, error) {
	b.current, b.next = b.next, nil
	return b.Memory.Swap()
}

func TestReplica_UnreadableIsPulledAgain(t *testing.T) {
	t.Parallel()
	s := newNodeSet(t, true)
	w := tenant{0, api.Live}
	set := &failingReplicas{}
	n, _, err := offline.Open(t.Context(), offline.Config{Upstream: upstream{s.ledger, s.caller(w)}, Replicas: set, Folder: &journal.Memory{},
		Caller: s.caller(w), Now: s.clock.Now, Owner: outbox.Header{Organization: s.orgs[0].ID.String(), Environment: "live"}})
	require.NoError(t, err)
	s.nodes[w] = n
	s.sync(w)
	_, err = api.CreateProduct.Call(t.Context(), n, api.CreateProductInput{SKU: "A", Name: "A"})
	require.NoError(t, err)
	set.current.dead.Store(true)
	_, err = api.ListProducts.Call(t.Context(), n, api.ListProductsInput{})
	require.Error(t, err)
	s.sync(w)
	list, err := api.ListProducts.Call(t.Context(), n, api.ListProductsInput{})
	require.NoError(t, err)
	require.Len(t, list.Items, 1)
	require.Zero(t, n.Status().Waiting)
}

func TestReplica_StopAfterUpdate(t *testing.T) {
	t.Parallel()
	s := newNodeSet(t, true)
	w := tenant{0, api.Live}
	set, up := &failingReplicas{}, upstream{s.ledger, s.caller(w)}
	n, _, err := offline.Open(t.Context(), offline.Config{Upstream: up, Replicas: set, Folder: &journal.Memory{},
		Caller: s.caller(w), Now: s.clock.Now, Owner: outbox.Header{Organization: s.orgs[0].ID.String(), Environment: "live"}})
	require.NoError(t, err)
	s.nodes[w] = n
	s.sync(w)
	_, err = api.CreateProduct.Call(t.Context(), n, api.CreateProductInput{SKU: "A", Name: "A"})
	require.NoError(t, err)
	batch, err := n.NextBatch()
	require.NoError(t, err)
	require.Len(t, batch.Requests, 1)
	res, err := up.Do(t.Context(), batch.Requests[0].Req)
	require.NoError(t, err)
	require.NoError(t, n.SendDone(batch.Requests[0].Key, res, nil))

	req, _, err := n.NextRead(t.Context())
	require.NoError(t, err)
	require.Equal(t, api.ListChanges.ID, req.Spec.ID)
	changes, err := up.Do(t.Context(), req)
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	set.current.afterUpdate = stop
	require.Error(t, n.ReadDone(ctx, changes, nil))
	require.NoError(t, n.Verify(t.Context()))
}
