package apiclient_test

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/apiclient"
	"bincard/server/api"
)

// requireUnavailable requires an UNAVAILABLE error with an outcome.
func requireUnavailable(t *testing.T, err error, outcome string) *api.Error {
	t.Helper()
	e := requireError(t, err)
	require.Equal(t, api.Unavailable, e.Code, "%v", err)
	require.Equal(t, outcome, e.Details["outcome"], "%v", err)
	return e
}

func TestDo_ConnectionRefused(t *testing.T) {
	t.Parallel()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, ln.Close())
	c := client(t, "http://"+ln.Addr().String())
	for _, call := range []error{write(context.Background(), c), read(context.Background(), c)} {
		e := requireUnavailable(t, call, apiclient.NotSent)
		require.Contains(t, e.Message, "The service at "+ln.Addr().String()+" cannot be reached")
		require.ErrorIs(t, e, syscall.ECONNREFUSED)
	}
	requireUnavailable(t, write(context.Background(), client(t, "https://stock.invalid")), apiclient.NotSent)
}

// cuttingServer starts a server that closes the connection after reading a
// request, a number of times, and then answers.
func cuttingServer(t *testing.T, times int64, h http.Handler) (*httptest.Server, *atomic.Int64) {
	var n atomic.Int64
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if n.Add(1) <= times {
			panic(http.ErrAbortHandler)
		}
		h.ServeHTTP(w, r)
	}))
	t.Cleanup(srv.Close)
	return srv, &n
}

func TestDo_BrokenConnection(t *testing.T) {
	t.Parallel()
	good := service(t, &recorder{}).Config.Handler
	srv, n := cuttingServer(t, 1, good)
	e := requireUnavailable(t, write(context.Background(), client(t, srv.URL)), apiclient.Unknown)
	require.Contains(t, e.Message, "same key is safe")
	require.EqualValues(t, 1, n.Load(), "a write was sent twice")

	srv, n = cuttingServer(t, 1, good)
	require.NoError(t, read(context.Background(), client(t, srv.URL)))
	require.EqualValues(t, 2, n.Load())

	srv, n = cuttingServer(t, 9, good)
	requireUnavailable(t, read(context.Background(), client(t, srv.URL)), apiclient.Unknown)
	require.EqualValues(t, 2, n.Load(), "a read is retried once")
}

// On a reused connection, net/http would resend a write by itself.
func TestDo_SendsWriteOnceOnReusedConnection(t *testing.T) {
	t.Parallel()
	good := service(t, &recorder{}).Config.Handler
	var n atomic.Int64
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == "POST" {
			n.Add(1)
			panic(http.ErrAbortHandler)
		}
		good.ServeHTTP(w, r)
	}))
	t.Cleanup(srv.Close)
	c := client(t, srv.URL)
	require.NoError(t, read(context.Background(), c))
	requireUnavailable(t, write(context.Background(), c), apiclient.Unknown)
	require.EqualValues(t, 1, n.Load())
}

func TestDo_IncompleteAnswer(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", "1000")
		_, _ = io.WriteString(w, `{"balance":`)
	}))
	t.Cleanup(srv.Close)
	requireUnavailable(t, write(context.Background(), client(t, srv.URL)), apiclient.Unknown)
}

func TestDo_Timeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		router := newForgetfulRouter()
		defer router.Close()
		transport := apiclient.NewTransport(10 * time.Second)
		transport.DialContext = router.dial
		go func() {
			for { // and answers nothing
				if _, err := router.Accept(); err != nil {
					return
				}
			}
		}()
		router.changes.Add(1)

		c := client(t, "http://127.0.0.1:443", func(c *apiclient.Config) { c.Transport, c.Timeout = transport, 0 })
		e := requireUnavailable(t, write(t.Context(), c), apiclient.Unknown)
		require.ErrorIs(t, e, context.DeadlineExceeded)
		require.Contains(t, e.Message, "did not answer within 10s")

		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		require.ErrorIs(t, requireUnavailable(t, read(ctx, c), apiclient.Unknown), context.DeadlineExceeded)
	})
}

func TestDo_Canceled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		cancel()
		<-r.Context().Done()
	}))
	t.Cleanup(srv.Close)
	c := client(t, srv.URL)
	require.ErrorIs(t, requireUnavailable(t, write(ctx, c), apiclient.Unknown), context.Canceled)
	e := requireUnavailable(t, write(ctx, client(t, srv.URL)), apiclient.NotSent)
	require.ErrorIs(t, e, context.Canceled)
}

