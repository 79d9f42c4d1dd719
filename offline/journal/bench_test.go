package journal_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/offline/journal"
)

func BenchmarkAppend(b *testing.B) {
	j, _, err := journal.Open(&journal.Memory{}, "j")
	require.NoError(b, err)
	record := make([]byte, 600)
	b.ReportAllocs()
	for b.Loop() {
		require.NoError(b, j.Append(record))
	}
}

func BenchmarkOpen(b *testing.B) {
	folder := &journal.Memory{}
	j, _, err := journal.Open(folder, "j")
	require.NoError(b, err)
	for range 10_000 {
		require.NoError(b, j.Append(make([]byte, 600)))
	}
	b.ReportAllocs()
	for b.Loop() {
		_, found, err := journal.Open(folder, "j")
		require.NoError(b, err)
		require.Len(b, found.Records, 10_000)
	}
}
