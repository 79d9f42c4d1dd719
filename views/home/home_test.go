package home_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views"
	"bincard/views/session"
	"bincard/views/settings"
	"bincard/views/viewtest"
)

func terminal(t *testing.T, h *viewtest.Warehouse) *tuitest.Driver {
	t.Helper()
	return h.Terminal(t, allScreens(h))
}

// allScreens returns a registry of all screens.
func allScreens(h *viewtest.Warehouse) *tui.Registry {
	reg := tui.NewRegistry()
	views.Register(reg, h.Site, settings.Hooks{})
	return reg
}

// fillWarehouse adds late, due and open documents, and stock.
func fillWarehouse(h *viewtest.Warehouse) (late, due api.Inbound, shipping, arriving api.Transfer) {
	late = h.Inbound("PO-2026-118", h.Oat, 240, -26*time.Hour)
	due = h.Inbound("PO-2026-121", h.Coffee, 1200, 2*time.Hour)
	h.Inbound("PO-2026-130", h.Camera, 3, 50*time.Hour)
	h.Stock(h.Coffee.ID, h.Main.ID, 200)
	h.Stock(h.Coffee.ID, h.Depot.ID, 60)
	shipping = h.Transfer("TR-311", h.Coffee, h.Main, h.Depot, 40)
	arriving = h.Transfer("TR-312", h.Coffee, h.Depot, h.Main, 20)
	n, at := int64(20), tuitest.Noon.Add(-20*time.Minute)
	ledgertest.Do(h.World, api.ShipTransfer, api.MoveTransferInput{TransferID: arriving.ID, Quantity: &n})
	twelve := int64(12)
	ledgertest.Do(h.World, api.CreateOutbound, api.CreateOutboundInput{ProductID: h.Coffee.ID, LocationID: h.Main.ID, RequestedQuantity: &twelve,
		CustomerName: "Café Lumen", Reference: api.Reference{ReferenceType: "order", ReferenceID: "SO-7781"}, ExpectedShipAt: &at})
	return late, due, shipping, arriving
}

func TestHome_InAllSizes(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	terminal(t, h).Goldens("quiet")
	fillWarehouse(h)
	terminal(t, h).Goldens("busy")
}

func TestHome_MinimalService(t *testing.T) {
	t.Parallel()
	h := viewtest.NewMinimalWarehouse(t)
	fillWarehouse(h)
	d := terminal(t, h)
	d.Goldens("bare")
	d.Sees("3 expected", "scan an order")
}

// TestHome_SmallScreensShowEveryDigit covers warehouses with late documents and
// unreachable services.
func TestHome_SmallScreensShowEveryDigit(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	fillWarehouse(h)
	for _, size := range [][2]int{{20, 16}, {40, 8}} {
		for _, down := range []bool{false, true} {
			d := terminal(t, h).Size(size[0], size[1])
			if down {
				h.Proxy.Down()
				d.Advance(time.Minute)
			}
			for digit, job := range map[string]string{"1": "Receive", "2": "Ship TR", "3": "Receive TR", "4": "Fulfill", "5": "Balance", "6": "Reports", "7": "Reservations", "9": "Adjust and count"} {
				d.Sees(digit + " " + job).Key(digit).Lacks("scan or pick a job").Key("esc").Sees("scan or pick a job")
			}
			h.Proxy.Up()
		}
	}
}

// TestHome_SelectsTheFirstLateDocument covers a late order that is known before the late
// delivery, which comes first.
func TestHome_SelectsTheFirstLateDocument(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	at, twelve := tuitest.Noon.Add(-20*time.Minute), int64(12)
	ledgertest.Do(h.World, api.CreateOutbound, api.CreateOutboundInput{ProductID: h.Coffee.ID, LocationID: h.Main.ID, RequestedQuantity: &twelve,
		Reference: api.Reference{ReferenceType: "order", ReferenceID: "SO-1"}, ExpectedShipAt: &at})
	d := terminal(t, h).Sees("▸ SO-1")
	h.Inbound("PO-1", h.Oat, 240, -26*time.Hour)
	h.Inbound("PO-2", h.Oat, 240, -26*time.Hour)
	d.Key("ctrl+r").Sees("▸ PO-1", "  PO-2", "  SO-1")
	d.Key("down", "ctrl+r").Sees("▸ PO-2")
}

