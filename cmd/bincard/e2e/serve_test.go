package e2e_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/testenv"
)

// inboxFile writes a file of deliveries of three lines each.
func inboxFile(name string, deliveries int) string {
	var b strings.Builder
	b.WriteString("reference,sku,quantity,location,line\n")
	for i := range 3 * deliveries {
		fmt.Fprintf(&b, "%s-%03d,MUG-W,%d,WH-1,%d\n", name, i/3, 1+i%9, i%3)
	}
	return b.String()
}

// put puts a file into an inbox as a sender does: under another name first.
func (h *machine) put(inbox, name, text string) {
	h.t.Helper()
	path := filepath.Join(inbox, "inbounds", name)
	require.NoError(h.t, os.WriteFile(path+".tmp", []byte(text), 0o600))
	require.NoError(h.t, os.Rename(path+".tmp", path))
}

// filesIn returns the names of the files in a folder of an inbox.
func filesIn(t testing.TB, inbox, folder string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(inbox, folder))
	require.NoError(t, err)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// references returns the number of inbounds by reference.
func (c *company) references() map[string]int {
	c.t.Helper()
	all := map[string]int{}
	c.withLedger(func(l *ledger.Ledger) {
		many := int64(100)
		for in := (api.ListInboundsInput{Page: api.Page{Limit: &many}}); ; {
			list := do(c.t, c.service(l), api.ListInbounds, in)
			for i := range list.Items {
				all[list.Items[i].ReferenceID]++
			}
			if list.NextCursor == nil {
				return
			}
			in.Cursor = *list.NextCursor
		}
	})
	return all
}

// requireImported requires that the deliveries of a file exist once.
func (c *company) requireImported(all map[string]int, name string, deliveries int) {
	c.t.Helper()
	for i := range deliveries {
		require.Equal(c.t, 3, all[fmt.Sprintf("%s-%03d", name, i)], "%s-%03d", name, i)
	}
}

// reportNumbers matches the numbers in the report of an imported file.
var reportNumbers = regexp.MustCompile(`^(\S+)\.csv: (\d+) lines of (\d+) inbounds(?:, (\d+) already there)?, (\d+) imported\.\n$`)

// TestInbox_KilledMidway kills a service while it imports a file, again and again. Nothing is
// lost or doubled, and each file ends with a true report. When a file is imported before the
// last kill, the next one arrives.
func TestInbox_KilledMidway(t *testing.T) {
	t.Parallel()
	kills := testenv.InboxKills.Cases(t)
	deliveries := 134 * kills
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	inbox := h.path("inbox")
	serve := func(restart int) *service { // the claim of the one before is stale
		return h.withClockOffset(time.Duration(restart)*6*time.Minute).serve(c, "", "--inbox", inbox, "--inbox-every", "100ms")
	}
	s := serve(0)
	changes := func() int64 {
		many := int64(1)
		list := do(t, c.client(s.url, c.key), api.ListChanges, api.ListChangesInput{Limit: &many})
		return list.Latest
	}
	files := 0
	isDone := func() bool { return len(filesIn(t, inbox, "done")) == 2*files }
	for killed := 0; killed < kills; {
		if isDone() {
			name := fmt.Sprint("BIG", files)
			h.put(inbox, name+".csv", inboxFile(name, deliveries))
			files++
		}
		at := changes() + int64(3*deliveries/(kills+2))
		eventually(t, func() bool { return isDone() || changes() >= at }, func() string { return fmt.Sprint(changes(), " changes") })
		if !isDone() {
			s.end(syscall.SIGKILL)
			killed++
			s = serve(killed)
		}
	}
	eventually(t, isDone, func() string { return fmt.Sprint(changes(), " changes") })
	s.end(syscall.SIGTERM)
	require.Empty(t, filesIn(t, inbox, "working"))
	require.Empty(t, filesIn(t, inbox, "failed"))
	all, done := c.references(), filesIn(t, inbox, "done")
	for i := range files {
		require.Equal(t, done[2*i]+".report.txt", done[2*i+1])
		report := h.readFile("inbox", "done", done[2*i+1])
		t.Logf("%d kills; report: %s", kills, report)
		m := reportNumbers.FindStringSubmatch(report)
		require.NotNil(t, m, report)
		number := func(i int) int { n, _ := strconv.Atoi(m[i]); return n }
		require.Equal(t, []int{3 * deliveries, deliveries, deliveries}, []int{number(2), number(3), number(4) + number(5)})
		require.Equal(t, inboxFile(m[1], deliveries), h.readFile("inbox", "done", done[2*i]))
		c.requireImported(all, m[1], deliveries)
	}
}

// TestServe_ReturnsMemory needs the release: by itself, the Go runtime would keep several
// times as much.
func TestServe_ReturnsMemory(t *testing.T) {
	t.Parallel()
	testenv.ReturnedMemory.Cases(t)
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	s := h.serve(c, "")
	body := strings.Repeat(" ", 900<<10) + "{}"
	var clients sync.WaitGroup
	for range 32 {
		clients.Go(func() {
			for range 4 {
				r, err := http.NewRequest("POST", s.url+"/v1/organizations/"+c.org.String()+"/locations", strings.NewReader(body))
				if err != nil {
					t.Error(err)
					return
				}
				r.Header = http.Header{"Authorization": {"Bearer " + c.key}, "Content-Type": {"application/json"}, "Idempotency-Key": {"key"}}
				res, err := s.transport.RoundTrip(r)
				if err != nil {
					t.Error(err)
					return
				}
				_ = res.Body.Close()
			}
		})
	}
	clients.Wait()
	s.transport.CloseIdleConnections()
	require.Greater(t, s.heapMB(), 40)
	require.Eventually(t, func() bool { return s.heapMB() < 24 }, waitTimeout, 10*pollInterval)
}

