package bench_test

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	bolt "go.etcd.io/bbolt"

	"bincard/server/store/boltstore"
)

// A tableSize is the size of a table in the file, over all partitions.
type tableSize struct {
	table              string
	rows, keys, values int64
	pages              int64 // in bytes, including free space
}

// tableSizes returns the sizes of the tables of a closed ledger, largest
// first.
func tableSizes(b *testing.B, dir string) []tableSize {
	b.Helper()
	db, err := bolt.Open(filepath.Join(dir, boltstore.File), 0o600, &bolt.Options{NoFreelistSync: true, ReadOnly: true})
	require.NoError(b, err)
	defer db.Close()
	found := map[string]*tableSize{}
	require.NoError(b, db.View(func(tx *bolt.Tx) error {
		return tx.ForEach(func(name []byte, table *bolt.Bucket) error {
			s := table.Stats()
			text := string(name[17+int(name[16]):]) // after the partition
			x := found[text]
			if x == nil {
				x = &tableSize{table: text}
				found[text] = x
			}
			x.pages += int64(s.BranchAlloc + s.LeafAlloc)
			return table.ForEach(func(key, value []byte) error {
				x.rows, x.keys, x.values = x.rows+1, x.keys+int64(len(key)), x.values+int64(len(value))
				return nil
			})
		})
	}))
	list := make([]tableSize, 0, len(found))
	for _, x := range found {
		list = append(list, *x)
	}
	slices.SortFunc(list, func(x, y tableSize) int {
		return cmp.Or(cmp.Compare(y.pages, x.pages), strings.Compare(x.table, y.table))
	})
	return list
}

// printTableSizes prints the size of each table per movement, except very
// small ones.
func printTableSizes(list []tableSize, movements int) {
	fmt.Printf("%-26s %9s %8s %8s %6s %12s\n", "table", "rows", "key B", "value B", "full", "B a movement")
	for _, x := range list {
		per := float64(x.pages) / float64(movements)
		if x.rows == 0 || per < 0.05 {
			continue
		}
		rows := float64(x.rows)
		fmt.Printf("%-26s %9d %8.1f %8.1f %5.0f%% %12.1f\n", x.table, x.rows, float64(x.keys)/rows, float64(x.values)/rows,
			100*float64(x.keys+x.values+16*x.rows)/float64(x.pages), per)
	}
}
