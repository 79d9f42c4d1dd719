package upgrade_test

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"bincard/server"
	"bincard/server/api"
	"bincard/server/archive"
	"bincard/server/ledger"
	"bincard/server/ledger/audit"
	"bincard/server/store"
	"bincard/server/store/wire"
	"bincard/server/testenv"
)

// fixtures runs fn for the directory of each fixture.
func fixtures(t *testing.T, fn func(t *testing.T, dir string)) {
	t.Helper()
	dirs, err := filepath.Glob(filepath.Join("testdata", "*", "keys.json"))
	require.NoError(t, err)
	require.NotEmpty(t, dirs)
	for _, file := range dirs {
		dir := filepath.Dir(file)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			fn(t, dir)
		})
	}
}

// formats is like fixtures, but "make test" runs fn for one fixture of each format.
func formats(t *testing.T, fn func(t *testing.T, dir string)) {
	t.Helper()
	fixtures(t, func(t *testing.T, dir string) {
		skipVariant(t, dir)
		fn(t, dir)
	})
}

// skipVariant skips a fixture beyond the first of its format, like format-4-sites.
func skipVariant(t *testing.T, dir string) {
	t.Helper()
	if strings.Count(filepath.Base(dir), "-") > 1 {
		testenv.FormatVariants.Cases(t)
	}
}

func keysOf(t *testing.T, fixture string) (keys fixtureKeys) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(fixture, "keys.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &keys))
	return keys
}

func exchangesOf(t *testing.T, fixture string) (list []exchange) {
	t.Helper()
	lines := bufio.NewScanner(open(t, filepath.Join(fixture, "exchanges.jsonl.gz")))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var x exchange
		require.NoError(t, json.Unmarshal(lines.Bytes(), &x))
		list = append(list, x)
	}
	require.NoError(t, lines.Err())
	require.Greater(t, len(list), 300)
	return list
}

// open opens a gzip file.
func open(t *testing.T, file string) io.Reader {
	t.Helper()
	f, err := os.Open(file)
	require.NoError(t, err)
	t.Cleanup(func() { f.Close() })
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	return z
}

// unpack returns a copy of a directory of a fixture.
func unpack(t *testing.T, fixture, name string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.Mkdir(dir, 0o700))
	files := tar.NewReader(open(t, filepath.Join(fixture, name+".tar.gz")))
	for {
		h, err := files.Next()
		if errors.Is(err, io.EOF) {
			return dir
		}
		require.NoError(t, err)
		path := filepath.Join(dir, h.Name)
		if h.Typeflag == tar.TypeDir {
			require.NoError(t, os.MkdirAll(path, 0o700))
			continue
		}
		data, err := io.ReadAll(files)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, data, 0o600))
		require.NoError(t, os.Chtimes(path, h.ModTime, h.ModTime))
	}
}

// openServer opens a data directory as the service does.
func openServer(t *testing.T, dir string) *server.Server {
	t.Helper()
	s, err := server.Open(server.Config{Dir: dir, Version: "test", Log: slog.New(slog.DiscardHandler), NoSync: true})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

func requireVerified(t *testing.T, s *server.Server) {
	t.Helper()
	result, err := s.Ledger.Verify(t.Context())
	require.NoError(t, err)
	require.Empty(t, result.Faults)
	require.Greater(t, result.Records, 300)
}

// over returns a client of the server over HTTP.
func over(t *testing.T, s *server.Server, keys fixtureKeys) *client {
	t.Helper()
	srv := httptest.NewServer(s.Handler())
	t.Cleanup(srv.Close)
	return &client{t: t, url: srv.URL, org: keys.Organization, key: keys.Key}
}

func TestLedgerOfEarlierVersion_Works(t *testing.T) {
	t.Parallel()
	fixtures(t, func(t *testing.T, fixture string) {
		for _, name := range []string{"ledger", "crashed"} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				if name == "crashed" {
					skipVariant(t, fixture) // the logs hold the same work
				}
				s := openServer(t, unpack(t, fixture, name))
				requireVerified(t, s)
				requireBound(t, s, keysOf(t, fixture))
				c := over(t, s, keysOf(t, fixture))
				for i, x := range exchangesOf(t, fixture) {
					if strings.HasPrefix(x.Key, "many-") && i%10 > 0 && !testenv.Long() {
						continue // it is like the others
					}
					again := c.send(x)
					require.Equal(t, x.Status, again.Status, "%s %s", x.Method, x.Path)
					requireAnswer(t, x, again.Answer)
					require.Equal(t, x.Method == http.MethodPost, again.Replayed, "%s %s", x.Method, x.Path)
				}
				c.post("/locations", "new", `{"code":"NEW","name":"New","type":"store"}`)
				requireVerified(t, s)
			})
		}
	})
}

// requireBound requires that the key for a location still is, if the fixture has one, and
// that the other key is for all.
func requireBound(t *testing.T, s *server.Server, keys fixtureKeys) {
	t.Helper()
	c := over(t, s, keys)
	require.NotContains(t, c.send(exchange{Method: http.MethodGet, Path: "/access"}).Answer, "locationId")
	if c.key = keys.BoundKey; c.key == "" {
		return
	}
	require.Contains(t, c.send(exchange{Method: http.MethodGet, Path: "/access"}).Answer, `"locationCode":"SHOP"`)
	refused := c.send(exchange{Method: http.MethodPost, Path: "/locations", Key: "bound", Body: `{"code":"X","name":"X","type":"store"}`})
	require.Equal(t, http.StatusForbidden, refused.Status)
	require.Contains(t, refused.Answer, string(api.LocationNotAllowed))
}

