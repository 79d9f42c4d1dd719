package e2e_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"bincard/apiclient"
	"bincard/server/api"
	"bincard/server/budget"
	"bincard/server/ledger"
	"bincard/server/store/pgstore/pgtest"
)

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
	requests := budget.ClusterHistory.Cases(t)
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
