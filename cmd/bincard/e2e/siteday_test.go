package e2e_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"bincard/apiclient"
	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/local"
)

// A siteDay is a day of a site whose line goes down at ten.
type siteDay struct {
	t       *testing.T
	c       *company
	service *service
	network *faultyNetwork
	// firstTerminal, gate and quay are the machines of three devices: two at WH-1 and one at
	// ST-1. Without an edge they are one.
	firstTerminal, secondTerminal, storeTerminal *machine
	// admin is where kept work is settled: what its commands say besides.
	admin     *machine
	adminArgs []string
	node      api.Service // what keeps the work, as a supervisor's program asks it
	// crash kills what keeps the work, and starts it again.
	crash func()
	done  map[string]string // the commands that were done, by their keys
	// order is what people call SO-1. A service that has the documented
	// operations alone has no list of orders, and each is known by its id when it
	// was seen.
	order string
}

// newSiteDay is a day of a company, on a machine with the centre and the wire to
// it. A bare centre has the documented operations alone.
func newSiteDay(t *testing.T, h *machine, bare bool, seed uint64) *siteDay {
	d := &siteDay{t: t, c: newCompany(t, h.path("data")), done: map[string]string{}, order: "SO-1"}
	d.service = h.serve(d.c, "")
	url := d.service.url
	if bare {
		url, d.order = d.service.withoutExtensions(), d.c.outbound.String()
	}
	d.network = newFaultyNetwork(t, url, seed)
	return d
}

// addInbound announces goods at WH-1 at the centre.
func (d *siteDay) addInbound(svc api.Service, reference string, q int64) api.ID {
	return do(d.t, svc, api.CreateInbound, api.CreateInboundInput{ProductID: d.c.mug, LocationID: d.c.main, ExpectedQuantity: q,
		ReferenceType: "purchase_order", ReferenceID: reference}).Inbound.ID
}

// runJob has a command do its job at a machine, by its key. The same again, as
// one does who did not see the answer, is done once.
func (d *siteDay) runJob(at *machine, key string, args ...string) string {
	d.t.Helper()
	args = append([]string{args[0], "--key", key}, args[1:]...)
	out, status := at.runs(args...)
	for try := 0; status == 3 && try < 9; try++ {
		out, status = at.runs(args...)
	}
	require.Zero(d.t, status, "%v: %s", args, out)
	d.done[key] = strings.Join(args, " ")
	return out
}

// pendingWork is the work that is not in the service, as a machine is told of it.
func pendingWork(t *testing.T, at *machine, more ...string) []api.Work {
	t.Helper()
	out, status := at.runs(append([]string{"outbox", "list", "--json"}, more...)...)
	require.Zero(t, status, out)
	var list api.List[api.Work]
	require.NoError(t, json.Unmarshal([]byte(out), &list), out)
	return list.Items
}

// eventually waits until something holds; what says what there is instead.
func eventually(t testing.TB, holds func() bool, what func() string) {
	t.Helper()
	for end := time.Now().Add(waitTimeout); !holds(); time.Sleep(pollInterval) {
		if time.Now().After(end) {
			require.Failf(t, "it never came true", "%s", what())
		}
	}
}

