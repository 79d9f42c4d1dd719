package httpapi_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/httpapi"
)

// serve runs Serve on a free port until the test ends or stop is called.
func serve(t *testing.T, cfg httpapi.ServeConfig) (addr string, stop func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	at, done := make(chan net.Addr, 1), make(chan error, 1)
	cfg.Listening = func(a net.Addr) { at <- a }
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	if cfg.Addr == "" {
		cfg.Addr = "127.0.0.1:0"
	}
	go func() { done <- httpapi.Serve(ctx, cfg) }()
	t.Cleanup(cancel)
	select {
	case a := <-at:
		return a.String(), func() error { cancel(); return <-done }
	case err := <-done:
		require.NoError(t, err)
		return "", nil
	}
}

// locationsAt returns a request to an address.
func locationsAt(addr string) *http.Request {
	r := newRequest("GET", base+"/locations", "")
	r.RequestURI, r.URL.Host = "", addr
	return r
}

func certificate(t *testing.T) (cert, key string, pool *x509.CertPool) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	require.NoError(t, err)
	bytes, err := x509.MarshalPKCS8PrivateKey(private)
	require.NoError(t, err)
	cert, key = filepath.Join(t.TempDir(), "cert.pem"), filepath.Join(t.TempDir(), "key.pem")
	require.NoError(t, os.WriteFile(cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	require.NoError(t, os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: bytes}), 0o600))
	pool = x509.NewCertPool()
	parsed, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	pool.AddCert(parsed)
	return cert, key, pool
}

func TestServe_TLS(t *testing.T) {
	t.Parallel()
	cert, key, pool := certificate(t)
	addr, stop := serve(t, httpapi.ServeConfig{Handler: open(t), CertFile: cert, KeyFile: key})
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true}}
	res, err := client.Get("https://" + addr + "/healthz")
	require.NoError(t, err)
	require.Equal(t, 200, res.StatusCode)
	require.Equal(t, 2, res.ProtoMajor)
	require.NoError(t, res.Body.Close())
	_, err = tls.Dial("tcp", addr, &tls.Config{RootCAs: pool, MaxVersion: tls.VersionTLS11, MinVersion: tls.VersionTLS10})
	require.Error(t, err, "old TLS was accepted")
	client.CloseIdleConnections()
	require.NoError(t, stop())
}

func TestServe_RejectsPlainOnReachableAddress(t *testing.T) {
	t.Parallel()
	err := httpapi.Serve(context.Background(), httpapi.ServeConfig{Addr: "0.0.0.0:0", Handler: open(t)})
	require.ErrorContains(t, err, "--tls-cert")
	_, stop := serve(t, httpapi.ServeConfig{Addr: "0.0.0.0:0", Handler: open(t), AllowPlain: true})
	require.NoError(t, stop())
}

func TestServe_ConfigErrors(t *testing.T) {
	t.Parallel()
	addr, _ := serve(t, httpapi.ServeConfig{Handler: open(t)})
	require.ErrorContains(t, httpapi.Serve(context.Background(), httpapi.ServeConfig{Addr: addr}), "is another server running there?")
	require.ErrorContains(t, httpapi.Serve(context.Background(), httpapi.ServeConfig{CertFile: "c.pem"}), "provide both")
	require.ErrorContains(t, httpapi.Serve(context.Background(), httpapi.ServeConfig{CertFile: "c.pem", KeyFile: "k.pem"}), "c.pem")
}

// At shutdown, requests in progress are answered and new ones rejected.
func TestServe_Drains(t *testing.T) {
	t.Parallel()
	h := open(t)
	inside, release := make(chan struct{}), make(chan struct{})
	h.hook = func(context.Context, *api.Request) (*api.Response, error) {
		close(inside)
		<-release
		return &api.Response{Output: &api.List[api.Place]{}}, nil
	}
	addr, stop := serve(t, httpapi.ServeConfig{Handler: h})
	answered := make(chan *http.Response, 1)
	go func() {
		res, err := http.DefaultTransport.RoundTrip(locationsAt(addr))
		if err == nil {
			_ = res.Body.Close()
		}
		answered <- res
	}()
	<-inside
	stopped := make(chan error, 1)
	go func() { stopped <- stop() }()
	require.Eventually(t, func() bool {
		c, err := net.Dial("tcp", addr)
		if err == nil {
			_ = c.Close()
		}
		return err != nil
	}, time.Minute, time.Millisecond)
	close(release)
	res := <-answered
	require.NotNil(t, res)
	require.Equal(t, 200, res.StatusCode)
	require.NoError(t, <-stopped)
}

