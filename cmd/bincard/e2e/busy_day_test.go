package e2e_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/apiclient"
	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/local"
	"bincard/server/testenv"
)

// A busyDay is a day of two edges and a machine with an offline node, whose terminals work
// all the time while processes are killed and the networks fail.
type busyDay struct {
	t        *testing.T
	h        *machine
	c        *company
	service  *service
	sites    []*busySite
	products []api.ID
	inbounds []api.ID
	total    int64 // the number of operations to do
	begun    atomic.Int64
	kills    atomic.Int64
	// programKills is the number of commands that were killed.
	programKills atomic.Int64
	// repeatsRejected is the number of repeats of accepted work that were rejected.
	repeatsRejected atomic.Int64
	modes           [modeHostile + 1]int
	random          *rand.Rand
	// past are the changes that the service had when its data was put back.
	past []api.Change

	mu       sync.Mutex
	accepted []*acceptedWork
	rejected []*acceptedWork
}

// A busySite is a node, its network and its API key.
type busySite struct {
	name    string
	key     *company // the company with the site's API key
	network *faultyNetwork
	svc     api.Service // the node, with a supervisor's access
	dir     string
	shared  atomic.Int64 // the number of keys that it uses as other sites do
	// kill kills the node and starts it again.
	kill func()
	end  func()
}

// An acceptedWork is an operation that a node reported as saved, or rejected.
type acceptedWork struct {
	site      *busySite
	key       string
	operation string
	product   api.ID
	location  api.ID
	delta     int64 // of an adjustment
	takes     int64 // the available stock that it needs
	document  api.ID
	answer    string // the error of rejected work
}

func (a *acceptedWork) String() string {
	return fmt.Sprintf("%s of %s (%s %+d, needs %d)", a.key, a.site.name, a.operation, a.delta, a.takes)
}

// newBusyDay starts the service, the networks and the nodes.
func newBusyDay(t *testing.T, total int64, seed uint64) *busyDay {
	h := newMachine(t)
	d := &busyDay{t: t, h: h, c: newCompany(t, h.path("data")), total: total, random: rand.New(rand.NewPCG(seed, seed))}
	names := []string{"edge-1", "edge-2", "terminal"}
	keys := make([]string, len(names))
	d.c.withLedger(func(l *ledger.Ledger) {
		for i, name := range names {
			var err error
			keys[i], _, err = l.CreateKey(t.Context(), account.KeyInput{Organization: d.c.org, Environment: api.Live, Label: name, Scopes: api.Scopes})
			require.NoError(t, err)
		}
		d.addStock(d.c.service(l))
	})
	d.service = h.serve(d.c, "")
	for i, name := range names {
		key := *d.c
		key.key = keys[i]
		s := &busySite{name: name, key: &key, network: newFaultyNetwork(t, d.service.url, seed+uint64(i))}
		d.sites = append(d.sites, s)
	}
	return d
}

// addStock creates six products with stock at both locations, and large inbounds.
func (d *busyDay) addStock(svc api.Service) {
	for i := range 6 {
		p := do(d.t, svc, api.CreateProduct, api.CreateProductInput{SKU: fmt.Sprintf("P-%d", i), Name: fmt.Sprintf("Product %d", i)}).ID
		d.products = append(d.products, p)
		for _, l := range []api.ID{d.c.main, d.c.store} {
			at := api.StockKey{ProductID: p, LocationID: l}
			do(d.t, svc, api.AdjustStock, api.AdjustStockInput{StockKey: at, InventoryState: api.OnHand, QuantityDelta: 25, Reason: "opening stock"})
			d.inbounds = append(d.inbounds, do(d.t, svc, api.CreateInbound, api.CreateInboundInput{StockKey: at, ExpectedQuantity: 5000}).Inbound.ID)
		}
	}
}

