package proof_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server/built"
)

// A service is `bincard serve` at work.
type service struct {
	cmd    *exec.Cmd
	url    string
	output lockedBuffer
	done   chan struct{} // closed when it has ended
}

// lockedBuffer takes what a program writes while a test reads it.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// startService starts the service on a directory; its url is empty when it ended
// before it listened.
func startService(t *testing.T, dir string) *service {
	t.Helper()
	return startServiceUnder(t, dir)
}

// startServiceUnder is begin with the program run by another one.
func startServiceUnder(t *testing.T, dir string, other ...string) *service {
	t.Helper()
	path, err := built.Program()
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	args := append(other, path, "serve", "--data", dir, "--addr", "127.0.0.1:0", "--json")
	s := &service{cmd: exec.CommandContext(ctx, args[0], args[1:]...), done: make(chan struct{})}
	s.cmd.Stderr = &s.output
	read, write, err := os.Pipe()
	require.NoError(t, err)
	s.cmd.Stdout = write
	require.NoError(t, s.cmd.Start())
	require.NoError(t, write.Close())
	go func() { _ = s.cmd.Wait(); close(s.done) }()
	t.Cleanup(func() { cancel(); <-s.done; _ = read.Close() })
	line, err := bufio.NewReader(read).ReadBytes('\n')
	if err != nil {
		<-s.done
		return s
	}
	var listening struct {
		URL string `json:"url"`
	}
	require.NoError(t, json.Unmarshal(line, &listening), "%s", line)
	s.url = listening.URL
	return s
}

// end tells the service to end, and waits until it has.
func (s *service) end(sig os.Signal) {
	_ = s.cmd.Process.Signal(sig)
	<-s.done
}

// An apiClient asks a service as one organization.
type apiClient struct {
	org, key string
	client   http.Client
}

// A reply is what came back.
type reply struct {
	status   int
	replayed bool
	body     []byte
}

func (d *apiClient) ask(url, method, path, key, body string) (reply, error) {
	req, err := http.NewRequest(method, url+"/v1/organizations/"+d.org+path, strings.NewReader(body))
	if err != nil {
		return reply{}, err
	}
	req.Header.Set("Authorization", "Bearer "+d.key)
	if method == http.MethodPost {
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Idempotency-Key", key)
		req.GetBody = nil // net/http sends nothing again by itself
	}
	res, err := d.client.Do(req)
	if err != nil {
		return reply{}, err
	}
	defer res.Body.Close()
	got, err := io.ReadAll(res.Body)
	if err == nil && !jsontext.Value(got).IsValid() {
		err = errors.New("the answer is no JSON")
	}
	return reply{res.StatusCode, res.Header.Get("Idempotent-Replayed") == "true", got}, err
}

// must makes a write that is answered well, and reads the id of what it made.
func (d *apiClient) must(t *testing.T, url, path, body string, args ...any) string {
	t.Helper()
	a, err := d.ask(url, http.MethodPost, path, uuid.NewString(), fmt.Sprintf(body, args...))
	require.NoError(t, err)
	require.Less(t, a.status, 300, "%s", a.body)
	var made struct {
		ID string `json:"id"`
	}
	require.NoError(t, json.Unmarshal(a.body, &made))
	return made.ID
}

// newAPIClient is a desk of an organization in a directory that nobody has open.
func newAPIClient(t *testing.T, dir, org string) *apiClient {
	t.Helper()
	status, words := run(t, "key", "create", "--data", dir, "--org", org, "--env", "live", "--scopes", "all", "--label", "desk", "--json")
	require.Zero(t, status, words)
	var key struct {
		Key string `json:"key"`
	}
	require.NoError(t, json.Unmarshal([]byte(words), &key), words)
	return &apiClient{org: org, key: key.Key, client: http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}}
}
