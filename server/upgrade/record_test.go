package upgrade_test

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bincard/server/testenv"
)

// fixtureKeys are the keys for a fixture's requests.
type fixtureKeys struct {
	URL          string    `json:"url"` // of the service, as configured on the edge
	Organization string    `json:"organization"`
	Key          string    `json:"key"`
	EdgeKey      string    `json:"edgeKey"`
	BoundKey     string    `json:"boundKey,omitempty"` // for the location SHOP
	RecordedAt   time.Time `json:"recordedAt"`
}

// TestRecord_Fixture records a fixture in the testdata directory that BINCARD_FIXTURE names.
// It uses the program of this tree, or that of an earlier version if BINCARD_COMMANDS names one.
func TestRecord_Fixture(t *testing.T) {
	name := os.Getenv("BINCARD_FIXTURE")
	if name == "" {
		t.Skip("records a new fixture; run: make fixture NAME=…")
	}
	out := filepath.Join("testdata", name)
	require.NoDirExists(t, out, "a fixture is never changed")
	require.NoError(t, os.MkdirAll(out, 0o755))

	work := t.TempDir()
	ledger, edgeDir := filepath.Join(work, "ledger"), filepath.Join(work, "edge")
	keys := setUp(t, ledger)
	service := start(t, nil, "serve", "--data", ledger, "--addr", lastingAddress(t))
	keys.URL = service.url
	c := &client{t: t, url: service.url, org: keys.Organization, key: keys.Key}
	catalog := workInService(c)
	c.awaitStatus("/reservations", "expired")
	var bound struct {
		Key string `json:"key"`
	}
	run(t, &bound, "key", "create", "--data", ledger, "--org", keys.Organization, "--env", "test", "--location", "shop", "--label", "edge", "--json")
	keys.BoundKey = bound.Key
	keys.EdgeKey = workAtEdge(t, c, catalog, keys, &service, ledger, edgeDir)
	readAll(c, catalog)
	keys.RecordedAt = time.Now().UTC().Truncate(time.Second)

	run(t, nil, "backup", filepath.Join(work, "backup.db"), "--data", ledger, "--json")
	service.kill()
	require.NoError(t, exec.Command("cp", "-a", ledger, filepath.Join(work, "crashed")).Run())
	start(t, nil, "serve", "--data", ledger, "--addr", address(t)).stop()

	for _, dir := range []string{"ledger", "crashed", "edge"} {
		pack(t, filepath.Join(work, dir), filepath.Join(out, dir+".tar.gz"))
	}
	writeJSON(t, filepath.Join(out, "keys.json"), keys)
	var lines strings.Builder
	for _, x := range c.recorded {
		line, err := json.Marshal(x)
		require.NoError(t, err)
		lines.Write(append(line, '\n'))
	}
	require.NoError(t, os.WriteFile(filepath.Join(work, "exchanges.jsonl"), []byte(lines.String()), 0o644))
	for _, file := range []string{"exchanges.jsonl", "backup.db"} {
		shell(t, fmt.Sprintf("gzip -9n < %q > %q", filepath.Join(work, file), filepath.Join(out, file+".gz")))
	}
}

func setUp(t *testing.T, dir string) (keys fixtureKeys) {
	t.Helper()
	var org struct {
		ID string `json:"organizationId"`
	}
	var key struct {
		Key string `json:"key"`
	}
	run(t, &org, "org", "create", "--data", dir, "--name", "Harbour Goods", "--json")
	run(t, nil, "org", "set", org.ID, "--data", dir, "--env", "test", "--over-receipt", "5", "--count-limit-pieces", "0", "--count-limit-percent", "2", "--json")
	setPlan(t, dir, org.ID, "1000000000")
	run(t, &key, "key", "create", "--data", dir, "--org", org.ID, "--env", "test", "--scopes", "all,admin", "--label", "crew", "--json")
	return fixtureKeys{Organization: org.ID, Key: key.Key}
}

func setPlan(t *testing.T, dir, org, billable string) {
	t.Helper()
	run(t, nil, "plan", "set", "--data", dir, "--org", org, "--env", "test", "--api-requests", "1000000000", "--billable", billable, "--json")
}

