package store_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bincard/server/store"
	"bincard/server/store/storetest"
	"bincard/server/testenv"
)

// Random updates are staged over each other; those that fail or panic change nothing.
func TestStaging_Histories(t *testing.T) {
	t.Parallel()
	failed := errors.New("failed")
	testenv.Property.Check(t, func(rt *rapid.T) {
		base, model := store.NewOverlay(nil), storetest.Model{}
		require.NoError(rt, model.Do(base, storetest.Ops(rt)))
		staging := store.NewStaging(base)
		for range rapid.IntRange(1, 8).Draw(rt, "updates") {
			end := rapid.SampledFrom([]string{"succeed", "succeed", "fail", "panic"}).Draw(rt, "end")
			ops := storetest.Ops(rt)
			next := model.Clone()
			err := staging.Run(func(tx store.Tx) error {
				require.NoError(rt, next.Do(tx, ops))
				require.NoError(rt, next.Holds(tx), "an update sees its own rows")
				switch end {
				case "fail":
					return failed
				case "panic":
					panic(failed)
				}
				return nil
			})
			if end == "succeed" {
				require.NoError(rt, err)
				model = next
			} else {
				require.ErrorIs(rt, err, failed)
			}
			require.NoError(rt, staging.Run(func(tx store.Tx) error { return model.Holds(tx) }))
		}
		for _, row := range staging.Seal() {
			require.NoError(rt, row.Apply(base))
		}
		require.NoError(rt, model.Holds(base))
	})
}
