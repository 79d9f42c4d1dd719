package proof_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server/testenv"
)

// A service is a running `bincard serve`.
type service struct {
	cmd    *exec.Cmd
	url    string
	output testenv.Output
	done   chan struct{} // closed when it has exited
}

// startService starts the service on a directory; url is empty if it exits before it listens.
func startService(t *testing.T, dir string) *service {
	t.Helper()
	return startServiceUnder(t, dir)
}

// startServiceUnder is like startService, but runs the program under another program.
func startServiceUnder(t *testing.T, dir string, other ...string) *service {
	t.Helper()
	path, err := testenv.Commands()
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
		require.Empty(t, line)
		return s
	}
	var listening struct {
		URL string `json:"url"`
	}
	require.NoError(t, json.Unmarshal(line, &listening), "%s", line)
	s.url = listening.URL
	return s
}

// end sends the service a signal and waits until it exits.
func (s *service) end(sig os.Signal) {
	_ = s.cmd.Process.Signal(sig)
	<-s.done
}

// An apiClient sends requests of one organization to a service.
type apiClient struct {
	org, key string
	client   http.Client
}

// A reply is a response.
type reply struct {
	status   int
	replayed bool
	body     []byte
}

func (d *apiClient) send(url, method, path, key, body string) (reply, error) {
	req, err := http.NewRequest(method, url+"/v1/organizations/"+d.org+path, strings.NewReader(body))
	if err != nil {
		return reply{}, err
	}
	req.Header.Set("Authorization", "Bearer "+d.key)
	if method == http.MethodPost {
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Idempotency-Key", key)
		req.GetBody = nil // keeps net/http from resending
	}
	res, err := d.client.Do(req)
	if err != nil {
		return reply{}, err
	}
	defer res.Body.Close()
	got, err := io.ReadAll(res.Body)
	if err == nil && !jsontext.Value(got).IsValid() {
		err = errors.New("the response is not JSON")
	}
	return reply{res.StatusCode, res.Header.Get("Idempotent-Replayed") == "true", got}, err
}

// must performs a write that must succeed, and returns the id of what it created.
func (d *apiClient) must(t *testing.T, url, path, body string, args ...any) string {
	t.Helper()
	res, err := d.send(url, http.MethodPost, path, uuid.NewString(), fmt.Sprintf(body, args...))
	require.NoError(t, err)
	require.Less(t, res.status, 300, "%s", res.body)
	var created struct {
		ID string `json:"id"`
	}
	require.NoError(t, json.Unmarshal(res.body, &created))
	return created.ID
}

// newOrganization creates an organization in a directory and returns a client of it.
func newOrganization(t *testing.T, dir string) *apiClient {
	t.Helper()
	var org struct {
		ID string `json:"organizationId"`
	}
	runJSON(t, &org, "org", "create", "--data", dir, "--name", "Harbor Goods")
	return newAPIClient(t, dir, org.ID)
}

// newAPIClient creates a key in a directory that is not open and returns a client with it.
func newAPIClient(t *testing.T, dir, org string) *apiClient {
	t.Helper()
	var key struct {
		Key string `json:"key"`
	}
	runJSON(t, &key, "key", "create", "--data", dir, "--org", org, "--env", "live", "--scopes", "all", "--label", "desk")
	transport := &http.Transport{MaxIdleConnsPerHost: writers}
	t.Cleanup(transport.CloseIdleConnections)
	return &apiClient{org: org, key: key.Key, client: http.Client{Timeout: 30 * time.Second, Transport: transport}}
}