// startEdge starts the edge of a site and three terminals: two programs of devices, and
// commands.
func (d *busyDay) startEdge(s *busySite) []*busyWorker {
	e := newMachine(d.t).startEdge(s.key, s.network.url)
	s.dir, s.svc = e.dir, s.key.client(e.url, e.createDeviceKey("office", ""))
	s.kill = func() { e.end(syscall.SIGKILL); e.start() }
	s.end = func() { e.end(syscall.SIGTERM) }
	var all []*busyWorker
	for _, label := range []string{"scanner-1", "scanner-2"} {
		all = append(all, d.newWorker(s, label, s.key.client(e.url, e.createDeviceKey(label, "")), nil))
	}
	return append(all, d.newWorker(s, "dock", nil, e.newTerminal("dock", "")))
}

// startTerminal starts the offline terminal of a site, whose node the commands on the same
// machine use.
func (d *busyDay) startTerminal(s *busySite) []*busyWorker {
	at := newMachine(d.t).withService(s.key, s.network.url)
	open := func() *screen { return at.openScreen(80, 24, "--offline", "--location", "WH-1") }
	first := open()
	first.awaitReplica().waitFor(firstQuestion, "ONLINE")
	s.svc = s.key.nodeOn(at)
	found, err := filepath.Glob(at.path("data_home", "bincard", "offline", "*"))
	require.NoError(d.t, err)
	require.Len(d.t, found, 1)
	s.dir = found[0]
	s.kill = func() {
		first.signal(syscall.SIGKILL)
		first = open()
	}
	s.end = func() { first.key("C-q").requireExit(0) }
	w := d.newWorker(s, "terminal", nil, at)
	w.more = []string{"--offline"}
	return []*busyWorker{w}
}

// run lets the terminals work, and meanwhile kills processes and breaks networks. Networks
// change until the last terminal is done: only the service can answer for a key that
// another site has used.
func (d *busyDay) run(workers []*busyWorker, kills int64) {
	var all sync.WaitGroup
	var working atomic.Int64
	for _, w := range workers {
		working.Add(1)
		all.Go(func() { defer working.Add(-1); w.work() })
	}
	backup, restored := false, false
	for done := int64(0); working.Load() > 0 && !d.t.Failed(); done = min(d.total, d.begun.Load()) {
		switch {
		case done == d.total:
		case !backup && done > d.total*35/100:
			backup = true
			d.backUp()
		case !restored && done > d.total*60/100:
			restored = true
			d.putBack()
		case d.kills.Load() < done*kills/d.total:
			d.kills.Add(1)
			if at := d.random.IntN(len(d.sites) + 1); at < len(d.sites) {
				d.sites[at].kill()
			} else {
				d.service.end(syscall.SIGKILL)
				d.service = d.h.serve(d.c, d.service.addr)
			}
		}
		d.breakNetwork(d.sites[d.random.IntN(len(d.sites))])
		if d.random.IntN(10) == 0 {
			d.takeStock()
		}
		d.syncSoon()
		pause(d.t.Context(), time.Duration(20+d.random.IntN(150))*time.Millisecond)
	}
	all.Wait()
	require.False(d.t, d.t.Failed())
	require.True(d.t, restored)
}

// breakNetwork changes how a network fails.
func (d *busyDay) breakNetwork(s *busySite) {
	mode := modeHostile
	switch d.random.IntN(20) {
	case 0, 1:
		mode = modeDown
	case 2, 3:
		mode = modePortal
		s.network.page.Store(int32(pages[d.random.IntN(len(pages))]))
	case 4:
		mode = modeSilent
	case 5, 6, 7:
		mode = modeOpen
	}
	d.modes[mode]++
	s.network.setMode(mode)
}

// syncSoon lets the sites that wait after an outage sync now.
func (d *busyDay) syncSoon() {
	ctx, cancel := context.WithTimeout(d.t.Context(), time.Second)
	defer cancel()
	for _, s := range d.sites {
		_, _ = api.TrySync.Call(ctx, s.svc, api.SyncInput{}) // the node may be starting
	}
}

// takeStock takes available stock at the service, which the sites do not know yet.
func (d *busyDay) takeStock() {
	svc := d.c.client(d.service.url, d.c.key)
	b := d.c.balance(svc, d.products[d.random.IntN(len(d.products))], d.c.main)
	if b.Available > 0 {
		_, _ = api.AdjustStock.Call(d.t.Context(), svc, api.AdjustStockInput{StockKey: api.StockKey{ProductID: b.ProductID, LocationID: b.LocationID},
			InventoryState: api.OnHand, QuantityDelta: -b.Available, Reason: "sold"}) // a site may be faster
	}
}

