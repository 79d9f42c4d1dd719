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

// TestSilentConnectionsDoNotHoldUpTheEnd has a client that connects and asks
// nothing: the server closes the connection and ends, well before its drain
// would give up.
func TestSilentConnectionsDoNotHoldUpTheEnd(t *testing.T) {
	t.Parallel()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, end := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- httpapi.Serve(ctx, httpapi.ServeConfig{Listener: ln, Handler: http.NotFoundHandler(), DrainTimeout: 4 * time.Second})
	}()
	silent, err := net.Dial("tcp", ln.Addr().String())
	require.NoError(t, err)
	defer silent.Close()
	res, err := http.Get("http://" + ln.Addr().String()) // the silent one was accepted before this one
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	end()
	_, err = silent.Read(make([]byte, 1))
	require.Error(t, err, "the server closes it")
	require.NoError(t, <-ended, "the drain did not run out")
}
