package archive_test

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server"
	"bincard/server/archive"
	"bincard/server/demo"
	"bincard/server/ledger/ledgertest"
	"bincard/server/store"
	"bincard/server/store/pgstore/pgtest"
)

// A storedRow is a row of a ledger.
type storedRow struct {
	partition store.Partition
	row       store.Row
}

func rowsOf(t *testing.T, st server.CopySource) (list []storedRow) {
	t.Helper()
	require.NoError(t, st.Rows(t.Context(), func(p store.Partition, row store.Row) error {
		list = append(list, storedRow{p, store.Row{Table: row.Table, Key: bytes.Clone(row.Key), Value: append([]byte{}, row.Value...)}})
		return nil
	}))
	return list
}

// The demo company is copied to a database and back.
func TestCopy_ToDatabaseAndBack(t *testing.T) {
	t.Parallel()
	now := ledgertest.Start.Add(24 * time.Hour)
	dir, back, url := filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "back"), pgtest.Database(t)
	require.NoError(t, demo.Make(t.Context(), dir, now))
	log := slog.New(slog.DiscardHandler)
	read := func(cfg server.Config) []storedRow {
		cfg.Now, cfg.Log = func() time.Time { return now }, log
		s, err := server.Open(cfg)
		require.NoError(t, err)
		defer s.Close()
		if s.Database != nil {
			return rowsOf(t, s.Database)
		}
		return rowsOf(t, s.Store)
	}
	want := read(server.Config{Dir: dir})
	require.Greater(t, len(want), 1000)

	place, database := archive.Place{Dir: dir, Name: "dir"}, archive.Place{Database: url, Name: "database"}
	there, err := archive.Copy(t.Context(), place, database, now, verify, nil)
	require.NoError(t, err)
	require.NotEmpty(t, there.Proof.Heads)
	require.EqualValues(t, len(want), there.Rows)
	require.Equal(t, want, read(server.Config{Database: url}))
	again, err := archive.Copy(t.Context(), database, archive.Place{Dir: back, Name: "back"}, now, verify, nil)
	require.NoError(t, err)
	require.Equal(t, there.Proof.Heads, again.Proof.Heads)
	require.Equal(t, want, read(server.Config{Dir: back}))
	_, err = archive.Copy(t.Context(), place, database, now, verify, nil)
	require.ErrorIs(t, err, server.ErrTargetNotEmpty)
}

// A verification of a database leaves no copy, and removes those that killed processes left.
func TestVerifyDatabase_RemovesCopies(t *testing.T) {
	t.Parallel()
	s, err := server.Open(server.Config{Database: pgtest.Database(t), CreateTables: true, Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	_, err = s.Ledger.CreateOrganization(t.Context(), "Harbor Goods")
	require.NoError(t, err)
	left, err := os.MkdirTemp("", "bincard-copy-")
	require.NoError(t, err)
	old := time.Now().Add(-25 * time.Hour)
	require.NoError(t, os.Chtimes(left, old, old))
	proof, err := archive.VerifyDatabase(t.Context(), s.Database, s.Now(), nil)
	require.NoError(t, err)
	require.Empty(t, proof.Faults)
	require.NoDirExists(t, left)
}

// A ledger that somebody writes to is not copied. The copy is finished when it is repeated.
func TestCopy_SourceIsWrittenTo(t *testing.T) {
	t.Parallel()
	url, dir := pgtest.Database(t), filepath.Join(t.TempDir(), "data")
	s, err := server.Open(server.Config{Database: url, CreateTables: true, Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	_, err = s.Ledger.CreateOrganization(t.Context(), "Harbor Goods")
	require.NoError(t, err)
	from, to := archive.Place{Database: url, Name: "the database"}, archive.Place{Dir: dir, Name: "data"}
	written := false
	_, err = archive.Copy(t.Context(), from, to, s.Now(), verify, func(p archive.Progress) {
		if p.Stage == archive.Copying && p.Done > 0 && !written {
			written = true
			_, err := s.Ledger.CreateOrganization(t.Context(), "Orchard Goods")
			require.NoError(t, err)
		}
	})
	require.EqualError(t, err, "the database was changed while it was copied. Stop every service on it, then repeat the command")
	_, err = server.Open(server.Config{Dir: dir})
	require.ErrorContains(t, err, "this is an unfinished copy of the database")
	result, err := archive.Copy(t.Context(), from, to, s.Now(), verify, nil)
	require.NoError(t, err)
	require.True(t, result.Resumed)
	require.Empty(t, result.Proof.Faults)
	copied := open(t, dir)
	require.Equal(t, rowsOf(t, s.Database), rowsOf(t, copied.Store))
}
