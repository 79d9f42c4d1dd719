package httpapi_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/httpapi"
)

// An unreadWriter is a client that does not read its answer until told to.
type unreadWriter struct {
	*httptest.ResponseRecorder
	once          sync.Once
	sending, read chan struct{}
}

func (w *unreadWriter) Write(b []byte) (int, error) {
	w.once.Do(func() { close(w.sending) })
	<-w.read
	return w.ResponseRecorder.Write(b)
}

// Answers that a key does not read are limited, and concern no other key.
func TestTransit_LimitsUnreadAnswers(t *testing.T) {
	t.Parallel()
	h := open(t, func(c *httpapi.Config) { c.Authenticate, c.MaxTransitPerKey = manyKeys, 150<<10 })
	h.hook = func(_ context.Context, req *api.Request) (*api.Response, error) {
		place := api.Place{Name: strings.Repeat("x", 100<<10)}
		if req.Spec.Writes() {
			return &api.Response{Output: &place}, nil
		}
		return &api.Response{Output: &api.List[api.Place]{Items: []api.Place{place}}}, nil
	}
	request := func(method, key, body string) *http.Request {
		return newRequest(method, "/v1/organizations/"+organizationOf(key).String()+"/locations", body, "Authorization: Bearer "+key)
	}
	w := &unreadWriter{ResponseRecorder: httptest.NewRecorder(), sending: make(chan struct{}), read: make(chan struct{})}
	done := make(chan struct{})
	go func() {
		h.ServeHTTP(w, request("GET", "b1", ""))
		close(done)
	}()
	<-w.sending
	rejected := h.serve(request("GET", "b1", ""))
	require.Equal(t, 429, rejected.Code)
	require.Equal(t, "1", rejected.Header().Get("Retry-After"))
	require.Contains(t, problemOf(t, rejected).Message, "Too many answers of this key are unread")
	require.Equal(t, 201, h.serve(request("POST", "b1", aisleBody)).Code, "a write that is saved is answered")
	require.Equal(t, 200, h.serve(request("GET", "a1", "")).Code)
	close(w.read)
	<-done
	require.Equal(t, 200, h.serve(request("GET", "b1", "")).Code)
}

// Large bodies wait for each other within an organization, and small ones for none.
func TestBodies_Wait(t *testing.T) {
	t.Parallel()
	h := open(t, func(c *httpapi.Config) { c.Authenticate, c.MaxBodiesPerOrg = manyKeys, 150<<10 })
	large := aisleBody + strings.Repeat(" ", 100<<10)
	request := func(key, body string) *http.Request {
		return newRequest("POST", "/v1/organizations/"+organizationOf(key).String()+"/locations", body, "Authorization: Bearer "+key)
	}
	answers := make(chan int, 2)
	send := func(r *http.Request) { answers <- h.serve(r).Code }
	slow, content := io.Pipe()
	first := request("b1", large)
	first.Body = slow
	go send(first)
	_, err := io.WriteString(content, large[:50])
	require.NoError(t, err)
	ctx, gone := context.WithCancel(t.Context())
	second := request("b2", large).WithContext(ctx)
	body := &countingReader{r: strings.NewReader(large)}
	second.Body = io.NopCloser(body)
	second.Header.Set("Expect", "100-continue") // nothing is read to be discarded
	go send(second)
	require.Equal(t, 201, h.serve(request("b1", aisleBody)).Code)
	require.Equal(t, 200, h.serve(newRequest("GET", "/metrics", "")).Code)
	third := request("a1", strings.Replace(large, "A1", "A2", 1))
	third.Header.Set("Idempotency-Key", "3")
	require.Equal(t, 201, h.serve(third).Code, "another organization")
	gone()
	require.Equal(t, 429, <-answers)
	require.Zero(t, body.n.Load(), "its body was not read")
	_, err = io.WriteString(content, large[50:])
	require.NoError(t, err)
	require.NoError(t, content.Close())
	require.Less(t, <-answers, 300)
}

// A countingReader counts the bytes that are read.
type countingReader struct {
	r io.Reader
	n atomic.Int64
}

func (c *countingReader) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n.Add(int64(n))
	return n, err
}
