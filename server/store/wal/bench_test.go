package wal_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/store"
	"bincard/server/store/wal"
)

// writes are the changes of a commit of 20 writes with 8 rows each.
func writes() []store.Changes {
	c := store.Changes{Partition: p}
	for table := range 8 {
		for i := range 20 {
			c.Rows = append(c.Rows, store.Row{Table: fmt.Sprint("table", table), Key: fmt.Appendf(nil, "key of the row %d", i), Value: make([]byte, 120)})
		}
	}
	return []store.Changes{c}
}

func BenchmarkAppend(b *testing.B) {
	dir, changes := b.TempDir(), writes()
	l, err := wal.Open(dir, wal.Mark{}, wal.Options{NoSync: true})
	require.NoError(b, err)
	b.Cleanup(l.Close)
	require.NoError(b, l.Begin())
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		_, err := l.Append(changes)
		require.NoError(b, err)
		if n++; n%1000 == 0 { // about 25 MB
			require.NoError(b, l.Begin())
			l.Free(l.Generation() - 1)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	l, err := wal.Open(b.TempDir(), wal.Mark{}, wal.Options{NoSync: true})
	require.NoError(b, err)
	b.Cleanup(l.Close)
	require.NoError(b, l.Begin())
	payload, err := l.Append(writes())
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		require.NoError(b, wal.Decode(payload, func(store.Changes) {}))
	}
}
