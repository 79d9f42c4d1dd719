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

// What a wire does with what comes.
const (
	modeOpen   int32 = iota
	modeFaulty       // loses, doubles, delays and cuts short
	modeDown         // nothing gets through, and what is under way is cut
	modePortal       // a sign-in page answers everything
)

// A faultyNetwork is the line between a site and its service.
type faultyNetwork struct {
	url       string
	t         testing.TB
	to        string
	transport *http.Transport
	server    *httptest.Server
	mode      atomic.Int32
	// counts counts what befell requests, by what it was.
	counts [6]atomic.Int64

	mu     sync.Mutex
	random *rand.Rand
}

// newFaultyNetwork leads to a service. What it does when it is rough follows from the seed.
func newFaultyNetwork(t testing.TB, to string, seed uint64) *faultyNetwork {
	t.Helper()
	w := &faultyNetwork{t: t, to: to, transport: &http.Transport{}, random: rand.New(rand.NewPCG(seed, seed))}
	w.server = httptest.NewServer(w)
	w.url = w.server.URL
	t.Cleanup(func() { w.setMode(modeDown); w.transport.CloseIdleConnections(); w.server.Close() })
	return w
}

// setMode makes the wire another one. When it is gone so is what is under way.
func (w *faultyNetwork) setMode(is int32) {
	w.mode.Store(is)
	if is == modeDown {
		w.server.CloseClientConnections()
	}
}

// What befalls a request on a rough wire.
const (
	answerLost  = iota // before it arrives
	requestLost        // the answer is
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
		_, _ = io.WriteString(out, "<html><title>Harbour guest network</title>Please sign in.</html>")
		return
	case modeFaulty:
		w.mu.Lock()
		fate, wait = w.random.IntN(2*passed), time.Duration(w.random.IntN(200))*time.Millisecond
		w.mu.Unlock()
	}
	w.counts[min(fate, passed)].Add(1)
	switch fate {
	case answerLost:
		dropConnection(out)
		return
	case requestDoubled:
		if twin, err := w.forward(r, body); err == nil {
			twin.Body.Close()
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
	if err != nil || fate == requestLost || w.mode.Load() == modeDown {
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
	there, err := http.NewRequestWithContext(r.Context(), r.Method, w.to+r.URL.RequestURI(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	there.Header = r.Header.Clone()
	return w.transport.RoundTrip(there)
}
