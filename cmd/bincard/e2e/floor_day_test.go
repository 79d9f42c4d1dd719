package e2e_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/testenv"
)

const (
	floorSites    = 3 // the service, and two edges
	floorProducts = 20
	floorOpening  = 20_000 // of each product at each location
)

// A floorDay is a day of a warehouse of fifty people: fourteen terminals at the service, and
// three at each of two edges, which are offline for the middle third of the day.
type floorDay struct {
	t        *testing.T
	c        *company
	places   [floorSites]api.ID
	products []api.ID
	tasks    [floorSites]chan floorTask

	mu     sync.Mutex
	plates []string          // the numbers of the pallets
	want   map[string]int64  // on hand, by product and location
	keys   map[string]string // the person of each write, by key
}

// A floorTask is one job of a person at a terminal.
type floorTask func(w *floorWorker)

// A floorWorker is a person at a terminal.
type floorWorker struct {
	d      *floorDay
	svc    api.Service
	site   int
	person string
}

// write performs a write of the worker's, which must succeed, and notes what it adds to the
// stock on hand at the site.
func write[I, O any](w *floorWorker, op api.Operation[I, O], in I, added map[api.ID]int64) O {
	key := api.NewKey()
	var out O
	var err error
	for end := time.Now().Add(waitTimeout); ; pause(w.d.t.Context(), pollInterval) {
		out, err = op.Call(w.d.t.Context(), w.svc, in, api.Key(key), api.By(w.person))
		if !api.HasCode(err, api.Unavailable) && !api.HasCode(err, api.RateLimited) || time.Now().After(end) {
			break
		}
	}
	require.NoError(w.d.t, err, "%s by %s", op.Spec.ID, w.person)
	w.d.mu.Lock()
	defer w.d.mu.Unlock()
	w.d.keys[key] = w.person
	for product, n := range added {
		w.d.want[stockName(product, w.d.places[w.site])] += n
	}
	return out
}

func stockName(product, location api.ID) string { return product.String() + "@" + location.String() }

func newFloorDay(t *testing.T, h *machine, orders int, random *rand.Rand) (*floorDay, *service, [floorSites - 1]*edgeSite, [floorSites - 1]*faultyNetwork) {
	d := &floorDay{t: t, c: newCompany(t, h.path("data")), want: map[string]int64{}, keys: map[string]string{}}
	var keys [floorSites - 1]string
	d.c.withLedger(func(l *ledger.Ledger) {
		for i := range keys {
			var err error
			keys[i], _, err = l.CreateKey(t.Context(), account.KeyInput{Organization: d.c.org, Environment: api.Live, Label: fmt.Sprint("edge-", i+1), Scopes: api.Scopes})
			require.NoError(t, err)
		}
		svc := d.c.service(l)
		d.places = [floorSites]api.ID{d.c.main, d.c.store,
			do(t, svc, api.CreateLocation, api.CreateLocationInput{Code: "ST-2", Name: "Hill store", Type: api.Shop}).ID}
		d.addCatalog(svc)
		for site := range d.places {
			d.tasks[site] = make(chan floorTask, 10*orders)
		}
		d.plan(svc, orders, random)
	})
	s := h.serve(d.c, "")
	var edges [floorSites - 1]*edgeSite
	var networks [floorSites - 1]*faultyNetwork
	for i := range edges {
		own := *d.c
		own.key = keys[i]
		networks[i] = newFaultyNetwork(t, s.url, uint64(i))
		edges[i] = newMachine(t).startEdge(&own, networks[i].url)
	}
	return d, s, edges, networks
}

// addCatalog creates products with stock and a shelf at each location.
func (d *floorDay) addCatalog(svc api.Service) {
	for i := range floorProducts {
		p := do(d.t, svc, api.CreateProduct, api.CreateProductInput{SKU: fmt.Sprintf("F-%02d", i), Name: fmt.Sprint("Product ", i)}).ID
		d.products = append(d.products, p)
		for _, at := range d.places {
			d.stock(svc, p, at, floorOpening)
			do(d.t, svc, api.SetShelves, api.SetShelvesInput{ProductID: p, LocationID: at, Shelves: []string{fmt.Sprintf("A-%02d-1", i%8)}})
		}
	}
}

func (d *floorDay) stock(svc api.Service, product, at api.ID, n int64) {
	do(d.t, svc, api.AdjustStock, api.AdjustStockInput{StockKey: api.StockKey{ProductID: product, LocationID: at},
		InventoryState: api.OnHand, QuantityDelta: n, Reason: "opening stock"})
	d.want[stockName(product, at)] += n
}

