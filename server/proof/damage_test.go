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

	"bincard/server/demo"
	"bincard/server/testenv"
)

// A damageTarget is a data directory to damage: a month of work, and writes after which the
// service was killed, so that the log is part of it.
type damageTarget struct {
	files, older files
	*apiClient
	balance string // of the last writes
	last    struct{ key, body string }
}

// damaged is the target of all tests, which copy its files.
var damaged struct {
	sync.Mutex
	target *damageTarget
}

func newDamageTarget(t *testing.T) *damageTarget {
	t.Helper()
	damaged.Lock()
	defer damaged.Unlock()
	if damaged.target != nil {
		return damaged.target
	}
	dir := filepath.Join(t.TempDir(), "data")
	require.NoError(t, demo.Make(t.Context(), dir, testenv.Now()))
	var orgs struct {
		Items []struct {
			ID string `json:"id"`
		} `json:"items"`
	}
	runJSON(t, &orgs, "org", "list", "--data", dir)
	v := &damageTarget{apiClient: newAPIClient(t, dir, orgs.Items[0].ID)}
	require.NoError(t, os.Remove(filepath.Join(dir, demo.Marker))) // make it an ordinary ledger
	v.older = load(t, dir)
	s := startService(t, dir)
	require.NotEmpty(t, s.url, s.output.String())
	product := v.must(t, s.url, "/products", `{"sku":"LAST-1","name":"The last one"}`)
	location := v.must(t, s.url, "/locations", `{"code":"LAST","name":"The last one","type":"store"}`)
	v.last.body = fmt.Sprintf(`{"productId":%q,"locationId":%q,"inventoryState":"available","quantityDelta":1,"reason":"count"}`, product, location)
	for range 40 {
		v.last.key = uuid.NewString()
		res, err := v.send(s.url, http.MethodPost, "/stock/adjust", v.last.key, v.last.body)
		require.NoError(t, err)
		require.Equal(t, 200, res.status, "%s", res.body)
		var out struct {
			Balance struct {
				ID string `json:"id"`
			} `json:"balance"`
		}
		require.NoError(t, json.Unmarshal(res.body, &out))
		v.balance = out.Balance.ID
	}
	require.NoError(t, s.cmd.Process.Kill())
	<-s.done
	v.files = load(t, dir)
	damaged.target = v
	return v
}

// The test damages a data directory in many ways and opens it with the real program in all
// ways: the program must work, or report what is wrong and what to do. It must never crash.
func TestOpen_DamagedDirectory(t *testing.T) {
	t.Parallel()
	cases, from := testenv.DamagedDirectories.Cases(t), testenv.Seed(t)
	v := newDamageTarget(t)
	var mu sync.Mutex
	outcomes := map[string]int{}
	t.Cleanup(func() { t.Logf("%v", outcomes) })
	const lanes = 4
	for lane := range lanes {
		t.Run(fmt.Sprint("lane ", lane), func(t *testing.T) {
			t.Parallel()
			for i := lane; i < cases; i += lanes {
				seed := from + uint64(i)
				dice := rand.New(rand.NewPCG(seed, 0))
				files, how := v.files.corrupt(v.older, dice)
				w := openers[seed%uint64(len(openers))]
				dir := filepath.Join(t.TempDir(), "data")
				files.save(t, dir)
				outcome := w.open(t, v, fmt.Sprintf("seed %d, %s, %s", seed, w.name, how), dir)
				mu.Lock()
				outcomes[w.name+" "+outcome]++
				mu.Unlock()
			}
		})
	}
}

// crashes are outputs of a program that crashed.
var crashes = []string{"panic", "goroutine ", "SIGBUS", "SIGSEGV", "fatal error", "runtime error", "unexpected fault"}

// requireCleanExit checks that a program exited normally, and with a useful error if it failed.
func requireCleanExit(t *testing.T, what string, status int, output string) string {
	t.Helper()
	for _, crash := range crashes {
		if at := strings.Index(output, crash); at >= 0 {
			t.Errorf("%s: the program crashed with status %d:\n%.4000s", what, status, output[max(0, at-300):])
			return "crashed"
		}
	}
	switch {
	case status == 0:
		return "works"
	case status != 1 || !strings.Contains(output, "bincard: "):
		t.Errorf("%s: status %d, without an error message:\n%s", what, status, lastOutput(output))
		return "silent"
	}
	for _, todo := range []string{"copy the whole directory", "copy the data directory", "copy it", "keep a copy", "restore", "retry", "Retry", "org create"} {
		if strings.Contains(output, todo) {
			return "rejected"
		}
	}
	t.Errorf("%s: no advice:\n%s", what, lastOutput(output))
	return "no advice"
}

// lastOutput returns the end of a program's output.
func lastOutput(output string) string { return output[max(0, len(output)-2000):] }
