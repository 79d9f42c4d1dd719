package e2e_test

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

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
	_, _ = io.WriteString(out, "<html><title>Harbour guest network</title>Please sign in.</html>")
}

// forwardLate forwards a request that nobody waits for.
func (w *faultyNetwork) forwardLate(r *http.Request, body []byte, wait time.Duration) {
	r = r.Clone(context.WithoutCancel(r.Context()))
	w.late.Add(1)
	go func() {
		defer w.late.Add(-1)
		time.Sleep(wait)
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
