// Package pgtest runs private PostgreSQL servers for tests.
package pgtest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"bincard/server/store/pgstore"
)

// A Server is a PostgreSQL server with its data in a temporary directory. It listens on a
// socket there.
type Server struct {
	programs  string // the directory of the server's programs
	dir       string
	settings  []string // as NAME=VALUE, of the server
	databases atomic.Int64
	mu        sync.Mutex
	cmd       *exec.Cmd
	free      []string // databases that no test uses
}

// common is the server that tests of a process have in common.
var common struct {
	sync.Mutex
	server *Server
	users  int // tests that use it
}

// Common returns the server that tests of a process have in common. They must
// not stop it. It ends when no running test uses it. Common skips the test if
// PostgreSQL is not installed.
func Common(t testing.TB) *Server {
	t.Helper()
	programs := find(t)
	common.Lock()
	defer common.Unlock()
	if common.server == nil {
		s, err := newServer(programs, "")
		if err == nil {
			err = s.start()
		}
		if err != nil {
			s.remove()
		}

		require.NoError(t, err)
		common.server = s
	}

	common.users++
	t.Cleanup(func() {
		common.Lock()
		defer common.Unlock()
		if common.users--; common.users == 0 {
			common.server.remove()
			common.server = nil
		}
	})

	return common.server
}

// Database returns the URL of a database on the common server that has empty tables. When the
// test ends, another one may get it.
func Database(t testing.TB) string {
	t.Helper()
	s := Common(t)
	name := s.unused()
	if name == "" {
		name = s.NewDatabase(t)
		_, err := pgstore.Init(context.Background(), s.URL(name), pgstore.InitOptions{})
		require.NoError(t, err)
	}

	t.Cleanup(func() {
		if s.clear(name) == nil {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.free = append(s.free, name)
		}
	})

	return s.URL(name)
}

// unused returns a database that an earlier test had, or "".
func (s *Server) unused() (name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.free); n > 0 {
		name, s.free = s.free[n-1], s.free[:n-1]
	}
	return name
}

// clear empties the tables of a database. It fails if a connection still uses them.
func (s *Server) clear(name string) error {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, s.URL(name))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	_, err = conn.Exec(ctx, "SET lock_timeout = '5s'; TRUNCATE bincard.rows, bincard.partitions, bincard.commits")
	return err
}

// Start starts a server for one test, which may stop it.
func Start(t testing.TB) *Server {
	t.Helper()
	return StartIn(t, "")
}

// StartIn starts a server whose data is in a directory, instead of that for temporary files.
func StartIn(t testing.TB, dir string) *Server {
	t.Helper()
	s, err := newServer(find(t), dir)
	require.NoError(t, err)
	t.Cleanup(s.remove)
	require.NoError(t, s.start())
	return s
}

// StartDurable starts a server for a benchmark, with the durability and the write-ahead log of
// an ordinary one: that of tests has small files, which are quick to copy and slow to write.
func StartDurable(t testing.TB) *Server {
	t.Helper()
	s, err := newServer(find(t), "")
	require.NoError(t, err)
	t.Cleanup(s.remove)
	out, err := s.command("pg_resetwal", "--wal-segsize=16", "-D", s.data()).CombinedOutput()
	require.NoError(t, err, "%s", out)
	s.settings = []string{"fsync=on", "shared_buffers=256MB", "max_wal_size=1GB", "min_wal_size=80MB"}
	require.NoError(t, s.start())
	return s
}

// find returns the directory of PostgreSQL's programs.
func find(t testing.TB) string {
	t.Helper()
	if dir := programs(); dir != "" {
		return dir
	}
	if os.Getenv("CI") == "true" {
		require.Fail(t, "PostgreSQL is missing, and CI must run the tests that need it")
	}

	t.Skip("PostgreSQL is not installed: its store is not tested")

	return ""
}

// programs returns the directory of PostgreSQL's programs, or "" if they are not installed.
func programs() string {
	if path, err := exec.LookPath("initdb"); err == nil {
		if target, err := filepath.EvalSymlinks(path); err == nil { // the other programs are there
			path = target
		}
		return filepath.Dir(path)
	}

	if found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb"); len(found) > 0 {
		return filepath.Dir(found[len(found)-1])
	}

	return ""
}

// IsRequired reports whether tests that need PostgreSQL must run: it is installed, or this is
// CI.
func IsRequired() bool { return programs() != "" || os.Getenv("CI") == "true" }

func newServer(programs, parent string) (*Server, error) {
	dir, err := os.MkdirTemp(parent, "bincard-pg")
	s := &Server{programs: programs, dir: dir}
	if err != nil {
		return s, err
	}
	if err := giveUpRoot(dir); err != nil {
		return s, err
	}

	return s, s.prepare()
}

// prepare makes the server's data directory.
func (s *Server) prepare() error {
	prepared.Lock()
	defer prepared.Unlock()
	if prepared.data == nil {
		prepared.data = s.load()
	}
	if prepared.data != nil {
		return prepared.data.write(s.data(), giveUpRoot)
	}

	out, err := s.command("initdb", "-D", s.data(), "-U", "bincard", "--auth=trust", "--no-sync", "--no-instructions",
		"-E", "UTF8", "--locale=C.UTF-8", "--wal-segsize=1").CombinedOutput()
	if err != nil {
		return fmt.Errorf("initdb: %w: %s", err, out)
	}
	if prepared.data, err = readDir(s.data()); err != nil {
		return err
	}

	return s.save(prepared.data)
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

func (s *Server) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(s.programs, name), args...)
	cmd.Dir = s.dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C.UTF-8", "TZ=UTC"}
	runAsUser(cmd)
	return cmd
}

