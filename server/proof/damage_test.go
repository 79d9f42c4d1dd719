package proof_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server/built"
	"bincard/server/demo"
)

// A damageTarget is a data directory to be damaged: a month of work, and writes after
// which the service was killed, so that what it had in hand lies there too.
type damageTarget struct {
	files, older files
	*apiClient
	balance string // of which the last writes were
	last    struct{ key, body string }
}

func newDamageTarget(t *testing.T) *damageTarget {
	t.Helper()
	needsProgram(t)
	dir := filepath.Join(t.TempDir(), "data")
	require.NoError(t, demo.Make(t.Context(), dir, built.Now()))
	status, words := run(t, "org", "list", "--data", dir, "--json")
	require.Zero(t, status, words)
	var orgs struct {
		Items []struct {
			ID string `json:"id"`
		} `json:"items"`
	}
	require.NoError(t, json.Unmarshal([]byte(words), &orgs), words)
	v := &damageTarget{apiClient: newAPIClient(t, dir, orgs.Items[0].ID)}
	require.NoError(t, os.Remove(filepath.Join(dir, demo.Marker))) // it is a ledger like any other from now on
	v.older = load(t, dir)
	s := startService(t, dir)
	require.NotEmpty(t, s.url, s.output.String())
	product := v.must(t, s.url, "/products", `{"sku":"LAST-1","name":"The last one"}`)
	place := v.must(t, s.url, "/locations", `{"code":"LAST","name":"The last one","type":"store"}`)
	v.last.body = fmt.Sprintf(`{"productId":%q,"locationId":%q,"inventoryState":"available","quantityDelta":1,"reason":"count"}`, product, place)
	for range 40 {
		v.last.key = uuid.NewString()
		a, err := v.ask(s.url, http.MethodPost, "/stock/adjust", v.last.key, v.last.body)
		require.NoError(t, err)
		require.Equal(t, 200, a.status, "%s", a.body)
		var out struct {
			Balance struct {
				ID string `json:"id"`
			} `json:"balance"`
		}
		require.NoError(t, json.Unmarshal(a.body, &out))
		v.balance = out.Balance.ID
	}
	require.NoError(t, s.cmd.Process.Kill())
	<-s.done
	v.files = load(t, dir)
	return v
}

// TestDamagedDirectories damages a data directory in many ways and lets the
// real program open it in all the ways that it can: it says what is wrong and
// what to do, or it works; it never crashes, at its start or later.
func TestDamagedDirectories(t *testing.T) {
	t.Parallel()
	v := newDamageTarget(t)
	var mu sync.Mutex
	outcomes := map[string]int{}
	t.Cleanup(func() { t.Logf("%v", outcomes) })
	const lanes = 4
	for lane := range lanes {
		t.Run(fmt.Sprint("lane ", lane), func(t *testing.T) {
			t.Parallel()
			for i := range cases(48, 1000) / lanes {
				seed := rand.Uint64()
				dice := rand.New(rand.NewPCG(seed, 0))
				worse, how := v.files.corrupt(v.older, dice)
				w := openers[(i*lanes+lane)%len(openers)]
				dir := filepath.Join(t.TempDir(), "data")
				worse.save(t, dir)
				outcome := w.open(t, v, fmt.Sprintf("seed %d, %s, %s", seed, w.name, how), dir)
				mu.Lock()
				outcomes[w.name+" "+outcome]++
				mu.Unlock()
			}
		})
	}
}

// crashes are words of a program that did not end by its own will.
var crashes = []string{"panic", "goroutine ", "SIGBUS", "SIGSEGV", "fatal error", "runtime error", "unexpected fault"}

// requireCleanExit holds that a program ended with an exit status, and with words where it failed.
func requireCleanExit(t *testing.T, what string, status int, words string) string {
	t.Helper()
	for _, crash := range crashes {
		if at := strings.Index(words, crash); at >= 0 {
			t.Errorf("%s: the program crashed with status %d:\n%.4000s", what, status, words[max(0, at-300):])
			return "crashed"
		}
	}
	switch {
	case status == 0:
		return "works"
	case status != 1 || !strings.Contains(words, "bincard: "):
		t.Errorf("%s: status %d, and no word of what is wrong:\n%s", what, status, lastOutput(words))
		return "silent"
	}
	for _, todo := range []string{"copy the whole directory", "copy it", "keep a copy", "restore", "retry", "Retry", "org create"} {
		if strings.Contains(words, todo) {
			return "refuses"
		}
	}
	t.Errorf("%s: no word of what to do:\n%s", what, lastOutput(words))
	return "helpless"
}

// lastOutput is the last of what a program said.
func lastOutput(words string) string { return words[max(0, len(words)-2000):] }