// backUp copies the service's data while it is down.
func (d *busyDay) backUp() {
	d.kills.Add(1)
	d.service.end(syscall.SIGKILL)
	require.NoError(d.t, os.Remove(filepath.Join(d.c.dir, "ledger.sock"))) // only the killed process used it
	require.NoError(d.t, os.CopyFS(d.h.path("copy"), os.DirFS(d.c.dir)))
	d.service = d.h.serve(d.c, d.service.addr)
}

// putBackData replaces the service's data with the copy. All networks are down then.
func (d *busyDay) putBackData() {
	for _, s := range d.sites {
		s.network.setMode(modeDown)
		s.network.waitLate()
	}
	d.past = d.changes()
	d.service.end(syscall.SIGTERM)
	require.NoError(d.t, os.RemoveAll(d.c.dir))
	require.NoError(d.t, os.Rename(d.h.path("copy"), d.c.dir))
	d.service = d.h.serve(d.c, d.service.addr)
}

// putBack replaces the service's data with the copy. The service then does other work
// before the sites see it again.
func (d *busyDay) putBack() {
	d.putBackData()
	for range 40 {
		d.takeStock()
		do(d.t, d.c.client(d.service.url, d.c.key), api.AdjustStock, api.AdjustStockInput{StockKey: api.StockKey{ProductID: d.products[d.random.IntN(len(d.products))], LocationID: d.c.main},
			InventoryState: api.OnHand, QuantityDelta: 1, Reason: "found at the center"})
	}
	for _, s := range d.sites {
		s.network.setMode(modeOpen)
	}
}

// changes returns all changes of the service.
func (d *busyDay) changes() (all []api.Change) {
	return changesOf(d.t, d.c.client(d.service.url, d.c.key))
}

// changesOf returns all changes of a service.
func changesOf(t *testing.T, svc api.Service) (all []api.Change) {
	for limit, after := int64(500), int64(0); ; {
		page := do(t, svc, api.ListChanges, api.ListChangesInput{After: &after, Limit: &limit})
		all = append(all, page.Items...)
		if len(page.Items) == 0 {
			return all
		}
		after = page.Items[len(page.Items)-1].Seq
	}
}

// verify verifies a data directory with the program.
func (h *machine) verify(dir string) {
	out, status := h.run("verify", "--data", dir)
	require.Zero(h.t, status, out)
}

// nodeOn returns a client of the node that runs on a machine.
func (c *company) nodeOn(h *machine) api.Service {
	c.t.Helper()
	client, err := apiclient.New(apiclient.Config{URL: "http://owner", AllowPlain: true, Key: "-", Organization: c.org.String(), Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			found, err := filepath.Glob(h.path("data_home", "bincard", "offline", "*"))
			if err != nil || len(found) != 1 {
				return nil, fmt.Errorf("there are %d nodes on the machine: %w", len(found), err)
			}
			return local.Connect(ctx, found[0])
		}}})
	require.NoError(c.t, err)
	return client
}

// An audit compares what the nodes accepted with what the service has.
type audit struct {
	d       *busyDay
	changes map[string]*api.Change
	// least is the smallest available quantity that a balance ever had.
	least   map[[2]api.ID]int64
	work    map[*busySite]map[string]*api.Work
	applied int
	waiting map[string]int // by reason
	faults  []string
}

func (a *audit) fault(format string, args ...any) {
	a.faults = append(a.faults, fmt.Sprintf(format, args...))
}

