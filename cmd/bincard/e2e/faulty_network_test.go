package e2e_test

import (
	"bytes"
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
	modeOpen   int32 = iota
	modeFaulty       // loses, repeats and delays requests, and truncates answers
	modeDown         // drops all requests, including those in progress
	modePortal       // answers everything with a page
	modeSilent       // accepts connections and answers nothing
)

// A faultyNetwork is the connection between a site and its service.
type faultyNetwork struct {
	url       string
	to        string
	transport *http.Transport
	server    *httptest.Server
	mode      atomic.Int32
	page      atomic.Int32 // the status of the page, 0 for 200
	// counts has the number of requests by fate.
	counts [fates]atomic.Int64

	mu     sync.Mutex
	random *rand.Rand
}

// newFaultyNetwork returns a network in front of the service at URL to. The seed
// determines the faults.
func newFaultyNetwork(t testing.TB, to string, seed uint64) *faultyNetwork {
	t.Helper()
	w := &faultyNetwork{to: to, transport: &http.Transport{}, random: rand.New(rand.NewPCG(seed, seed))}
	w.server = httptest.NewServer(w)
	w.url = w.server.URL
	t.Cleanup(func() { w.setMode(modeDown); w.transport.CloseIdleConnections(); w.server.Close() })
	return w
}

// setMode changes the mode. modeDown also cuts open connections.
func (w *faultyNetwork) setMode(mode int32) {
	w.mode.Store(mode)
	if mode == modeDown {
		w.server.CloseClientConnections()
	}
}

// The fates of a request in modeFaulty.
const (
	requestLost = iota // dropped before it reaches the service
	answerLost         // forwarded, but the answer is dropped
	requestDoubled
	requestDelayed
	answerCut
	passed
	fates
)

// choose returns the fate of the next request and how long it is delayed. Half of the
// requests pass.
func (w *faultyNetwork) choose(mode int32) (fate int, wait time.Duration) {
	if mode != modeFaulty {
		return passed, 0
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return min(w.random.IntN(2*passed), passed), time.Duration(w.random.IntN(200)) * time.Millisecond
}

// answerPage answers with a page.
func answerPage(out http.ResponseWriter, status int) {
	out.Header().Set("Content-Type", "text/html")
	out.WriteHeader(status)
	_, _ = io.WriteString(out, "<html><title>Harbour guest network</title>Please sign in.</html>")
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
	fate, wait := w.choose(mode)
	w.counts[fate].Add(1)
	switch fate {
	case requestLost:
		dropConnection(out)
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
	for name, values := range res.Header {
		out.Header()[name] = values
	}
	out.Header().Set("Content-Length", strconv.Itoa(len(text)))
	out.WriteHeader(res.StatusCode)
	if fate == answerCut {
		_, _ = out.Write(text[:len(text)/2])
		dropConnection(out)
		return
	}
	_, _ = out.Write(text)
}

func (w *faultyNetwork) forward(r *http.Request, body []byte) (*http.Response, error) {
	out, err := http.NewRequestWithContext(r.Context(), r.Method, w.to+r.URL.RequestURI(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	out.Header = r.Header.Clone()
	return w.transport.RoundTrip(out)
}
