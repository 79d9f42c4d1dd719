package store_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/store"
)

func TestCancelable(t *testing.T) {
	t.Parallel()
	st, p := store.NewMemory(), store.Partition{}
	t.Cleanup(func() { _ = st.Close() })
	require.NoError(t, st.Update(context.Background(), p, func(tx store.Tx) error {
		for i := range 1000 {
			if err := tx.Put("t", fmt.Appendf(nil, "%04d", i), []byte("x")); err != nil {
				return err
			}
		}
		return nil
	}))
	ctx, cancel := context.WithCancel(context.Background())
	require.NoError(t, st.View(context.Background(), p, func(r store.Reader) error {
		r, rows := store.Cancelable(ctx, r), 0
		err := r.Scan("t", store.Range{}, func(_, _ []byte) error {
			if rows++; rows == 100 {
				cancel()
			}
			return nil
		})
		require.ErrorIs(t, err, context.Canceled)
		require.Less(t, rows, 200, "the scan stops soon after the context ends")
		for i := 0; err == nil || i == 0; i++ {
			require.Less(t, i, 200)
			_, err = r.Get("t", []byte("0001"))
		}
		require.ErrorIs(t, err, context.Canceled)
		return nil
	}))
}