// audit returns the state of all operations.
func (d *busyDay) audit() *audit {
	a := &audit{d: d, changes: map[string]*api.Change{}, least: map[[2]api.ID]int64{}, work: map[*busySite]map[string]*api.Work{}, waiting: map[string]int{}}
	all := d.changes()
	for i := range all {
		c := &all[i]
		if a.changes[c.Key] != nil {
			a.fault("%s is applied twice", c.Key)
		}
		a.changes[c.Key] = c
	}
	for _, c := range slices.Concat(d.past, all) {
		for _, b := range c.Balances {
			at := [2]api.ID{b.ProductID, b.LocationID}
			if least, ok := a.least[at]; !ok || b.Available < least {
				a.least[at] = b.Available
			}
		}
	}
	for _, s := range d.sites {
		a.work[s] = map[string]*api.Work{}
		for _, w := range s.unresolved(d.t) {
			a.work[s][w.Key] = &w
		}
	}
	for _, work := range d.accepted {
		a.check(work)
	}
	for _, work := range d.rejected {
		switch {
		case work.site.has(d.t, work.key): // the service rejected it, and it stays as failed work
			a.check(work)
		case a.appliedBy(work):
			a.fault("%s was rejected and is applied: %s", work, work.answer)
		}
	}
	return a
}

// unresolved returns the operations of the node that have not synced.
func (s *busySite) unresolved(t testing.TB) (all []api.Work) {
	limit := int64(500)
	for in := (api.ListWorkInput{Limit: &limit}); ; {
		page := s.listWork(t, in)
		all = append(all, page.Items...)
		if page.NextCursor == nil {
			return all
		}
		in.Cursor = *page.NextCursor
	}
}

// has reports whether the node has saved an operation.
func (s *busySite) has(t testing.TB, key string) bool {
	return len(s.listWork(t, api.ListWorkInput{Key: key}).Items) > 0
}

// listWork lists operations of the node, which may be slow while it rebuilds its data on a
// busy machine.
func (s *busySite) listWork(t testing.TB, in api.ListWorkInput) (page api.List[api.Work]) {
	eventually(t, func() bool {
		var err error
		page, err = api.ListWork.Call(t.Context(), s.svc, in)
		require.True(t, err == nil || api.HasCode(err, api.Unavailable), "%v", err)
		return err == nil
	}, func() string { return s.name + " does not answer" })
	return page
}

// appliedBy reports whether the service has an operation from the site that did it.
func (a *audit) appliedBy(work *acceptedWork) bool {
	c := a.changes[work.key]
	return c != nil && c.Actor.Label == work.site.name
}

// check requires that an accepted operation is applied, or waits for a person with the
// true reason.
func (a *audit) check(work *acceptedWork) {
	open := a.work[work.site][work.key]
	switch applied := a.appliedBy(work); {
	case applied && open != nil:
		a.fault("%s is applied and %s: %+v", work, open.State, open.Refusal)
	case applied:
		a.applied++
		c := a.changes[work.key]
		if c.Operation != work.operation || work.delta != 0 && c.Movements[0].Quantity != work.delta {
			a.fault("%s is applied as another operation: %s", work, c.Operation)
		}
	case open == nil:
		a.fault("%s is lost", work)
	case open.State.NeedsDecision():
		a.waiting[string(open.State)+" "+string(open.Refusal.Code)]++
		if !a.isTrue(work, open) {
			a.fault("%s is %s, which is not true: %s: %s", work, open.State, open.Refusal.Code, open.Refusal.Message)
		}
	case open.Wait == api.WaitDependency:
		a.waiting["depends on failed work"]++
		if !slices.ContainsFunc(slices.Collect(maps.Values(a.work[work.site])), func(w *api.Work) bool { return slices.Contains(w.Needing, work.key) }) {
			a.fault("%s depends on nothing", work)
		}
	default:
		a.fault("%s is %s and waits for %q", work, open.State, open.Wait)
	}
}

// isTrue reports whether the history of the service gives the reason of failed work.
func (a *audit) isTrue(work *acceptedWork, open *api.Work) bool {
	switch open.Refusal.Code {
	case api.IdempotencyKeyReused:
		if c := a.changes[work.key]; c != nil && c.Actor.Label != work.site.name {
			return true
		}
		return slices.ContainsFunc(a.d.past, func(c api.Change) bool { return c.Key == work.key && c.Actor.Label != work.site.name })
	case api.ReservationNotPending: // its release was sent before the loss was known, by this site or one that used the reservation's key too
		lost := slices.ContainsFunc(a.d.past, func(c api.Change) bool { return c.Key == work.key })
		return lost && slices.ContainsFunc(a.d.accepted, func(other *acceptedWork) bool {
			return other.operation == api.ReleaseReservation.Spec.ID && other.document == work.document && a.appliedBy(other)
		})
	case api.InsufficientStock:
		return a.least[[2]api.ID{work.product, work.location}] < work.takes
	case api.NothingPending: // of a transfer whose shipment failed
		return !slices.ContainsFunc(a.d.accepted, func(other *acceptedWork) bool {
			return other.operation == api.ShipTransfer.Spec.ID && other.document == work.document && a.appliedBy(other)
		})
	}
	return false
}