// start starts the server and waits until it accepts connections.
func (s *Server) start() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	args := []string{"-D", s.data(), "-k", s.dir}
	for _, setting := range append([]string{"listen_addresses=", "max_connections=300", "shared_buffers=32MB", "fsync=off",
		"jit=off", "update_process_title=off"}, s.settings...) {
		args = append(args, "-c", setting)
	}

	s.cmd = s.command("postgres", args...)
	log, err := os.OpenFile(filepath.Join(s.dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}

	defer log.Close()
	s.cmd.Stdout, s.cmd.Stderr = log, log
	if err := s.cmd.Start(); err != nil {
		return err
	}

	for end := time.Now().Add(time.Minute); !s.ready(); {
		if time.Now().After(end) {
			text, _ := os.ReadFile(filepath.Join(s.dir, "log"))
			return fmt.Errorf("PostgreSQL did not start: %s", text)
		}
		<-time.After(10 * time.Millisecond)
	}

	return nil
}

// ready reports whether the server's lock file says that it accepts connections.
func (s *Server) ready() bool {
	text, _ := os.ReadFile(filepath.Join(s.data(), "postmaster.pid"))
	lines := strings.Split(string(text), "\n")
	return len(lines) > 7 && lines[0] == strconv.Itoa(s.cmd.Process.Pid) && strings.TrimSpace(lines[7]) == "ready"
}

// Kill ends the server and all its processes at once, as a power failure would.
func (s *Server) Kill() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cmd == nil {
		return
	}
	_ = interrupt(s.cmd.Process)
	_ = s.cmd.Wait()
	s.cmd = nil
}

// Restart starts the server again after Kill.
func (s *Server) Restart(t testing.TB) {
	t.Helper()
	require.NoError(t, s.start())
}

func (s *Server) remove() {
	s.Kill()
	if s.dir != "" {
		_ = os.RemoveAll(s.dir)
	}
}

// URL returns the URL of a database, with the role of a superuser.
func (s *Server) URL(database string) string { return s.URLOf("bincard", database) }

// URLOf returns the URL of a database with a role, or "role:password".
func (s *Server) URLOf(role, database string) string {
	return "postgres://" + role + "@/" + database + "?host=" + s.dir
}

// RequirePasswords makes all roles but the superuser's need a password.
func (s *Server) RequirePasswords(t testing.TB) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(s.data(), "pg_hba.conf"), []byte("local all bincard trust\nlocal all all scram-sha-256\n"), 0o600))
	s.Exec(t, "postgres", "SELECT pg_reload_conf()")
}

// Standby starts a synchronous standby of the server: a commit waits until the standby has
// it.
func (s *Server) Standby(t testing.TB) *Server {
	t.Helper()
	dir, err := os.MkdirTemp("", "bincard-pg")
	require.NoError(t, err)
	standby := &Server{programs: s.programs, dir: dir, settings: s.settings}
	t.Cleanup(standby.remove)
	require.NoError(t, giveUpRoot(dir))
	out, err := s.command("pg_basebackup", "-D", standby.data(), "-h", s.dir, "-U", "bincard", "-R", "-c", "fast", "--no-sync").CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.NoError(t, standby.start())
	s.Exec(t, "postgres", "ALTER SYSTEM SET synchronous_standby_names = '*'")
	s.Exec(t, "postgres", "SELECT pg_reload_conf()")

	return standby
}

// Promote makes a standby the primary, which has no standby.
func (s *Server) Promote(t testing.TB) {
	t.Helper()
	s.Exec(t, "postgres", "SELECT pg_promote()")
}

// EitherURL returns the URL of a database on the one of two servers that is the primary.
func (s *Server) EitherURL(other *Server, database string) string {
	return s.URL(database) + "," + other.dir + "&target_session_attrs=read-write"
}

// BecomeStandby restarts the server as a standby, which is read-only.
func (s *Server) BecomeStandby(t testing.TB) {
	t.Helper()
	s.Kill()
	require.NoError(t, os.WriteFile(filepath.Join(s.data(), "standby.signal"), nil, 0o644)) // the server's user reads it
	require.NoError(t, s.start())
}

// Socket returns the path of the server's socket.
func (s *Server) Socket() string { return filepath.Join(s.dir, ".s.PGSQL.5432") }

// Database creates a database and returns its URL.
func (s *Server) Database(t testing.TB) string {
	t.Helper()
	return s.URL(s.NewDatabase(t))
}

// NewDatabase creates a database and returns its name. The first is "d1".
func (s *Server) NewDatabase(t testing.TB) string {
	t.Helper()
	name := fmt.Sprintf("d%d", s.databases.Add(1))
	s.Exec(t, "postgres", "CREATE DATABASE "+name+s.copying())
	return name
}

// copying returns how to create a database. From version 15 on, PostgreSQL by default also
// logs each page of it, which takes five times as long.
func (s *Server) copying() string {
	text, _ := os.ReadFile(filepath.Join(s.data(), "PG_VERSION"))
	if version, err := strconv.Atoi(strings.TrimSpace(string(text))); err != nil || version < 15 {
		return ""
	}
	return " STRATEGY file_copy"
}

// Exec runs a statement in a database.
func (s *Server) Exec(t testing.TB, database, statement string) {
	t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, s.URL(database))
	require.NoError(t, err)
	defer func() { _ = conn.Close(ctx) }()
	_, err = conn.Exec(ctx, statement)
	require.NoError(t, err)
}
