package store_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bincard/server/store"
	"bincard/server/store/storetest"
	"bincard/server/testenv"
)

// Random transactions run on stacked overlays; some are applied to the overlay below, some
// discarded.
func TestOverlay_Histories(t *testing.T) {
	t.Parallel()
	testenv.Property.Check(t, func(rt *rapid.T) {
		levels := []*store.Overlay{store.NewOverlay(nil)}
		models := []storetest.Model{{}}
		for range rapid.IntRange(1, 12).Draw(rt, "steps") {
			top := len(levels) - 1
			switch rapid.SampledFrom([]string{"write", "write", "stack", "apply", "discard"}).Draw(rt, "step") {
			case "write":
				require.NoError(rt, models[top].Do(levels[top], storetest.Ops(rt)))
			case "stack":
				levels = append(levels, store.NewOverlay(levels[top]))
				models = append(models, models[top].Clone())
			case "apply":
				if top > 0 {
					require.NoError(rt, levels[top].Apply(levels[top-1]))
					models[top-1] = models[top]
					levels, models = levels[:top], models[:top]
				}
			case "discard":
				if top > 0 {
					levels[top].Reset(levels[top-1])
					models[top] = models[top-1].Clone()
					require.Zero(rt, levels[top].Dirty())
				}
			}
			for i := range levels {
				require.NoError(rt, models[i].Holds(levels[i]))
			}
		}
	})
}

func TestOverlay_Rows(t *testing.T) {
	t.Parallel()
	o := store.NewOverlay(nil)
	for _, row := range []store.Row{
		{Table: "u", Key: []byte("b"), Value: []byte("1")},
		{Table: "t", Key: []byte("b"), Value: []byte("2")},
		{Table: "u", Key: []byte("a"), Value: []byte("3")},
		{Table: "u", Key: []byte("b"), Value: []byte{}},
		{Table: "u", Key: []byte("c")},
	} {
		require.NoError(t, row.Apply(o))
	}
	require.Equal(t, 4, o.Dirty())
	require.Equal(t, []store.Row{
		{Table: "t", Key: []byte("b"), Value: []byte("2")},
		{Table: "u", Key: []byte("a"), Value: []byte("3")},
		{Table: "u", Key: []byte("b"), Value: []byte{}},
		{Table: "u", Key: []byte("c")},
	}, o.Rows())
}

func TestOverlay_PutDuringScan(t *testing.T) {
	t.Parallel()
	base := store.NewOverlay(nil)
	require.NoError(t, base.Put("t", []byte("b"), nil))
	o := store.NewOverlay(base)
	for _, key := range []string{"d", "e", "f", "g", "h"} {
		require.NoError(t, o.Put("t", []byte(key), nil))
	}
	var seen []string
	require.NoError(t, o.Scan("t", store.Range{}, func(key, _ []byte) error {
		seen = append(seen, string(key))
		require.NoError(t, o.Put("t", append([]byte("a"), key...), nil))
		return o.Scan("t", store.Range{}, func(_, _ []byte) error { return nil }) // sorts the added rows
	}))
	require.Equal(t, []string{"b", "d", "e", "f", "g", "h"}, seen)
	require.Equal(t, 11, o.Dirty())
}

func TestOverlay_Sealed(t *testing.T) {
	t.Parallel()
	o := store.NewOverlay(nil)
	for _, key := range []string{"c", "a", "b"} {
		require.NoError(t, o.Put("t", []byte(key), []byte(key)))
	}
	o.Seal()
	require.Panics(t, func() { _ = o.Put("t", []byte("d"), nil) })
	require.Panics(t, func() { _ = o.Delete("other", []byte("d")) })
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			var keys string
			for _, table := range []string{"t", "other"} {
				err := o.Scan(table, store.Range{}, func(key, _ []byte) error {
					value, err := o.Get("t", key)
					keys += string(value)
					return err
				})
				if err != nil {
					t.Error(err)
				}
			}
			if keys != "abc" {
				t.Errorf("scanned %q", keys)
			}
		})
	}
	wg.Wait()
}
