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
	open   int32 = iota
	rough        // loses, doubles, delays and cuts short
	gone         // nothing gets through, and what is under way is cut
	portal       // a sign-in page answers everything
)

// A wire is the line between a site and its service.
type wire struct {
	url   string
	t     testing.TB
	to    string
	line  *http.Transport
	front *httptest.Server
	is    atomic.Int32
	// did counts what befell requests, by what it was.
	did [6]atomic.Int64

	mu     sync.Mutex
	random *rand.Rand
}

// newWire leads to a service. What it does when it is rough follows from the seed.
func newWire(t testing.TB, to string, seed uint64) *wire {
	t.Helper()
	w := &wire{t: t, to: to, line: &http.Transport{}, random: rand.New(rand.NewPCG(seed, seed))}
	w.front = httptest.NewServer(w)
	w.url = w.front.URL
	t.Cleanup(func() { w.turn(gone); w.line.CloseIdleConnections(); w.front.Close() })
	return w
}

// turn makes the wire another one. When it is gone so is what is under way.
func (w *wire) turn(is int32) {
	w.is.Store(is)
	if is == gone {
		w.front.CloseClientConnections()
	}
}

// What befalls a request on a rough wire.
const (
	lost    = iota // before it arrives
	unheard        // the answer is
	doubled
	delayed
	short
	through
)

func (w *wire) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	fate, wait := through, time.Duration(0)
	switch w.is.Load() {
	case gone:
		cut(out)
		return
	case portal:
		out.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(out, "<html><title>Harbour guest network</title>Please sign in.</html>")
		return
	case rough:
		w.mu.Lock()
		fate, wait = w.random.IntN(2*through), time.Duration(w.random.IntN(200))*time.Millisecond
		w.mu.Unlock()
	}
	w.did[min(fate, through)].Add(1)
	switch fate {
	case lost:
		cut(out)
		return
	case doubled:
		if twin, err := w.forward(r, body); err == nil {
			twin.Body.Close()
		}
	case delayed:
		select {
		case <-time.After(wait):
		case <-r.Context().Done():
		}
	}
	res, err := w.forward(r, body)
	if err != nil || w.is.Load() == gone {
		cut(out)
		return
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil || fate == unheard || w.is.Load() == gone {
		cut(out)
		return
	}
	for name, values := range res.Header {
		out.Header()[name] = values
	}
	out.Header().Set("Content-Length", strconv.Itoa(len(answer)))
	out.WriteHeader(res.StatusCode)
	if fate == short {
		_, _ = out.Write(answer[:len(answer)/2])
		cut(out)
		return
	}
	_, _ = out.Write(answer)
}

func (w *wire) forward(r *http.Request, body []byte) (*http.Response, error) {
	there, err := http.NewRequestWithContext(r.Context(), r.Method, w.to+r.URL.RequestURI(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	there.Header = r.Header.Clone()
	return w.line.RoundTrip(there)
}
