package ledger_test

import (
	"context"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/ledger/ledgertest"
	"bincard/server/store"
)

func TestFormat(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	st := store.NewMemory()
	require.NoError(t, ledger.CheckFormat(ctx, st), "new data")
	require.NoError(t, ledger.CheckFormat(ctx, st), "its own data")

	mark := func(w *ledgertest.World, fn func(store.Tx) error) *ledger.FormatError {
		require.NoError(t, w.Store.Update(ctx, store.Partition{}, fn))
		var e *ledger.FormatError
		require.ErrorAs(t, ledger.CheckFormat(ctx, w.Store), &e)
		return e
	}
	w := ledgertest.Open(t)
	w.Stock(w.Product("OAT-1L", api.TrackNone).ID, w.Location("WH-1").ID, 1)
	require.NoError(t, ledger.CheckFormat(ctx, w.Store))
	e := mark(w, func(tx store.Tx) error {
		return tx.Put("meta", []byte("format"), binary.AppendUvarint(nil, ledger.Format+1))
	})
	require.ErrorContains(t, e, "a newer Bincard")
	e = mark(w, func(tx store.Tx) error { return tx.Delete("meta", []byte("format")) })
	require.EqualValues(t, 1, e.Format)
	require.ErrorContains(t, e, "bincard import")
}
