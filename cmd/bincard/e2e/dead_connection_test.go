package e2e_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"os"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/built"
)

// A forgetfulRouter is a connection to a service that can be cut. It then knows none of the
// connections of before, as a router after a restart: their bytes arrive nowhere, and
// nobody closes them.
type forgetfulRouter struct {
	net.Listener
	to      string
	changes atomic.Int64 // odd while it is cut
}

func newForgetfulRouter(t *testing.T, to string) *forgetfulRouter {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	r := &forgetfulRouter{Listener: ln, to: to}
	t.Cleanup(func() { ln.Close() })
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			go r.route(conn)
		}
	}()
	return r
}

// change cuts the connection, or brings it back.
func (r *forgetfulRouter) change() { r.changes.Add(1) }

func (r *forgetfulRouter) route(conn net.Conn) {
	since := r.changes.Load()
	up, err := net.Dial("tcp", r.to)
	if err != nil {
		conn.Close()
		return
	}
	forward := func(to, from net.Conn) {
		buf := make([]byte, 16<<10)
		for {
			n, err := from.Read(buf)
			if r.changes.Load() != since || since%2 == 1 {
				_, _ = io.Copy(io.Discard, from) // and tells nobody about the end
				return
			}
			if err != nil {
				to.Close()
				return
			}
			_, _ = to.Write(buf[:n])
		}
	}
	go forward(up, conn)
	forward(conn, up)
}

// createCertificate creates a TLS certificate for this machine and returns its files.
func (h *machine) createCertificate() (cert, key string) {
	h.t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(h.t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "bincard"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-100 * 24 * time.Hour), NotAfter: built.Now().AddDate(10, 0, 0), IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	require.NoError(h.t, err)
	bytes, err := x509.MarshalPKCS8PrivateKey(private)
	require.NoError(h.t, err)
	cert, key = h.path("cert.pem"), h.path("key.pem")
	require.NoError(h.t, os.WriteFile(cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	require.NoError(h.t, os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: bytes}), 0o600))
	return cert, key
}

// TestEdge_OnlineAfterConnectionsDied has an edge whose connections to the service are lost
// without a word. It is online again, over new ones.
func TestEdge_OnlineAfterConnectionsDied(t *testing.T) {
	t.Parallel()
	for _, scheme := range []string{"http", "https"} {
		t.Run(scheme, func(t *testing.T) {
			t.Parallel()
			h := newMachine(t)
			c := newCompany(t, h.path("data"))
			var flags []string
			if scheme == "https" {
				cert, key := h.createCertificate()
				flags = []string{"--tls-cert", cert, "--tls-key", key}
				h = h.withEnv("SSL_CERT_FILE=" + cert)
			}
			centre := h.serve(c, "", flags...)
			router := newForgetfulRouter(t, centre.addr)
			e := h.startEdge(c, scheme+"://"+router.Addr().String())
			device := c.client(e.url, e.createDeviceKey("scanner-3", "WH-1"))
			state := func(want api.SyncState) func() bool {
				return func() bool {
					s := do(t, device, api.GetSync, api.SyncInput{})
					return s.State == want && (want == api.SyncOffline || s.Waiting == 0)
				}
			}
			require.Eventually(t, state(api.SyncOnline), waitTimeout, 20*time.Millisecond)
			for range 2 {
				router.change()
				c.adjust(device)
				require.Eventually(t, state(api.SyncOffline), waitTimeout, 20*time.Millisecond)
				router.change()
				require.Eventually(t, state(api.SyncOnline), waitTimeout, 20*time.Millisecond, "it uses connections that are dead")
			}
			e.end(syscall.SIGTERM)
			centre.end(syscall.SIGTERM)
			c.requireMugs(32)
		})
	}
}
