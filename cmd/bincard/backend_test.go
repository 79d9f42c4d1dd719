package main

import (
	"path/filepath"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server/store"
	"bincard/server/store/boltstore"
)

// TestTheDemoOpensBesideAnOwnCompany has a machine whose settings name the
// operator's own organization: the demo opens all the same.
func TestTheDemoOpensBesideAnOwnCompany(t *testing.T) {
	t.Parallel()
	l, err := connect(t.Context(), config{demo: true, Data: filepath.Join(t.TempDir(), "demo"), Organization: uuid.NewString()})
	require.NoError(t, err)
	require.Equal(t, "Harbour Goods", l.company)
	require.NoError(t, l.close())
}

// TestADemoOfAnEarlierBincardIsMadeAnew has a demo in a form that is not read
// any more: it is put away, and a new one opens.
func TestDemo_OfAnEarlierFormatIsReplaced(t *testing.T) {
	t.Parallel()
	cfg := config{demo: true, Data: filepath.Join(t.TempDir(), "demo")}
	l, err := connect(t.Context(), cfg)
	require.NoError(t, err)
	require.NoError(t, l.close())
	st, err := boltstore.Open(cfg.Data, boltstore.Options{})
	require.NoError(t, err)
	require.NoError(t, st.Update(t.Context(), store.Partition{}, func(tx store.Tx) error {
		return tx.Put("meta", []byte("format"), []byte{1})
	}))
	require.NoError(t, st.Close())

	l, err = connect(t.Context(), cfg)
	require.NoError(t, err)
	require.Equal(t, "Harbour Goods", l.company)
	require.NoError(t, l.close())
	require.FileExists(t, filepath.Join(cfg.Data+".earlier", "demo.txt"))
}

// TestTheRequestsOfAMonthAreSaidByFlagOrFile holds that the flag goes before the
// file, and that the file holds where there is no flag.
func TestTheRequestsOfAMonthAreSaidByFlagOrFile(t *testing.T) {
	t.Parallel()
	cmd := rootCommand()
	cfg := config{MonthlyRequests: 3000}
	cfg.overlay(cmd)
	require.EqualValues(t, 3000, cfg.MonthlyRequests)
	require.NoError(t, cmd.ParseFlags([]string{"--monthly-requests", "10000"}))
	cfg.overlay(cmd)
	require.EqualValues(t, 10_000, cfg.MonthlyRequests)
	require.NoError(t, cmd.ParseFlags([]string{"--monthly-requests", "0"}))
	cfg.overlay(cmd)
	require.Zero(t, cfg.MonthlyRequests, "there is no limit after all")
	require.Error(t, cmd.ParseFlags([]string{"--monthly-requests", "-1"}))
}
