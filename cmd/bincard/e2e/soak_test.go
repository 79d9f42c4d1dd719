package e2e_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/store/pgstore/pgtest"
	"bincard/server/testenv"
)

// soakRate is the limit of requests per second of a key, which only the flood reaches.
const soakRate = "60"

// A soak is a service that the clients of three organizations use for long, while one of
// the organizations floods it and it is killed and restarted.
type soak struct {
	t       *testing.T
	h       *machine
	service *service
	length  time.Duration
	tenants []*soakTenant
	ctx     context.Context // done when the clients are to stop
	stop    func()
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
	s.ctx, s.stop = context.WithCancel(t.Context())
	t.Cleanup(s.stop)
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

// newClient returns a client of an organization. It makes requests only after connect.
func (s *soak) newClient(x *soakTenant, name, key string) *soakClient {
	return &soakClient{s: s, tenant: x, name: name, key: key, random: rand.New(rand.NewPCG(rand.Uint64(), 1))}
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
	started, tick := time.Now(), time.NewTicker(s.length/1000)
	defer tick.Stop()
	for n := 0; time.Since(started) < s.length; <-tick.C {
		if n < len(s.restarts) && time.Since(started) > s.spacing*time.Duration(n+1) {
			s.restarts[n]()
			n++
		}
		s.sampleMemory()
	}
	s.stop()
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
	length, clients := time.Duration(testenv.ServiceSoak.Cases(t))*time.Second, 4
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
	kills, clients := testenv.ClusterSoak.Cases(t), 4
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

// A memorySample is the memory of the service, in MB: all that is resident, and the part
// that does not belong to files.
type memorySample struct{ resident, anonymous int }

// sampleMemory records the memory of the service, on systems that tell it.
func (s *soak) sampleMemory() {
	if s.service.cmd == nil { // a cluster
		return
	}
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.service.cmd.Process.Pid))
	if err != nil {
		return
	}
	read := func(name string) int {
		_, rest, _ := strings.Cut(string(text), name+":")
		fields := strings.Fields(rest)
		if len(fields) == 0 {
			return 0
		}
		kb, _ := strconv.Atoi(fields[0])
		return kb / 1024
	}
	s.memory = append(s.memory, memorySample{read("VmRSS"), read("RssAnon")})
}

// checkMemory requires that the last process did not grow in the second half of its time.
// In the first its caches fill, and the heap is up to five times what it holds. The pages of
// files are the system's to free.
func (s *soak) checkMemory() {
	var quarters [4]memorySample
	if len(s.memory) < 100 {
		return
	}
	for i := range quarters {
		part := s.memory[len(s.memory)*i/4 : len(s.memory)*(i+1)/4]
		median := func(of func(memorySample) int) int {
			all := make([]int, len(part))
			for i, m := range part {
				all[i] = of(m)
			}
			slices.Sort(all)
			return all[len(all)/2]
		}
		quarters[i] = memorySample{median(func(m memorySample) int { return m.resident }), median(func(m memorySample) int { return m.anonymous })}
	}
	s.t.Logf("memory by quarter of the last process, in MB (resident, without files): %v", quarters)
	if third, last := quarters[2].anonymous, quarters[3].anonymous; s.length >= 10*time.Minute && last > third*5/4 {
		s.fault("the service's memory grew from %d to %d MB", third, last)
	}
}

// finish requires that every write was applied once or refused, that all data verifies and
// that nothing else went wrong.
func (s *soak) finish() {
	s.checkMemory()
	for _, x := range s.tenants {
		s.checkWrites(x)
		x.log()
	}
	s.service.end(syscall.SIGTERM)
	out, status := s.tenants[0].on(s.h).run("verify")
	require.Zero(s.t, status, out)
	for i, fault := range s.faults {
		if i == 20 {
			s.t.Errorf("and %d more faults", len(s.faults)-i)
			break
		}
		s.t.Error(fault)
	}
}

// checkWrites compares the answers that an organization's clients had with the changes
// that the service made.
func (s *soak) checkWrites(x *soakTenant) {
	applied := map[string]*api.Change{}
	svc := x.client(s.service.url, x.key)
	for limit, after := int64(500), int64(0); ; {
		page := do(s.t, svc, api.ListChanges, api.ListChangesInput{After: &after, Limit: &limit})
		if len(page.Items) == 0 {
			break
		}
		for i := range page.Items {
			c := &api.Change{Key: page.Items[i].Key, Operation: page.Items[i].Operation}
			for _, m := range page.Items[i].Movements[:min(1, len(page.Items[i].Movements))] {
				c.Movements = []api.Movement{{Quantity: m.Quantity}}
			}
			if applied[c.Key] != nil {
				s.fault("%s is applied twice", c.Key)
			}
			applied[c.Key] = c
		}
		after = page.Items[len(page.Items)-1].Seq
	}
	accepted := 0
	for _, client := range x.clients {
		for n, w := range client.writes {
			c := applied[fmt.Sprintf("%s-%d", client.name, n)]
			switch {
			case !w.accepted && c != nil:
				s.fault("%s-%d was refused and is applied", client.name, n)
			case !w.accepted:
				continue
			case c == nil:
				s.fault("%s-%d was accepted and is lost", client.name, n)
			case c.Operation != w.operation || w.delta != 0 && (len(c.Movements) == 0 || c.Movements[0].Quantity != w.delta):
				s.fault("%s-%d is applied as another operation: %+v", client.name, n, c)
			}
			accepted++
		}
	}
	made := 0
	for key := range applied {
		if strings.HasPrefix(key, "soak-") {
			made++
		}
	}
	if accepted != made {
		s.fault("%d writes were accepted, and %d made", accepted, made)
	}
	s.t.Logf("%d writes accepted, each applied once", accepted)
}

// log reports what the clients of an organization did and how long they waited.
func (x *soakTenant) log() {
	var reads, writes []time.Duration
	for _, c := range x.clients {
		reads, writes = append(reads, c.took.reads...), append(writes, c.took.writes...)
	}
	what := "mixed"
	if x.floods {
		what = "flood"
	}
	x.t.Logf("%s: %d answers (429: %d, 503: %d), %d connections broken in outages; reads %d, p50/p99/max %s; writes %d, p50/p99/max %s", what,
		x.requests.Load(), x.limited.Load(), x.busy.Load(), x.broken.Load(), len(reads), percentiles(reads), len(writes), percentiles(writes))
	if !x.floods && x.limited.Load() > 0 {
		x.t.Errorf("%d requests of an organization that does not flood were answered 429", x.limited.Load())
	}
}

func percentiles(all []time.Duration) string {
	if len(all) == 0 {
		return "-"
	}
	slices.Sort(all)
	at := func(part float64) time.Duration {
		return all[min(len(all)-1, int(part*float64(len(all))))].Round(time.Millisecond)
	}
	return fmt.Sprintf("%v/%v/%v", at(.5), at(.99), at(1))
}
