package journal_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/ledgertest"
	"bincard/server/store"
)

// journalRows returns the rows of a few journal entries.
func journalRows(t testing.TB) (rows [][]byte) {
	w := ledgertest.Open(t)
	oat, wh := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
	for _, key := range []string{"0198c5e2-7b1a-7c3e-9d41-5f2a6b8c9d0e", "0198C5E2-7B1A-7C3E-9D41-5F2A6B8C9D0E", "till-4", strings.Repeat("k", 255)} {
		ledgertest.Do(w, api.AdjustStock, api.AdjustStockInput{StockKey: api.StockKey{ProductID: oat.ID, LocationID: wh.ID}, InventoryState: api.Damaged,
			QuantityDelta: 3, Reason: "count", Metadata: api.Metadata(`{"by":"hand"}`)}, api.Key(key), api.By("Ada"))
	}
	p := store.Partition{Organization: w.Org.ID, Environment: string(api.Live)}
	require.NoError(t, w.Store.View(context.Background(), p, func(r store.Reader) error {
		return r.Scan("records", store.Range{}, func(_, row []byte) error {
			rows = append(rows, bytes.Clone(row))
			return nil
		})
	}))
	return rows
}

func TestJournalEntry_RoundTrip(t *testing.T) {
	t.Parallel()
	rows := journalRows(t)
	require.Len(t, rows, 6)
	for _, row := range rows {
		again, err := recode(row)
		require.NoError(t, err)
		require.Equal(t, row, again)
		for n := range row {
			_, err := recode(row[:n])
			require.Error(t, err, "cut to %d bytes of %d", n, len(row))
		}
		_, err = recode(append(bytes.Clone(row), 0))
		require.Error(t, err)
	}
}

func FuzzRecord(f *testing.F) {
	for _, row := range journalRows(f) {
		f.Add(row)
	}
	f.Fuzz(func(t *testing.T, row []byte) {
		once, err := recode(row)
		if err != nil {
			return
		}
		twice, err := recode(once)
		require.NoError(t, err)
		require.Equal(t, once, twice)
	})
}

// recode decodes and encodes the row of a journal entry.
func recode(row []byte) ([]byte, error) {
	var r journal.Entry
	if err := (journal.Codec{}).Decode(row, &r); err != nil {
		return nil, err
	}
	return journal.Codec{}.Append(nil, &r)
}
