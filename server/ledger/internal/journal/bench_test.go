package journal_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/ledger/internal/journal"
)

func BenchmarkDecode(b *testing.B) {
	rows := journalRows(b)
	b.ReportAllocs()
	for b.Loop() {
		for _, row := range rows {
			var e journal.Entry
			require.NoError(b, journal.Codec{}.Decode(row, &e))
		}
	}
}

func BenchmarkHeader(b *testing.B) {
	rows := journalRows(b)
	var h journal.Header
	for b.Loop() {
		for _, row := range rows {
			require.NoError(b, h.Read(row))
		}
	}
}