func TestHome_ScanOpensScreen(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(testing.TB) *viewtest.Warehouse{"full": viewtest.NewWarehouse, "minimal": viewtest.NewMinimalWarehouse} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t)
			_, due, shipping, arriving := fillWarehouse(h)
			d := terminal(t, h)
			for code, route := range map[string]string{"PO-2026-121": "receive/" + due.ID.String(), "TR-311": "ship/" + shipping.ID.String(), "]C1400TR-311": "ship/" + shipping.ID.String(),
				"TR-312": "receive-transfer/" + arriving.ID.String(), "COF-500": "item/COF-500"} {
				d.Scan(code)
				if code == "COF-500" { // an item offers several actions
					d.Sees("1   Receive       PO-2026-121", "2   Ship TR       TR-311", "5   Explain", "9   Adjust", "0   Move")
				}
				require.Equal(t, route, d.Model.Route(), code)
				require.Equal(t, 1, d.Bells(), code)
				d.Key("esc")
			}
		})
	}
}

func TestHome_ScanSetsLocation(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	fillWarehouse(h)
	d := h.Terminal(t, allScreens(h), func(o *shell.Options) {
		o.Header = func() tui.Status { return tui.Status{Location: h.Site.Location().String(), Connection: "ONLINE"} }
	})
	d.Scan("WH-2").Sees("WH-2 Depot                ").Lacks("WH-1 Main warehouse")
	require.Equal(t, "WH-2", h.Site.Location().Code)
	d.Sees("Location: WH-2 Depot", "0 expected")
	d.Key("f6").Sees("Where do you work?", "WH-1 Main warehouse").Key("enter")
	require.Equal(t, "WH-1", h.Site.Location().Code)
	d.Sees("3 expected")
}

// A new terminal has no location until somebody chooses it.
func TestHome_AsksWhereToWork(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Site.SetLocation(session.Location{})
	d := terminal(t, h).Sees("Where do you work? Scan a location or press F6")
	d.Scan("WH-2").Sees("Scan anything or choose a job").Lacks("Where do you work?")
}

// A terminal that is limited to the Depot shows nothing of the other location.
func TestHome_LimitedTerminalStaysAtItsLocation(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	node := viewtest.NewNode(t, h.World, h.Proxy, h.Depot)
	h.Site = h.SiteOf(node)
	h.Site.SetLocation(session.LocationOfPlace(&h.Depot))
	_, err := h.Site.FetchSyncStatus(t.Context()) // the program polls it
	require.NoError(t, err)
	d := terminal(t, h)
	for _, choose := range []func(){
		func() { d.Scan("WH-1") },
		func() { d.Key("f6").Type("main").Key("enter") },
		func() { d.Do(tui.Open("locations")).Scan("WH-1") },
	} {
		choose()
		require.Contains(t, d.Model.Fault(), "WH-1 was not chosen: this terminal works at WH-2 only")
		require.Equal(t, "WH-2", h.Site.Location().Code)
		d.Key("enter")
	}
}

// The label of a pallet opens the inbound that announces it. When it is received, that says by whom.
func TestHome_ScanOpensInboundOfPallet(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-1", h.Oat, 12, time.Hour)
	metadata, err := (&api.Announced{SSCC: "340123450000000017", LotCode: "L1"}).Metadata()
	require.NoError(t, err)
	announced := ledgertest.Do(h.World, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: h.Oat.ID, LocationID: h.Main.ID}, ExpectedQuantity: 24, Metadata: metadata}).Inbound
	d := terminal(t, h)
	d.Scan("]C100340123450000000017")
	require.Equal(t, "receive/"+announced.ID.String(), d.Model.Route())
	d.Scan("]C100340123450000000017").Sees("enter receive 24").Key("ctrl+z").Key("esc")
	ledgertest.Do(h.World, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: announced.ID, Quantity: 24, NewLot: api.NewLot{LotCode: "L1"}}, api.By("Ben"))
	d.Scan("]C100340123450000000017").Sees("received (Ben, ")
	require.Equal(t, "receive/"+announced.ID.String(), d.Model.Route())
	d.Key("esc")
	d.Scan("340123450000000017").Sees("received (Ben, ").Key("esc")
	d.Scan("]C100340123450000000024")
	require.Contains(t, d.Model.Fault(), "Pallet 340123450000000024 is not on any open delivery. Scan the delivery")
	d.Key("enter")
	pallet := int64(48)
	ledgertest.Do(h.World, api.ReceiveStock, api.ReceiveStockInput{StockKey: api.StockKey{ProductID: h.Oat.ID, LocationID: h.Depot.ID},
		Quantity: &pallet, NewLot: api.NewLot{LotCode: "L1"}})
	ledgertest.Do(h.World, api.RegisterPlate, api.RegisterPlateInput{SSCC: "340123450000000024", LocationID: h.Depot.ID,
		Lines: []api.PlateContent{{ProductID: h.Oat.ID, LotCode: "L1", Quantity: 48}}})
	d.Scan("]C100340123450000000024")
	require.Contains(t, d.Model.Fault(), "Pallet 340123450000000024 is at WH-2: 48 of 48 left.")
}

