package ledger_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/ledger/ledgertest"
	"bincard/server/store"
)

func TestRead_RequiresCaller(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	_, err := api.ListProducts.Call(t.Context(), w.Ledger, api.ListProductsInput{})
	require.True(t, api.HasCode(err, api.InternalError), "got %v", err)
}

// A failingStore runs updates, and then fails those for which fails returns an error.
type failingStore struct {
	store.Store
	fails func(store.Partition) error
}

var errDisk = errors.New("the disk is full")

func (f failingStore) Update(ctx context.Context, p store.Partition, fn func(store.Tx) error) error {
	return f.Store.Update(ctx, p, func(tx store.Tx) error {
		if err := fn(tx); err != nil {
			return err
		}
		return f.fails(p)
	})
}

// alwaysFails returns a store whose updates all fail.
func alwaysFails(st store.Store, err error) store.Store {
	return failingStore{st, func(store.Partition) error { return err }}
}

func TestCreateOrganization_IsAtomic(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	for _, env := range []string{"live", "test", ""} {
		failing := ledger.New(failingStore{w.Store, func(p store.Partition) error {
			if p.Environment == env {
				return errDisk
			}
			return nil
		}}, ledger.Options{})
		_, err := failing.CreateOrganization(t.Context(), "Half")
		require.ErrorIs(t, err, errDisk)
	}
	list, err := w.Ledger.Organizations(t.Context())
	require.NoError(t, err)
	require.Equal(t, []api.Organization{w.Org}, list)
	again, err := w.Ledger.CreateOrganization(t.Context(), "Half")
	require.NoError(t, err)
	list, err = w.Ledger.Organizations(t.Context())
	require.NoError(t, err)
	require.ElementsMatch(t, []api.Organization{w.Org, again}, list)
}
