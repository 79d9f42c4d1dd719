package proof_test

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// A writeLoad writes to a service until it is rejected, and records the responses.
type writeLoad struct {
	t *testing.T
	*apiClient
	dir, body string

	mu   sync.Mutex
	done map[string][]byte // responses by key
	lost []string          // keys of rejected writes
}

// newWriteLoad creates an organization in a directory.
func newWriteLoad(t *testing.T, dir string) *writeLoad {
	t.Helper()
	return &writeLoad{t: t, apiClient: newOrganization(t, dir), dir: dir, done: map[string][]byte{}}
}

func (p *writeLoad) furnish(url string) {
	product := p.must(p.t, url, "/products", `{"sku":"OAT-1L","name":"Oat milk"}`)
	location := p.must(p.t, url, "/locations", `{"code":"WH-1","name":"Warehouse","type":"warehouse"}`)
	p.body = fmt.Sprintf(`{"productId":%q,"locationId":%q,"inventoryState":"available","quantityDelta":1,"reason":"count","metadata":{"note":%q}}`,
		product, location, strings.Repeat("n", 4000))
}

// fill writes with several clients until each has been rejected twice, and calls rejected for
// each rejection.
func (p *writeLoad) fill(url string, rejected func(a reply)) {
	p.t.Helper()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for n := 0; n < 2; {
				key := uuid.NewString()
				a, err := p.send(url, http.MethodPost, "/stock/adjust", key, p.body)
				if err != nil {
					p.t.Errorf("no response: %v", err)
					return
				}
				p.mu.Lock()
				if a.status == 200 {
					p.done[key] = a.body
				} else {
					n++
					p.lost = append(p.lost, key)
					rejected(a)
				}
				p.mu.Unlock()
			}
		})
	}
	wg.Wait()
	require.NotEmpty(p.t, p.lost)
	require.NotEmpty(p.t, p.done)
}

// again repeats the rejected writes with the same keys.
func (p *writeLoad) again(url string) {
	p.t.Helper()
	for _, key := range p.lost {
		a, err := p.send(url, http.MethodPost, "/stock/adjust", key, p.body)
		require.NoError(p.t, err)
		require.Equal(p.t, 200, a.status, "%s", a.body)
		p.done[key] = a.body
	}
	p.lost = nil
}

// same checks that the service has exactly the acknowledged writes.
func (p *writeLoad) same(url string) {
	p.t.Helper()
	var list struct {
		Items []struct {
			Available int `json:"available"`
		} `json:"items"`
	}
	a, err := p.send(url, http.MethodGet, "/balances", "", "")
	require.NoError(p.t, err)
	require.Equal(p.t, 200, a.status, "%s", a.body)
	require.NoError(p.t, json.Unmarshal(a.body, &list))
	require.Equal(p.t, len(p.done), list.Items[0].Available)
	for key, body := range p.done {
		a, err := p.send(url, http.MethodPost, "/stock/adjust", key, p.body)
		require.NoError(p.t, err)
		require.Equal(p.t, 200, a.status, "%s", a.body)
		require.True(p.t, a.replayed)
		require.Equal(p.t, string(body), string(a.body))
	}
}

// verified stops the service and verifies its ledger.
func (p *writeLoad) verified(s *service) {
	p.t.Helper()
	s.end(syscall.SIGTERM)
	require.Zero(p.t, s.cmd.ProcessState.ExitCode(), s.output.String())
	status, output := run(p.t, "verify", "--data", p.dir)
	require.Zero(p.t, status, output)
}

// errorMessage returns the message of an error response.
func errorMessage(t *testing.T, a reply) string {
	t.Helper()
	var body struct {
		Error struct{ Code, Message, RequestID string } `json:"error"`
	}
	require.NoError(t, json.Unmarshal(a.body, &body, json.MatchCaseInsensitiveNames(true)), "%s", a.body)
	require.NotEmpty(t, body.Error.RequestID)
	return body.Error.Message
}

// When the disk of a running service is full, writes report it and reads still work. With
// free space the service continues by itself. It can also start, and be verified, while the
// disk is full.
func TestServe_FullDisk(t *testing.T) {
	t.Parallel()
	disk := smallDisk(t, "4m")
	ballast := filepath.Join(disk, "ballast")
	require.NoError(t, os.WriteFile(ballast, make([]byte, 1<<20), 0o600))
	p := newWriteLoad(t, filepath.Join(disk, "data"))
	s := startService(t, p.dir)
	require.NotEmpty(t, s.url, s.output.String())
	p.furnish(s.url)
	full := func(a reply) {
		if message := errorMessage(t, a); a.status != 503 && a.status != 507 || !strings.Contains(message, "disk is full") || !strings.Contains(message, "same Idempotency-Key") {
			t.Errorf("the response does not report a full disk: %d %s", a.status, message)
		}
	}
	p.fill(s.url, full)
	p.same(s.url)
	require.NoError(t, os.Remove(ballast))
	p.again(s.url)
	p.same(s.url)
	p.fill(s.url, full)
	p.verified(s) // while the disk is full

	s = startService(t, p.dir)
	require.NotEmpty(t, s.url, s.output.String())
	p.same(s.url)
	s.end(syscall.SIGTERM)
	require.NotContains(t, s.output.String(), "panic")
	t.Logf("%d writes", len(p.done))
}

// When all flushes fail, no write is falsely acknowledged and the service does not crash.
// After a restart every acknowledged write exists exactly once.
func TestServe_FlushesFail(t *testing.T) {
	t.Parallel()
	tracer, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("strace is not installed")
	}
	p := newWriteLoad(t, filepath.Join(t.TempDir(), "data"))
	s := startService(t, p.dir)
	p.furnish(s.url)
	p.verified(s)
	s = startServiceUnder(t, p.dir, tracer, "-D", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fsync,fdatasync,sync_file_range",
		"-e", "inject=fsync,fdatasync:error=EIO:when=20+")
	if s.url == "" && strings.Contains(s.output.String(), "ptrace") {
		t.Skipf("strace is not permitted: %s", s.output.String())
	}
	require.NotEmpty(t, s.url, s.output.String())
	p.fill(s.url, func(a reply) {
		if message := errorMessage(t, a); a.status < 500 || !strings.Contains(message, "Retry") {
			t.Errorf("the response has no advice: %d %s", a.status, message)
		}
	})
	s.end(syscall.SIGTERM)
	for _, crash := range []string{"panic", "goroutine ", "fatal error"} {
		require.NotContains(t, s.output.String(), crash)
	}

	s = startService(t, p.dir)
	require.NotEmpty(t, s.url, s.output.String())
	p.again(s.url)
	p.same(s.url)
	p.verified(s)
	t.Logf("%d writes", len(p.done))
}