// nodeOn is the node of a machine, as another program of it has it.
func (c *company) nodeOn(h *machine) api.Service {
	c.t.Helper()
	client, err := apiclient.New(apiclient.Config{URL: "http://owner", Key: "-", Organization: c.org.String(), Transport: &http.Transport{
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

// awaitSync waits until the desk says that so much waits, and so much is to be decided.
func (d *siteDay) awaitSync(waiting, decide int) {
	d.t.Helper()
	var last string
	eventually(d.t, func() bool {
		out, status := d.admin.runs(append([]string{"status", "--json"}, d.adminArgs...)...)
		require.Zero(d.t, status, out)
		var s api.Sync
		require.NoError(d.t, json.Unmarshal([]byte(out), &s))
		last = out
		return int(s.Waiting) == waiting && int(s.Refused+s.Held) == decide
	}, func() string { return last })
}

// requireStock requires what stock what keeps the work shows, onHand.
func (d *siteDay) requireStock(svc api.Service, mugs, quay, oats int64) {
	d.t.Helper()
	all := stock(d.t, svc)
	require.Equal(d.t, mugs, all["MUG-W@WH-1"].OnHand, "mugs at WH-1")
	require.Equal(d.t, quay, all["MUG-W@ST-1"].OnHand, "mugs at ST-1")
	require.Equal(d.t, oats, all["OAT-1L@WH-1"].OnHand, "oats at WH-1")
}

// stock is what there is, by goods and place.
func stock(t *testing.T, svc api.Service) map[string]api.Quantities {
	t.Helper()
	all := map[string]api.Quantities{}
	for _, r := range do(t, svc, api.ReportSnapshot, api.ReportSnapshotInput{}).Items {
		all[r.ProductSKU+"@"+r.LocationCode] = r.Quantities
	}
	return all
}

// run is the day. screen is a terminal at WH-1 that is open all day.
func (d *siteDay) run(screen *screen, offered string) {
	t, c, svc := d.t, d.c, d.c.client(d.service.url, d.c.key)
	closed, shared := d.addInbound(svc, "PO-8", 6), d.addInbound(svc, "PO-9", 24)
	screen.shows(firstQuestion, "ONLINE")
	eventually(t, func() bool { return stock(t, d.node)["MUG-W@WH-1"].Incoming == 30 }, func() string { return "the announced goods do not show" })
	do(t, d.node, api.GetOutbound, api.OutboundInput{OutboundID: c.outbound})

	// In the morning the line is bad already.
	d.network.setMode(modeFaulty)
	d.runJob(d.firstTerminal, "m-1", "receive", "PO-1", "5", "--lot", "L42-A", "--expires", expiry(time.DateOnly))
	for _, key := range []string{"m-2", "m-3", "m-4", "m-5"} {
		d.runJob(d.secondTerminal, key, "adjust", "MUG-W@WH-1", "+1", "--reason", "found")
	}

	// At ten it goes down, and the work goes on.
	d.network.setMode(modeDown)
	out := d.runJob(d.firstTerminal, "d-1", "receive", "PO-1", "7", "--lot", "L42-A", "--expires", expiry(time.DateOnly))
	require.Contains(t, out, "waiting to sync")
	d.runJob(d.secondTerminal, "d-2", "ship", "TR-1", "all")
	d.runJob(d.storeTerminal, "d-3", "arrive", "TR-1", "10", "--place", "ST-1")
	d.runJob(d.firstTerminal, "d-4", "fulfill", d.order, "1", "--serial", "SN-1")
	d.runJob(d.secondTerminal, "d-5", "adjust", "--reason", "broken", "--", "MUG-W@WH-1", "-3")
	d.runJob(d.storeTerminal, "d-6", "adjust", "MUG-W@ST-1", "+2", "--reason", "found")
	screen.scan("PO-8")
	screen.shows("PO-8", "Pending 6", "OFFLINE")
	screen.types("+")
	screen.shows("This time 6")
	screen.key("Enter")
	screen.shows("received 6 of 6", "waiting to sync")
	d.runJob(d.secondTerminal, "d-7", "receive", "PO-9", "12")
	refused, status := d.storeTerminal.runs("adjust", "--key", "r-1", "--reason", "gone", "--", "MUG-W@ST-1", "-50")
	require.Equal(t, 1, status, refused)
	require.Contains(t, refused, "--insist")
	refused, status = d.storeTerminal.runs("adjust", "--key", "r-1", "--insist", "--reason", "gone", "--", "MUG-W@ST-1", "-50")
	require.Zero(t, status, refused)
	require.Contains(t, refused, "at risk")
	d.requireStock(d.node, 30+4-10-3+6+12, 12, 12)

	// Meanwhile somebody at the centre is at the same goods.
	do(t, svc, api.CloseInbound, api.CloseInboundInput{InboundID: closed})
	do(t, svc, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: shared, Quantity: 20})
	do(t, svc, api.AdjustStock, api.AdjustStockInput{ProductID: c.mug, LocationID: c.main, InventoryState: api.OnHand, QuantityDelta: 100, Reason: "a pallet"})

	// The power goes, and comes again.
	waiting := len(pendingWork(t, d.admin, d.adminArgs...))
	require.Positive(t, waiting)
	d.crash()
	require.Len(t, pendingWork(t, d.admin, d.adminArgs...), waiting)
	require.Contains(t, d.runJob(d.secondTerminal, "d-2", "ship", "TR-1", "all"), "already done with this key")
	d.runJob(d.secondTerminal, "d-8", "move", "MUG-W@WH-1", "2", "--to", "damaged", "--reason", "cracked")
	d.runJob(d.firstTerminal, "d-9", "receive", "PO-1", "all", "--lot", "L42-A", "--expires", expiry(time.DateOnly))
	d.requireStock(d.node, 30+4-10-3+6+12, 12, 24)

	// In the evening there is a line again, of sorts.
	d.network.setMode(modePortal)
	d.admin.runs(append([]string{"outbox", "try"}, d.adminArgs...)...)
	d.network.setMode(modeFaulty)
	d.admin.runs(append([]string{"outbox", "try"}, d.adminArgs...)...)
	d.awaitSync(0, 3)
	d.network.setMode(modeOpen)
	d.admin.runs(append([]string{"outbox", "try"}, d.adminArgs...)...)
	screen.shows("ONLINE", offered)
	for i := range d.network.counts {
		t.Logf("on the wire, %d: %d", i, d.network.counts[i].Load())
	}

	// The supervisor settles what the service did not take.
	for _, w := range pendingWork(t, d.admin, d.adminArgs...) {
		switch w.Goods.Reference {
		case "PO-8":
			out, status := d.admin.runs(append([]string{"outbox", "drop", w.Key, "--reason", "closed: they went back"}, d.adminArgs...)...)
			require.Zero(t, status, out)
		case "":
			require.Equal(t, "r-1", w.Key)
			out, status := d.admin.runs(append([]string{"outbox", "drop", w.Key, "--reason", "miscounted"}, d.adminArgs...)...)
			require.Zero(t, status, out)
		case "PO-9":
			require.Equal(t, "d-7", w.Key)
			body, err := json.Marshal(api.AdjustStockInput{ProductID: c.mug, LocationID: c.main, InventoryState: api.OnHand, QuantityDelta: 12, Reason: "PO-9 came twice"})
			require.NoError(t, err)
			_, err = api.ReplaceWork.Call(t.Context(), d.node, api.ReplaceWorkInput{Key: w.Key, Operation: api.AdjustStock.ID, Target: "/stock/adjust", Body: body},
				api.Key("s-1"), api.By("Ada"))
			require.NoError(t, err)
		default:
			require.Fail(t, "it should be done", "%+v", w)
		}
	}
	delete(d.done, "d-7")
	d.done["s-1"] = "replaces d-7"
	d.awaitSync(0, 0)
	d.requireAgreement(svc)
	screen.key("C-q").requireExit(0)
}

// requireAgreement requires that what keeps the work shows what the service has.
func (d *siteDay) requireAgreement(svc api.Service) {
	d.t.Helper()
	there := stock(d.t, svc)
	eventually(d.t, func() bool {
		here := stock(d.t, d.node)
		for id, q := range there {
			if here[id] != q {
				return false
			}
		}
		return len(here) == len(there)
	}, func() string { return "the site does not agree with the centre" })
}

// verifyLedger requires that the ledger of the centre is what was done, each thing
// once and in order, and adds up.
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
		require.Zero(d.t, times["d-7"], "what was replaced is not done")
		require.Zero(d.t, times["r-1"], "nor what was dropped")
		require.Less(d.t, at["m-1"], at["d-1"])
		require.Less(d.t, at["d-1"], at["d-9"])
		require.Less(d.t, at["d-2"], at["d-3"])
		require.Less(d.t, at["d-2"], at["d-5"])
		require.Less(d.t, at["d-5"], at["d-8"])
		require.Len(d.t, do(d.t, svc, api.ListInbounds, api.ListInboundsInput{Status: api.InboundExpected}).Items, 0)
	})
}

