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

	"bincard/server/archive"
	"bincard/server/local"
)

// TestPagesOverwrittenUnderAService writes over pages of the files that a
// service has open, while it is asked. Each answer is one, or an error in
// words; where the database can no longer be used the service says that it is
// not ready; it ends when it is told to and never by itself; and what it leaves
// is refused in words, or works.
func TestPagesOverwrittenUnderAService(t *testing.T) {
	t.Parallel()
	v := newDamageTarget(t)
	var mu sync.Mutex
	outcomes := map[string]int{}
	t.Cleanup(func() { t.Logf("%v", outcomes) })
	const lanes = 2
	for lane := range lanes {
		t.Run(fmt.Sprint("lane ", lane), func(t *testing.T) {
			t.Parallel()
			for i := range cases(2, 100) / lanes {
				seed := rand.Uint64()
				dir := filepath.Join(t.TempDir(), "data")
				v.files.save(t, dir)
				outcome := v.overwritten(t, fmt.Sprintf("seed %d", seed), dir, rand.New(rand.NewPCG(seed, 0)), long && i%4 == 0)
				mu.Lock()
				outcomes[outcome]++
				mu.Unlock()
			}
		})
	}
}

// overwritten is one such trial. A patient one goes on until what was written
// is old enough to be moved to the database without anybody asking for it.
func (v *damageTarget) overwritten(t *testing.T, what, dir string, dice *rand.Rand, patient bool) string {
	t.Helper()
	s := startService(t, dir)
	require.NotEmpty(t, s.url, "%s: %s", what, s.output.String())
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var asking sync.WaitGroup
	before := what
	for lane := range 3 {
		dice := rand.New(rand.NewPCG(dice.Uint64(), uint64(lane)))
		asking.Go(func() {
			for ctx.Err() == nil && !t.Failed() {
				v.look(t, before, s, dice)
			}
		})
	}
	began := time.Now()
	for i := 0; (i < 12 || patient && time.Since(began) < 7*time.Second) && !t.Failed(); i++ {
		what += "; " + overwrite(t, dir, dice)
		for range 8 {
			v.look(t, what, s, dice)
		}
		if i%4 == 3 && !patient {
			_ = forceCheckpoint(ctx, dir)
		}
	}
	stop()
	asking.Wait()
	ready := v.ready(t, s)
	broken := strings.Contains(s.output.String(), "reads and writes are stopped")
	if broken && ready != http.StatusServiceUnavailable {
		t.Errorf("%s: it says that it is ready (%d) and is not:\n%.3000s", what, ready, last(s))
	}
	s.end(syscall.SIGTERM)
	requireStopped(t, what, s)
	status, words := run(t, "verify", "--pages", "--data", dir)
	return fmt.Sprintf("ready %d, verify %s", ready, requireCleanExit(t, what, status, words))
}

// requireStopped holds that a service ended when it was told to, and in words.
func requireStopped(t *testing.T, what string, s *service) {
	t.Helper()
	if code := s.cmd.ProcessState.ExitCode(); code != 0 && code != 1 {
		t.Errorf("%s: it ended with %s:\n%.6000s", what, s.cmd.ProcessState, last(s))
	}
	for line := range strings.Lines(s.output.String()) {
		if line = strings.TrimSpace(line); line != "" && !jsontext.Value(line).IsValid() && !strings.HasPrefix(line, "bincard: ") &&
			!slices.ContainsFunc([]string{"copy the", "restore a backup"}, func(w string) bool { return strings.Contains(line, w) }) {
			t.Errorf("%s: it wrote what is no word to anybody: %.300s", what, line)
			return
		}
	}
}

// look asks the service for something at random; it must answer.
func (v *damageTarget) look(t *testing.T, what string, s *service, dice *rand.Rand) {
	method, path, body := http.MethodGet, readPaths[dice.IntN(len(readPaths))], ""
	switch dice.IntN(4) {
	case 0:
		method, path, body = http.MethodPost, "/stock/adjust", v.last.body
	case 1:
		path = "/balances/" + v.balance + "/explain"
	}
	a, err := v.ask(s.url, method, path, uuid.NewString(), body)
	if err != nil {
		t.Errorf("%s: %s %s was not answered: %v\n%.6000s", what, method, path, err, last(s))
		return
	}
	if a.status < 500 {
		return
	}
	words := errorMessage(t, a)
	if words == "" || strings.Contains(string(a.body), "goroutine ") || strings.Contains(string(a.body), ".go:") {
		t.Errorf("%s: %s %s was answered %d %.1000s", what, method, path, a.status, a.body)
	}
}

func (v *damageTarget) ready(t *testing.T, s *service) int {
	res, err := v.client.Get(s.url + "/readyz")
	if err != nil {
		t.Errorf("it does not say whether it is ready: %v\n%.6000s", err, last(s))
		return 0
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.NotEmpty(t, text)
	return res.StatusCode
}

// forceCheckpoint has the service take a copy, for which it moves its log to the database.
func forceCheckpoint(ctx context.Context, dir string) error {
	desk, err := local.Dial(ctx, dir)
	if err != nil {
		return err
	}
	defer desk.Close()
	return desk.Backup(ctx, io.Discard, func(archive.Progress) {})
}

// overwrite damages a file where it is, a few blocks of it, and says how.
func overwrite(t *testing.T, dir string, dice *rand.Rand) string {
	t.Helper()
	name := "ledger.db"
	if n := dice.IntN(8); n < 2 {
		name = []string{"ledger-1.log", "ledger-2.log"}[n]
	}
	file, err := os.OpenFile(filepath.Join(dir, name), os.O_RDWR, 0)
	if os.IsNotExist(err) {
		return name + " is not there"
	}
	require.NoError(t, err)
	defer file.Close()
	was, err := io.ReadAll(file)
	require.NoError(t, err)
	if len(was) == 0 {
		return name + " is empty"
	}
	now := bytes.Clone(was)
	how := corruptBytes(now, dice)
	const block = 4096
	for at := 0; at < len(now); at += block {
		end := min(at+block, len(now))
		if !bytes.Equal(now[at:end], was[at:end]) {
			_, err := file.WriteAt(now[at:end], int64(at))
			require.NoError(t, err)
		}
	}
	return name + ": " + how
}

// last is what a service wrote that is not of requests that went well.
func last(s *service) string {
	var out strings.Builder
	for line := range strings.Lines(s.output.String()) {
		if !strings.Contains(line, `"level":"INFO"`) {
			out.WriteString(line)
		}
	}
	return out.String()
}
