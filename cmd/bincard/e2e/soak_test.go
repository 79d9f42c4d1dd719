package e2e_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/budget"
	"bincard/server/ledger"
	"bincard/server/store/pgstore/pgtest"
)

// soakRate is the limit of requests per second of a key, which only the flood reaches.
const soakRate = "60"

// A soak is a service that the clients of three organizations use for long, while one of
// the organizations floods it and it is killed and restarted.
type soak struct {
	t        *testing.T
	h        *machine
	service  *service
	length   time.Duration
	tenants  []*soakTenant
	stopping atomic.Bool
	// outages is odd while the service is down.
	outages atomic.Int64
	memory  []memorySample
	// restarts kill or restart a part of the service, each once, spacing apart.
	restarts []func()
	spacing  time.Duration

	mu     sync.Mutex
	faults []string
}

// A soakTenant is an organization of a soak.
type soakTenant struct {
	*company
	floods   bool
	products []api.ID
	balances []api.ID
	clients  []*soakClient
	// requests counts answers, limited and busy those with 429 and 503, and broken the
	// connections that broke in an outage.
	requests, limited, busy, broken atomic.Int64
}

// newSoak creates three organizations that have clients each, in a data directory, or in a
// database if its URL is not empty.
func newSoak(t *testing.T, length time.Duration, clients int, database string) *soak {
	s := &soak{t: t, h: newMachine(t), length: length}
	t.Cleanup(func() { s.stopping.Store(true) })
	for i := range 3 {
		x := &soakTenant{floods: i == 2}
		if database != "" {
			x.company = newCompanyIn(t, database)
		} else {
			x.company = newCompany(t, s.h.path("data"))
		}
		s.tenants = append(s.tenants, x)
		keys := make([]string, clients/2)
		x.withLedger(func(l *ledger.Ledger) {
			for k := range keys {
				var err error
				keys[k], _, err = l.CreateKey(t.Context(), account.KeyInput{Organization: x.org, Environment: api.Live, Label: fmt.Sprint("till ", k), Scopes: api.Scopes})
				require.NoError(t, err)
			}
			x.addStock(x.service(l))
		})
		if x.floods {
			keys = keys[:1]
		}
		for c := range clients {
			x.clients = append(x.clients, s.newClient(x, fmt.Sprintf("soak-%d-%d", i, c), keys[c%len(keys)]))
		}
	}
	return s
}

func (s *soak) serve() {
	addr := freeAddress(s.t)
	if s.service != nil {
		addr = s.service.addr
	}
	s.service = s.h.serve(s.tenants[0].company, addr, "--rate", soakRate)
	s.connect()
}

func (s *soak) connect() {
	for _, x := range s.tenants {
		for _, c := range x.clients {
			if c.svc == nil {
				c.connect(s.service.url)
			}
		}
	}
}

// addStock creates products with stock, and large inbounds.
func (x *soakTenant) addStock(svc api.Service) {
	for i := range 8 {
		p := do(x.t, svc, api.CreateProduct, api.CreateProductInput{SKU: fmt.Sprintf("P-%d", i), Name: fmt.Sprintf("Product %d", i)}).ID
		got := do(x.t, svc, api.AdjustStock, api.AdjustStockInput{StockKey: api.StockKey{ProductID: p, LocationID: x.main}, InventoryState: api.OnHand,
			QuantityDelta: 200, Reason: "opening stock"})
		x.products = append(x.products, p)
		x.balances = append(x.balances, got.Balance.ID)
	}
}

// fault records something that must not happen.
func (s *soak) fault(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, fmt.Sprintf(format, args...))
}

// run lets the clients work for the length of the soak.
func (s *soak) run() {
	var all sync.WaitGroup
	for _, x := range s.tenants {
		for _, c := range x.clients {
			all.Go(c.work)
		}
	}
	started := time.Now()
	for n := 0; time.Since(started) < s.length; time.Sleep(s.length / 1000) {
		if n < len(s.restarts) && time.Since(started) > s.spacing*time.Duration(n+1) {
			s.restarts[n]()
			n++
		}
		s.sampleMemory()
	}
	s.stopping.Store(true)
	all.Wait()
}

// restart ends the service and starts it again.
func (s *soak) restart(how syscall.Signal) {
	s.outages.Add(1)
	from := time.Now()
	s.service.end(how)
	ended := time.Since(from)
	s.serve()
	s.outages.Add(1)
	s.memory = nil
	s.t.Logf("%v: ended after %v, served again after %v", how, ended.Round(time.Millisecond), time.Since(from).Round(time.Millisecond))
}

// TestService_Soak uses the service with the clients of three organizations, one of which
// floods it, through two kills and a restart. Every write is answered and applied once, a
// refusal says when to go on, and memory does not grow. BINCARD_CASES is the number of
// seconds; from 60 on, 192 clients use it.
func TestService_Soak(t *testing.T) {
	t.Parallel()
	length, clients := time.Duration(budget.ServiceSoak.Cases(t))*time.Second, 4
	if length >= time.Minute {
		clients = 64
	}
	s := newSoak(t, length, clients, "")
	s.serve()
	s.spacing = length / 10 // so that the last process runs for most of the time
	for _, how := range []syscall.Signal{syscall.SIGKILL, syscall.SIGKILL, syscall.SIGTERM} {
		s.restarts = append(s.restarts, func() { s.restart(how) })
	}
	s.run()
	s.finish()
}

// TestCluster_Soak does the same with three nodes on a database, of which one, or the
// database, is killed again and again. No client loses a connection. BINCARD_CASES is the
// number of kills; from 50 on, there are 96 clients.
func TestCluster_Soak(t *testing.T) {
	t.Parallel()
	kills, clients := budget.ClusterSoak.Cases(t), 4
	if kills >= 50 {
		clients = 32
	}
	db := pgtest.Start(t)
	s := newSoak(t, time.Duration(kills)*1500*time.Millisecond, clients, db.Database(t))
	cluster := s.h.serveCluster(s.tenants[0].company, 3, "--rate", soakRate)
	s.service = cluster.service
	s.connect()
	s.spacing = s.length / time.Duration(kills+1)
	for n := range kills {
		s.restarts = append(s.restarts, func() {
			if i := n % (len(cluster.nodes) + 1); i < len(cluster.nodes) {
				cluster.killNode(i)
				return
			}
			db.Kill()
			db.Restart(t)
		})
	}
	s.run()
	s.finish()
}

// newClient returns a client of an organization. It makes requests only after connect.
func (s *soak) newClient(x *soakTenant, name, key string) *soakClient {
	return &soakClient{s: s, tenant: x, name: name, key: key, random: rand.New(rand.NewPCG(rand.Uint64(), 1))}
}