// settle opens the networks and waits until each operation is applied or waits for a person.
func (d *busyDay) settle() *audit {
	for _, s := range d.sites {
		s.network.setMode(modeOpen)
		s.network.waitLate()
	}
	var a *audit
	for end := time.Now().Add(waitTimeout); ; pause(d.t.Context(), 10*pollInterval) {
		for _, s := range d.sites {
			_, err := api.TrySync.Call(d.t.Context(), s.svc, api.SyncInput{})
			require.NoError(d.t, err)
		}
		if a = d.audit(); len(a.faults) == 0 {
			return a
		}
		if time.Now().After(end) {
			slices.Sort(a.faults)
			require.Failf(d.t, "operations are not in order", "%d faults:\n%s", len(a.faults), strings.Join(a.faults[:min(len(a.faults), 40)], "\n"))
		}
	}
}

// discardAll discards all failed operations, the latest first.
func (d *busyDay) discardAll(s *busySite) {
	eventually(d.t, func() bool {
		open := s.unresolved(d.t)
		slices.Reverse(open)
		for _, w := range open {
			_, _ = api.DiscardWork.Call(d.t.Context(), s.svc, api.DiscardWorkInput{Key: w.Key, Reason: "counted again"})
		}
		return len(s.unresolved(d.t)) == 0
	}, func() string { return fmt.Sprintf("%s keeps %+v", s.name, s.unresolved(d.t)) })
}

// finish requires that nothing is lost or doubled, that every node shows the service's
// stock, and that all data verifies.
func (d *busyDay) finish(started time.Time) {
	a := d.settle()
	worked := time.Since(started)
	svc := d.c.client(d.service.url, d.c.key)
	central := stock(d.t, svc)
	for _, s := range d.sites {
		d.discardAll(s)
		var local map[string]api.Quantities
		eventually(d.t, func() bool { local = stock(d.t, s.svc); return maps.Equal(local, central) },
			func() string { return fmt.Sprintf("%s shows %v, the service %v", s.name, local, central) })
	}
	again := d.changes()
	require.Len(d.t, again, len(a.changes), "the service has applied discarded work")
	var faults [fates]int64
	for _, s := range d.sites {
		s.end()
		d.h.verify(s.dir)
		for fate := range faults {
			faults[fate] += s.network.counts[fate].Load()
		}
	}
	d.service.end(syscall.SIGTERM)
	d.h.verify(d.c.dir)
	d.t.Logf("%d operations accepted, %d rejected at once, %d repeats of accepted work rejected", len(d.accepted), len(d.rejected), d.repeatsRejected.Load())
	d.t.Logf("%d kills of nodes and service, %d of commands; modes of networks (open faulty down portal silent hostile): %v", d.kills.Load(), d.programKills.Load(), d.modes)
	d.t.Logf("requests (lost, answer lost, doubled, delayed, cut, passed, swapped, page before, page after, late): %v", faults)
	d.t.Logf("%d applied once, waiting for a person: %v; lost 0, doubled 0; %v", a.applied, a.waiting, worked.Round(time.Second))
}

// TestSite_BusyDay runs six terminals at two edges, and an offline terminal, while
// processes are killed, networks fail in all ways and the service's data is put back to an
// earlier copy. BINCARD_CASES is the number of operations, and 5000 are a whole day.
func TestSite_BusyDay(t *testing.T) {
	t.Parallel()
	total := int64(testenv.SiteBusyDay.Cases(t))
	started := time.Now()
	d := newBusyDay(t, total, testenv.Seed(t))
	workers := append(d.startEdge(d.sites[0]), d.startEdge(d.sites[1])...)
	d.run(append(workers, d.startTerminal(d.sites[2])...), min(total/80, 30))
	d.finish(started)
}
