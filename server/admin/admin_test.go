package admin_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server"
	"bincard/server/account"
	"bincard/server/admin"
	"bincard/server/api"
	"bincard/server/archive"
	"bincard/server/ledger/audit"
	"bincard/server/local"
)

// open opens the ledger in a directory and serves its Admin.
func open(t *testing.T, dir string, verifier archive.Verifier) (*server.Server, *admin.Client) {
	t.Helper()
	s, err := server.Open(server.Config{Dir: dir, NoSync: true, Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	serve(t, dir, admin.NewDirectAdmin(s, dir, verifier, slog.New(slog.DiscardHandler)))
	t.Cleanup(func() { s.Close() })
	return s, dial(t, dir)
}

// serve serves an Admin until the test ends or stop is called.
func serve(t *testing.T, dir string, a admin.Admin) (stop func()) {
	t.Helper()
	stop = admin.Serve(dir, a, func() admin.Owner { return admin.Owner{URL: "http://127.0.0.1:8080"} }, slog.New(slog.DiscardHandler))
	t.Cleanup(stop)
	return stop
}

func dial(t *testing.T, dir string) *admin.Client {
	t.Helper()
	c := admin.NewClient(dir)
	t.Cleanup(c.Close)
	return c
}

// verify verifies the ledger in a directory in this process.
func verify(ctx context.Context, dir string, progress archive.ProgressFunc) (*audit.Result, error) {
	s, err := server.Open(server.Config{Dir: dir})
	if err != nil {
		return nil, &archive.DamageError{Words: err.Error()}
	}
	defer s.Close()
	return s.Ledger.VerifyWithProgress(ctx, func(done, of int64) { progress.Report(archive.Verifying, done, of) })
}

func TestClient_AdministersTheLedger(t *testing.T) {
	t.Parallel()
	s, c := open(t, t.TempDir(), verify)
	org, err := c.CreateOrganization(t.Context(), "Harbor Goods")
	require.NoError(t, err)
	list, err := c.Organizations(t.Context())
	require.NoError(t, err)
	require.Equal(t, []api.Organization{org}, list)
	_, err = c.CreateOrganization(t.Context(), " ")
	require.True(t, api.HasCode(err, api.ValidationError), "%v", err)

	secret, key, err := c.CreateKey(t.Context(), account.KeyInput{Organization: org.ID, Environment: api.Live, Scopes: api.Scopes, Label: "dock"})
	require.NoError(t, err)
	caller, err := s.Ledger.Authenticate(t.Context(), secret)
	require.NoError(t, err)
	require.Equal(t, key.ID, caller.KeyID)
	keys, err := c.Keys(t.Context(), org.ID)
	require.NoError(t, err)
	require.Equal(t, "dock", keys[0].Label)
	_, err = c.RevokeKey(t.Context(), org.ID, key.ID, false)
	require.NoError(t, err)
	_, err = s.Ledger.Authenticate(t.Context(), secret)
	require.Error(t, err)
	_, err = c.RevokeKey(t.Context(), org.ID, uuid.New(), false)
	require.True(t, api.HasCode(err, api.NotFound), "%v", err)

	limit := int64(7)
	plan, err := c.SetPlan(t.Context(), org.ID, api.Test, api.Limits{BillableOperations: &limit})
	require.NoError(t, err)
	require.Equal(t, api.Plan{Code: "custom", Version: 2}, plan)

	rules, err := c.SetRules(t.Context(), org.ID, api.Test, api.Rules{OverReceiptPercent: 5})
	require.NoError(t, err)
	require.Equal(t, api.Rules{OverReceiptPercent: 5}, rules)
	rules, err = c.Rules(t.Context(), org.ID, api.Test)
	require.NoError(t, err)
	require.Equal(t, api.Rules{OverReceiptPercent: 5}, rules)
	rules, err = c.Rules(t.Context(), org.ID, api.Live)
	require.NoError(t, err)
	require.Zero(t, rules)
	_, err = c.SetRules(t.Context(), org.ID, api.Live, api.Rules{OverReceiptPercent: 101})
	require.True(t, api.HasCode(err, api.ValidationError), "%v", err)
	for field, rules := range map[string]api.Rules{"countLimitPieces": {CountLimitPieces: new(int64(-1))}, "countLimitPercent": {CountLimitPercent: new(int64(101))}} {
		_, err = c.SetRules(t.Context(), org.ID, api.Live, rules)
		require.True(t, api.HasCode(err, api.ValidationError), "%v", err)
		require.ErrorContains(t, err, field)
	}
	_, err = c.Rules(t.Context(), uuid.New(), api.Live)
	require.True(t, api.HasCode(err, api.NotFound), "%v", err)
}

func TestClient_BacksUpAndVerifies(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, c := open(t, filepath.Join(dir, "data"), verify)
	_, err := c.CreateOrganization(t.Context(), "Harbor Goods")
	require.NoError(t, err)
	var stages []archive.Stage
	progress := func(p archive.Progress) { stages = append(stages, p.Stage) }
	name := filepath.Join(dir, "copy.db")
	size, err := archive.WriteFile(t.Context(), name, func(w io.Writer) error { return c.Backup(t.Context(), w, progress) }, verify, progress)
	require.NoError(t, err)
	info, err := os.Stat(name)
	require.NoError(t, err)
	require.Equal(t, info.Size(), size)
	require.NoError(t, archive.Restore(t.Context(), name, filepath.Join(dir, "twin"), verify, nil))

	proof, err := c.Verify(t.Context(), true, progress)
	require.NoError(t, err)
	require.Empty(t, proof.Faults)
	require.Equal(t, 2, proof.Partitions)
	require.Contains(t, stages, archive.Copying)
	require.Contains(t, stages, archive.Verifying)
	for _, pattern := range []string{"inspection-*", "backup-*", ".*"} {
		files, err := filepath.Glob(filepath.Join(dir, "data", pattern))
		require.NoError(t, err)
		require.Empty(t, files)
	}
}

// Each backup and each verification logs the newest journal entry, so that whoever keeps it can
// prove later that no entry before it was changed.
func TestDirectAdmin_LogsHeads(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, _ := open(t, dir, verify)
	org, err := s.Ledger.CreateOrganization(t.Context(), "Harbor Goods")
	require.NoError(t, err)
	svc := api.As(s.Ledger, api.Caller{Organization: org.ID, Environment: api.Live, Scopes: api.Scopes,
		Actor: api.Actor{Type: api.SystemJob, Label: "test"}}, "")
	_, err = api.CreateLocation.Call(t.Context(), svc, api.CreateLocationInput{Code: "WH-1", Name: "Main", Type: api.Warehouse})
	require.NoError(t, err)
	heads, err := s.Ledger.Heads(t.Context())
	require.NoError(t, err)
	require.Len(t, heads, 1)
	for name, run := range map[string]func(admin.Admin) error{
		"backup":       func(a admin.Admin) error { return a.Backup(t.Context(), io.Discard, nil) },
		"verification": func(a admin.Admin) error { _, err := a.Verify(t.Context(), true, nil); return err },
	} {
		var log bytes.Buffer
		require.NoError(t, run(admin.NewDirectAdmin(s, dir, verify, slog.New(slog.NewTextHandler(&log, nil)))), name)
		require.Contains(t, log.String(), "head="+heads[0].String(), name)
	}
}

// Do asks the process that serves the directory, or opens the directory meanwhile.
func TestDo_WithAndWithoutOwner(t *testing.T) {
	t.Parallel()
	cfg := server.Config{Dir: t.TempDir(), NoSync: true, Log: slog.New(slog.DiscardHandler)}
	s, err := server.Open(cfg)
	require.NoError(t, err)
	stop := serve(t, cfg.Dir, admin.NewDirectAdmin(s, cfg.Dir, verify, cfg.Log))
	_, err = server.Open(cfg)
	require.True(t, admin.IsLocked(err), "%v", err)

	do := func(organizations int) {
		t.Helper()
		var stages []archive.Stage
		require.NoError(t, admin.Do(t.Context(), cfg, func(a admin.Admin) error {
			_, err := a.CreateOrganization(t.Context(), "Harbor Goods")
			require.NoError(t, err)
			list, err := a.Organizations(t.Context())
			require.NoError(t, err)
			require.Len(t, list, organizations)
			result, err := a.Verify(t.Context(), true, func(p archive.Progress) { stages = append(stages, p.Stage) })
			require.NoError(t, err)
			require.Empty(t, result.Faults)
			var backup bytes.Buffer
			require.NoError(t, a.Backup(t.Context(), &backup, nil))
			require.NotZero(t, backup.Len())
			return nil
		}))
		require.Contains(t, stages, archive.Verifying)
		if organizations > 1 { // nobody serves it
			require.Equal(t, archive.Checking, stages[0], "the pages")
		}
	}
	do(1)
	stop()
	require.NoError(t, s.Close())
	do(2)
	do(3) // the directory was closed
}

// A failingAdmin fails, in the middle of a backup too.
type failingAdmin struct {
	admin.Admin
	err error
}

func (f failingAdmin) Backup(_ context.Context, w io.Writer, _ archive.ProgressFunc) error {
	_, _ = w.Write(bytes.Repeat([]byte("page"), 100_000))
	return f.err
}

func (f failingAdmin) Verify(context.Context, bool, archive.ProgressFunc) (*audit.Result, error) {
	return nil, f.err
}

func TestClient_ReturnsErrors(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.Chmod(dir, 0o700))
	stop := serve(t, dir, failingAdmin{err: errors.New("the disk is full")})
	c := dial(t, dir)
	name := filepath.Join(t.TempDir(), "copy.db")
	_, err := archive.WriteFile(t.Context(), name, func(w io.Writer) error { return c.Backup(t.Context(), w, nil) }, nil, nil)
	require.ErrorContains(t, err, "the disk is full")
	files, err := os.ReadDir(filepath.Dir(name))
	require.NoError(t, err)
	require.Empty(t, files)
	_, err = c.Verify(t.Context(), true, nil)
	require.EqualError(t, err, "the disk is full")
	stop()
	_, err = c.Organizations(t.Context())
	require.ErrorContains(t, err, "stopped answering")
	_, err = local.Connect(t.Context(), dir)
	require.ErrorIs(t, err, local.ErrNotRunning)
	_, err = os.Lstat(filepath.Join(dir, "ledger.sock"))
	require.ErrorIs(t, err, os.ErrNotExist)

	serve(t, dir, failingAdmin{err: &archive.DamageError{Words: "page 7 is torn"}})
	_, err = dial(t, dir).Verify(t.Context(), true, nil)
	require.True(t, archive.IsDamage(err), "%v", err)
}

func TestClient_OwnerOfAnotherVersion(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.Chmod(dir, 0o700))
	ln, err := local.Listen(dir)
	require.NoError(t, err)
	srv := &http.Server{Handler: http.NotFoundHandler()}
	go func() { _ = srv.Serve(ln) }()
	defer srv.Close()
	_, err = dial(t, dir).Organizations(t.Context())
	require.ErrorContains(t, err, "another version")
}

