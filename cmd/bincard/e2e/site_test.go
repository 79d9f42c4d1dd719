package e2e_test

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"bincard/offline"
	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/store/pgstore/pgtest"
	"bincard/server/testenv"
)

// A siteDay is a day of a site that loses its connection to the central service at ten.
type siteDay struct {
	t       *testing.T
	c       *company
	service *service
	network *faultyNetwork
	// firstTerminal and secondTerminal are devices at WH-1, storeTerminal is one at ST-1.
	firstTerminal, secondTerminal, storeTerminal *machine
	// admin is where failed operations are resolved, by commands with adminArgs.
	admin     *machine
	adminArgs []string
	node      api.Service       // the edge, with a supervisor's access
	crash     func()            // kills the edge and starts it again
	done      map[string]string // the successful commands by key
	// order is the name of SO-1: its reference, or its ID if the service cannot list
	// orders.
	order string
}

// newSiteDay starts the central service and a network in front of it. A bare service has
// only the documented operations; a cluster loses a node all the time.
func newSiteDay(t *testing.T, h *machine, kind string, seed uint64) *siteDay {
	d := &siteDay{t: t, done: map[string]string{}, order: "SO-1"}
	if kind == "cluster" {
		d.c = newCompanyIn(t, pgtest.Database(t))
		d.service = h.serveCluster(d.c, 2).loseNodes()
	} else {
		d.c = newCompany(t, h.path("data"))
		d.service = h.serve(d.c, "")
	}
	url := d.service.url
	if kind == "bare" {
		url, d.order = d.service.withoutExtensions(), d.c.outbound.String()
	}
	d.network = newFaultyNetwork(t, url, seed)
	return d
}

// addInbound creates an inbound of mugs at WH-1 through svc.
func (d *siteDay) addInbound(svc api.Service, reference string, q int64) api.ID {
	return do(d.t, svc, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: d.c.mug, LocationID: d.c.main}, ExpectedQuantity: q,
		Reference: api.Reference{ReferenceType: "purchase_order", ReferenceID: reference}}).Inbound.ID
}

// runJob runs a job command with a key and repeats it while its outcome is unknown.
func (d *siteDay) runJob(at *machine, key string, args ...string) string {
	d.t.Helper()
	args = append([]string{args[0], "--key", key}, args[1:]...)
	out, status := at.run(args...)
	for try := 0; status == 3 && try < 9; try++ {
		out, status = at.run(args...)
	}
	require.Zero(d.t, status, "%v: %s", args, out)
	d.done[key] = strings.Join(args, " ")
	return out
}

// pendingWork returns the operations that have not synced, as a machine lists them.
func pendingWork(t *testing.T, at *machine, more ...string) []api.Work {
	t.Helper()
	out, status := at.run(append([]string{"outbox", "list", "--json"}, more...)...)
	require.Zero(t, status, out)
	var list api.List[api.Work]
	require.NoError(t, json.Unmarshal([]byte(out), &list), out)
	return list.Items
}

// eventually waits until holds returns true, and fails with what otherwise.
func eventually(t testing.TB, holds func() bool, what func() string) {
	t.Helper()
	tick, timeout := time.NewTicker(pollInterval), time.After(waitTimeout)
	defer tick.Stop()
	for !holds() {
		select {
		case <-tick.C:
		case <-timeout:
			require.Failf(t, "timed out waiting", "%s", what())
		}
	}
}

// pause waits for a time, or until ctx is done. It sets the pace of a load.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// awaitSync waits until this many operations are pending and need a decision.
func (d *siteDay) awaitSync(waiting, decide int) {
	d.t.Helper()
	var last string
	eventually(d.t, func() bool {
		out, status := d.admin.run(append([]string{"status", "--json"}, d.adminArgs...)...)
		require.Zero(d.t, status, out)
		var s api.Sync
		require.NoError(d.t, json.Unmarshal([]byte(out), &s))
		last = out
		return int(s.Waiting) == waiting && int(s.Refused+s.Held) == decide
	}, func() string { return last })
}

// requireStock requires these quantities on hand.
func (d *siteDay) requireStock(svc api.Service, mugs, storeMugs, oats int64) {
	d.t.Helper()
	all := stock(d.t, svc)
	require.Equal(d.t, mugs, all["MUG-W@WH-1"].OnHand, "mugs at WH-1")
	require.Equal(d.t, storeMugs, all["MUG-W@ST-1"].OnHand, "mugs at ST-1")
	require.Equal(d.t, oats, all["OAT-1L@WH-1"].OnHand, "oats at WH-1")
}

