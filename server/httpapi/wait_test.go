package httpapi_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/httpapi"
)

// twoKeys authenticates the two test keys with different ids.
func twoKeys(ctx context.Context, key string) (*api.Caller, error) {
	c, err := authenticate(ctx, key)
	if err == nil && key == readOnly {
		c.KeyID = uuid.UUID{15: 2}
	}
	return c, err
}

func TestWait_DoesNotCountAsConcurrent(t *testing.T) {
	t.Parallel()
	h := open(t, func(c *httpapi.Config) { c.MaxConcurrent, c.MaxWaiting = 1, 2 })
	inside, release := make(chan struct{}), make(chan struct{})
	h.hook = func(_ context.Context, req *api.Request) (*api.Response, error) {
		if _, ok := req.Input.(*api.ListChangesInput); ok {
			req.BeforeWait()
			inside <- struct{}{}
			<-release
			return &api.Response{Output: &api.Changes{}}, nil
		}
		return &api.Response{Output: &api.List[api.Place]{}}, nil
	}
	answers := make(chan *httptest.ResponseRecorder, 2)
	for range 2 {
		go func() { answers <- h.serve(newRequest("GET", base+"/changes?wait=25", "")) }()
		<-inside
	}
	require.Equal(t, 200, h.serve(newRequest("GET", base+"/locations", "")).Code)
	w := h.serve(newRequest("GET", base+"/changes?wait=25", ""))
	require.Equal(t, 503, w.Code)
	require.Equal(t, "5", w.Header().Get("Retry-After"), "retryBusy")
	close(release)
	require.Equal(t, 200, (<-answers).Code)
	require.Equal(t, 200, (<-answers).Code)
}

// One key, or all keys of one organization, leave room for the polls of others.
func TestWait_LimitsKeyAndOrganization(t *testing.T) {
	t.Parallel()
	synctest.Test(t, testPollLimits)
}

func testPollLimits(t *testing.T) {
	h := open(t, func(c *httpapi.Config) {
		c.Authenticate, c.Processors = manyKeys, 1
		c.MaxWaitingPerKey, c.MaxWaitingPerOrg = 2, 3
	})
	inside, release := make(chan struct{}), make(chan struct{})
	h.hook = func(_ context.Context, req *api.Request) (*api.Response, error) {
		req.BeforeWait()
		inside <- struct{}{}
		<-release
		return &api.Response{Output: &api.Changes{}}, nil
	}
	poll := func(key string) *httptest.ResponseRecorder {
		return h.serve(newRequest("GET", "/v1/organizations/"+organizationOf(key).String()+"/changes?wait=25", "", "Authorization: Bearer "+key))
	}
	answers := make(chan *httptest.ResponseRecorder, 4)
	begin := func(key string) {
		go func() { answers <- poll(key) }()
		<-inside
	}
	begin("b1")
	begin("b1")
	from := time.Now()
	w := poll("b1")
	require.Equal(t, 2*time.Second, time.Since(from), "clients that repeat it at once are slow")
	require.Equal(t, 429, w.Code)
	require.Equal(t, "5", w.Header().Get("Retry-After"))
	require.Equal(t, "Too many long polls of this key are open (2). Retry with wait=0, or later.", problemOf(t, w).Message)
	begin("b2")
	w = poll("b3")
	require.Equal(t, 429, w.Code)
	require.Contains(t, problemOf(t, w).Message, "this organization are open (3)")
	begin("a1")
	close(release)
	for range 4 {
		require.Equal(t, 200, (<-answers).Code)
	}
	h.hook = nil
	require.Equal(t, 200, h.serve(newRequest("GET", "/v1/organizations/"+organizationOf("b").String()+"/locations", "", "Authorization: Bearer b1")).Code)
}

// manyKeys authenticates every key; its first letter is its organization.
func manyKeys(ctx context.Context, key string) (*api.Caller, error) {
	c, err := authenticate(ctx, secret)
	c.Organization, c.KeyID = organizationOf(key), uuid.NewSHA1(uuid.Nil, []byte(key))
	return c, err
}

func organizationOf(key string) uuid.UUID { return uuid.NewSHA1(uuid.Nil, []byte(key[:1])) }

// A long poll may outlast the server's read timeout, and returns at shutdown.
func TestWait_EndsAtShutdown(t *testing.T) {
	t.Parallel()
	h := open(t)
	inside := make(chan struct{}, 1)
	h.hook = func(ctx context.Context, req *api.Request) (*api.Response, error) {
		inside <- struct{}{}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-req.Draining:
			return &api.Response{Output: &api.Changes{Epoch: "hurried"}}, nil
		case <-time.After(time.Second):
			return &api.Response{Output: &api.Changes{Epoch: "patient"}}, nil
		}
	}
	addr, stop := serve(t, httpapi.ServeConfig{Handler: h.Handler, HeaderTimeout: 500 * time.Millisecond, ReadTimeout: 500 * time.Millisecond})
	poll := func() (int, string) {
		r := newRequest("GET", base+"/changes?wait=25", "")
		r.RequestURI, r.URL.Host = "", addr
		res, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			return 0, err.Error()
		}
		defer res.Body.Close()
		body, _ := io.ReadAll(res.Body)
		return res.StatusCode, string(body)
	}
	status, body := poll()
	<-inside
	require.Equal(t, 200, status, body)
	require.Contains(t, body, "patient")

	h.mu.Lock()
	h.stubService.hook = func(ctx context.Context, req *api.Request) (*api.Response, error) {
		inside <- struct{}{}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-req.Draining:
			return &api.Response{Output: &api.Changes{Epoch: "hurried"}}, nil
		}
	}
	h.mu.Unlock()
	type answer struct {
		status int
		body   string
	}
	last := make(chan answer, 1)
	go func() {
		status, body := poll()
		last <- answer{status, body}
	}()
	<-inside
	require.NoError(t, stop())
	a := <-last
	require.Equal(t, 200, a.status, a.body)
	require.Contains(t, a.body, "hurried")
}

// A poll beyond the limits waits for no turn, and only as many as leave connections to others
// are delayed.
func TestWait_RefusesBeforeTurn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, testRefusalsBeforeTurn)
}

func testRefusalsBeforeTurn(t *testing.T) {
	const delayed, refused = 2, 50
	h := open(t, func(c *httpapi.Config) {
		c.Processors, c.MaxWaitingPerKey, c.MaxWaiting = 1, 1, 2*delayed
	})
	release, ran := make(chan struct{}), 0
	h.hook = func(_ context.Context, req *api.Request) (*api.Response, error) {
		ran++
		if req.BeforeWait != nil {
			req.BeforeWait()
		}
		<-release
		return &api.Response{Output: &api.Changes{}}, nil
	}
	begin := func(path string) {
		go h.serve(newRequest("GET", base+path, ""))
		synctest.Wait()
	}
	begin("/changes?wait=25")
	begin("/locations") // has the only turn of reads
	from, ends := time.Now(), make(chan time.Duration, delayed+refused)
	for range delayed + refused {
		go func() {
			w := h.serve(newRequest("GET", base+"/changes?wait=25", ""))
			require.Equal(t, 429, w.Code)
			ends <- time.Since(from)
		}()
	}
	synctest.Wait()
	require.Len(t, ends, refused, "answered without a turn or a delay")
	for range refused {
		require.Zero(t, <-ends)
	}
	for range delayed {
		require.Equal(t, 2*time.Second, <-ends)
	}
	require.Equal(t, 2, ran)
	close(release)
}
