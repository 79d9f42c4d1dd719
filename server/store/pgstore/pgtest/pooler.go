package pgtest

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const poolerPort = 6432

// Pooler starts PgBouncer in transaction mode in front of the server and returns the URL of a
// database through it. It skips the test if PgBouncer is not installed.
func (s *Server) Pooler(t testing.TB, database string) string {
	t.Helper()
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		if _, err = os.Stat("/usr/sbin/pgbouncer"); err != nil {
			require.NotEqual(t, "true", os.Getenv("CI"), "PgBouncer is missing, and CI must run the tests that need it")
			t.Skip("PgBouncer is not installed: the store is not tested through it")
		}
		program = "/usr/sbin/pgbouncer"
	}

	dir, err := os.MkdirTemp("", "bincard-pool")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	config := filepath.Join(dir, "pgbouncer.ini")
	require.NoError(t, os.WriteFile(config, fmt.Appendf(nil, `[databases]
* = host=%s user=bincard
[pgbouncer]
listen_port = %d
unix_socket_dir = %s
auth_type = any
pool_mode = transaction
max_client_conn = 500
default_pool_size = 8
logfile = %s/log
`, s.dir, poolerPort, dir, dir), 0o644)) // its user reads it

	require.NoError(t, giveUpRoot(dir))
	cmd := exec.Command(program, "-q", config)
	cmd.Dir = dir
	runAsUser(cmd)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	socket := filepath.Join(dir, fmt.Sprintf(".s.PGSQL.%d", poolerPort))
	require.Eventually(t, func() bool {
		c, err := net.Dial("unix", socket)
		if err == nil {
			_ = c.Close()
		}
		return err == nil
	}, time.Minute, 10*time.Millisecond, "PgBouncer does not listen")

	return fmt.Sprintf("postgres://bincard@/%s?host=%s&port=%d", database, dir, poolerPort)
}