// stock returns all balances by SKU@LOCATION.
func stock(t *testing.T, svc api.Service) map[string]api.Quantities {
	t.Helper()
	all := map[string]api.Quantities{}
	for _, r := range do(t, svc, api.ReportSnapshot, api.ReportSnapshotInput{}).Items {
		all[r.ProductSKU+"@"+r.LocationCode] = r.Quantities
	}
	return all
}

// run runs the day. screen is a terminal at WH-1 that stays open; decisions is what it
// shows about failed operations at the end.
func (d *siteDay) run(screen *screen, decisions string) {
	t, c, svc := d.t, d.c, d.c.client(d.service.url, d.c.key)
	closed, shared := d.addInbound(svc, "PO-8", 6), d.addInbound(svc, "PO-9", 24)
	screen.waitFor(firstQuestion, "ONLINE")
	eventually(t, func() bool { return stock(t, d.node)["MUG-W@WH-1"].Incoming == 30 }, func() string { return "the inbounds do not show" })
	do(t, d.node, api.GetOutbound, api.OutboundInput{OutboundID: c.outbound})

	// In the morning the connection is faulty.
	d.network.setMode(modeFaulty)
	d.runJob(d.firstTerminal, "m-1", "receive", "PO-1", "5", "--lot", "L42-A", "--expires", expiry(time.DateOnly))
	for _, key := range []string{"m-2", "m-3", "m-4", "m-5"} {
		d.runJob(d.secondTerminal, key, "adjust", "MUG-W@WH-1", "+1", "--reason", "found")
	}

	// At ten it goes down.
	d.network.setMode(modeDown)
	out := d.runJob(d.firstTerminal, "d-1", "receive", "PO-1", "7", "--lot", "L42-A", "--expires", expiry(time.DateOnly))
	require.Contains(t, out, "not synced")
	d.runJob(d.secondTerminal, "d-2", "ship", "TR-1", "all")
	d.runJob(d.storeTerminal, "d-3", "receive-transfer", "TR-1", "10", "--location", "ST-1")
	d.runJob(d.firstTerminal, "d-4", "fulfill", d.order, "1", "--serial", "SN-1")
	d.runJob(d.secondTerminal, "d-5", "adjust", "--reason", "broken", "--", "MUG-W@WH-1", "-3")
	d.runJob(d.storeTerminal, "d-6", "adjust", "MUG-W@ST-1", "+2", "--reason", "found")
	screen.scan("PO-8")
	screen.waitFor("PO-8", "To go 6", "OFFLINE")
	screen.typeText("+")
	screen.waitFor("This count 6")
	screen.key("Enter")
	screen.waitFor("6 of 6, 0 to go", "not synced")
	d.runJob(d.secondTerminal, "d-7", "receive", "PO-9", "12")
	refused, status := d.storeTerminal.run("adjust", "--key", "r-1", "--reason", "gone", "--", "MUG-W@ST-1", "-50")
	require.Equal(t, 1, status, refused)
	require.Contains(t, refused, "--force")
	refused, status = d.storeTerminal.run("adjust", "--key", "r-1", "--force", "--reason", "gone", "--", "MUG-W@ST-1", "-50")
	require.Zero(t, status, refused)
	require.Contains(t, refused, "at risk")
	d.requireStock(d.node, 30+4-10-3+6+12, 12, 12)

	// Meanwhile the central service changes the same stock.
	do(t, svc, api.CloseInbound, api.CloseInboundInput{InboundID: closed})
	do(t, svc, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: shared, Quantity: 20})
	do(t, svc, api.AdjustStock, api.AdjustStockInput{StockKey: api.StockKey{ProductID: c.mug, LocationID: c.main}, InventoryState: api.OnHand, QuantityDelta: 100, Reason: "a pallet"})

	// A crash loses nothing.
	waiting := len(pendingWork(t, d.admin, d.adminArgs...))
	require.Positive(t, waiting)
	d.crash()
	require.Len(t, pendingWork(t, d.admin, d.adminArgs...), waiting)
	require.Contains(t, d.runJob(d.secondTerminal, "d-2", "ship", "TR-1", "all"), "already done with this key")
	d.runJob(d.secondTerminal, "d-8", "move", "MUG-W@WH-1", "2", "--to", "damaged", "--reason", "cracked")
	d.runJob(d.firstTerminal, "d-9", "receive", "PO-1", "all", "--lot", "L42-A", "--expires", expiry(time.DateOnly))
	d.requireStock(d.node, 30+4-10-3+6+12, 12, 24)

	// In the evening the connection comes back: first a sign-in page, then faulty, then good.
	d.network.setMode(modePortal)
	d.admin.run(append([]string{"outbox", "sync"}, d.adminArgs...)...)
	d.network.setMode(modeFaulty)
	d.admin.run(append([]string{"outbox", "sync"}, d.adminArgs...)...)
	d.awaitSync(0, 3)
	d.network.setMode(modeOpen)
	d.admin.run(append([]string{"outbox", "sync"}, d.adminArgs...)...)
	screen.waitFor("ONLINE", decisions)
	for i := range d.network.counts {
		t.Logf("requests with fate %d: %d", i, d.network.counts[i].Load())
	}

	// The supervisor resolves the failed operations.
	for _, w := range pendingWork(t, d.admin, d.adminArgs...) {
		switch w.Stock.Reference {
		case "PO-8":
			out, status := d.admin.run(append([]string{"outbox", "drop", w.Key, "--reason", "closed: they went back"}, d.adminArgs...)...)
			require.Zero(t, status, out)
		case "":
			require.Equal(t, "r-1", w.Key)
			out, status := d.admin.run(append([]string{"outbox", "drop", w.Key, "--reason", "miscounted"}, d.adminArgs...)...)
			require.Zero(t, status, out)
		case "PO-9":
			require.Equal(t, "d-7", w.Key)
			body, err := json.Marshal(api.AdjustStockInput{StockKey: api.StockKey{ProductID: c.mug, LocationID: c.main}, InventoryState: api.OnHand, QuantityDelta: 12, Reason: "PO-9 came twice"})
			require.NoError(t, err)
			_, err = api.ReplaceWork.Call(t.Context(), d.node, api.ReplaceWorkInput{Key: w.Key, Operation: api.AdjustStock.Spec.ID, Target: "/stock/adjust", Body: body},
				api.Key("s-1"), api.By("Ada"))
			require.NoError(t, err)
		default:
			require.Fail(t, "unexpected pending operation", "%+v", w)
		}
	}
	delete(d.done, "d-7")
	d.done["s-1"] = "replaces d-7"
	d.awaitSync(0, 0)
	d.requireAgreement(svc)
	screen.key("C-q").requireExit(0)
}

