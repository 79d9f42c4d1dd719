package e2e_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"bincard/apiclient"
	"bincard/server/api"
	"bincard/server/testenv"
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
	addr, err := testenv.FreeAddress()
	require.NoError(t, err)
	return addr
}

// repeatable is a transport that can send a request again, as that of a client can: a service
// closes connections that were unused for a while, and a request may be sent at that moment.
type repeatable struct{ *http.Transport }

func (p repeatable) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body == nil {
		return p.Transport.RoundTrip(r)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	again := r.Clone(r.Context())
	again.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	again.Body, _ = again.GetBody()
	return p.Transport.RoundTrip(again)
}

// withoutExtensions starts a proxy that offers only the documented operations and returns
// its URL. Anything else is not found.
func (s *service) withoutExtensions() string {
	s.t.Helper()
	target, err := url.Parse(s.url)
	require.NoError(s.t, err)
	mux := http.NewServeMux()
	proxy := httputil.NewSingleHostReverseProxy(target)
	proxy.Transport = repeatable{s.transport}
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
	proxy.Transport = repeatable{s.transport}
	proxy.ErrorHandler = func(w http.ResponseWriter, r *http.Request, err error) {
		s.t.Logf("the proxy drops %s %s: %v", r.Method, r.URL.Path, err)
		dropConnection(w)
	}
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

// An edgeSite is a "bincard edge" process.
type edgeSite struct {
	service
	machine *machine
	dir     string
	up      string
	of      *company
	args    []string // more flags
}

// startEdge starts an edge for the service at a URL and waits until it listens.
func (h *machine) startEdge(c *company, up string, args ...string) *edgeSite {
	h.t.Helper()
	e := &edgeSite{machine: h, dir: h.path("edge"), up: up, of: c, args: args}
	addr := freeAddress(h.t)
	e.service.t, e.addr, e.url, e.transport = h.t, addr, "http://"+addr, &http.Transport{}
	e.start()
	h.t.Cleanup(func() { e.end(syscall.SIGKILL) })
	return e
}

// start starts the process, or restarts it after end.
func (e *edgeSite) start() {
	e.t.Helper()
	args := append([]string{"edge", "--upstream", e.up, "--org", e.of.org.String(), "--data", e.dir, "--addr", e.addr}, e.args...)
	cmd := exec.Command(program(e.t), args...)
	cmd.Env = append([]string{"BINCARD_KEY=" + e.of.key}, e.machine.env...)
	out, err := cmd.StdoutPipe()
	require.NoError(e.t, err)
	require.NoError(e.t, cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(e.t, err, "the edge did not print its address")
	require.Contains(e.t, line, e.url)
	e.cmd, e.ended = cmd, false
}

// mustRun runs a command on the edge's machine and returns its output. The command must
// succeed.
func (e *edgeSite) mustRun(args ...string) string {
	e.t.Helper()
	cmd := exec.Command(program(e.t), args...)
	cmd.Env = e.machine.env
	text, err := cmd.Output()
	require.NoError(e.t, err, "%v", args)
	return string(text)
}

// createDeviceKey creates a device key, bound to a location unless it is empty.
func (e *edgeSite) createDeviceKey(label, location string) (key string) {
	e.t.Helper()
	args := []string{"edge", "key", "create", "--data", e.dir, "--label", label, "--json"}
	if location != "" {
		args = append(args, "--location", location)
	}
	var created struct {
		Key string `json:"key"`
	}
	require.NoError(e.t, json.Unmarshal([]byte(e.mustRun(args...)), &created))
	return created.Key
}

// newTerminal returns a new machine with a device key of the site.
func (e *edgeSite) newTerminal(label, location string) *machine {
	e.t.Helper()
	return newMachine(e.t).withEnv("BINCARD_URL="+e.url, "BINCARD_ORG="+e.of.org.String(), "BINCARD_KEY="+e.createDeviceKey(label, location))
}

// client returns an API client of the service at a URL.
func (c *company) client(url, key string) *apiclient.Client {
	c.t.Helper()
	client, err := apiclient.New(apiclient.Config{URL: url, Key: key, Organization: c.org.String()})
	require.NoError(c.t, err)
	c.t.Cleanup(client.Close)
	return client
}

// The modes of a faultyNetwork.
const (
	modeOpen    int32 = iota
	modeFaulty        // loses, repeats and delays requests, and truncates answers
	modeDown          // drops all requests, including those in progress
	modePortal        // answers everything with a page
	modeSilent        // accepts connections and answers nothing
	modeHostile       // has all faults of modeFaulty, pages, and answers of other requests
)

// A faultyNetwork is the connection between a site and its service.
type faultyNetwork struct {
	url       string
	t         testing.TB
	to        string
	transport *http.Transport
	server    *httptest.Server
	mode      atomic.Int32
	page      atomic.Int32 // the status of the page, 0 for 200
	// counts has the number of requests by fate.
	counts [fates]atomic.Int64
	// late is the number of requests that still reach the service although nobody waits. It
	// is no WaitGroup, because requests come while waitLate waits.
	late atomic.Int64

	mu     sync.Mutex
	random *rand.Rand
	// earlier is the last answer to a request by method.
	earlier map[string]*answer
}

// An answer is one of the service.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// pages are the statuses of the pages that appear in place of an answer.
var pages = []int{200, 301, 400, 401, 403, 404, 405, 407, 408, 409, 410, 413, 421, 422, 429, 451, 500, 501, 502, 503, 504}

// newFaultyNetwork returns a network in front of the service at URL to. The seed
// determines the faults.
func newFaultyNetwork(t testing.TB, to string, seed uint64) *faultyNetwork {
	t.Helper()
	w := &faultyNetwork{t: t, to: to, transport: &http.Transport{}, random: rand.New(rand.NewPCG(seed, seed)), earlier: map[string]*answer{}}
	w.server = httptest.NewServer(w)
	w.url = w.server.URL
	t.Cleanup(func() { w.setMode(modeDown); w.waitLate(); w.transport.CloseIdleConnections(); w.server.Close() })
	return w
}

// setMode changes the mode. modeDown also cuts open connections.
func (w *faultyNetwork) setMode(mode int32) {
	w.mode.Store(mode)
	if mode == modeDown {
		w.server.CloseClientConnections()
	}
}

// The fates of a request in modeFaulty, and after passed those that only modeHostile has.
const (
	requestLost = iota // dropped before it reaches the service
	answerLost         // forwarded, but the answer is dropped
	requestDoubled
	requestDelayed
	answerCut
	passed
	answerSwapped // forwarded, and answered with the answer of an earlier request
	pageBefore    // answered with a page, and not forwarded
	pageAfter     // forwarded, and answered with a page
	requestLate   // dropped, and forwarded later
	fates
)

// choose returns the fate of the next request, how long it is delayed, and the status of
// a page. Half of the requests pass.
func (w *faultyNetwork) choose(mode int32) (fate int, wait time.Duration, status int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch mode {
	case modeFaulty:
		fate = min(w.random.IntN(2*passed), passed)
	case modeHostile:
		if fate = w.random.IntN(2 * fates); fate >= fates {
			fate = passed
		}
	default:
		return passed, 0, 0
	}
	return fate, time.Duration(w.random.IntN(200)) * time.Millisecond, pages[w.random.IntN(len(pages))]
}

// swap remembers the answer to a request and returns the one to an earlier request with the
// same method.
func (w *faultyNetwork) swap(method string, a *answer) *answer {
	w.mu.Lock()
	defer w.mu.Unlock()
	earlier := w.earlier[method]
	w.earlier[method] = a
	if earlier == nil {
		return a
	}
	return earlier
}

// answerPage answers with a page.
func answerPage(out http.ResponseWriter, status int) {
	out.Header().Set("Content-Type", "text/html")
	out.WriteHeader(status)
	_, _ = io.WriteString(out, "<html><title>Harbor guest network</title>Please sign in.</html>")
}

// forwardLate forwards a request that nobody waits for.
func (w *faultyNetwork) forwardLate(r *http.Request, body []byte, wait time.Duration) {
	r = r.Clone(context.WithoutCancel(r.Context()))
	w.late.Add(1)
	go func() {
		defer w.late.Add(-1)
		pause(r.Context(), wait)
		if res, err := w.forward(r, body); err == nil {
			res.Body.Close()
		}
	}()
}

// waitLate waits until no late request is on its way.
func (w *faultyNetwork) waitLate() {
	eventually(w.t, func() bool { return w.late.Load() == 0 }, func() string { return "late requests do not end" })
}

func (w *faultyNetwork) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	mode := w.mode.Load()
	switch mode {
	case modeDown:
		dropConnection(out)
		return
	case modePortal:
		answerPage(out, max(int(w.page.Load()), http.StatusOK))
		return
	case modeSilent:
		<-r.Context().Done()
		return
	}
	fate, wait, status := w.choose(mode)
	w.counts[fate].Add(1)
	switch fate {
	case requestLost:
		dropConnection(out)
		return
	case requestLate:
		w.forwardLate(r, body, 5*wait)
		dropConnection(out)
		return
	case pageBefore:
		answerPage(out, status)
		return
	case requestDoubled:
		if first, err := w.forward(r, body); err == nil {
			first.Body.Close()
		}
	case requestDelayed:
		select {
		case <-time.After(wait):
		case <-r.Context().Done():
		}
	}
	res, err := w.forward(r, body)
	if err != nil || w.mode.Load() == modeDown {
		dropConnection(out)
		return
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil || fate == answerLost || w.mode.Load() == modeDown {
		dropConnection(out)
		return
	}
	if fate == pageAfter {
		answerPage(out, status)
		return
	}
	a := &answer{res.StatusCode, res.Header, text}
	if earlier := w.swap(r.Method, a); fate == answerSwapped {
		a = earlier
	}
	for name, values := range a.header {
		out.Header()[name] = values
	}
	out.Header().Set("Content-Length", strconv.Itoa(len(a.body)))
	out.WriteHeader(a.status)
	if fate == answerCut {
		_, _ = out.Write(a.body[:len(a.body)/2])
		dropConnection(out)
		return
	}
	_, _ = out.Write(a.body)
}

func (w *faultyNetwork) forward(r *http.Request, body []byte) (*http.Response, error) {
	out, err := http.NewRequestWithContext(r.Context(), r.Method, w.to+r.URL.RequestURI(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	out.Header = r.Header.Clone()
	return w.transport.RoundTrip(out)
}
