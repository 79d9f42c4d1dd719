package httpapi_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/httpapi"
)

// answering sets the service to answer with a list of so many bytes.
func (h *testServer) answering(size int) {
	h.hook = func(context.Context, *api.Request) (*api.Response, error) {
		return &api.Response{Output: &api.List[api.Place]{Items: []api.Place{{Name: strings.Repeat("x", size)}}}}, nil
	}
}

// A client that does not read its answer is cut off, and the log says so.
func TestAnswer_CutsClientThatDoesNotRead(t *testing.T) {
	t.Parallel()
	const size = 64 << 20 // more than the buffers between the two hold
	h := open(t, func(c *httpapi.Config) { c.ChunkTimeout = 50 * time.Millisecond })
	h.answering(size)
	addr, stop := serve(t, httpapi.ServeConfig{Handler: h, WriteTimeout: time.Hour})
	dialAndSend(t, addr, "GET "+base+"/locations HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "+secret+"\r\n\r\n")
	require.Eventually(t, func() bool { return strings.Contains(h.log.String(), `"msg":"request"`) }, time.Minute, time.Millisecond)
	require.Contains(t, h.log.String(), `"cut":true`)
	require.NotContains(t, h.log.String(), fmt.Sprintf(`"bytes":%d`, size))
	require.NoError(t, stop())
}

// The write deadline moves with a large answer, so that a client on a slow line receives
// all of it.
func TestAnswer_DeadlineMovesWithProgress(t *testing.T) {
	t.Parallel()
	const size = 8 << 20
	h := open(t)
	h.answering(size)
	addr, _ := serve(t, httpapi.ServeConfig{Handler: h, WriteTimeout: time.Nanosecond})
	r, err := http.NewRequest("GET", "http://"+addr+base+"/locations", nil)
	require.NoError(t, err)
	r.Header.Set("Authorization", "Bearer "+secret)
	res, err := http.DefaultTransport.(*http.Transport).Clone().RoundTrip(r)
	require.NoError(t, err)
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Greater(t, len(body), size)
	require.NotContains(t, h.log.String(), "cut")
}
