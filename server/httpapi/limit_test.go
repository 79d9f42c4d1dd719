package httpapi_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/httpapi"
)

func TestMaxConcurrent_Rejects(t *testing.T) {
	t.Parallel()
	h := open(t, func(c *httpapi.Config) { c.MaxConcurrent = 1 })
	inside, release := make(chan struct{}), make(chan struct{})
	h.hook = func(context.Context, *api.Request) (*api.Response, error) {
		close(inside)
		<-release
		return &api.Response{Output: &api.List[api.Place]{}}, nil
	}
	first := make(chan *httptest.ResponseRecorder)
	go func() { first <- h.serve(newRequest("GET", base+"/locations", "")) }()
	<-inside
	w := h.serve(newRequest("GET", base+"/locations", ""))
	require.Equal(t, 503, w.Code)
	require.Equal(t, "1", w.Header().Get("Retry-After"))
	require.Equal(t, api.Unavailable, problemOf(t, w).Code)
	require.Equal(t, 200, h.serve(newRequest("GET", "/healthz", "")).Code, "a busy service is still healthy")
	close(release)
	require.Equal(t, 200, (<-first).Code)
	h.hook = nil
	require.Equal(t, 200, h.serve(newRequest("GET", base+"/locations", "")).Code, "the slot was released")
}

func TestMaxConcurrent_PanicReleasesSlot(t *testing.T) {
	t.Parallel()
	h := open(t, func(c *httpapi.Config) { c.MaxConcurrent = 1 })
	h.hook = func(context.Context, *api.Request) (*api.Response, error) { panic("oh") }
	for range 3 {
		require.Equal(t, 500, h.serve(newRequest("GET", base+"/locations", "")).Code)
	}
}

func TestTimeout(t *testing.T) {
	t.Parallel()
	h := open(t, func(c *httpapi.Config) { c.Timeout = time.Millisecond })
	h.hook = func(ctx context.Context, _ *api.Request) (*api.Response, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	w := h.serve(newRequest("POST", base+"/locations", aisleBody))
	require.Equal(t, 503, w.Code)
	require.Contains(t, problemOf(t, w).Message, "same Idempotency-Key")
}

// The limit applies to bodies without a length, and one of exactly MaxBody is
// accepted.
func TestMaxBody_WithoutLength(t *testing.T) {
	t.Parallel()
	h := open(t)
	fits := aisleBody + strings.Repeat(" ", httpapi.MaxBody-len(aisleBody))
	for body, status := range map[string]int{fits: 201, fits + " ": 413} {
		r := newRequest("POST", base+"/locations", "x")
		r.Body, r.ContentLength = io.NopCloser(strings.NewReader(body)), -1
		require.Equal(t, status, h.serve(r).Code)
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestBody_EndsEarly(t *testing.T) {
	t.Parallel()
	h := open(t)
	r := newRequest("POST", base+"/locations", "x")
	r.Body = io.NopCloser(io.MultiReader(strings.NewReader(`{"code":"A1"`), brokenReader{}))
	w := h.serve(r)
	require.Equal(t, 400, w.Code)
	require.Equal(t, api.InvalidJSON, problemOf(t, w).Code)
	require.Nil(t, h.request())
}

// Requests share buffers, but not their decoded inputs.
func TestInput_OutlivesItsBuffer(t *testing.T) {
	t.Parallel()
	h := open(t)
	var inputs []*api.CreateLocationInput
	h.hook = func(_ context.Context, r *api.Request) (*api.Response, error) {
		inputs = append(inputs, r.Input.(*api.CreateLocationInput))
		return &api.Response{Output: &api.Place{}}, nil
	}
	for _, name := range []string{"first", "other"} {
		h.serve(newRequest("POST", base+"/locations", strings.Replace(aisleBody, "Aisle 1", name, 1)))
	}
	require.Equal(t, "first", inputs[0].Name)
	require.Equal(t, "other", inputs[1].Name)
}

// FuzzHandler requires that the handler answers every request with JSON.
func FuzzHandler(f *testing.F) {
	f.Add("POST", base+"/locations", "", aisleBody, "*/*", "application/json", "k")
	f.Add("GET", base+"/inbounds", "limit=1&status=x", "", "application/json;q=0.5,*/*;q=0", "", "")
	f.Add("PATCH", "*", "%", "{", ";", "application/json;charset=", "\x7f")
	h := open(f, func(c *httpapi.Config) { c.Logger = slog.New(slog.DiscardHandler) })
	f.Fuzz(func(t *testing.T, method, path, query, body, accept, content, key string) {
		r := httptest.NewRequest("GET", "/", bytes.NewReader([]byte(body)))
		r.Method, r.URL.Path, r.URL.RawQuery = method, path, query
		r.Header = http.Header{"Authorization": {"Bearer " + secret}, "Accept": {accept}, "Content-Type": {content},
			"Idempotency-Key": {key}, "X-Operator": {accept}, "If-Match": {key}, "X-Request-Id": {key}}
		w := h.serve(r)
		require.Less(t, w.Code, 500, "%s", w.Body)
		if w.Code >= 400 {
			problemOf(t, w)
		}
	})
}
