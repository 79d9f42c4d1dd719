package httpapi_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/httpapi"
)

// An unreadWriter is a client that does not read its answer until told to.
type unreadWriter struct {
	*httptest.ResponseRecorder
	sending, read chan struct{}
}

func (w *unreadWriter) Write(b []byte) (int, error) {
	close(w.sending)
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
	w := &unreadWriter{httptest.NewRecorder(), make(chan struct{}), make(chan struct{})}
	done := make(chan struct{})
	go func() {
		h.ServeHTTP(w, request("GET", "b1", ""))
		close(done)
	}()
	<-w.sending
	rejected := h.serve(request("GET", "b1", ""))
	require.Equal(t, 429, rejected.Code)
	require.Equal(t, "1", rejected.Header().Get("Retry-After"))
	require.Contains(t, problemOf(t, rejected).Message, "Too much data of this key")
	require.Equal(t, 429, h.serve(request("POST", "b1", aisleBody+strings.Repeat(" ", 60<<10))).Code)
	require.Equal(t, 201, h.serve(request("POST", "b1", aisleBody)).Code, "a write that is saved is answered")
	require.Equal(t, 200, h.serve(request("GET", "a1", "")).Code)
	close(w.read)
	<-done
	require.Equal(t, 200, h.serve(request("GET", "b1", "")).Code)
	for range 3 {
		r := request("POST", "b1", aisleBody)
		r.ContentLength = -1
		require.Equal(t, 201, h.serve(r).Code, "a body without a length counts as what it is")
	}
}