// requireAnswer requires that an answer is the recorded one. A read may have fields that
// the earlier version did not have; what a write answered is stored and does not change.
func requireAnswer(t *testing.T, x exchange, got string) {
	t.Helper()
	if x.Method == http.MethodGet && x.Status == http.StatusOK {
		var was, is any
		require.NoError(t, json.Unmarshal([]byte(x.Answer), &was), x.Path)
		require.NoError(t, json.Unmarshal([]byte(got), &is), x.Path)
		require.Equal(t, was, common(was, is), "%s %s", x.Method, x.Path)
		return
	}
	require.Equal(t, x.Answer, got, "%s %s", x.Method, x.Path)
}

// common returns the value without the fields that earlier does not have.
func common(earlier, value any) any {
	switch earlier := earlier.(type) {
	case map[string]any:
		fields, ok := value.(map[string]any)
		if !ok {
			return value
		}
		kept := map[string]any{}
		for name, field := range fields {
			if was, ok := earlier[name]; ok {
				kept[name] = common(was, field)
			}
		}
		return kept
	case []any:
		items, ok := value.([]any)
		if !ok || len(items) != len(earlier) {
			return value
		}
		kept := make([]any, len(items))
		for i := range items {
			kept[i] = common(earlier[i], items[i])
		}
		return kept
	}
	return value
}

func TestBackupOfEarlierVersion_Restores(t *testing.T) {
	t.Parallel()
	fixtures(t, func(t *testing.T, fixture string) {
		backup := filepath.Join(t.TempDir(), "backup.db")
		data, err := io.ReadAll(open(t, filepath.Join(fixture, "backup.db.gz")))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(backup, data, 0o600))
		dir := filepath.Join(t.TempDir(), "restored")
		verify := func(ctx context.Context, dir string, _ archive.ProgressFunc) (*audit.Result, error) {
			s, err := server.Open(server.Config{Dir: dir, Version: "test", NoSync: true})
			if err != nil {
				return nil, err
			}
			defer s.Close()
			return s.Ledger.Verify(ctx)
		}
		require.NoError(t, archive.Restore(t.Context(), backup, dir, verify, nil))
		restored := openServer(t, dir)
		requireVerified(t, restored)
		requireBound(t, restored, keysOf(t, fixture))
		unchanged, err := os.ReadFile(backup)
		require.NoError(t, err)
		require.Equal(t, data, unchanged, "the backup is not changed")
	})
}

func TestLedgerOfEarlierVersion_DamagedRowIsNamed(t *testing.T) {
	t.Parallel()
	formats(t, func(t *testing.T, fixture string) {
		s := openServer(t, unpack(t, fixture, "ledger"))
		keys := keysOf(t, fixture)
		parts, err := s.Store.Partitions(t.Context())
		require.NoError(t, err)
		var damaged []byte
		for _, p := range parts {
			require.NoError(t, s.Store.Update(t.Context(), p, func(tx store.Tx) error {
				return tx.Scan("inbounds", store.Range{}, func(key, data []byte) error {
					damaged = append([]byte(nil), key...)
					if err := tx.Put("inbounds", damaged, data[:len(data)/2]); err != nil {
						return err
					}
					return store.ErrStop
				})
			}))
		}
		require.NotNil(t, damaged)
		result, err := s.Ledger.Verify(t.Context())
		require.NoError(t, err)
		require.NotEmpty(t, result.Faults)
		c := over(t, s, keys)
		require.Equal(t, http.StatusOK, c.send(exchange{Method: http.MethodGet, Path: "/outbounds"}).Status)
		require.Equal(t, http.StatusOK, c.send(exchange{Method: http.MethodGet, Path: "/reports/stock-movements"}).Status)
		named := false
		for _, f := range result.Faults {
			named = named || strings.Contains(f.String(), fmt.Sprintf("%x", damaged))
		}
		require.True(t, named, "%v does not name %x", result.Faults, damaged)
	})
}

func TestLedgerOfNewerVersion_IsRefusedUnchanged(t *testing.T) {
	t.Parallel()
	formats(t, func(t *testing.T, fixture string) {
		dir := unpack(t, fixture, "ledger")
		s := openServer(t, dir)
		require.NoError(t, s.Store.Update(t.Context(), store.Partition{}, func(tx store.Tx) error {
			var f wire.Fields
			writer := "2.7"
			f.Text(1, &writer)
			return tx.Put("meta", []byte("format"), f.Append([]byte{ledger.Format + 1}, nil))
		}))
		require.NoError(t, s.Close())
		before := contents(t, dir)
		_, err := server.Open(server.Config{Dir: dir, Version: "1.0"})
		require.ErrorContains(t, err, "version 2.7, format 5")
		require.ErrorContains(t, err, "version 1.0")
		require.Equal(t, before, contents(t, dir))
	})
}

// contents maps the files of a directory to checksums.
func contents(t *testing.T, dir string) map[string][32]byte {
	t.Helper()
	sums := map[string][32]byte{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		sums[strings.TrimPrefix(path, dir)] = sha256.Sum256(data)
		return err
	}))
	return sums
}
