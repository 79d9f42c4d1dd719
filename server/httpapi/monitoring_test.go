package httpapi_test

import (
	"net"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/httpapi"
)

// The monitoring listener answers however many connections the service has.
func TestServe_Monitoring(t *testing.T) {
	t.Parallel()
	at := make(chan net.Addr, 1)
	addr, stop := serve(t, httpapi.ServeConfig{Handler: open(t).Handler, MaxConnections: 1, AdminAddr: "127.0.0.1:0",
		AdminListening: func(a net.Addr) { at <- a }})
	admin := (<-at).String()
	busy := connect(t, addr, "127.0.0.1")
	require.Equal(t, 404, busy.get("/metrics"), "only on the other listener")
	require.Equal(t, 200, busy.get("/readyz"))
	for path, status := range map[string]int{"/healthz": 200, "/readyz": 200, "/metrics": 200, "/docs": 404, base + "/locations": 404} {
		require.Equal(t, status, connect(t, admin, "127.0.0.1").get(path), path)
	}
	require.NoError(t, stop())
	_, err := net.Dial("tcp", admin)
	require.Error(t, err)
}

func TestServe_MonitoringErrors(t *testing.T) {
	t.Parallel()
	addr, _ := serve(t, httpapi.ServeConfig{Handler: open(t)})
	err := httpapi.Serve(t.Context(), httpapi.ServeConfig{Handler: open(t).Handler, Addr: "127.0.0.1:0", AdminAddr: addr})
	require.ErrorContains(t, err, "for monitoring")
	err = httpapi.Serve(t.Context(), httpapi.ServeConfig{Handler: http.NotFoundHandler(), Addr: "127.0.0.1:0", AdminAddr: "127.0.0.1:0"})
	require.ErrorContains(t, err, "no routes")
}
