package upgrade_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"bincard/server/testenv"
)

func TestMain(m *testing.M) {
	code := m.Run()
	testenv.Remove()
	os.Exit(code)
}

// command returns a command that runs the program without the settings of this machine.
func command(t *testing.T, env []string, args ...string) *exec.Cmd {
	t.Helper()
	path, err := testenv.Commands()
	require.NoError(t, err)
	cmd := exec.Command(path, args...)
	home := t.TempDir()
	cmd.Env = append([]string{"HOME=" + home, "XDG_CONFIG_HOME=" + home, "XDG_DATA_HOME=" + home, "XDG_STATE_HOME=" + home,
		"XDG_RUNTIME_DIR=" + home, "PATH=" + os.Getenv("PATH")}, env...)
	return cmd
}

// run runs the program and decodes its JSON output.
func run(t *testing.T, into any, args ...string) {
	t.Helper()
	cmd := command(t, nil, args...)
	var messages bytes.Buffer
	cmd.Stderr = &messages
	out, err := cmd.Output()
	require.NoError(t, err, "bincard %s\n%s", strings.Join(args, " "), messages.String())
	if into != nil {
		require.NoError(t, json.Unmarshal(out, into), "%s", out)
	}
}

// A process is a running service or edge.
type process struct {
	t    *testing.T
	cmd  *exec.Cmd
	done chan error
	url  string
}

// start starts the program and waits until it reports its address.
func start(t *testing.T, env []string, args ...string) *process {
	t.Helper()
	p := &process{t: t, cmd: command(t, env, append(args, "--json")...), done: make(chan error, 1)}
	out, err := p.cmd.StdoutPipe()
	require.NoError(t, err)
	var messages bytes.Buffer
	p.cmd.Stderr = &messages
	require.NoError(t, p.cmd.Start())
	line, err := bufio.NewReader(out).ReadBytes('\n')
	require.NoError(t, err, "it did not start")
	var at struct {
		URL string `json:"url"`
	}
	require.NoError(t, json.Unmarshal(line, &at))
	p.url = at.URL
	go func() {
		_, _ = io.Copy(io.Discard, out)
		p.done <- p.cmd.Wait()
	}()
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill()
		if t.Failed() {
			t.Logf("%s", messages.Bytes()[max(0, messages.Len()-2000):])
		}
	})
	return p
}

func (p *process) stop() {
	p.t.Helper()
	require.NoError(p.t, p.cmd.Process.Signal(os.Interrupt))
	require.NoError(p.t, <-p.done)
}

func (p *process) kill() {
	p.t.Helper()
	require.NoError(p.t, p.cmd.Process.Kill())
	<-p.done
}

// An exchange is a request and its response.
type exchange struct {
	Method string `json:"method"`
	Path   string `json:"path"`
	Key    string `json:"key,omitzero"`
	Body   string `json:"body,omitzero"`
	Status int    `json:"status"`
	Answer string `json:"answer"`

	Replayed bool `json:"-"`
}

// A client sends requests of one organization with one key.
type client struct {
	t        *testing.T
	url      string
	org, key string
	recorded []exchange
}

// send sends a request and returns the exchange.
func (c *client) send(x exchange) exchange {
	c.t.Helper()
	ctx, stop := context.WithTimeout(c.t.Context(), 30*time.Second)
	defer stop()
	req, err := http.NewRequestWithContext(ctx, x.Method, c.url+"/v1/organizations/"+c.org+x.Path, strings.NewReader(x.Body))
	require.NoError(c.t, err)
	req.Header.Set("Authorization", "Bearer "+c.key)
	if x.Method == http.MethodPost {
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Idempotency-Key", x.Key)
	}
	res, err := http.DefaultClient.Do(req)
	require.NoError(c.t, err)
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	require.NoError(c.t, err)
	x.Status, x.Answer, x.Replayed = res.StatusCode, string(answer), res.Header.Get("Idempotent-Replayed") == "true"
	return x
}

// post sends a write, which must succeed, and returns the values at the paths in its
// response, such as "inbound.id".
func (c *client) post(path, key, body string, find ...string) (found []string) {
	c.t.Helper()
	x := c.send(exchange{Method: http.MethodPost, Path: path, Key: key, Body: body})
	require.Less(c.t, x.Status, 300, "%s %s: %s", path, body, x.Answer)
	c.recorded = append(c.recorded, x)
	for _, name := range find {
		found = append(found, member(c.t, x.Answer, name))
	}
	return found
}

func (c *client) id(path, key, body, at string) string {
	c.t.Helper()
	return c.post(path, key, body, at)[0]
}

// get sends and records a read.
func (c *client) get(path string) string {
	c.t.Helper()
	x := c.send(exchange{Method: http.MethodGet, Path: path})
	require.Equal(c.t, http.StatusOK, x.Status, "%s: %s", path, x.Answer)
	c.recorded = append(c.recorded, x)
	return x.Answer
}

func member(t *testing.T, text, path string) string {
	t.Helper()
	var at any
	require.NoError(t, json.Unmarshal([]byte(text), &at))
	for _, name := range strings.Split(path, ".") {
		object, ok := at.(map[string]any)
		require.True(t, ok, "%s has no %s", text, path)
		at = object[name]
	}
	found, ok := at.(string)
	require.True(t, ok, "%s has no text %s", text, path)
	return found
}
