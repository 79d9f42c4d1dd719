package bench_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/store/pgstore/pgtest"
)

// A pgCase is a load on nodes, each with a share of the clients.
type pgCase struct {
	name     string
	nodes    []world
	clients  int // of all nodes
	products int
	to       string // the case that the ratio is to
	got      [][]measurement
}

// BenchmarkPostgres compares a service on PostgreSQL, with one and two nodes, to one in a
// data directory. It ignores -benchtime.
func BenchmarkPostgres(b *testing.B) {
	db := pgtest.StartDurable(b)
	bolt, _ := start(b, "service", filepath.Join(b.TempDir(), "data"))
	url := db.Database(b)
	one, _ := start(b, "database", url)
	two := startNode(b, url, one)
	far := startNode(b, "postgres://bincard@"+delayed(b, db.Socket())+"/d1?sslmode=disable", one)
	other := two
	other.Org, other.Key, other.Location, other.Products = one.Other.Org, one.Other.Key, one.Other.Location, one.Other.Products
	cases := []*pgCase{
		{name: "data directory", nodes: []world{bolt}, clients: 64, products: spread},
		{name: "data directory", nodes: []world{bolt}, clients: 1, products: spread},
		{name: "one node", nodes: []world{one}, clients: 64, products: spread, to: "data directory"},
		{name: "one node", nodes: []world{one}, clients: 1, products: spread, to: "data directory"},
		{name: "one node, one balance", nodes: []world{one}, clients: 64, products: 1, to: "one node"},
		{name: "two nodes, an organization each", nodes: []world{one, other}, clients: 64, products: spread, to: "one node"},
		{name: "two nodes, one organization", nodes: []world{one, two}, clients: 64, products: spread, to: "one node"},
		{name: "one node, database 1 ms away", nodes: []world{far}, clients: 64, products: spread, to: "one node"},
	}
	for _, c := range cases { // creates every balance
		c.measure(b)
	}
	for range *rounds {
		for _, c := range cases {
			c.got = append(c.got, c.measure(b))
		}
	}
	fmt.Printf("\n%-34s %8s %10s %9s %9s %9s %8s\n", "", "clients", "requests/s", "p50 ms", "p99 ms", "slow node", "ratio")
	for _, c := range cases {
		ratio, of := 0.0, ""
		if i := slices.IndexFunc(cases, func(x *pgCase) bool { return x.name == c.to && x.clients == c.clients }); i >= 0 {
			ratio, of = c.figure(total)/cases[i].figure(total), " of "+c.to
		}
		fmt.Printf("%-34s %8d %10.0f %9.2f %9.2f %9.2f %8.2f%s\n", c.name, c.clients, c.figure(total),
			c.figure(func(m []measurement) float64 { return ms(m[0].p50) }), c.figure(func(m []measurement) float64 { return ms(m[0].p99) }),
			c.figure(slowest), ratio, of)
	}
	read := reads(b, one)
	fmt.Printf("GET of a balance, one client: p50 %.2f ms, p99 %.2f ms\n", ms(read.p50), ms(read.p99))
	began := time.Now()
	fresh := startNode(b, url, one)
	ready := time.Since(began)
	began = time.Now()
	readBalance(b, &http.Transport{}, fresh, 0)
	fmt.Printf("a new node: ready after %v, first answer after %v more\n\n", ready.Round(time.Millisecond), time.Since(began).Round(time.Millisecond))
	b.ReportMetric(0, "ns/op")
}

// startNode starts another node on the database of a world.
func startNode(b *testing.B, url string, like world) world {
	b.Helper()
	node, _ := start(b, "node", url)
	like.URL, like.Pid = node.URL, node.Pid
	return like
}

// measure makes the clients of all nodes work at the same time, after the nodes have read
// what others wrote since they were measured last.
func (c *pgCase) measure(b *testing.B) []measurement {
	b.Helper()
	list := make([]measurement, len(c.nodes))
	for range 2 {
		var wg sync.WaitGroup
		for i, w := range c.nodes {
			wg.Go(func() { list[i] = load(b, w, c.clients/len(c.nodes), c.products, *measureTime) })
		}
		wg.Wait()
	}
	return list
}

// figure returns the median of a figure over the rounds.
func (c *pgCase) figure(of func([]measurement) float64) float64 {
	var list []float64
	for _, m := range c.got {
		list = append(list, of(m))
	}
	slices.Sort(list)
	return list[len(list)/2]
}

func total(m []measurement) (sum float64) {
	for _, x := range m {
		sum += x.rate
	}
	return sum
}

// slowest returns the rate of the slowest node as a part of the fastest node's.
func slowest(m []measurement) float64 {
	rates := []float64{m[0].rate, m[len(m)-1].rate}
	return slices.Min(rates) / slices.Max(rates)
}

// reads measures one client that reads balances.
func reads(b *testing.B, w world) measurement {
	b.Helper()
	t := &http.Transport{}
	defer t.CloseIdleConnections()
	var times []time.Duration
	for begin := time.Now(); time.Since(begin) < 3**measureTime; {
		sent := time.Now()
		readBalance(b, t, w, len(times))
		times = append(times, time.Since(sent))
	}
	slices.Sort(times)
	return measurement{p50: times[len(times)/2], p99: times[len(times)*99/100]}
}

func readBalance(b *testing.B, t *http.Transport, w world, n int) {
	b.Helper()
	status, err := send(t, w.request("GET", "/balances?limit=1&productId="+w.Products[n%spread].String(), ""))
	require.NoError(b, err)
	require.Equal(b, http.StatusOK, status)
}

// delayed returns the address of a network that passes connections on to a socket. What the
// server sends arrives a millisecond late.
func delayed(b *testing.B, socket string) string {
	b.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(b, err)
	b.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("unix", socket)
			if err != nil {
				_ = client.Close()
				continue
			}
			go func() {
				_, _ = io.Copy(server, client)
				_ = server.Close()
			}()
			go passLate(client, server)
		}
	}()
	return l.Addr().String()
}

// passLate copies what arrives to a client, each part a millisecond after it arrived.
func passLate(client io.WriteCloser, server io.Reader) {
	type part struct {
		data []byte
		at   time.Time
	}
	parts := make(chan part, 1024)
	go func() {
		defer client.Close()
		for p := range parts {
			<-time.After(time.Until(p.at.Add(time.Millisecond)))
			if _, err := client.Write(p.data); err != nil {
				return
			}
		}
	}()
	defer close(parts)
	for {
		buf := make([]byte, 16<<10)
		n, err := server.Read(buf)
		if err != nil {
			return
		}
		parts <- part{buf[:n], time.Now()}
	}
}
