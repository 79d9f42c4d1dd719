package httpapi_test

import (
	"context"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/httpapi"
)

// A running counts the operations that run, and lets each end when told to.
type running struct {
	*testServer
	inside chan string // the organizations of operations that have begun
	end    chan struct{}
	done   chan *httptest.ResponseRecorder
}

func newRunning(t *testing.T, change ...func(*httpapi.Config)) *running {
	r := &running{inside: make(chan string, 100), end: make(chan struct{}), done: make(chan *httptest.ResponseRecorder, 100)}
	r.testServer = open(t, append(change, func(c *httpapi.Config) {
		c.Authenticate = manyKeys
		c.Processors = 1
	})...)
	r.hook = func(_ context.Context, req *api.Request) (*api.Response, error) {
		r.inside <- map[bool]string{true: "a", false: "b"}[req.Caller.Organization == organizationOf("a")]
		<-r.end
		if req.Spec.Writes() {
			return &api.Response{Output: &api.Place{}}, nil
		}
		return &api.Response{Output: &api.List[api.Place]{}}, nil
	}
	return r
}

// begin sends a request, and returns when n operations wait for their turn.
func (r *running) begin(t *testing.T, method, key, body string, n int) {
	req := newRequest(method, "/v1/organizations/"+organizationOf(key).String()+"/locations", body, "Authorization: Bearer "+key)
	go func() { r.done <- r.serve(req) }()
	want := "bincard_http_queue_length " + string(rune('0'+n)) + "\n"
	require.Eventually(t, func() bool {
		return strings.Contains(r.serve(newRequest("GET", "/metrics", "")).Body.String(), want)
	}, 30*time.Second, time.Millisecond)
}

// One organization's flood does not delay another by more than what runs.
func TestAdmission_OrganizationsTakeTurns(t *testing.T) {
	t.Parallel()
	r := newRunning(t)
	r.begin(t, "GET", "b1", "", 0)
	require.Equal(t, "b", <-r.inside)
	for i := range 3 {
		r.begin(t, "GET", "b1", "", i+1)
	}
	r.begin(t, "GET", "a1", "", 4)
	r.end <- struct{}{}
	require.Equal(t, "a", <-r.inside, "a has used nothing yet")
	close(r.end)
	for range 5 {
		require.Equal(t, 200, (<-r.done).Code)
	}
	require.Contains(t, r.log.String(), `"wait":`)
	require.Contains(t, r.serve(newRequest("GET", "/metrics", "")).Body.String(), "bincard_http_queue_wait_seconds_count 4")
}

// Writes that wait for the disk do not keep reads from running, and many are in
// one batch.
func TestAdmission_WritesDoNotBlockReads(t *testing.T) {
	t.Parallel()
	r := newRunning(t)
	for range 8 {
		r.begin(t, "POST", "b1", aisleBody, 0)
		<-r.inside
	}
	r.begin(t, "GET", "b1", "", 0)
	<-r.inside
	r.begin(t, "GET", "b1", "", 1)
	close(r.end)
	for range 10 {
		require.Less(t, (<-r.done).Code, 300)
	}
}

// A large body counts as many writes.
func TestAdmission_LargeWritesAreFew(t *testing.T) {
	t.Parallel()
	r := newRunning(t)
	large := aisleBody + strings.Repeat(" ", 100<<10)
	for range 4 {
		r.begin(t, "POST", "b1", large, 0)
		<-r.inside
	}
	r.begin(t, "POST", "b1", large, 1)
	close(r.end)
	for range 5 {
		require.Equal(t, 201, (<-r.done).Code)
	}
}

// An organization has its own limit of requests in progress.
func TestAdmission_LimitsOrganization(t *testing.T) {
	t.Parallel()
	r := newRunning(t, func(c *httpapi.Config) { c.MaxConcurrent = 2 })
	r.begin(t, "GET", "b1", "", 0)
	r.begin(t, "GET", "b2", "", 1)
	w := r.serve(newRequest("GET", "/v1/organizations/"+organizationOf("b").String()+"/locations", "", "Authorization: Bearer b3"))
	require.Equal(t, 503, w.Code)
	require.Equal(t, "Too many requests of this organization are in progress (2). Retry shortly.", problemOf(t, w).Message)
	r.begin(t, "GET", "a1", "", 2)
	close(r.end)
	for range 3 {
		require.Equal(t, 200, (<-r.done).Code)
	}
}

// A client that sends its body slowly holds up nobody.
func TestAdmission_SlowBodyHoldsNoTurn(t *testing.T) {
	t.Parallel()
	h := open(t, func(c *httpapi.Config) { c.Processors = 1 })
	body, sent := io.Pipe()
	slow := newRequest("POST", base+"/locations", "x")
	slow.Body, slow.ContentLength = body, int64(len(aisleBody)+200<<10)
	done := make(chan *httptest.ResponseRecorder)
	go func() { done <- h.serve(slow) }()
	_, err := sent.Write([]byte(aisleBody)) // returns when it is read
	require.NoError(t, err)
	require.Equal(t, 200, h.serve(newRequest("GET", base+"/locations", "")).Code)
	require.Equal(t, 201, h.serve(newRequest("POST", base+"/locations", strings.Replace(aisleBody, "A1", "A2", 1), "Idempotency-Key: 2")).Code)
	require.NoError(t, sent.Close())
	require.Equal(t, 201, (<-done).Code)
}
