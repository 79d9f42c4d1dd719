package httpapi_test

import (
	"context"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/httpapi"
)

// TestServe_ClosesIdleConnections requires that the server closes a connection
// without a request at shutdown, well before DrainTimeout.
func TestServe_ClosesIdleConnections(t *testing.T) {
	t.Parallel()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		done <- httpapi.Serve(ctx, httpapi.ServeConfig{Listener: ln, Handler: http.NotFoundHandler(), DrainTimeout: 4 * time.Second})
	}()
	idle, err := net.Dial("tcp", ln.Addr().String())
	require.NoError(t, err)
	defer idle.Close()
	res, err := http.Get("http://" + ln.Addr().String()) // the idle connection is accepted before this one
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	cancel()
	_, err = idle.Read(make([]byte, 1))
	require.Error(t, err, "the server closes it")
	require.NoError(t, <-done, "the drain did not time out")
}
