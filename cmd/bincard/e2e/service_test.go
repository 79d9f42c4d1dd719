package e2e_test

import (
	"bufio"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/built"
)

// A service is a "bincard serve" process, or a cluster of them.
type service struct {
	t       testing.TB
	cmd     *exec.Cmd
	cluster *cluster
	addr    string
	url     string
	ended   bool
	// transport is the one that proxies use. The service waits five seconds for unused
	// connections before it exits, so end closes them.
	transport *http.Transport
}

// serve starts the service on the company's data and waits until it listens. An empty
// addr is a free address.
func (h *machine) serve(c *company, addr string, flags ...string) *service {
	h.t.Helper()
	if addr == "" {
		addr = freeAddress(h.t)
	}
	s := &service{t: h.t, addr: addr, url: "http://" + addr, transport: &http.Transport{}}
	s.cmd = exec.Command(program(h.t), append([]string{"serve", "--addr", addr}, flags...)...)
	s.cmd.Env = c.on(h).env
	out, err := s.cmd.StdoutPipe()
	require.NoError(h.t, err)
	require.NoError(h.t, s.cmd.Start())
	h.t.Cleanup(func() { s.end(syscall.SIGKILL) })
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(h.t, err, "the service did not print its address")
	require.Contains(h.t, line, s.addr)
	return s
}

// end sends the service a signal and waits for it to exit.
func (s *service) end(sig syscall.Signal) {
	s.t.Helper()
	if s.ended {
		return
	}
	s.ended = true
	s.transport.CloseIdleConnections()
	if s.cluster != nil {
		s.cluster.end(sig)
		return
	}
	require.NoError(s.t, s.cmd.Process.Signal(sig))
	_ = s.cmd.Wait() // an error if the process was killed
}

// withService returns the machine with the settings for a service.
func (h *machine) withService(c *company, url string) *machine {
	return h.withEnv("BINCARD_URL="+url, "BINCARD_ORG="+c.org.String(), "BINCARD_KEY="+c.key)
}

func freeAddress(t testing.TB) string {
	t.Helper()
	addr, err := built.FreeAddress()
	require.NoError(t, err)
	return addr
}

// withoutExtensions starts a proxy that offers only the documented operations and returns
// its URL. Anything else is not found.
func (s *service) withoutExtensions() string {
	s.t.Helper()
	target, err := url.Parse(s.url)
	require.NoError(s.t, err)
	mux := http.NewServeMux()
	proxy := httputil.NewSingleHostReverseProxy(target)
	proxy.Transport = s.transport
	for _, spec := range api.Operations() {
		if !spec.Extension {
			mux.Handle(spec.Method+" /v1/organizations/{organizationId}"+spec.Path, rejectExtensions(spec, proxy))
		}
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write([]byte(`{"error":{"code":"NOT_FOUND","message":"There is nothing here."}}`))
	})
	front := httptest.NewServer(mux)
	s.t.Cleanup(front.Close)
	return front.URL
}

// rejectExtensions rejects requests with an undocumented query parameter.
func rejectExtensions(spec *api.Spec, proxy http.Handler) http.Handler {
	added := map[string][]string{"explainBalance": {"limit", "cursor", "order"}, "reportSnapshot": {"asOf"}}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, name := range added[spec.ID] {
			if r.URL.Query().Has(name) {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(http.StatusBadRequest)
				_, _ = w.Write([]byte(`{"error":{"code":"VALIDATION_ERROR","message":"There is no parameter ` + name + `."}}`))
				return
			}
		}
		proxy.ServeHTTP(w, r)
	})
}

// A lossyProxy can drop the next answer to a receipt after the service has committed it.
type lossyProxy struct {
	url  string
	lose chan func()  // called instead of answering
	pass atomic.Int32 // how many receipts to answer before
}

// loseNext calls a function instead of answering the next receipt, and then closes done.
func (g *lossyProxy) loseNext(instead func()) (done <-chan struct{}) {
	called := make(chan struct{})
	g.lose <- func() { instead(); close(called) }
	return called
}

func (s *service) startLossyProxy() *lossyProxy {
	s.t.Helper()
	target, err := url.Parse(s.url)
	require.NoError(s.t, err)
	g := &lossyProxy{lose: make(chan func(), 1)}
	proxy := httputil.NewSingleHostReverseProxy(target)
	proxy.Transport = s.transport
	proxy.ErrorHandler = func(w http.ResponseWriter, _ *http.Request, _ error) { dropConnection(w) }
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/receive") && g.pass.Add(-1) < 0 {
			select {
			case instead := <-g.lose:
				proxy.ServeHTTP(httptest.NewRecorder(), r)
				instead()
				dropConnection(w)
				return
			default:
			}
		}
		proxy.ServeHTTP(w, r)
	}))
	s.t.Cleanup(front.Close)
	g.url = front.URL
	return g
}

// dropConnection closes the connection without an answer.
func dropConnection(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err == nil {
		conn.Close()
	}
}