var heapBytes = regexp.MustCompile(`(?m)^go_memstats_heap_(sys|released)_bytes (\S+)$`)

// heapMB returns the memory that the heap of the service holds.
func (s *service) heapMB() int {
	s.t.Helper()
	res, err := http.Get(s.url + "/metrics")
	require.NoError(s.t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	require.NoError(s.t, err)
	bytes := map[string]float64{}
	for _, m := range heapBytes.FindAllStringSubmatch(string(text), -1) {
		bytes[m[1]], err = strconv.ParseFloat(m[2], 64)
		require.NoError(s.t, err)
	}
	require.Len(s.t, bytes, 2)
	return int(bytes["sys"]-bytes["released"]) >> 20
}

// clientFolder has a program for each language of generated clients, with the versions of
// what generates them.
const clientFolder = "../../../.ci/clients"

// A Go client that oapi-codegen generates from the service's OpenAPI document compiles, and
// the README's first hour works with it.
func TestGeneratedClient_Go(t *testing.T) {
	t.Parallel()
	testenv.GeneratedClients.Cases(t)
	h := newMachine(t)
	p := h.copyClient("go")
	if out, err := p.command("go", "mod", "download").CombinedOutput(); err != nil {
		skipOutsideCI(t, "the client generator cannot be downloaded: %s", out)
	}
	p.startFirstHour()
	require.NoError(t, os.Mkdir(filepath.Join(p.dir, "bincard"), 0o700))
	p.run("go", "tool", "oapi-codegen", "-generate", "types,client", "-package", "bincard", "-o", "bincard/client.go", "openapi.yaml")
	require.Equal(t, "done\n", p.run("go", "run", "."))
}

// A TypeScript client that openapi-typescript generates compiles, and the README's first
// hour works with it. The test downloads nothing: .ci/run installs what it needs, and sets
// BINCARD_NO_NPM if it cannot.
func TestGeneratedClient_TypeScript(t *testing.T) {
	t.Parallel()
	testenv.GeneratedClients.Cases(t)
	h := newMachine(t)
	if os.Getenv("BINCARD_NO_NPM") != "" {
		t.Skip("the npm registry could not be reached")
	}
	if _, err := exec.LookPath("node"); err != nil {
		skipOutsideCI(t, "node is not installed")
	}
	packages, err := filepath.Abs(filepath.Join(clientFolder, "typescript", "node_modules"))
	require.NoError(t, err)
	if _, err := os.Stat(packages); err != nil {
		skipOutsideCI(t, "the client generator is not installed: run npm ci in .ci/clients/typescript")
	}
	p := h.copyClient("typescript")
	require.NoError(t, os.Symlink(packages, filepath.Join(p.dir, "node_modules")))
	p.startFirstHour()
	p.run("node", "node_modules/openapi-typescript/bin/cli.js", "openapi.yaml", "-o", "bincard.ts")
	p.run("node", "node_modules/typescript/bin/tsc")
	require.Equal(t, "done\n", p.run("node", "out/main.js"))
}

// skipOutsideCI skips a test whose tools are missing. CI installs them.
func skipOutsideCI(t *testing.T, format string, args ...any) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}

// A clientProgram is a copy of a program that uses a generated client.
type clientProgram struct {
	h   *machine
	dir string
	env []string
}

// copyClient copies the program of a language, without what is installed.
func (h *machine) copyClient(language string) *clientProgram {
	h.t.Helper()
	p := &clientProgram{h: h, dir: h.path(language), env: append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0")}
	require.NoError(h.t, os.Mkdir(p.dir, 0o700))
	from := filepath.Join(clientFolder, language)
	files, err := os.ReadDir(from)
	require.NoError(h.t, err)
	for _, f := range files {
		if f.Type().IsRegular() {
			text, err := os.ReadFile(filepath.Join(from, f.Name()))
			require.NoError(h.t, err)
			require.NoError(h.t, os.WriteFile(filepath.Join(p.dir, f.Name()), text, 0o600))
		}
	}
	return p
}

// startFirstHour starts a new service as in the README's first hour, and downloads its
// OpenAPI document.
func (p *clientProgram) startFirstHour() {
	t, data := p.h.t, p.h.path("data")
	result := func(args ...string) (value map[string]any) {
		out, status := p.h.run(args...)
		require.Zero(t, status, out)
		require.NoError(t, json.Unmarshal([]byte(out), &value), out)
		return value
	}
	org := result("org", "create", "--data", data, "--name", "Harbor Goods", "--json")["organizationId"].(string)
	key := result("key", "create", "--data", data, "--org", org, "--env", "test", "--label", "first", "--json")["key"].(string)
	s := p.h.serve(&company{dir: data}, "")
	t.Cleanup(func() {
		s.end(syscall.SIGINT)
		out, status := p.h.run("verify", "--data", data)
		require.Zero(t, status, out)
	})
	p.env = append(p.env, "BINCARD_URL="+s.url, "BINCARD_ORG="+org, "BINCARD_KEY="+key)
	res, err := http.Get(s.url + "/openapi.yaml")
	require.NoError(t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(p.dir, "openapi.yaml"), text, 0o600))
}

func (p *clientProgram) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = p.dir, p.env
	return cmd
}

// run runs a command that must succeed in the folder of the program, and returns what it
// prints.
func (p *clientProgram) run(name string, args ...string) string {
	p.h.t.Helper()
	cmd := p.command(name, args...)
	var failure strings.Builder
	cmd.Stderr = &failure
	out, err := cmd.Output()
	require.NoError(p.h.t, err, "%s %v: %s%s", name, args, out, failure.String())
	return string(out)
}
