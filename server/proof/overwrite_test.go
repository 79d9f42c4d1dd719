package proof_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server/admin"
	"bincard/server/archive"
	"bincard/server/testenv"
)

// The test overwrites pages of the files of a running service. Each request must get a
// response or a readable error; if the database becomes unusable the service must report
// that it is not ready; it must stop when asked and not before; and the program must then
// reject the directory with an error, or work.
func TestServe_PagesOverwritten(t *testing.T) {
	t.Parallel()
	cases, from := testenv.OverwrittenPages.Cases(t), testenv.Seed(t)
	v := newDamageTarget(t)
	var mu sync.Mutex
	outcomes := map[string]int{}
	t.Cleanup(func() { t.Logf("%v", outcomes) })
	const lanes = 2
	for lane := range lanes {
		t.Run(fmt.Sprint("lane ", lane), func(t *testing.T) {
			t.Parallel()
			for i := lane; i < cases; i += lanes {
				seed := from + uint64(i)
				dir := filepath.Join(t.TempDir(), "data")
				v.files.save(t, dir)
				outcome := v.overwritten(t, fmt.Sprintf("seed %d", seed), dir, rand.New(rand.NewPCG(seed, 0)), testenv.Long() && i%4 == 0)
				mu.Lock()
				outcomes[outcome]++
				mu.Unlock()
			}
		})
	}
}

// overwritten is one run of the test. A slow run continues until the log is old enough
// to be moved to the database by itself.
func (v *damageTarget) overwritten(t *testing.T, what, dir string, dice *rand.Rand, slow bool) string {
	t.Helper()
	s := startService(t, dir)
	require.NotEmpty(t, s.url, "%s: %s", what, s.output.String())
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var readers sync.WaitGroup
	before := what
	for lane := range 3 {
		dice := rand.New(rand.NewPCG(dice.Uint64(), uint64(lane)))
		readers.Go(func() {
			for ctx.Err() == nil && !t.Failed() {
				v.read(t, before, s, dice)
			}
		})
	}
	start, rounds := time.Now(), 4
	if testenv.Long() {
		rounds = 12
	}
	for i := 0; (i < rounds || slow && time.Since(start) < 7*time.Second) && !t.Failed(); i++ {
		what += "; " + overwrite(t, dir, dice)
		for range 8 {
			v.read(t, what, s, dice)
		}
		if i%4 == 3 && !slow {
			_ = forceCheckpoint(ctx, dir)
		}
	}
	stop()
	readers.Wait()
	ready := v.ready(t, s)
	broken := strings.Contains(s.output.String(), "reads and writes are stopped")
	if broken && ready != http.StatusServiceUnavailable {
		t.Errorf("%s: it reports ready (%d) but is not:\n%.3000s", what, ready, last(s))
	}
	s.end(syscall.SIGTERM)
	requireStopped(t, what, s)
	status, output := run(t, "verify", "--pages", "--data", dir)
	return fmt.Sprintf("ready %d, verify %s", ready, requireCleanExit(t, what, status, output))
}

// requireStopped checks that a service stopped normally and wrote only readable messages.
func requireStopped(t *testing.T, what string, s *service) {
	t.Helper()
	if code := s.cmd.ProcessState.ExitCode(); code != 0 && code != 1 {
		t.Errorf("%s: it exited with %s:\n%.6000s", what, s.cmd.ProcessState, last(s))
	}
	for line := range strings.Lines(s.output.String()) {
		if line = strings.TrimSpace(line); line != "" && !jsontext.Value(line).IsValid() && !strings.HasPrefix(line, "bincard: ") &&
			!slices.ContainsFunc([]string{"copy the", "restore a backup"}, func(w string) bool { return strings.Contains(line, w) }) {
			t.Errorf("%s: unexpected output: %.300s", what, line)
			return
		}
	}
}

// read sends a random request, which must get a response.
func (v *damageTarget) read(t *testing.T, what string, s *service, dice *rand.Rand) {
	method, path, body := http.MethodGet, readPaths[dice.IntN(len(readPaths))], ""
	switch dice.IntN(4) {
	case 0:
		method, path, body = http.MethodPost, "/stock/adjust", v.last.body
	case 1:
		path = "/balances/" + v.balance + "/explain"
	}
	res, err := v.send(s.url, method, path, uuid.NewString(), body)
	if err != nil {
		t.Errorf("%s: %s %s got no response: %v\n%.6000s", what, method, path, err, last(s))
		return
	}
	if res.status < 500 {
		return
	}
	message := errorMessage(t, res)
	if message == "" || strings.Contains(string(res.body), "goroutine ") || strings.Contains(string(res.body), ".go:") {
		t.Errorf("%s: %s %s returned %d %.1000s", what, method, path, res.status, res.body)
	}
}

func (v *damageTarget) ready(t *testing.T, s *service) int {
	res, err := v.client.Get(s.url + "/readyz")
	if err != nil {
		t.Errorf("/readyz failed: %v\n%.6000s", err, last(s))
		return 0
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.NotEmpty(t, text)
	return res.StatusCode
}

// forceCheckpoint makes the service move its log to the database, by making a backup.
func forceCheckpoint(ctx context.Context, dir string) error {
	c := admin.NewClient(dir)
	defer c.Close()
	return c.Backup(ctx, io.Discard, func(archive.Progress) {})
}

// overwrite damages a few blocks of a file in place, and describes how.
func overwrite(t *testing.T, dir string, dice *rand.Rand) string {
	t.Helper()
	name := "ledger.db"
	if n := dice.IntN(8); n < 2 {
		name = []string{"ledger-1.log", "ledger-2.log"}[n]
	}
	file, err := os.OpenFile(filepath.Join(dir, name), os.O_RDWR, 0)
	if os.IsNotExist(err) {
		return name + " does not exist"
	}
	require.NoError(t, err)
	defer file.Close()
	before, err := io.ReadAll(file)
	require.NoError(t, err)
	if len(before) == 0 {
		return name + " is empty"
	}
	after := bytes.Clone(before)
	how := corruptBytes(after, dice)
	const block = 4096
	for at := 0; at < len(after); at += block {
		end := min(at+block, len(after))
		if !bytes.Equal(after[at:end], before[at:end]) {
			_, err := file.WriteAt(after[at:end], int64(at))
			require.NoError(t, err)
		}
	}
	return name + ": " + how
}

// last returns what a service logged above the INFO level.
func last(s *service) string {
	var out strings.Builder
	for line := range strings.Lines(s.output.String()) {
		if !strings.Contains(line, `"level":"INFO"`) {
			out.WriteString(line)
		}
	}
	return out.String()
}