// plan creates the documents of the day, and the tasks that they are. Half of them are at the
// service.
func (d *floorDay) plan(svc api.Service, orders int, random *rand.Rand) {
	some := func() int64 { return 1 + random.Int64N(12) }
	product := func() api.ID { return d.products[random.IntN(len(d.products))] }
	for n := range orders {
		site := max(0, random.IntN(2*floorSites-2)-floorSites+2)
		at, add := d.places[site], func(task floorTask) { d.tasks[site] <- task }
		var lines []api.OutboundLineInput
		for range 1 + random.IntN(3) {
			lines = append(lines, api.OutboundLineInput{ProductID: product(), RequestedQuantity: some()})
		}
		o := do(d.t, svc, api.CreateOutbound, api.CreateOutboundInput{LocationID: at, Lines: lines,
			Reference: api.Reference{ReferenceType: "sales_order", ReferenceID: fmt.Sprint("SO-", 7000+n)}}).Outbound
		add(func(w *floorWorker) { w.fulfill(o) })
		if n%5 == 0 {
			in := do(d.t, svc, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: product(), LocationID: at},
				ExpectedQuantity: 24, Reference: api.Reference{ReferenceType: "purchase_order", ReferenceID: fmt.Sprint("PO-", n)}}).Inbound
			add(func(w *floorWorker) { w.receive(in) })
		}
		if n%3 < 2 {
			p, sscc := product(), newSSCC(n)
			d.plates = append(d.plates, sscc)
			add(func(w *floorWorker) { w.shipPallet(p, sscc) })
		}
		if back := lines[0].ProductID; n%8 == 0 {
			add(func(w *floorWorker) {
				one := int64(1)
				write(w, api.ReturnStock, api.ReturnStockInput{StockKey: api.StockKey{ProductID: back, LocationID: at}, Quantity: &one,
					Reason: "not needed"}, map[api.ID]int64{back: 1})
			})
		}
	}
	for n := range int64(8) {
		site := int(n) % floorSites
		p := do(d.t, svc, api.CreateProduct, api.CreateProductInput{SKU: fmt.Sprint("COUNTED-", n), Name: "Counted"}).ID
		d.stock(svc, p, d.places[site], 100)
		d.tasks[site] <- func(w *floorWorker) { w.count(p, 100+n) }
	}
	for site := range d.tasks {
		close(d.tasks[site])
	}
}

func (w *floorWorker) receive(in api.Inbound) {
	for _, n := range []int64{10, 14} {
		write(w, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: n}, map[api.ID]int64{in.ProductID: n})
	}
}

// fulfill picks an order and ships each of its lines.
func (w *floorWorker) fulfill(o api.Outbound) {
	write(w, api.PickOutbound, api.HandleOutboundInput{OutboundID: o.ID}, nil)
	write(w, api.PackOutbound, api.HandleOutboundInput{OutboundID: o.ID}, nil)
	var lines []api.FulfilledLine
	added := map[api.ID]int64{}
	for _, l := range o.Lines {
		lines = append(lines, api.FulfilledLine{LineID: l.ID, Quantity: l.RequestedQuantity})
		added[l.ProductID] -= l.RequestedQuantity
	}
	write(w, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: o.ID, Lines: lines}, added)
}

// shipPallet packs twelve pieces on a pallet and ships it in two parts.
func (w *floorWorker) shipPallet(product api.ID, sscc string) {
	at := w.d.places[w.site]
	write(w, api.RegisterPlate, api.RegisterPlateInput{SSCC: sscc, LocationID: at,
		Lines: []api.PlateContent{{ProductID: product, Quantity: 12}}}, nil)
	for _, n := range []int64{5, 7} {
		write(w, api.FulfillStock, api.FulfillStockInput{StockKey: api.StockKey{ProductID: product, LocationID: at}, Quantity: &n,
			Reason: "shipped", Metadata: api.PlateMetadata(sscc)}, map[api.ID]int64{product: -n})
	}
}

// newSSCC returns the number of a pallet.
func newSSCC(n int) string {
	number := fmt.Sprintf("30952100%09d", n)
	sum := 0
	for i, c := range number {
		sum += int(c-'0') * (3 - i%2*2)
	}
	return number + fmt.Sprint((10-sum%10)%10)
}

// count counts a product of which more is found.
func (w *floorWorker) count(product api.ID, found int64) {
	write(w, api.ReconcileStock, api.ReconcileStockInput{StockKey: api.StockKey{ProductID: product, LocationID: w.d.places[w.site]},
		CountedQuantity: &found}, map[api.ID]int64{product: found - 100})
}

