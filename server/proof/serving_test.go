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

// A writeLoad writes to a service until it is refused, and knows what it was answered.
type writeLoad struct {
	t *testing.T
	*apiClient
	dir, body string

	mu   sync.Mutex
	kept map[string][]byte // answers by key
	lost []string          // keys of what was refused, or not answered
}

// newWriteLoad makes a company with one product in a directory.
func newWriteLoad(t *testing.T, dir string) *writeLoad {
	t.Helper()
	needsProgram(t)
	status, words := run(t, "org", "create", "--data", dir, "--name", "Harbour Goods", "--json")
	require.Zero(t, status, words)
	var org struct {
		ID string `json:"organizationId"`
	}
	require.NoError(t, json.Unmarshal([]byte(words), &org))
	return &writeLoad{t: t, apiClient: newAPIClient(t, dir, org.ID), dir: dir, kept: map[string][]byte{}}
}

func (p *writeLoad) furnish(url string) {
	product := p.must(p.t, url, "/products", `{"sku":"OAT-1L","name":"Oat milk"}`)
	place := p.must(p.t, url, "/locations", `{"code":"WH-1","name":"Warehouse","type":"warehouse"}`)
	p.body = fmt.Sprintf(`{"productId":%q,"locationId":%q,"inventoryState":"available","quantityDelta":1,"reason":"count","metadata":{"note":%q}}`,
		product, place, strings.Repeat("n", 4000))
}

// fill lets several clients write until each has been refused twice; refused
// looks at each refusal.
func (p *writeLoad) fill(url string, refused func(a reply)) {
	p.t.Helper()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for n := 0; n < 2; {
				key := uuid.NewString()
				a, err := p.ask(url, http.MethodPost, "/stock/adjust", key, p.body)
				if err != nil {
					p.t.Errorf("it does not answer: %v", err)
					return
				}
				p.mu.Lock()
				if a.status == 200 {
					p.kept[key] = a.body
				} else {
					n++
					p.lost = append(p.lost, key)
					refused(a)
				}
				p.mu.Unlock()
			}
		})
	}
	wg.Wait()
	require.NotEmpty(p.t, p.lost)
	require.NotEmpty(p.t, p.kept)
}

// again sends what was refused, with the same keys.
func (p *writeLoad) again(url string) {
	p.t.Helper()
	for _, key := range p.lost {
		a, err := p.ask(url, http.MethodPost, "/stock/adjust", key, p.body)
		require.NoError(p.t, err)
		require.Equal(p.t, 200, a.status, "%s", a.body)
		p.kept[key] = a.body
	}
	p.lost = nil
}

// same holds that there is what was answered, and no more.
func (p *writeLoad) same(url string) {
	p.t.Helper()
	var list struct {
		Items []struct {
			Available int `json:"available"`
		} `json:"items"`
	}
	a, err := p.ask(url, http.MethodGet, "/balances", "", "")
	require.NoError(p.t, err)
	require.Equal(p.t, 200, a.status, "%s", a.body)
	require.NoError(p.t, json.Unmarshal(a.body, &list))
	require.Equal(p.t, len(p.kept), list.Items[0].Available)
	for key, body := range p.kept {
		a, err := p.ask(url, http.MethodPost, "/stock/adjust", key, p.body)
		require.NoError(p.t, err)
		require.Equal(p.t, 200, a.status, "%s", a.body)
		require.True(p.t, a.replayed)
		require.Equal(p.t, string(body), string(a.body))
	}
}

// verified ends the service and has the program prove the ledger.
func (p *writeLoad) verified(s *service) {
	p.t.Helper()
	s.end(syscall.SIGTERM)
	require.Zero(p.t, s.cmd.ProcessState.ExitCode(), s.output.String())
	status, words := run(p.t, "verify", "--data", p.dir)
	require.Zero(p.t, status, words)
}

// errorMessage reads the words of a refusal.
func errorMessage(t *testing.T, a reply) string {
	t.Helper()
	var body struct {
		Error struct{ Code, Message, RequestID string } `json:"error"`
	}
	require.NoError(t, json.Unmarshal(a.body, &body, json.MatchCaseInsensitiveNames(true)), "%s", a.body)
	require.NotEmpty(t, body.Error.RequestID)
	return body.Error.Message
}

// TestServiceOnAFullDisk fills the disk under the real service: who writes is
// told so, who reads is answered, and with room it goes on by itself; on a full
// disk it begins again, and can be proven.
func TestServiceOnAFullDisk(t *testing.T) {
	t.Parallel()
	disk := smallDisk(t, "4m")
	ballast := filepath.Join(disk, "ballast")
	require.NoError(t, os.WriteFile(ballast, make([]byte, 1<<20), 0o600))
	p := newWriteLoad(t, filepath.Join(disk, "data"))
	s := startService(t, p.dir)
	require.NotEmpty(t, s.url, s.output.String())
	p.furnish(s.url)
	full := func(a reply) {
		if words := errorMessage(t, a); a.status != 503 && a.status != 507 || !strings.Contains(words, "disk is full") || !strings.Contains(words, "same Idempotency-Key") {
			t.Errorf("it does not say that the disk is full: %d %s", a.status, words)
		}
	}
	p.fill(s.url, full)
	p.same(s.url)
	require.NoError(t, os.Remove(ballast))
	p.again(s.url)
	p.same(s.url)
	p.fill(s.url, full)
	p.verified(s) // on the full disk

	s = startService(t, p.dir)
	require.NotEmpty(t, s.url, s.output.String())
	p.same(s.url)
	s.end(syscall.SIGTERM)
	require.NotContains(t, s.output.String(), "panic")
	t.Logf("%d writes kept", len(p.kept))
}

// TestServiceWhenFlushesFail lets every flush fail after some: nobody is told
// that something is saved which is not, the service does not crash, and when it
// is begun again all that was answered is there, once.
func TestServiceWhenFlushesFail(t *testing.T) {
	t.Parallel()
	tracer, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("flushes are made to fail by strace, which is not here")
	}
	p := newWriteLoad(t, filepath.Join(t.TempDir(), "data"))
	s := startService(t, p.dir)
	p.furnish(s.url)
	p.verified(s)
	s = startServiceUnder(t, p.dir, tracer, "-D", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fsync,fdatasync,sync_file_range",
		"-e", "inject=fsync,fdatasync:error=EIO:when=20+")
	if s.url == "" && strings.Contains(s.output.String(), "ptrace") {
		t.Skipf("strace may not look at programs here: %s", s.output.String())
	}
	require.NotEmpty(t, s.url, s.output.String())
	p.fill(s.url, func(a reply) {
		if words := errorMessage(t, a); a.status < 500 || !strings.Contains(words, "Retry") {
			t.Errorf("it does not say what to do: %d %s", a.status, words)
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
	t.Logf("%d writes kept", len(p.kept))
}
