package e2e_test

import (
	"bufio"
	"net/http"
	"os/exec"
	"syscall"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"bincard/apiclient"
)

// An edgeSite is a "bincard edge" process.
type edgeSite struct {
	service
	machine *machine
	dir     string
	up      string
	of      *company
	args    []string // more flags
}

// startEdge starts an edge for the service at a URL and waits until it listens.
func (h *machine) startEdge(c *company, up string, args ...string) *edgeSite {
	h.t.Helper()
	e := &edgeSite{machine: h, dir: h.path("edge"), up: up, of: c, args: args}
	addr := freeAddress(h.t)
	e.service.t, e.addr, e.url, e.transport = h.t, addr, "http://"+addr, &http.Transport{}
	e.start()
	h.t.Cleanup(func() { e.end(syscall.SIGKILL) })
	return e
}

// start starts the process, or restarts it after end.
func (e *edgeSite) start() {
	e.t.Helper()
	args := append([]string{"edge", "--upstream", e.up, "--org", e.of.org.String(), "--data", e.dir, "--addr", e.addr}, e.args...)
	cmd := exec.Command(program(e.t), args...)
	cmd.Env = append([]string{"BINCARD_KEY=" + e.of.key}, e.machine.env...)
	out, err := cmd.StdoutPipe()
	require.NoError(e.t, err)
	require.NoError(e.t, cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(e.t, err, "the edge did not print its address")
	require.Contains(e.t, line, e.url)
	e.cmd, e.ended = cmd, false
}

// mustRun runs a command on the edge's machine and returns its output. The command must
// succeed.
func (e *edgeSite) mustRun(args ...string) string {
	e.t.Helper()
	cmd := exec.Command(program(e.t), args...)
	cmd.Env = e.machine.env
	text, err := cmd.Output()
	require.NoError(e.t, err, "%v", args)
	return string(text)
}

// createDeviceKey creates a device key, bound to a location unless it is empty.
func (e *edgeSite) createDeviceKey(label, location string) (key string) {
	e.t.Helper()
	args := []string{"edge", "key", "create", "--data", e.dir, "--label", label, "--json"}
	if location != "" {
		args = append(args, "--location", location)
	}
	var created struct {
		Key string `json:"key"`
	}
	require.NoError(e.t, json.Unmarshal([]byte(e.mustRun(args...)), &created))
	return created.Key
}

// newTerminal returns a new machine with a device key of the site.
func (e *edgeSite) newTerminal(label, location string) *machine {
	e.t.Helper()
	return newMachine(e.t).withEnv("BINCARD_URL="+e.url, "BINCARD_ORG="+e.of.org.String(), "BINCARD_KEY="+e.createDeviceKey(label, location))
}

// client returns an API client of the service at a URL.
func (c *company) client(url, key string) *apiclient.Client {
	c.t.Helper()
	client, err := apiclient.New(apiclient.Config{URL: url, Key: key, Organization: c.org.String()})
	require.NoError(c.t, err)
	c.t.Cleanup(client.Close)
	return client
}