// The next day has no movements yet.
func TestHome_MovementsOfToday(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 200)
	d := terminal(t, h).Sees("2 movements today")
	d.Jump(24 * time.Hour).Key("ctrl+r").Sees("0 movements today").Key("6").Sees("Movements (0) › today · WH-1")
}

func TestHome_KeepsCountsWithoutService(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	fillWarehouse(h)
	d := terminal(t, h)
	h.Proxy.Down()
	d.Key("ctrl+r").Sees("3 expected", "old")
	h.Proxy.Up()
	d.Key("ctrl+r").Lacks("~ old")
}

// What could not be read is read again at the next refresh, also what is read rarely.
func TestHome_ReadsFailedCountsAgain(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Proxy.Down()
	d := terminal(t, h).Sees("5 Explain balance  ! The service cannot be reached.")
	h.Proxy.Up()
	d.Advance(31 * time.Second).Sees("in stock").Lacks("cannot be reached")
}

func TestFind_ListsMatchesAsTyped(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-2026-431", h.Oat, 24, time.Hour)
	d := terminal(t, h)
	d.Key("f2").Type("o").Lacks("OAT-1L  Oat milk").Type("at").Sees("▸ OAT-1L  Oat milk 1 l", "product")
	d.Type("x").Sees("No match. Press enter to use it as a code.").Key("backspace").Sees("▸ OAT-1L  Oat milk 1 l")
	d.Key("enter").Sees("OAT-1L  Oat milk 1 l", "▸ 1   Receive       PO-2026-431", "5   Explain").Key("esc")
	d.Key("f2").Type("431").Sees("▸ PO-2026-431  OAT-1L  Nordic Foods", "delivery, expected").Goldens("find")
	d.Key("enter").Sees("Receive › PO-2026-431")
	d.Key("f2").Type("milk").Sees("▸ OAT-1L").Key("enter")
	viewtest.RequireCount(t, d, 1) // the product that was found counts like its scan
	h.Proxy.Down()
	d.Key("f2").Type("soy").Sees("cannot be reached").Key("enter").Sees("soy was not counted")
}

// TestHome_CountsLinesOfUnsentCount shows the progress of a count as its screen does.
func TestHome_CountsLinesOfUnsentCount(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 38)
	h.Stock(h.Oat.ID, h.Main.ID, 4)
	d := terminal(t, h)
	d.Key("9").Type("9").Sees("No match").Key("backspace").Key("2").Sees("Scan the product, or type its SKU").Key("esc")
	d.Key("9").Type("count this").Key("enter").Sees("0 of 2 counted")
	d.Scan("COF-500").Type("38").Key("enter").Sees("1 of 2 counted")
	d.Scan("SOY-1L").Sees("Scan it again").Scan("SOY-1L").Sees("of 3 counted").Type("2").Key("enter").Sees("2 of 3 counted")
	d.Key("esc", "f4").Sees("2 of 3 lines counted")
}

func TestHome_ResumesUnsentDraft(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	in := h.Inbound("PO-1", h.Oat, 24, time.Hour)
	d := terminal(t, h)
	d.Lacks("unsent").Scan("PO-1").Scan(h.OatBox).Key("esc").Sees("F4 unsent (1)")
	d.Key("f4").Sees("Continue which draft?", "Receive › PO-1   12 counted").Key("enter")
	require.Equal(t, "receive/"+in.ID.String(), d.Model.Route())
	h.Proxy.LoseAnswers(api.ReceiveInbound.Spec, 1)
	d.Key("f7").Type("L1").Key("enter", "enter", "enter", "enter", "esc", "f4").Sees("no answer yet").Key("enter", "enter")
	d.Sees("Received 12").Key("esc").Lacks("unsent")
}

