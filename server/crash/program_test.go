package crash_test

import (
	"bufio"
	"bytes"
	"context"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"bincard/server/built"
)

func TestMain(m *testing.M) {
	built.SetClock()
	code := m.Run()
	built.Remove()
	os.Exit(code)
}

// command returns a bincard command with a time limit.
func command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	path, err := built.Program()
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	t.Cleanup(cancel)
	return exec.CommandContext(ctx, path, args...)
}

// run runs a command that must succeed and decodes its output.
func run(t *testing.T, into any, args ...string) {
	t.Helper()
	cmd := command(t, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, "bincard %v: %s%s", args, out, stderr.String())
	require.NoError(t, json.Unmarshal(out, into), "%s", out)
}

// A service is a running `bincard serve`.
type service struct {
	cmd    *exec.Cmd
	url    string
	output bytes.Buffer
	once   sync.Once
}

// serve starts the service on a data directory and waits until it listens.
func serve(t *testing.T, dir string) *service {
	t.Helper()
	s := &service{cmd: command(t, "serve", "--data", dir, "--addr", "127.0.0.1:0", "--json")}
	s.cmd.Stderr = &s.output
	out, err := s.cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, s.cmd.Start())
	t.Cleanup(s.kill)
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err != nil {
		s.kill()
		require.NoError(t, err, "the service did not start: %s", s.output.String())
	}
	var listening struct {
		URL string `json:"url"`
	}
	require.NoError(t, json.Unmarshal(line, &listening))
	s.url = listening.URL
	return s
}

// kill kills the service, which for the process is like a loss of power.
func (s *service) kill() {
	s.once.Do(func() {
		_ = s.cmd.Process.Kill()
		_ = s.cmd.Wait()
	})
}
