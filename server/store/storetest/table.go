package storetest

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bincard/server/store"
	"bincard/server/testenv"
)

// An item is the row of the table under test.
type item struct {
	ID    string   `json:"id"`
	Shelf string   `json:"shelf"`
	Tags  []string `json:"tags"`
}

func ended(s string) []byte { return append([]byte(s), 0) }

var items = store.NewTable(store.Table[item]{
	Name:  "item",
	Key:   func(i *item) []byte { return []byte(i.ID) },
	Codec: store.JSON[item](),
	Indexes: []store.Index[item]{
		{Name: "shelf", Keys: func(i *item) [][]byte { return [][]byte{ended(i.Shelf)} }},
		{Name: "tag", Keys: func(i *item) [][]byte {
			var keys [][]byte
			for _, tag := range i.Tags {
				keys = append(keys, ended(tag))
			}
			return keys
		}},
	},
})

// testTable puts, inserts and deletes rows, and compares the table and its indexes with a
// map.
func testTable(rt *rapid.T, s store.Store) {
	p, model := partition(), map[string]item{}
	for range rapid.IntRange(1, 6).Draw(rt, "transactions") {
		steps := rapid.SliceOfN(rapid.Custom(step), 1, 6).Draw(rt, "steps")
		before := model
		require.NoError(rt, s.Update(ctx, p, func(tx store.Tx) error {
			model = maps.Clone(before)
			for _, row := range steps {
				if err := apply(tx, model, row); err != nil {
					return err
				}
			}

			return holds(tx, model)
		}))

		require.NoError(rt, s.View(ctx, p, func(r store.Reader) error { return holds(r, model) }))
	}
}

// step draws a row for apply.
func step(t *rapid.T) item {
	word := rapid.StringMatching(`[ab]{1,2}`)
	return item{
		ID:    word.Draw(t, "id"),
		Shelf: word.Draw(t, "shelf"),
		Tags:  rapid.SliceOfNDistinct(word, 0, 3, rapid.ID[string]).Draw(t, "tags"),
	}
}

// apply writes row, or deletes it if its shelf is "bb".
func apply(tx store.Tx, model map[string]item, row item) error {
	if row.Shelf == "bb" {
		delete(model, row.ID)
		return items.Delete(tx, []byte(row.ID))
	}

	_, exists := model[row.ID]
	model[row.ID] = row
	if exists {
		return items.Put(tx, &row)
	}

	return items.Insert(tx, &row)
}

func holds(r store.Reader, model map[string]item) error {
	var all []string
	err := items.Scan(r, store.Range{}, func(row *item) error {
		all = append(all, fmt.Sprint(*row))
		return nil
	})
	if err != nil {
		return err
	}

	var want []string
	for _, id := range slices.Sorted(maps.Keys(model)) {
		want = append(want, fmt.Sprint(model[id]))
		got, err := items.Get(r, []byte(id))
		if err != nil || got == nil || fmt.Sprint(*got) != fmt.Sprint(model[id]) {
			return fmt.Errorf("got %v, want %v (%w)", got, model[id], err)
		}
	}

	if !slices.Equal(all, want) {
		return fmt.Errorf("the table has %q, want %q", all, want)
	}
	for i := range items.Indexes {
		if err := indexHolds(r, &items.Indexes[i], model); err != nil {
			return err
		}
	}

	return nil
}

func indexHolds(r store.Reader, index *store.Index[item], model map[string]item) error {
	var want, keys, rows, wantRows []string
	for _, row := range model {
		for _, key := range index.Keys(&row) {
			want = append(want, string(key)+row.ID)
		}
	}

	slices.Sort(want)
	err := items.ScanKeys(r, index.Name, store.Range{}, func(key, primary []byte) error {
		keys = append(keys, string(key)+string(primary))
		wantRows = append(wantRows, fmt.Sprint(model[string(primary)]))
		return nil
	})
	if err != nil {
		return err
	}
	if !slices.Equal(keys, want) {
		return fmt.Errorf("index %s has %q, want %q", index.Name, keys, want)
	}

	err = items.ScanIndex(r, index.Name, store.Range{}, func(row *item) error {
		rows = append(rows, fmt.Sprint(*row))
		return nil
	})
	if err == nil && !slices.Equal(rows, wantRows) {
		return fmt.Errorf("index %s leads to %q, want %q", index.Name, rows, wantRows)
	}

	return err
}

// testShared reads one key in two partitions from many goroutines.
func testShared(t *testing.T, s store.Store) {
	parts := []store.Partition{partition(), partition()}
	write := func(p store.Partition, shelf string) {
		require.NoError(t, s.Update(ctx, p, func(tx store.Tx) error {
			return items.Put(tx, &item{ID: "shared", Shelf: shelf})
		}))
	}
	shelf := func(p store.Partition) (row *item, err error) {
		err = s.View(ctx, p, func(r store.Reader) (err error) {
			row, err = items.Shared(r, []byte("shared"))
			return err
		})
		return row, err
	}

	none, err := shelf(parts[0])
	require.NoError(t, err)
	require.Nil(t, none)
	for _, round := range []string{"1", "2"} {
		for i, p := range parts {
			write(p, round+fmt.Sprint(i))
		}

		reads := testenv.ConcurrentReads.Cases(t)
		var wg sync.WaitGroup
		for n := range 16 {
			wg.Go(func() {
				for range reads {
					row, err := shelf(parts[n%2])
					if err != nil || row.Shelf != round+fmt.Sprint(n%2) {
						t.Errorf("partition %d in round %s: %v %v", n%2, round, row, err)
						return
					}
				}
			})
		}

		wg.Wait()
	}

	first, err := shelf(parts[0])
	require.NoError(t, err)
	second, err := shelf(parts[0])
	require.NoError(t, err)
	require.Same(t, first, second, "decoded once")
}
