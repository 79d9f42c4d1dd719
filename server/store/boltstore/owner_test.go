package boltstore_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/store"
	"bincard/server/store/boltstore"
)

// childDir makes the test binary write rows to the store in that directory until it is
// killed, printing each key when it is saved.
const childDir = "BOLTSTORE_TEST_DIR"

func TestMain(m *testing.M) {
	dir := os.Getenv(childDir)
	if dir == "" {
		os.Exit(m.Run())
	}
	s, err := boltstore.Open(dir, boltstore.Options{CheckpointBytes: 4 << 10})
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	for i := 0; ; i++ {
		key := fmt.Sprintf("%d-%08d", os.Getpid(), i)
		err := s.Update(ctx, store.Partition{}, func(tx store.Tx) error {
			if err := tx.Put("second", []byte(key), make([]byte, 500)); err != nil {
				return err
			}
			return tx.Put("t", []byte(key), make([]byte, 100))
		})
		if err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
		fmt.Println(key)
	}
}

// A child is a writing process.
type child struct {
	cmd *exec.Cmd
	out *bufio.Scanner
}

func start(t *testing.T, dir string) *child {
	t.Helper()
	cmd := exec.Command(os.Args[0], "serve", "--key=secret")
	cmd.Env = append(os.Environ(), childDir+"="+dir)
	pipe, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	c := &child{cmd: cmd, out: bufio.NewScanner(pipe)}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return c
}

func (c *child) next(t *testing.T) string {
	t.Helper()
	require.True(t, c.out.Scan(), "the process exited")
	require.NotContains(t, c.out.Text(), "error")
	return c.out.Text()
}

// kill kills the process and returns the keys that it still printed.
func (c *child) kill(t *testing.T) (saved []string) {
	t.Helper()
	require.NoError(t, c.cmd.Process.Kill())
	for c.out.Scan() {
		saved = append(saved, c.out.Text())
	}
	_ = c.cmd.Wait()
	return saved
}

func TestOpen_Locked(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := start(t, dir)
	c.next(t)
	_, err := boltstore.Open(dir, boltstore.Options{})
	var locked *store.LockedError
	require.ErrorAs(t, err, &locked)
	require.Equal(t, dir, locked.Dir)
	require.Equal(t, c.cmd.Process.Pid, locked.PID)
	require.True(t, strings.HasSuffix(locked.Command, " serve"), locked.Command)
	require.False(t, locked.Since.IsZero())
	require.ErrorContains(t, err, "process "+strconv.Itoa(locked.PID))
	require.NotContains(t, err.Error(), "secret")
	c.kill(t)

	s := open(t, dir)
	ownerFile := filepath.Join(dir, "ledger.owner")
	for _, text := range []string{fmt.Sprintf(`{"pid":%d}`, c.cmd.Process.Pid), "torn", `{"pid":-1}`} {
		require.NoError(t, os.WriteFile(ownerFile, []byte(text), 0o600))
		_, err = boltstore.Open(dir, boltstore.Options{})
		require.ErrorAs(t, err, &locked)
		require.Zero(t, locked.PID, "the owner file names no running process")
		require.ErrorContains(t, err, "in use by another process")
	}
	require.NoError(t, s.Close())
	require.NoFileExists(t, ownerFile)
}

func TestStore_SurvivesKill(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var saved []string
	for range 5 {
		c := start(t, dir)
		for range 20 {
			saved = append(saved, c.next(t))
		}
		saved = append(saved, c.kill(t)...)

		s := open(t, dir)
		require.NoError(t, s.Check())
		require.NoError(t, s.View(ctx, store.Partition{}, func(r store.Reader) error {
			for _, key := range saved {
				for _, table := range []string{"t", "second"} {
					value, err := r.Get(table, []byte(key))
					require.NoError(t, err)
					require.NotNil(t, value, "%s was reported as saved", key)
				}
			}
			return r.Scan("t", store.Range{}, func(key, _ []byte) error {
				value, err := r.Get("second", key)
				require.NotNil(t, value, "%s was saved partly", key)
				return err
			})
		}))
		require.NoError(t, s.Close())
	}
}
