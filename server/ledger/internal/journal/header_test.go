package journal_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
)

func TestEntryHeader_MatchesEntry(t *testing.T) {
	t.Parallel()
	all := 0
	for _, row := range journalRows(t) {
		moves, missing, err := readHeader(row)
		require.NoError(t, err)
		require.Empty(t, missing)
		all += moves
		for n := range row {
			_, _, err := readHeader(row[:n])
			require.Error(t, err, "cut to %d bytes of %d", n, len(row))
		}
		_, _, err = readHeader(append(bytes.Clone(row), 0))
		require.Error(t, err)
	}
	require.Equal(t, 8, all)
}

func FuzzEntryHeader(f *testing.F) {
	for _, row := range journalRows(f) {
		f.Add(row)
	}
	f.Fuzz(func(t *testing.T, row []byte) {
		if _, missing, err := readHeader(row); err == nil {
			require.Empty(t, missing)
		}
	})
}

// readHeader decodes the row of a journal entry and its header, and returns what the
// header lacks.
func readHeader(row []byte) (moves int, missing []string, err error) {
	var g journal.Header
	if err := g.Read(row); err != nil {
		return 0, nil, err
	}
	var r journal.Entry
	if err := (journal.Codec{}).Decode(row, &r); err != nil {
		return 0, nil, err
	}
	for i := range r.Movements {
		m := &r.Movements[i]
		if m.Op != "" && g.Operations&(1<<journal.OperationNumber(m.Op)) == 0 {
			missing = append(missing, string(m.Op))
		}
		if g.States&(1<<m.State) == 0 {
			missing = append(missing, string(api.States[m.State]))
		}
	}
	for i := range r.Balances {
		if len(g.Balances) != len(r.Balances) || api.ID(g.Balances[i]) != r.Balances[i].Balance {
			missing = append(missing, r.Balances[i].Balance.String())
		}
	}
	return len(r.Movements), missing, nil
}