// eachService runs a day before Bincard's own service, and before one that has
// the documented operations alone.
func eachService(t *testing.T, seed uint64, day func(t *testing.T, h *machine, d *siteDay)) {
	t.Parallel()
	for name, bare := range map[string]bool{"own": false, "bare": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newMachine(t)
			d := newSiteDay(t, h, bare, seed)
			day(t, h, d)
			d.verifyLedger()
		})
	}
}

// TestADayBehindAnEdge is a day of three terminals behind an edge.
func TestADayBehindAnEdge(t *testing.T) {
	eachService(t, 10, func(t *testing.T, h *machine, d *siteDay) {
		e := h.edge(d.c, d.network.url)
		d.admin, d.adminArgs = h, []string{"--edge", e.dir}
		d.node = d.c.client(e.url, e.device("office", ""))
		d.firstTerminal, d.secondTerminal, d.storeTerminal = e.terminal("dock", "WH-1"), e.terminal("gate", "WH-1"), e.terminal("quay", "ST-1")
		d.crash = func() { e.end(syscall.SIGKILL); e.start() }
		out, status := d.storeTerminal.runs("adjust", "MUG-W@WH-1", "+1", "--reason", "not mine")
		require.Equal(t, 1, status)
		require.Contains(t, out, "only at ST-1")
		d.run(d.firstTerminal.openScreen(80, 24), "!1") // the others are of the gate and the quay
		e.end(syscall.SIGTERM)
	})
}

// TestADayWithoutAnEdge is the same day on one machine that keeps its work itself.
func TestADayWithoutAnEdge(t *testing.T) {
	eachService(t, 11, func(t *testing.T, h *machine, d *siteDay) {
		at := h.withService(d.c, d.network.url)
		d.firstTerminal, d.secondTerminal, d.storeTerminal, d.admin = at, at, at, at
		first := at.openScreen(80, 24, "--offline", "--place", "WH-1")
		first.awaitReplica().shows(firstQuestion, "ONLINE")
		second := at.openScreen(80, 24, "--offline", "--place", "WH-1")
		d.crash = func() { first.signal(syscall.SIGKILL) }
		d.node = d.c.nodeOn(at)
		d.run(second, "!3")
	})
}