func TestHome_CountsLowStock(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	ten := int64(10)
	for sku, have := range map[string]int64{"TEA-1": 9, "TEA-2": 10} {
		tea := ledgertest.Do(h.World, api.CreateProduct, api.CreateProductInput{SKU: sku, Name: "Tea", ReorderPoint: &ten})
		h.Stock(tea.ID, h.Main.ID, have)
		h.Stock(tea.ID, h.Depot.ID, 1)
	}
	terminal(t, h).Sees("2 in stock", "! 1 low").Key("f6", "down", "enter").Sees("! 2 low")
}

// Each operator has forms of their own; the list of drafts names whose the others are.
func TestHome_ListsDraftsByOperator(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-1", h.Oat, 24, time.Hour)
	h.Inbound("PO-2", h.Soy, 24, time.Hour)
	h.Stock(h.Coffee.ID, h.Main.ID, 40)
	d := h.Terminal(t, allScreens(h), func(o *shell.Options) {
		o.Login.Operators = []tui.Operator{{Name: "Ada", Badge: "ADA-42"}, {Name: "Ben", Badge: "BEN-43"}}
	})
	d.Scan("ADA-42").Scan("PO-1").Scan(h.OatBox).Key("esc").Do(tui.Open("adjust")).Scan("COF-500").Type("3").Key("enter").Sees("40 →        37")
	d.Scan("BEN-43").Key("enter").Do(tui.Open("adjust")).Sees("Scan the product").Lacks("COF-500").Key("esc")
	d.Scan("PO-2").Scan("SOY-1L").Key("esc", "f4").Sees("Receive › PO-2   1 counted", "Ada: Adjust › COF-500@WH-1   3 counted", "Ada: Receive › PO-1   12 counted")
	d.Advance(time.Second).Type("ada: adj").Key("enter").Sees("Ada has counted 3 here. Take it over?").Advance(time.Second).Key("enter")
	d.Sees("Taken over from Ada", "40 →        37").Key("esc", "f4").Sees("Adjust › COF-500@WH-1   3 counted   from Ada", "Ada: Receive › PO-1")
	d.Key("esc").Scan("ADA-42").Sees("Scan the product").Key("esc", "f4").Sees("Ben: Adjust › COF-500@WH-1   3 counted   from Ada")
}

// fillStock adds n products that are low, each with a lot that expires soon.
func fillStock(h *viewtest.Warehouse, n int) {
	reorder := int64(20)
	for i := range n {
		p := ledgertest.Do(h.World, api.CreateProduct, api.CreateProductInput{SKU: fmt.Sprintf("P-%03d", i), Name: fmt.Sprintf("Product %d", i), Tracking: api.TrackLot, ReorderPoint: &reorder})
		expires := tuitest.Noon.AddDate(0, 0, i%28)
		in := ledgertest.Do(h.World, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: p.ID, LocationID: h.Main.ID}, ExpectedQuantity: 5}).Inbound
		ledgertest.Do(h.World, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 5, NewLot: api.NewLot{LotCode: fmt.Sprintf("L-%03d", i), ExpiresAt: &expires}})
	}
}

func TestHome_LargeScreensShowLowAndExpiring(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	fillWarehouse(h)
	fillStock(h, 3)
	d := terminal(t, h).Size(200, 60)
	tuitest.Golden(t, "stock-200x60", d.Painted())
	d.Size(120, 40).Sees("Low stock", "P-002", "Expiring lots", "L-002", "PO-2026-118")
	d.Key("f3").Sees("3 low", "P-000", "P-001", "P-002").Key("esc").Key("f7").Sees("3 lots").Key("esc")
	d.Key("enter").Sees("Receive › PO-2026-118").Key("esc")
	d.Size(80, 24).Lacks("Low stock", "Expiring lots", "P-002").Key("f3").Sees("choose a job")
}

func TestHome_PanesFitEverySize(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	fillWarehouse(h)
	fillStock(h, 60)
	d := terminal(t, h)
	for _, s := range append(tuitest.Shapes(), tuitest.Shape{Width: 110, Height: 32}, tuitest.Shape{Width: 179, Height: 33}) {
		d.Size(s.Width, s.Height)
		tuitest.Fits(t, d.Painted(), s)
		if s.Width < 110 {
			continue
		}
		d.Sees("L-000", "P-000", "↓")
		view := d.View()
		require.Equal(t, 60, number(t, view, "low"), "%s", s)
	}
}