// A service that leaves still answers, but is not ready. It ends after its delay.
func TestServe_LeavesFirst(t *testing.T) {
	t.Parallel()
	_, stop := serve(t, httpapi.ServeConfig{Handler: open(t).Handler, LeaveDelay: time.Millisecond})
	require.NoError(t, stop())

	addr, stop := serve(t, httpapi.ServeConfig{Handler: open(t).Handler, LeaveDelay: time.Hour}) // longer than the test
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	get := func(path string) (int, string) {
		res, err := client.Get("http://" + addr + path)
		if err != nil {
			return 0, err.Error()
		}
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		assert.NoError(t, err)
		return res.StatusCode, string(body)
	}
	code, _ := get("/readyz")
	require.Equal(t, 200, code)
	go func() { _ = stop() }()
	body := ""
	require.Eventually(t, func() bool { code, body = get("/readyz"); return code != 200 }, time.Minute, time.Millisecond)
	require.Equal(t, 503, code)
	require.Contains(t, body, "The service is not ready: it is shutting down.")
	code, _ = get("/healthz")
	require.Equal(t, 200, code)
}

func TestServe_CancelsAfterDrainTimeout(t *testing.T) {
	t.Parallel()
	h := open(t)
	inside := make(chan struct{})
	h.hook = func(ctx context.Context, _ *api.Request) (*api.Response, error) {
		close(inside)
		<-ctx.Done()
		return nil, ctx.Err()
	}
	addr, stop := serve(t, httpapi.ServeConfig{Handler: h, DrainTimeout: time.Millisecond})
	go func() {
		if res, err := http.DefaultTransport.RoundTrip(locationsAt(addr)); err == nil {
			_ = res.Body.Close()
		}
	}()
	<-inside
	require.ErrorContains(t, stop(), "were canceled")
}

// A slow client is disconnected, in its header or its body.
func TestServe_DisconnectsSlowClients(t *testing.T) {
	t.Parallel()
	addr, _ := serve(t, httpapi.ServeConfig{Handler: open(t), HeaderTimeout: 20 * time.Millisecond, ReadTimeout: 20 * time.Millisecond})
	for _, start := range []string{
		"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ",
		"POST " + base + "/locations HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + secret +
			"\r\nIdempotency-Key: k\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
	} {
		c := dialAndSend(t, addr, start)
		rest, err := io.ReadAll(c.answers) // ends when the server hangs up, with a reset if it had not read everything
		if !errors.Is(err, syscall.ECONNRESET) {
			require.NoError(t, err)
		}
		require.NotContains(t, string(rest), "HTTP/1.1 201")
		require.NoError(t, c.Close())
	}
}

func TestServe_LimitsConnections(t *testing.T) {
	t.Parallel()
	h := open(t)
	var now, most atomic.Int64
	h.hook = func(context.Context, *api.Request) (*api.Response, error) {
		n := now.Add(1)
		defer now.Add(-1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		runtime.Gosched()
		return &api.Response{Output: &api.List[api.Place]{}}, nil
	}
	addr, stop := serve(t, httpapi.ServeConfig{Handler: h, MaxConnections: 2})
	once := &http.Transport{DisableKeepAlives: true}
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			res, err := once.RoundTrip(locationsAt(addr))
			if assert.NoError(t, err) {
				assert.Equal(t, 200, res.StatusCode)
				assert.NoError(t, res.Body.Close())
			}
		})
	}
	all.Wait()
	require.LessOrEqual(t, most.Load(), int64(2))
	require.NoError(t, stop())
}

func TestServe_StopsAtConnectionLimit(t *testing.T) {
	t.Parallel()
	addr, stop := serve(t, httpapi.ServeConfig{Handler: open(t), MaxConnections: 1})
	dial(t, addr).mustGet(t, "/healthz")
	require.NoError(t, stop())
}

func TestServe_AnswersAfterOversizedBody(t *testing.T) {
	t.Parallel()
	h := open(t)
	addr, _ := serve(t, httpapi.ServeConfig{Handler: h})
	for name, length := range map[string]string{"length": "Content-Length: 4194304", "chunked": "Transfer-Encoding: chunked"} {
		conn := dialAndSend(t, addr, "POST "+base+"/locations HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "+secret+
			"\r\nIdempotency-Key: k\r\nContent-Type: application/json\r\n"+length+"\r\n\r\n")
		body := strings.Repeat(" ", 4<<20)
		if name == "chunked" {
			body = "400000\r\n" + body + "\r\n0\r\n\r\n"
		}
		_, err := io.WriteString(conn, body)
		require.NoError(t, err, name)
		res, err := http.ReadResponse(conn.answers, nil)
		require.NoError(t, err, name)
		require.Equal(t, http.StatusRequestEntityTooLarge, res.StatusCode, name)
	}
}
