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
	t         testing.TB
	to        string
	transport *http.Transport
	server    *httptest.Server
	mode      atomic.Int32
	page      atomic.Int32 // the status of the page, 0 for 200
	// counts has the number of requests by fate.
	counts [6]atomic.Int64

	mu     sync.Mutex
	random *rand.Rand
}

// newFaultyNetwork returns a network in front of the service at URL to. The seed
// determines the faults.
func newFaultyNetwork(t testing.TB, to string, seed uint64) *faultyNetwork {
	t.Helper()
	w := &faultyNetwork{t: t, to: to, transport: &http.Transport{}, random: rand.New(rand.NewPCG(seed, seed))}
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
)

func (w *faultyNetwork) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	fate, wait := passed, time.Duration(0)
	switch w.mode.Load() {
	case modeDown:
		dropConnection(out)
		return
	case modePortal:
		out.Header().Set("Content-Type", "text/html")
		if status := int(w.page.Load()); status != 0 {
			out.WriteHeader(status)
		}
		_, _ = io.WriteString(out, "<html><title>Harbour guest network</title>Please sign in.</html>")
		return
	case modeSilent:
		<-r.Context().Done()
		return
	case modeFaulty:
		w.mu.Lock()
		fate, wait = w.random.IntN(2*passed), time.Duration(w.random.IntN(200))*time.Millisecond
		w.mu.Unlock()
	}
	w.counts[min(fate, passed)].Add(1)
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
	answer, err := io.ReadAll(res.Body)
	if err != nil || fate == answerLost || w.mode.Load() == modeDown {
		dropConnection(out)
		return
	}
	for name, values := range res.Header {
		out.Header()[name] = values
	}
	out.Header().Set("Content-Length", strconv.Itoa(len(answer)))
	out.WriteHeader(res.StatusCode)
	if fate == answerCut {
		_, _ = out.Write(answer[:len(answer)/2])
		dropConnection(out)
		return
	}
	_, _ = out.Write(answer)
}

func (w *faultyNetwork) forward(r *http.Request, body []byte) (*http.Response, error) {
	out, err := http.NewRequestWithContext(r.Context(), r.Method, w.to+r.URL.RequestURI(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	out.Header = r.Header.Clone()
	return w.transport.RoundTrip(out)
}