// forgetfulAdmin creates keys as an earlier version does, which ignores the location.
type forgetfulAdmin struct{ admin.Admin }

func (a forgetfulAdmin) CreateKey(ctx context.Context, in account.KeyInput) (string, account.APIKey, error) {
	in.Location = ""
	return a.Admin.CreateKey(ctx, in)
}

// A key that must be for one location does not stay valid for all.
func TestClient_LocationIgnoredByEarlierVersion(t *testing.T) {
	t.Parallel()
	s, err := server.Open(server.Config{Dir: t.TempDir(), NoSync: true, Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	defer s.Close()
	org, err := s.Ledger.CreateOrganization(t.Context(), "Harbor Goods")
	require.NoError(t, err)
	dir := t.TempDir()
	serve(t, dir, forgetfulAdmin{admin.NewDirectAdmin(s, dir, verify, slog.New(slog.DiscardHandler))})
	in := account.KeyInput{Organization: org.ID, Environment: api.Live, Scopes: api.Scopes, Location: "WH-1"}
	_, _, err = dial(t, dir).CreateKey(t.Context(), in)
	require.ErrorContains(t, err, "of an earlier version, which has no keys for one location, so the new key is revoked")
	keys, err := s.Ledger.Keys(t.Context(), org.ID)
	require.NoError(t, err)
	require.Len(t, keys, 1)
	require.NotNil(t, keys[0].RevokedAt)
}