// requireAgreement waits until the node has the same stock as the central service.
func (d *siteDay) requireAgreement(svc api.Service) {
	d.t.Helper()
	central := stock(d.t, svc)
	eventually(d.t, func() bool {
		local := stock(d.t, d.node)
		for id, q := range central {
			if local[id] != q {
				return false
			}
		}
		return len(local) == len(central)
	}, func() string { return "the site's stock differs from the central service's" })
}

// verifyLedger requires that the central ledger has each operation exactly once and in
// order.
func (d *siteDay) verifyLedger() {
	d.service.end(syscall.SIGTERM)
	d.c.withLedger(func(l *ledger.Ledger) {
		svc := d.c.service(l)
		d.requireStock(svc, 30+4-10-3+20+100+12, 12, 24)
		mugs := d.c.balance(svc, d.c.mug, d.c.main)
		require.EqualValues(d.t, 2, mugs.Damaged)
		require.EqualValues(d.t, 2, d.c.balance(svc, d.c.scale, d.c.main).OnHand)
		after, most := int64(0), int64(500)
		times, at := map[string]int{}, map[string]int64{}
		for _, change := range do(d.t, svc, api.ListChanges, api.ListChangesInput{After: &after, Limit: &most}).Items {
			times[change.Key]++
			at[change.Key] = change.Seq
		}
		for key, what := range d.done {
			require.Equal(d.t, 1, times[key], "%s: %s", key, what)
		}
		require.Zero(d.t, times["d-7"], "the replaced operation must not be applied")
		require.Zero(d.t, times["r-1"], "the discarded operation must not be applied")
		require.Less(d.t, at["m-1"], at["d-1"])
		require.Less(d.t, at["d-1"], at["d-9"])
		require.Less(d.t, at["d-2"], at["d-3"])
		require.Less(d.t, at["d-2"], at["d-5"])
		require.Less(d.t, at["d-5"], at["d-8"])
		require.Len(d.t, do(d.t, svc, api.ListInbounds, api.ListInboundsInput{Status: api.InboundExpected}).Items, 0)
	})
}

