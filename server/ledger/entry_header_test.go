package ledger_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/ledger"
)

func TestEntryHeader_MatchesEntry(t *testing.T) {
	t.Parallel()
	all := 0
	for _, row := range journalRows(t) {
		moves, missing, err := ledger.ReadHeader(row)
		require.NoError(t, err)
		require.Empty(t, missing)
		all += moves
		for n := range row {
			_, _, err := ledger.ReadHeader(row[:n])
			require.Error(t, err, "cut to %d bytes of %d", n, len(row))
		}
		_, _, err = ledger.ReadHeader(append(bytes.Clone(row), 0))
		require.Error(t, err)
	}
	require.Equal(t, 8, all)
}

func FuzzEntryHeader(f *testing.F) {
	for _, row := range journalRows(f) {
		f.Add(row)
	}
	f.Fuzz(func(t *testing.T, row []byte) {
		if _, missing, err := ledger.ReadHeader(row); err == nil {
			require.Empty(t, missing)
		}
	})
}
