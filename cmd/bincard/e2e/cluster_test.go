package e2e_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// A cluster is several services on one database, behind a load balancer.
type cluster struct {
	t       testing.TB
	h       *machine
	c       *company
	flags   []string // of the nodes
	service *service // the load balancer, as clients see it
	turn    atomic.Uint64

	mu    sync.Mutex
	nodes []*service

	stop   chan struct{}
	losses sync.WaitGroup
}

// serveCluster starts a number of nodes on the company's database.
func (h *machine) serveCluster(c *company, nodes int, flags ...string) *cluster {
	h.t.Helper()
	k := &cluster{t: h.t, h: h, c: c, flags: flags, stop: make(chan struct{})}
	for range nodes {
		k.nodes = append(k.nodes, h.serve(c, "", flags...))
	}
	front := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(*httputil.ProxyRequest) {}, Transport: k,
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { dropConnection(w) }})
	h.t.Cleanup(front.Close)
	k.service = &service{t: h.t, url: front.URL, transport: &http.Transport{}, cluster: k}
	return k
}

// RoundTrip sends a request to one node after the other until one answers that can serve it.
// A write may be sent again because it has an idempotency key.
func (k *cluster) RoundTrip(r *http.Request) (res *http.Response, err error) {
	var body []byte
	if r.Body != nil {
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
	}
	err = errors.New("no node answers")
	for try := range 20 * len(k.nodes) {
		if try >= len(k.nodes) { // all nodes have failed
			select {
			case <-r.Context().Done():
				return nil, r.Context().Err()
			case <-time.After(50 * time.Millisecond):
			}
		}
		addr, transport := k.next()
		again := r.Clone(r.Context())
		again.URL, again.Body = &url.URL{Scheme: "http", Host: addr, Path: r.URL.Path, RawQuery: r.URL.RawQuery}, io.NopCloser(bytes.NewReader(body))
		if res != nil {
			_ = res.Body.Close()
		}
		if res, err = transport.RoundTrip(again); err != nil {
			continue
		}
		var answer []byte
		answer, err = io.ReadAll(res.Body)
		_ = res.Body.Close()
		if err != nil {
			continue
		}
		res.Body = io.NopCloser(bytes.NewReader(answer))
		if res.StatusCode != http.StatusServiceUnavailable || try >= len(k.nodes) {
			return res, nil
		}
	}
	return res, err
}

// next returns the address of the next node in turn.
func (k *cluster) next() (addr string, transport *http.Transport) {
	k.mu.Lock()
	defer k.mu.Unlock()
	node := k.nodes[k.turn.Add(1)%uint64(len(k.nodes))]
	return node.addr, node.transport
}

// killNode kills a node and starts it again.
func (k *cluster) killNode(i int) {
	k.nodes[i].end(syscall.SIGKILL)
	node := k.h.serve(k.c, k.nodes[i].addr, k.flags...)
	k.mu.Lock()
	k.nodes[i] = node
	k.mu.Unlock()
}

// nodeLossInterval is how long the nodes of a cluster that loses them live together.
const nodeLossInterval = 2 * time.Second

// loseNodes kills one node after the other until the service ends.
func (k *cluster) loseNodes() *service {
	k.losses.Go(func() {
		for i := 0; !k.t.Failed(); i = (i + 1) % len(k.nodes) {
			select {
			case <-k.stop:
				return
			case <-time.After(nodeLossInterval):
				k.killNode(i)
			}
		}
	})
	return k.service
}

// end ends all nodes with a signal.
func (k *cluster) end(sig syscall.Signal) {
	close(k.stop)
	k.losses.Wait()
	for _, node := range k.nodes {
		node.end(sig)
	}
}