// TestSiteDay_WithEdge runs a day of three terminals behind an edge: with Bincard's service,
// a bare one, and a cluster.
func TestSiteDay_WithEdge(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"own", "bare", "cluster"}[:min(3, testenv.SiteDays.Cases(t))] {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			h := newMachine(t)
			d := newSiteDay(t, h, kind, testenv.SeedFrom(t, 10))
			e := h.startEdge(d.c, d.network.url)
			d.admin, d.adminArgs = h, []string{"--edge", e.dir}
			d.node = d.c.client(e.url, e.createDeviceKey("office", ""))
			d.firstTerminal, d.secondTerminal = e.newTerminal("dock", "WH-1"), e.newTerminal("gate", "WH-1")
			d.storeTerminal = e.newTerminal("quay", "ST-1")
			d.crash = func() { e.end(syscall.SIGKILL); e.start() }

			out, status := d.storeTerminal.run("adjust", "MUG-W@WH-1", "+1", "--reason", "not mine")
			require.Equal(t, 1, status)
			require.Contains(t, out, "only at ST-1")
			d.run(d.firstTerminal.openScreen(80, 24), "!1") // the others belong to the other devices
			e.end(syscall.SIGTERM)
			d.verifyLedger()
		})
	}
}

// TestEdge_MirrorSurvivesKills kills an edge at any time while it saves work, also between
// its two writes, and then loses the journal or its second copy. Whatever was reported as
// saved is in the service in the end, once.
func TestEdge_MirrorSurvivesKills(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	centre := h.serve(c, "")
	network := newFaultyNetwork(t, centre.url, 1)
	mirror := t.TempDir()
	h = h.withEnv("BINCARD_MIRROR=" + mirror)
	e := h.startEdge(c, network.url)
	device := c.client(e.url, e.createDeviceKey("scanner-3", ""))
	network.setMode(modeSilent)
	var keys, saved []string
	for round := range testenv.MirrorKills.Cases(t) {
		if round > 0 {
			e.start()
		}
		answered := make(chan string, 1000)
		var workers sync.WaitGroup
		for range 3 {
			var sent []string
			for range 200 {
				sent = append(sent, api.NewKey())
			}
			keys = append(keys, sent...)
			workers.Go(func() {
				for _, key := range sent {
					_, err := api.AdjustStock.Call(t.Context(), device, api.AdjustStockInput{StockKey: api.StockKey{ProductID: c.mug, LocationID: c.main},
						InventoryState: api.OnHand, QuantityDelta: 1, Reason: "found"}, api.Key(key))
					if err != nil {
						return
					}
					answered <- key
				}
			})
		}
		for range 20 + 7*round {
			saved = append(saved, <-answered)
		}
		e.end(syscall.SIGKILL)
		workers.Wait()
		close(answered)
		for key := range answered {
			saved = append(saved, key)
		}
		if round%2 == 1 {
			require.NoError(t, os.Remove(filepath.Join(mirror, offline.JournalName)))
			continue
		}
		require.NoError(t, os.Remove(filepath.Join(e.dir, offline.JournalName)))
		require.Contains(t, e.mustRun("edge", "restore-journal", "--data", e.dir, "--mirror", mirror), "Restored")
	}
	network.setMode(modeOpen)
	e.start()
	require.Eventually(t, func() bool {
		s, err := api.GetSync.Call(t.Context(), device, api.SyncInput{})
		return err == nil && s.Waiting == 0 && s.State == api.SyncOnline
	}, 60*time.Second, 50*time.Millisecond, "the work does not sync")
	svc := c.client(centre.url, c.key)
	recorded := map[string]bool{}
	for _, key := range keys {
		recorded[key] = len(do(t, svc, api.ListChanges, api.ListChangesInput{Key: key}).Items) == 1
	}
	for _, key := range saved {
		require.True(t, recorded[key], "%s was reported as saved and is lost", key)
	}
	maps.DeleteFunc(recorded, func(_ string, is bool) bool { return !is })
	require.EqualValues(t, 30+len(recorded), c.balance(svc, c.mug, c.main).OnHand)
	t.Logf("%d saved, %d recorded", len(saved), len(recorded))
}
