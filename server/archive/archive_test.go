package archive_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server"
	"bincard/server/api"
	"bincard/server/archive"
	"bincard/server/ledger/audit"
	"bincard/server/store/boltstore"
)

// open opens the ledger in a directory.
func open(t *testing.T, dir string) *server.Server {
	t.Helper()
	s, err := server.Open(server.Config{Dir: dir, NoSync: true, Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

// verify verifies the ledger in a directory in this process.
func verify(ctx context.Context, dir string, progress archive.ProgressFunc) (*audit.Result, error) {
	s, err := server.Open(server.Config{Dir: dir})
	if err != nil {
		return nil, &archive.DamageError{Words: err.Error()}
	}
	defer s.Close()
	proof, err := s.Ledger.VerifyWithProgress(ctx, func(done, of int64) { progress.Report(archive.Verifying, done, of) })
	return proof, errors.Join(err, s.Store.Check())
}

func names(t *testing.T, dir string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

func TestWrite_LiveLedger(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	s := open(t, filepath.Join(root, "data"))
	org, err := s.Ledger.CreateOrganization(t.Context(), "Harbor Goods")
	require.NoError(t, err)
	svc := api.As(s.Ledger, api.Caller{Organization: org.ID, Environment: api.Live, Scopes: api.Scopes, Actor: api.Actor{Type: api.User, Label: "Ada"}}, "")

	// Back up while products are created.
	var writing sync.WaitGroup
	writing.Go(func() {
		for i := range 200 {
			if _, err := api.CreateProduct.Call(t.Context(), svc, api.CreateProductInput{SKU: string(rune('A'+i%26)) + api.NewKey(), Name: "Thing"}); err != nil {
				t.Error(err)
				return
			}
		}
	})
	for i := range 5 {
		name := filepath.Join(root, string(rune('a'+i))+".db")
		size, err := archive.WriteStore(s.Store, name)
		require.NoError(t, err)
		info, err := os.Stat(name)
		require.NoError(t, err)
		require.Equal(t, info.Size(), size)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
		require.NoError(t, archive.Restore(t.Context(), name, filepath.Join(root, "restored", string(rune('a'+i))), verify, nil))
		proof, err := archive.VerifyStore(t.Context(), s.Store, root, verify, nil)
		require.NoError(t, err)
		require.Empty(t, proof.Faults)
	}
	writing.Wait()
	_, err = archive.WriteStore(s.Store, filepath.Join(root, "a.db"))
	require.ErrorContains(t, err, "already exists")
	require.Equal(t, []string{"a.db", "b.db", "c.db", "d.db", "data", "e.db", "restored"}, names(t, root), "no temporary files remain")
}

func TestRestore_RejectsUnverifiedBackup(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	s := open(t, filepath.Join(root, "data"))
	copied := filepath.Join(root, "copy.db")
	_, err := archive.WriteStore(s.Store, copied)
	require.NoError(t, err)

	wrong := func(context.Context, string, archive.ProgressFunc) (*audit.Result, error) {
		return &audit.Result{Faults: []audit.Fault{{Message: "5 is not 6"}}}, nil
	}
	require.ErrorContains(t, archive.Restore(t.Context(), copied, filepath.Join(root, "other"), wrong, nil), "copy.db: it does not add up: ")
	require.ErrorContains(t, archive.Restore(t.Context(), copied, filepath.Join(root, "data"), verify, nil), "is not empty")
	require.ErrorContains(t, archive.Restore(t.Context(), filepath.Join(root, "none"), filepath.Join(root, "other"), verify, nil), "no such file")
	require.Equal(t, []string{"copy.db", "data"}, names(t, root))

	require.NoError(t, os.Mkdir(filepath.Join(root, "empty"), 0o700))
	require.NoError(t, archive.Restore(t.Context(), copied, filepath.Join(root, "empty"), verify, nil))
	require.Equal(t, []string{boltstore.File}, names(t, filepath.Join(root, "empty")))
}

func TestScheduler(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	s := open(t, filepath.Join(root, "data"))
	org, err := s.Ledger.CreateOrganization(t.Context(), "Harbor Foods")
	require.NoError(t, err)
	svc := api.As(s.Ledger, api.Caller{Organization: org.ID, Environment: api.Live, Scopes: api.Scopes, Actor: api.Actor{Type: api.SystemJob, Label: "test"}}, "")
	_, err = api.CreateLocation.Call(t.Context(), svc, api.CreateLocationInput{Code: "WH-1", Name: "Main", Type: api.Warehouse})
	require.NoError(t, err)
	var log bytes.Buffer
	dir := filepath.Join(root, "copies")
	k := &archive.Scheduler{Server: s, Dir: dir, Every: time.Hour, Keep: 2, Log: slog.New(slog.NewTextHandler(&log, nil))}
	at := time.Date(2026, 3, 31, 14, 0, 0, 0, time.UTC)
	run := func(after time.Duration) time.Duration {
		t.Helper()
		at = at.Add(after)
		wait, err := k.RunOnce(at)
		require.NoError(t, err)
		return wait
	}
	require.Equal(t, time.Hour, run(0))
	require.Equal(t, []string{"bincard-20260331T140000Z.db"}, names(t, dir))
	require.Equal(t, 40*time.Minute, run(20*time.Minute), "a restart does not change when the next one is due")
	require.Len(t, names(t, dir), 1)
	run(40 * time.Minute)
	require.Len(t, names(t, dir), 2)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "mine.db"), nil, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".bincard-20260331T150000Z.db-1.part"), nil, 0o600))
	run(3 * time.Hour)
	require.Equal(t, []string{"bincard-20260331T150000Z.db", "bincard-20260331T180000Z.db", "mine.db"}, names(t, dir),
		"the oldest backup is removed, other files are not")
	require.Contains(t, log.String(), "backup written")
	heads, err := s.Ledger.Heads(t.Context())
	require.NoError(t, err)
	require.NotEmpty(t, heads)
	require.Contains(t, log.String(), "head="+heads[0].String())
	rec := httptest.NewRecorder()
	s.Handler().ServeHTTP(rec, httptest.NewRequest("GET", "/metrics", nil))
	require.Contains(t, rec.Body.String(), fmt.Sprintf("bincard_ledger_head{hash=%q} %d\n", heads[0].Hash, heads[0].Seq))

	// An unusable directory is an error, and no backup is removed.
	k.Dir = filepath.Join(dir, "mine.db")
	_, err = k.RunOnce(at.Add(24 * time.Hour))
	require.ErrorContains(t, err, "cannot create")
}
