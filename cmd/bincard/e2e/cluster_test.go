package e2e_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"bincard/apiclient"
	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/store/pgstore/pgtest"
	"bincard/server/testenv"
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

// A stockRequest changes the stock on hand of a product, or reads it if it adds nothing.
type stockRequest struct {
	product int
	add     int64
}

// stockModel is what clients may see if all requests were performed one after the other.
var stockModel = porcupine.Model{
	Partition: func(all []porcupine.Operation) (parts [][]porcupine.Operation) {
		index := map[int]int{}
		for _, op := range all {
			i, ok := index[op.Input.(stockRequest).product]
			if !ok {
				i = len(parts)
				index[op.Input.(stockRequest).product] = i
				parts = append(parts, nil)
			}
			parts[i] = append(parts[i], op)
		}
		return parts
	},
	Init: func() any { return int64(100) },
	Step: func(state, input, output any) (bool, any) {
		after := state.(int64) + input.(stockRequest).add
		return output == after, after
	},
}

// A history is the requests of clients with what they saw.
type history struct {
	mu      sync.Mutex
	started time.Time
	all     []porcupine.Operation
}

func (x *history) record(client int, in stockRequest, called time.Time, out int64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.all = append(x.all, porcupine.Operation{ClientId: client, Input: in, Call: int64(called.Sub(x.started)), Output: out, Return: int64(time.Since(x.started))})
}

// TestCluster_OneHistory pauses one of three nodes for longer than any timeout, and kills
// another and the database, while clients that change nodes write and read. What they see
// could be that of a single service.
func TestCluster_OneHistory(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	requests := testenv.ClusterHistory.Cases(t)
	db := pgtest.Start(t)
	c := newCompanyIn(t, db.Database(t))
	products := make([]api.ID, 3)
	c.withLedger(func(l *ledger.Ledger) {
		for i := range products {
			products[i] = do(t, c.service(l), api.CreateProduct, api.CreateProductInput{SKU: fmt.Sprint("P-", i), Name: "Product"}).ID
			do(t, c.service(l), api.AdjustStock, api.AdjustStockInput{StockKey: api.StockKey{ProductID: products[i], LocationID: c.main}, InventoryState: api.OnHand, QuantityDelta: 100, Reason: "found"})
		}
	})
	cluster := h.serveCluster(c, 3)
	seen, turns := &history{started: time.Now()}, make(chan struct{})
	var clients sync.WaitGroup
	for i := range 9 {
		w := &clusterClient{t: t, id: i, c: c, products: products, seen: seen, random: rand.New(rand.NewPCG(1, uint64(i)))}
		for _, node := range cluster.nodes {
			w.nodes = append(w.nodes, w.connect(node.url))
		}
		clients.Go(func() { w.work(turns) })
	}
	workThrough := func(fault func()) { // which comes in the middle of the work
		for n := range requests {
			if n == requests/2 {
				fault()
			}
			select {
			case turns <- struct{}{}:
			case <-time.After(waitTimeout):
				require.Fail(t, "the clients wait")
			}
		}
	}

	paused := cluster.nodes[0].cmd.Process
	workThrough(func() { require.NoError(t, paused.Signal(syscall.SIGSTOP)) })
	workThrough(func() { cluster.killNode(1) })
	conn, err := pgx.Connect(t.Context(), c.database)
	require.NoError(t, err)
	defer func() { _ = conn.Close(context.Background()) }()
	eventually(t, func() bool { // the database ends the paused node's transaction
		var open int
		err := conn.QueryRow(t.Context(), "SELECT count(*) FROM pg_stat_activity WHERE backend_xid IS NOT NULL "+
			"AND state LIKE 'idle in transaction%' AND state_change < now() - interval '1s'").Scan(&open)
		require.NoError(t, err)
		return open == 0
	}, func() string { return "a transaction that writes stays open" })
	workThrough(func() { require.NoError(t, paused.Signal(syscall.SIGCONT)) })
	workThrough(func() {
		db.Kill()
		db.Restart(t)
	})
	close(turns)
	clients.Wait()
	require.Equal(t, porcupine.Ok, porcupine.CheckOperationsTimeout(stockModel, seen.all, time.Minute))
	cluster.service.end(syscall.SIGTERM)
	out, status := c.on(h).run("verify")
	require.Zero(t, status, out)
}

// A clusterClient changes to the next node when one does not answer.
type clusterClient struct {
	t        *testing.T
	id       int
	c        *company
	products []api.ID
	nodes    []api.Service
	seen     *history
	random   *rand.Rand
}

func (w *clusterClient) connect(url string) api.Service {
	client, err := apiclient.New(apiclient.Config{URL: url, Key: w.c.key, Organization: w.c.org.String(), Timeout: 3 * time.Second})
	require.NoError(w.t, err)
	w.t.Cleanup(client.Close)
	return client
}

// work sends a request each time it has a turn.
func (w *clusterClient) work(turns <-chan struct{}) {
	node, n := w.id, 0
	for range turns {
		n++
		if w.random.IntN(4) == 0 {
			node++
		}
		in := stockRequest{product: w.random.IntN(len(w.products))}
		if w.random.IntN(2) == 0 {
			in.add = 1 + w.random.Int64N(5)
		}
		key, called := api.Key(fmt.Sprintf("h-%d-%d", w.id, n)), time.Now()
		for {
			out, err := w.send(w.nodes[node%len(w.nodes)], in, key)
			if err == nil {
				w.seen.record(w.id, in, called, out)
				break
			}
			if !api.HasCode(err, api.Unavailable) || w.t.Failed() {
				w.t.Errorf("%+v: %v", in, err)
				return
			}
			node++
		}
	}
}

// send returns the stock on hand that a request left or read.
func (w *clusterClient) send(svc api.Service, in stockRequest, key api.Option) (int64, error) {
	at := api.StockKey{ProductID: w.products[in.product], LocationID: w.c.main}
	if in.add == 0 {
		list, err := api.ListBalances.Call(w.t.Context(), svc, api.ListBalancesInput{StockFilter: api.StockFilter{ProductID: at.ProductID, LocationID: at.LocationID}})
		if err != nil {
			return 0, err
		}
		return list.Items[0].OnHand, nil
	}
	got, err := api.AdjustStock.Call(w.t.Context(), svc, api.AdjustStockInput{StockKey: at, InventoryState: api.OnHand, QuantityDelta: in.add, Reason: "found"}, key)
	return got.Balance.OnHand, err
}