// workAtEdge leaves an edge's directory with synced, failed, held and pending work, and the
// service running without the pending work. It returns the key of a device.
func workAtEdge(t *testing.T, c *client, k catalog, keys fixtureKeys, service **process, ledger, edgeDir string) string {
	t.Helper()
	contested := c.id("/inbounds", "edge-contested", fmt.Sprintf(`{"productId":%q,"locationId":%q,"expectedQuantity":10}`, k.oat, k.warehouse), "inbound.id")
	scarce := c.id("/products", "p-scarce", `{"sku":"SCARCE","name":"Scarce"}`, "id")
	stock := fmt.Sprintf(`{"productId":%q,"locationId":%q,"quantity":5}`, scarce, k.warehouse)
	c.post("/stock/receive", "edge-scarce", stock)
	open := c.id("/inbounds", "edge-open", fmt.Sprintf(`{"productId":%q,"locationId":%q,"expectedQuantity":10}`, k.milk, k.warehouse), "inbound.id")

	var device struct {
		Key string `json:"key"`
	}
	at := address(t)
	edge := start(t, []string{"BINCARD_KEY=" + keys.Key}, "edge", "--upstream", keys.URL, "--org", keys.Organization, "--data", edgeDir, "--addr", at)
	run(t, &device, "edge", "key", "create", "--data", edgeDir, "--label", "scanner-3", "--json")
	d := &client{t: t, url: edge.url, org: keys.Organization, key: device.Key}
	d.post("/inbounds/"+contested+"/receive", "edge-synced", `{"quantity":2}`)
	d.awaitWork("edge-synced", "")

	(*service).stop()
	writeOff := fmt.Sprintf(`{"productId":%q,"locationId":%q,"quantity":5,"reason":"broken"}`, scarce, k.warehouse)
	d.post("/stock/write-off", "edge-failed", writeOff)
	d.post("/inbounds/"+contested+"/receive", "edge-first", `{"quantity":5}`)
	d.post("/inbounds/"+contested+"/receive", "edge-held", `{"quantity":3}`)
	// The service, which the edge cannot reach, does conflicting work.
	elsewhere := start(t, nil, "serve", "--data", ledger, "--addr", address(t))
	c.url = elsewhere.url
	c.post("/inbounds/"+contested+"/receive", "direct-contested", `{"quantity":8}`)
	c.post("/stock/write-off", "direct-scarce", writeOff)
	elsewhere.stop()

	// The edge reads those changes before it may send the receipts, and so holds them.
	setPlan(t, ledger, c.org, "0")
	listen := strings.TrimPrefix(keys.URL, "http://")
	*service = start(t, nil, "serve", "--data", ledger, "--addr", listen)
	c.url = (*service).url
	d.awaitWork("edge-failed", "refused")
	d.awaitWork("edge-held", "held")
	setPlan(t, ledger, c.org, "1000000000")

	(*service).stop()
	d.post("/inbounds/"+open+"/receive", "edge-pending-1", `{"quantity":3,"lotCode":"E","expiresAt":"2096-05-01T00:00:00Z"}`)
	d.post("/stock/adjust", "edge-pending-2", fmt.Sprintf(`{"productId":%q,"locationId":%q,"inventoryState":"available","quantityDelta":7,"reason":"found"}`, k.oat, k.warehouse))
	edge.stop()
	*service = start(t, nil, "serve", "--data", ledger, "--addr", address(t))
	c.url = (*service).url
	for i := range 20 { // for the log of the crashed service
		c.post("/stock/adjust", fmt.Sprint("last-", i), fmt.Sprintf(
			`{"productId":%q,"locationId":%q,"inventoryState":"available","quantityDelta":1,"reason":"last"}`, k.oat, k.shop))
	}
	return device.Key
}

// awaitWork waits until the edge's work with a key is in one of the states and returns the
// state; synced work is not listed and has the state "".
func (c *client) awaitWork(key string, states ...string) (state string) {
	c.t.Helper()
	answer := ""
	seen := func() bool {
		answer = c.send(exchange{Method: "GET", Path: "/sync/work?limit=100"}).Answer
		var list struct {
			Items []struct {
				Key   string `json:"key"`
				State string `json:"state"`
			} `json:"items"`
		}
		if json.Unmarshal([]byte(answer), &list) != nil {
			return false
		}
		state = ""
		for _, x := range list.Items {
			if x.Key == key {
				state = x.State
			}
		}
		return slices.Contains(states, state)
	}
	if !assert.Eventually(c.t, seen, time.Minute, 50*time.Millisecond) {
		require.Fail(c.t, key+" is not "+strings.Join(states, " or "), answer)
	}
	return state
}

func (c *client) awaitStatus(path, status string) {
	c.t.Helper()
	require.Eventually(c.t, func() bool {
		return strings.Contains(c.send(exchange{Method: "GET", Path: path}).Answer, `"status":"`+status+`"`)
	}, time.Minute, 50*time.Millisecond)
}

// address returns a free loopback address.
func address(t *testing.T) string {
	t.Helper()
	addr, err := testenv.FreeAddress()
	require.NoError(t, err)
	return addr
}

// lastingAddress returns a loopback address outside the ephemeral ports and those of
// testenv.FreeAddress, so that nothing else listens there when the fixture is used.
func lastingAddress(t *testing.T) string {
	t.Helper()
	for port := 21_000; port < 22_000; port++ {
		at := fmt.Sprintf("127.0.0.1:%d", port)
		if l, err := net.Listen("tcp", at); err == nil {
			require.NoError(t, l.Close())
			return at
		}
	}
	require.Fail(t, "no port is free")
	return ""
}

func firstID(t *testing.T, text string) string {
	t.Helper()
	i := strings.Index(text, `"id":"`)
	require.GreaterOrEqual(t, i, 0, "%s", text)
	return text[i+6 : i+6+36]
}

func pack(t *testing.T, dir, file string) {
	t.Helper()
	shell(t, fmt.Sprintf("tar -C %q --exclude='*.sock' --exclude='*.socket' -cf - . | gzip -9n > %q", dir, file))
}

func shell(t *testing.T, line string) {
	t.Helper()
	out, err := exec.Command("sh", "-c", line).CombinedOutput()
	require.NoError(t, err, "%s\n%s", line, out)
}

func writeJSON(t *testing.T, file string, v any) {
	t.Helper()
	text, err := json.Marshal(v, jsontext.WithIndent("  "))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, append(text, '\n'), 0o644))
}