// TestFloor_DayOfFifty works a day at twenty terminals: nothing is lost or doubled, every
// movement has a person, the stock is what the script says, and all ledgers add up.
func TestFloor_DayOfFifty(t *testing.T) {
	t.Parallel()
	orders := testenv.FloorDay.Cases(t)
	random := rand.New(rand.NewPCG(testenv.Seed(t), 0))
	h := newMachine(t)
	d, s, edges, networks := newFloorDay(t, h, orders, random)
	var all sync.WaitGroup
	work := func(site, terminal int, svc api.Service) {
		w := &floorWorker{d: d, svc: svc, site: site, person: fmt.Sprintf("Person %d-%02d", site, terminal)}
		all.Go(func() {
			for task := range d.tasks[site] {
				task(w)
			}
		})
	}
	offices := []api.Service{d.c.client(s.url, d.c.key)}
	for i, e := range edges {
		office := d.c.client(e.url, e.createDeviceKey("office", ""))
		offices = append(offices, office)
		eventually(t, func() bool {
			st, err := api.GetSync.Call(t.Context(), office, api.SyncInput{})
			return err == nil && st.State == api.SyncOnline && st.Read != nil
		}, func() string { return "the edge is not ready" })
		third := len(d.tasks[i+1]) / 3
		d.offline(&all, networks[i], i+1, 2*third, third)
		for n := range 3 {
			work(i+1, n, d.c.client(e.url, e.createDeviceKey(fmt.Sprint("scanner-", n), "")))
		}
	}
	for n := range 14 {
		work(0, n, d.c.client(s.url, d.c.key))
	}
	all.Wait()
	d.finish(h, offices, s, edges)
}

// offline takes a site offline when from tasks are left, until there are to.
func (d *floorDay) offline(all *sync.WaitGroup, network *faultyNetwork, site, from, to int) {
	until := func(left int) {
		for len(d.tasks[site]) > left && !d.t.Failed() {
			pause(d.t.Context(), time.Millisecond)
		}
	}
	all.Go(func() {
		until(from)
		network.setMode(modeDown)
		until(to)
		network.setMode(modeOpen)
	})
}

func (d *floorDay) finish(h *machine, offices []api.Service, s *service, edges [floorSites - 1]*edgeSite) {
	t := d.t
	for _, office := range offices[1:] {
		eventually(t, func() bool {
			st, err := api.TrySync.Call(t.Context(), office, api.SyncInput{})
			require.True(t, err == nil || api.HasCode(err, api.Unavailable), "%v", err)
			return err == nil && st.Waiting == 0 && st.ToDecide() == 0
		}, func() string {
			return fmt.Sprintf("not synced: %+v", do(t, office, api.ListWork, api.ListWorkInput{}).Items)
		})
	}
	found := map[string]int{}
	for _, c := range changesOf(t, offices[0]) {
		if person, ours := d.keys[c.Key]; ours {
			found[c.Key]++
			require.Equal(t, person, c.CreatedBy.Label, c.Operation)
		}
	}
	require.Len(t, found, len(d.keys), "nothing is lost")
	for key, n := range found {
		require.Equal(t, 1, n, "%s is doubled", key)
	}
	for _, office := range offices {
		var got map[string]int64
		eventually(t, func() bool { got = d.onHand(office); return maps.Equal(d.want, got) },
			func() string {
				maps.DeleteFunc(got, func(name string, n int64) bool { return d.want[name] == n })
				return fmt.Sprintf("the stock differs: %v", got)
			})
	}
	for _, sscc := range d.plates {
		plate := do(t, offices[0], api.GetPlate, api.PlateInput{SSCC: sscc})
		left, _ := plate.Left()
		require.Zero(t, left, sscc)
	}
	t.Logf("%d writes at 20 terminals, %d pallets", len(d.keys), len(d.plates))
	for _, e := range edges {
		e.end(syscall.SIGTERM)
		h.verify(e.dir)
	}
	s.end(syscall.SIGTERM)
	h.verify(d.c.dir)
}

// onHand returns what a service has of the day's products.
func (d *floorDay) onHand(svc api.Service) map[string]int64 {
	out := map[string]int64{}
	limit := int64(500)
	for in := (api.ReportSnapshotInput{Limit: &limit}); ; {
		page := do(d.t, svc, api.ReportSnapshot, in)
		for _, row := range page.Items {
			if name := stockName(row.ProductID, row.LocationID); d.want[name] != 0 {
				out[name] += row.OnHand
			}
		}
		if page.NextCursor == nil {
			return out
		}
		in.Cursor = *page.NextCursor
	}
}