func TestDo_CaptivePortal(t *testing.T) {
	t.Parallel()
	page := "<html>\n<h1>Welcome to\x1b[2J Wi-Fi</h1>" + strings.Repeat("x", 5000)
	for content, body := range map[string]string{
		"text/html": page, "": "", "application/json": page, "application/json;x=1": `{"welcome":true}`,
		"application/problem+json": `{"balance":{},"inbound":{}}`, "application/json;x=2": `{"balance":{},"inbound":{},"movements":[]} trailing`,
		"application/json;x=3": `null`, "application/json;x=4": `{"balance":{"onHand":5.5},"inbound":{},"movements":[]}`,
		"application/json;x=5": `{"balance":{"onHand":"5"},"inbound":{},"movements":[]}`,
	} {
		e := requireUnavailable(t, write(context.Background(), client(t, answerServer(t, 200, content, body).URL)), apiclient.Unknown)
		require.Contains(t, e.Message, "is not from the service")
		require.Less(t, len(e.Message), 700)
		require.NotContains(t, e.Message, "\x1b")
	}
	e := requireUnavailable(t, write(context.Background(), client(t, answerServer(t, 200, "text/html", page).URL)), apiclient.Unknown)
	require.Contains(t, e.Message, "Welcome to")
}

func TestDo_Redirects(t *testing.T) {
	t.Parallel()
	m := &recorder{}
	good := service(t, m)
	for _, status := range []int{301, 302, 303, 307, 308} {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, good.URL+r.URL.Path+"?secret="+canary, status)
		}))
		t.Cleanup(srv.Close)
		for _, call := range []error{write(context.Background(), client(t, srv.URL)), read(context.Background(), client(t, srv.URL))} {
			require.Contains(t, requireUnavailable(t, call, apiclient.Unknown).Message, "redirects to "+good.URL)
		}
	}
	require.Nil(t, m.last, "the key was sent to another host")

	same := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if rest, ok := strings.CutPrefix(r.URL.Path, "/old"); ok {
			http.Redirect(w, r, rest, http.StatusTemporaryRedirect)
			return
		}
		good.Config.Handler.ServeHTTP(w, r)
	}))
	t.Cleanup(same.Close)
	require.NoError(t, read(context.Background(), client(t, same.URL+"/old")))
	requireUnavailable(t, write(context.Background(), client(t, same.URL+"/old")), apiclient.Unknown)
}

func TestDo_LimitsAnswerSize(t *testing.T) {
	t.Parallel()
	srv := answerServer(t, 200, "application/json", `{"items":[`+strings.Repeat(" ", 4000)+`],"nextCursor":null}`)
	_, err := api.ListInbounds.Call(context.Background(), client(t, srv.URL, func(c *apiclient.Config) { c.MaxResponse = 1000 }), api.ListInboundsInput{})
	require.Contains(t, requireUnavailable(t, err, apiclient.Unknown).Message, "larger than 1000 bytes")
	_, err = api.ListInbounds.Call(context.Background(), client(t, srv.URL), api.ListInboundsInput{})
	require.NoError(t, err)
}

func TestDo_UntrustedCertificate(t *testing.T) {
	t.Parallel()
	m := &recorder{}
	srv := httptest.NewUnstartedServer(service(t, m).Config.Handler)
	srv.Config.ErrorLog = log.New(io.Discard, "", 0)
	srv.StartTLS()
	t.Cleanup(srv.Close)
	require.Contains(t, requireUnavailable(t, write(context.Background(), client(t, srv.URL)), apiclient.NotSent).Message, "does not trust")
	require.NoError(t, write(context.Background(), client(t, srv.URL, func(c *apiclient.Config) { c.Transport = srv.Client().Transport })))
	plain := client(t, strings.Replace(service(t, m).URL, "http:", "https:", 1))
	require.Contains(t, requireUnavailable(t, write(context.Background(), plain), apiclient.NotSent).Message, "does not use HTTPS")
}

type brokenTransport struct{ error }

func (b brokenTransport) RoundTrip(*http.Request) (*http.Response, error) { return nil, b.error }

// A custom transport does not report whether the request was sent.
func TestDo_CustomTransport(t *testing.T) {
	t.Parallel()
	for outcome, err := range map[string]error{apiclient.Unknown: errors.New("radio lost for " + org),
		apiclient.NotSent: &net.OpError{Op: "dial", Err: syscall.EHOSTUNREACH}} {
		c := client(t, "http://stock.test", func(c *apiclient.Config) { c.AllowPlain, c.Transport = true, brokenTransport{err} })
		require.ErrorIs(t, requireUnavailable(t, write(context.Background(), c), outcome), err)
	}
}