// fillAtRandom adds stock, documents and reservations at both locations, some of them
// finished, late, empty, low or expiring.
func fillAtRandom(h *viewtest.Warehouse, r *rand.Rand) {
	reorder := int64(20)
	places := []api.Place{h.Main, h.Depot}
	noon := tuitest.Noon
	for i := range 6 + r.IntN(8) {
		h.Clock.Set(noon.Add(-time.Duration(r.IntN(60)) * time.Hour))
		k := r.IntN(2)
		at, other := places[k], places[1-k]
		p := ledgertest.Do(h.World, api.CreateProduct, api.CreateProductInput{SKU: fmt.Sprintf("P-%d", i), Name: "Product", Tracking: api.TrackLot, ReorderPoint: &reorder})
		expires := noon.AddDate(0, 0, r.IntN(60))
		in := ledgertest.Do(h.World, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: p.ID, LocationID: at.ID}, ExpectedQuantity: 40, ExpectedAt: &expires}).Inbound
		if q := int64(r.IntN(41)); q > 0 {
			ledgertest.Do(h.World, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: q, NewLot: api.NewLot{LotCode: "L", ExpiresAt: &expires}})
		}
		later := noon.Add(time.Hour)
		due := noon.Add(time.Duration(r.IntN(48)-24) * time.Hour)
		h.Inbound(fmt.Sprintf("PO-%d", i), h.Coffee, 5, due.Sub(noon))
		q := int64(3 + r.IntN(4))
		h.Stock(h.Coffee.ID, at.ID, 4*q)
		ledgertest.Do(h.World, api.CreateOutbound, api.CreateOutboundInput{ProductID: h.Coffee.ID, LocationID: at.ID, RequestedQuantity: &q, ExpectedShipAt: &due})
		x := h.Transfer(fmt.Sprintf("TR-%d", i), h.Coffee, at, other, 2)
		ledgertest.Do(h.World, api.CreateReservation, api.CreateReservationInput{StockKey: api.StockKey{ProductID: h.Coffee.ID, LocationID: at.ID}, Quantity: 1, ExpiresAt: &later})
		if r.IntN(2) == 0 {
			one := int64(1)
			ledgertest.Do(h.World, api.ShipTransfer, api.MoveTransferInput{TransferID: x.ID, Quantity: &one})
		}
	}
	h.Clock.Set(noon)
}

// number returns the number that stands before text in a view, or 0.
func number(t *testing.T, view, text string) int {
	t.Helper()
	found := regexp.MustCompile(`(\d+) `+text).FindAllStringSubmatch(view, -1)
	sum := 0
	for _, f := range found {
		n, err := strconv.Atoi(f[1])
		require.NoError(t, err)
		sum += n
	}
	return sum
}

// TestHome_NumbersEqualLists compares every number on home with the number of rows of the
// list that it opens.
func TestHome_NumbersEqualLists(t *testing.T) {
	t.Parallel()
	seen := map[string]int{}
	for seed := range uint64(6) {
		h := viewtest.NewWarehouse(t)
		fillAtRandom(h, rand.New(rand.NewPCG(seed, 1)))
		d := terminal(t, h).Size(120, 60)
		home := d.View()
		for _, x := range []struct {
			home, list string
			keys       []string
		}{
			{"expected", "expected", []string{"1"}},
			{"to ship", "open", []string{"2"}},
			{"in transit", "open", []string{"3"}},
			{"open {9}", "open", []string{"4"}},
			{"in stock", "in stock at WH-1", []string{"5"}},
			{"movements? today", "movements", []string{"6"}},
			{"pending", "pending", []string{"7"}},
			{"low", "low", []string{"5", "f3"}},
			{"lots? expires? soon", "lots", []string{"5", "f7"}},
		} {
			list := d.Key(x.keys...).View()
			seen[x.home] += number(t, home, x.home)
			require.Equal(t, number(t, home, x.home), number(t, list, x.list), "seed %d, %s:\n%s\n%s", seed, x.home, home, list)
			for range x.keys {
				d.Key("esc")
			}
		}
		late := h.Terminal(t, allScreens(h), func(o *shell.Options) { o.Start = []string{"late"} }).Size(120, 60).View()
		seen["late"] += number(t, home, "overdue")
		require.Equal(t, number(t, home, "overdue"), number(t, late, "overdue"), "seed %d:\n%s\n%s", seed, home, late)
	}
	for text, n := range seen {
		require.Positive(t, n, text)
	}
}
