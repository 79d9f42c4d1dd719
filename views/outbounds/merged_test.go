package outbounds_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/server/testenv"
	"bincard/tui/drafts"
	"bincard/tui/tuitest"
	"bincard/views/viewtest"
)

// A mergedFixture is a fixture with two orders that have an item in common, and lots of another.
type mergedFixture struct {
	*orderFixture
	First, Second api.Outbound
	proxy         *viewtest.FaultProxy
}

func newMergedFixture(t *testing.T) *mergedFixture {
	t.Helper()
	f := &mergedFixture{orderFixture: newFixture(t)}
	f.Second = f.addOrder("SO-7005", tuitest.Noon.Add(2*time.Hour), line(f.Soy, 4), line(f.Phone, 1))
	f.First = f.addOrder("SO-7002", tuitest.Noon.Add(time.Hour), line(f.Oat, 14), line(f.Soy, 2), line(f.Phone, 1))
	f.Drafts = drafts.InMemory()
	f.proxy = viewtest.NewFaultProxy(f.Service)
	return f
}

// merged opens the list to pick of both orders.
func (f *mergedFixture) merged(svc api.Service) *tuitest.Driver {
	return f.open(svc, "pick/SO-7005,SO-7002")
}

// picked returns what is picked of the orders.
func (f *mergedFixture) picked() [2]int64 {
	return [2]int64{f.reload(f.First).PickedQuantity, f.reload(f.Second).PickedQuantity}
}

func TestMerged_SelectedInTheList(t *testing.T) {
	t.Parallel()
	f := newMergedFixture(t)
	d := f.open(f.Service, "fulfill").Sees("space select").Lacks("F4")
	d.Key("space", "space").Sees("✓ SO-7781", "✓ SO-7002", "F4 pick").Goldens("selected")
	d.Key("up", "up", "space").Lacks("✓ SO-7781").Key("down", "space").Sees("✓ SO-7005")
	d.Key("f4").Sees("Pick › SO-7002 +1", "12 to SO-7002").Key("esc").Sees("space select").Lacks("✓", "F4")
	d.Key("space", "enter").Sees("Fulfill › ")
}

func TestMerged_SelectionIsLimited(t *testing.T) {
	t.Parallel()
	f := newMergedFixture(t)
	f.addOrder("SO-0", tuitest.Noon.Add(-time.Hour), line(f.Product("RICE-1K", api.TrackNone), 5))
	f.pick(f.Late, 36, false)
	d := f.open(f.Service, "fulfill").Key("space").Sees("Nothing is left to pick.").Lacks("✓")
	d.Key("down", "space").Sees("Nothing is left to pick.").Lacks("✓")
	for i := range 13 {
		f.addOrder(fmt.Sprint("SO-", 10+i), tuitest.Noon.Add(48*time.Hour), line(f.Soy, 1))
	}
	d.Key("ctrl+r", "down", "down", "down")
	for range 13 {
		d.Key("space")
	}
	d.Sees("At most 12 orders")
	require.Equal(t, 12, strings.Count(d.View(), "✓ SO-"))
}

// A route names orders that can be picked together, each once.
func TestMerged_NamedOrders(t *testing.T) {
	t.Parallel()
	f := newMergedFixture(t)
	f.open(f.Service, "pick/SO-7002,SO-7002").Sees("Pick › SO-7002", "12 to SO-7002").Lacks("+1", "24")
	depot := ledgertest.Do(f.World, api.CreateLocation, api.CreateLocationInput{Code: "WH-2", Name: "Depot", Type: api.Warehouse})
	f.Stock(f.Soy.ID, depot.ID, 5)
	ledgertest.Do(f.World, api.CreateOutbound, api.CreateOutboundInput{LocationID: depot.ID, Lines: []api.OutboundLineInput{line(f.Soy, 1)},
		Reference: api.Reference{ReferenceType: "sales_order", ReferenceID: "SO-8001"}})
	f.open(f.Service, "pick/SO-7002,SO-8001").Sees("At most 12 orders of one location, owner and channel are picked together.")
	f.open(f.Service, "pick/SO-7002"+strings.Repeat(",SO-7005", 12)).Sees("At most 12 orders")
	f.open(f.Service, "pick/SO-7002,SO-404").Sees("SO-404", "enter to retry")
	f.addOrder("SO-7002", tuitest.Noon, line(f.Soy, 1))
	f.open(f.Service, "pick/SO-7002,SO-7005").Sees("There are 2 open documents named SO-7002.")
}

func TestMerged_NeedsPicksAndLots(t *testing.T) {
	t.Parallel()
	f := newMergedFixture(t)
	f.open(viewtest.Minimal(f.Service), "fulfill").Key("space", "f4").Lacks("select", "✓", "Pick ›")
}

// Quantities fill the orders in the order of their ship dates, and each piece says which it is
// for.
func TestMerged_DistributesByShipDate(t *testing.T) {
	t.Parallel()
	f := newMergedFixture(t)
	d := f.merged(f.Service)
	d.Sees("Pick › SO-7002 +1", "2 to SO-7002, 4 to SO-7005", "1 to SO-7002, 1 to SO-7005")
	d.Scan("SOY-1L").Sees("Scan SOY-1L: 1 to SO-7002, 4 to SO-7005", "→ SO-7002", "enter pick 1").Goldens("merged")
	d.Size(20, 16).Sees("▸ 1 to SO-7002", "✓ → SO-7002 +1").Scan("SOY-1L").Sees("▸ 4 to SO-7005").Scan("SOY-1L").Sees("▸ 3 to SO-7005", "→ SO-7005 +1")
	d.Size(40, 8).Sees("▸ 3 to SO-7005").Size(80, 24)
	d.Type("7").Key("enter").Sees("Too many: SOY-1L has only 6 to go").Key("enter")
	d.Type("1").Key("enter").Sees("Scan SOY-1L: 1 to SO-7002, 4 to SO-7005")
	d.Key("+").Sees("→ SO-7002, …", "+5", "enter pick 6").Key("ctrl+z").Sees("enter pick 1", "undone")
	d.Type("5").Key("enter", "enter").Sees("Pick 5? Not counted: SO-7002: 12 × OAT-1L, 2 × OAT-1L, 1 × PHONE-7; SO-7005:", "esc count more").Key("enter")
	d.Sees("Picked 5: SO-7002, SO-7005")
	require.Equal(t, [2]int64{2, 3}, f.picked())
	picks := ledgertest.Do(f.World, api.ReportMovements, api.ReportMovementsInput{Operation: api.OpOutboundPick}).Items
	require.Len(t, picks, 2)
	require.NotEqual(t, picks[0].DocumentID, picks[1].DocumentID)
}

// Nothing is counted that was not scanned or chosen.
func TestMerged_NothingUnscannedIsCounted(t *testing.T) {
	t.Parallel()
	f := newMergedFixture(t)
	d := f.merged(f.Service).Scan("SOY-1L").Key("+", "+", "enter").Sees("Pick 6?").Key("esc")
	d.Key("up").Advance(time.Second).Key("ctrl+p").Type("pick 6").Key("esc").Sees("enter pick 6")
}

// Each lot has a line, and a lot that is not allocated is refused.
func TestMerged_Lots(t *testing.T) {
	t.Parallel()
	f := newMergedFixture(t)
	third := f.addOrder("SO-7009", tuitest.Noon.Add(3*time.Hour), line(f.Oat, 3))
	f.Receive("PO-3", f.Oat.ID, f.Main.ID, 5, "L43-D")
	d := f.open(f.Service, "pick/SO-7002,SO-7005,SO-7009").Sees("12 to SO-7002", "2 to SO-7002, 3 to SO-7009")
	d.Scan("]C10109521234543213" + "10L43-D").Sees("Lot L43-D is not allocated to these orders. Take lot L41-C.").Key("enter").Lacks("enter pick")
	d.Scan(l42).Sees("Scan OAT-1L L42-A: 1 to SO-7002, 3 to SO-7009").Key("+").Sees("enter pick 5")
	d.Scan(l41).Key("+").Sees("enter pick 17").Scan(l41).Sees("Too many: OAT-1L has only 12").Key("enter")
	d.Key("enter", "enter").Sees("Picked 17: SO-7002, SO-7009")
	require.EqualValues(t, 14, f.reload(f.First).PickedQuantity)
	require.EqualValues(t, 3, f.reload(third).PickedQuantity)
	lots := ledgertest.Do(f.World, api.ListOutboundLots, api.OutboundInput{OutboundID: third.ID}).Items
	require.Len(t, lots, 1)
	require.Equal(t, "L42-A", lots[0].LotCode)
}

func TestMerged_Serials(t *testing.T) {
	t.Parallel()
	f := newMergedFixture(t)
	d := f.merged(f.Service).Scan("PHONE-7").Sees("Scan the serial number of PHONE-7").Scan("SN-2").Sees("→ SO-7002", "Scan PHONE-7: 1 to SO-7005")
	d.Scan("SN-2").Sees("already counted").Key("enter").Scan("SN-3").Sees("→ SO-7005").Scan("SN-1").Sees("Too many").Key("enter")
	d.Key("enter", "enter").Sees("Picked 2: SO-7002, SO-7005")
	require.Equal(t, "SN-2", f.reload(f.First).Lines[2].Serials[0].Serial.SerialNumber)
	require.Equal(t, "SN-3", f.reload(f.Second).Lines[1].Serials[0].Serial.SerialNumber)
}

// An order that is canceled meanwhile fails alone, and what was taken for it is put back.
func TestMerged_OrderCanceledHalfway(t *testing.T) {
	t.Parallel()
	f := newMergedFixture(t)
	d := f.merged(f.proxy).Scan("SOY-1L").Key("+").Scan("PHONE-7").Scan("SN-1")
	f.proxy.Before(api.PickOutbound.Spec, func() {
		ledgertest.Do(f.World, api.CancelOutbound, api.OutboundInput{OutboundID: f.First.ID})
	})
	d.Key("enter", "enter").Sees("SO-7002 was changed (canceled). Put back 1 × PHONE-7, 2 × SOY-1L.").Key("enter")
	d.Sees("Picked 4: SO-7005", "1 to SO-7005").Lacks("SO-7002:", "to SO-7002")
	require.Equal(t, [2]int64{0, 4}, f.picked())
	require.Nil(t, tuitest.DraftRoutes(t, f.Drafts))

	// It is also told while nothing is sent, and after the terminal was started again.
	third := f.addOrder("SO-7009", tuitest.Noon.Add(3*time.Hour), line(f.Soy, 3))
	d = f.open(f.Service, "pick/SO-7005,SO-7009").Scan("SOY-1L").Key("+").Sees("enter pick 3")
	ledgertest.Do(f.World, api.CancelOutbound, api.OutboundInput{OutboundID: third.ID})
	f.open(f.Service, "pick/SO-7005,SO-7009").Sees("SO-7009 was changed (canceled). Put back 3 × SOY-1L.")
	d.Advance(31*time.Second).Sees("Put back 3 × SOY-1L.").Key("enter").Lacks("SO-7009:", "enter pick")
}

// What somebody else picked is refused alone. It stays counted until the operator takes it back.
func TestMerged_PickedByAnother(t *testing.T) {
	t.Parallel()
	f := newMergedFixture(t)
	d := f.merged(f.proxy).Scan("SOY-1L").Key("+").Scan("PHONE-7").Scan("SN-1")
	f.proxy.Before(api.PickOutbound.Spec, func() {
		ledgertest.Do(f.World, api.PickOutbound, api.HandleOutboundInput{OutboundID: f.First.ID, ProductID: f.Soy.ID})
	})
	d.Key("enter", "enter")
	viewtest.RequireErrors(t, d, "SOY-1L → SO-7002 was not recorded: Not recorded: it is already done, or not ready yet. Check the lines, or go back (esc).")
	require.Equal(t, [2]int64{3, 4}, f.picked())
	d.Key("enter").Sees("Pick 2? Not counted").Key("enter").Sees("SOY-1L has only 0 to go, but the count is 2")
	d.Key("enter").Type("0").Key("enter").Lacks("enter pick").Sees("Picked 5: SO-7002, SO-7005")
}

// Everything is refused, and nothing is left.
func TestMerged_AllCanceled(t *testing.T) {
	t.Parallel()
	f := newMergedFixture(t)
	d := f.merged(f.Service).Scan("SOY-1L")
	ledgertest.Do(f.World, api.CancelOutbound, api.OutboundInput{OutboundID: f.First.ID})
	ledgertest.Do(f.World, api.CancelOutbound, api.OutboundInput{OutboundID: f.Second.ID})
	d.Key("enter", "enter").Sees("SO-7002 was changed (canceled). Put back 1 × SOY-1L.").Key("enter").Sees("Nothing is left to pick.")
	d.Scan("SOY-1L").Sees("Nothing was counted")
}

// A terminal that dies between the picks of two orders goes on where it was.
func TestMerged_DiesBetweenTwoOrders(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]func(p *viewtest.FaultProxy){
		"without an answer": func(p *viewtest.FaultProxy) { p.LoseAnswers(api.PickOutbound.Spec, 1) },
		"disconnected": func(p *viewtest.FaultProxy) {
			p.Before(api.PickOutbound.Spec, func() { p.Before(api.PickOutbound.Spec, p.Down) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newMergedFixture(t)
			fail(f.proxy)
			f.merged(f.proxy).Scan("SOY-1L").Key("+", "enter", "enter")
			f.proxy.Up()
			f.merged(f.proxy).Key("enter").Advance(time.Second).Key("enter")
			require.Equal(t, [2]int64{2, 4}, f.picked())
			require.Nil(t, tuitest.DraftRoutes(t, f.Drafts))
		})
	}
}

// What is counted of several orders is marked on each of them in the list.
func TestMerged_IsMarkedOnEachOrder(t *testing.T) {
	t.Parallel()
	f := newMergedFixture(t)
	d := f.open(f.Service, "fulfill").Key("down", "space", "space", "f4").Scan("SOY-1L").Key("esc")
	require.Regexp(t, `(?s)SO-7002 +1 counted.*SO-7005 +1 counted`, d.View())
}

func TestMerged_Offline(t *testing.T) {
	t.Parallel()
	f := newMergedFixture(t)
	node := viewtest.NewNode(t, f.World, f.proxy)
	node.Disconnect()
	d := f.merged(node).Scan("SOY-1L").Key("+", "enter", "enter").Sees("Saved, not synced. Picked 6: SO-7002, SO-7005")
	require.Equal(t, [2]int64{0, 0}, f.picked())
	node.Connect()
	require.Equal(t, [2]int64{2, 4}, f.picked())
	d.Advance(31 * time.Second).Lacks("SOY-1L: ")
}

// The shelf is scanned once for all orders of an item.
func TestMerged_ShelfCheck(t *testing.T) {
	t.Parallel()
	f := newMergedFixture(t)
	for sku, shelf := range map[api.ID]string{f.Soy.ID: "A-10", f.Oat.ID: "A-02"} {
		ledgertest.Do(f.World, api.SetShelves, api.SetShelvesInput{ProductID: sku, LocationID: f.Main.ID, Shelves: []string{shelf}})
	}
	_, err := f.Ledger.SetRules(t.Context(), f.Org.ID, api.Live, api.Rules{ShelfCheck: true, RequireLot: true})
	require.NoError(t, err)
	d := f.merged(f.Service).SeesInOrder("A-02 ", "A-10 ", "PHONE-7 ")
	d.Scan("SOY-1L").Sees("SOY-1L is on A-10. Scan that shelf first.").Key("enter")
	d.Scan("A-10").Scan("SOY-1L").Type("6").Key("enter").Sees("enter pick 6")
	d.Scan("A-02").Scan("OAT-BOX").Sees("Scan the lot").Scan(l41).Sees("L41-C").Key("enter").Sees("Pick 18? Not counted: SO-7002: 2 × OAT-1L, 1 × PHONE-7").Key("enter").Sees("Picked 18: SO-7002, SO-7005")
}

// Eight orders with 20 lines are picked in one walk.
func TestMerged_EightOrdersInOneWalk(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	var orders []api.Outbound
	var skus []string
	inputs, lines := 0, int64(0)
	for i := range 10 {
		p := f.Product(fmt.Sprint("ITEM-", i), api.TrackNone)
		f.Stock(p.ID, f.Main.ID, 100)
		skus = append(skus, p.SKU)
	}
	at := func(i int) api.OutboundLineInput {
		p := ledgertest.Do(f.World, api.ListProducts, api.ListProductsInput{}).Items
		for _, x := range p {
			if x.SKU == skus[i%len(skus)] {
				return line(x, 3)
			}
		}
		return api.OutboundLineInput{}
	}
	for i := range 8 {
		var of []api.OutboundLineInput
		for k := range 2 + i%2 {
			of = append(of, at(3*i+k))
		}
		lines += int64(len(of))
		orders = append(orders, f.addOrder(fmt.Sprint("SO-60", i), tuitest.Noon.Add(-time.Hour), of...))
	}
	require.EqualValues(t, 20, lines)

	key := func(d *tuitest.Driver, names ...string) {
		d.Key(names...)
		inputs += len(names)
	}
	d := f.open(f.Service, "fulfill")
	for range orders {
		key(d, "space")
	}
	key(d, "f4")
	for _, sku := range skus {
		d.Scan(sku)
		inputs++
		key(d, "+")
	}
	key(d, "enter")
	d.Sees("Picked 60: SO-600, SO-601, SO-602, SO-603, SO-604, SO-605,", "Nothing is left to pick.")
	for _, o := range orders {
		require.Equal(t, api.OutboundPicked, f.reload(o).Status)
	}
	t.Logf("%d inputs", inputs)
	require.LessOrEqual(t, inputs, 60)
}

// In random events, with lost answers and terminals that die, what is counted and picked changes by what is
// scanned or typed and nothing else.
func TestMerged_PicksEachPieceOnce(t *testing.T) {
	t.Parallel()
	picks := regexp.MustCompile(`enter pick (\d+)`)
	for seed := range testenv.Seed(t) + 40 {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 7))
			f := newMergedFixture(t)
			third := f.addOrder("SO-7009", tuitest.Noon.Add(3*time.Hour), line(f.Oat, 30), line(f.Soy, 9))
			open := func() *tuitest.Driver { return f.open(f.proxy, "pick/SO-7002,SO-7005,SO-7009") }
			d := open()
			settle := func() {
				f.proxy.Up()
				f.proxy.LoseAnswers(api.PickOutbound.Spec, 0)
				for range 30 {
					d.Advance(time.Second)
					switch view := d.View(); {
					case strings.Contains(view, "enter continue"), strings.Contains(view, "enter retry"), strings.Contains(view, "Not sent yet"), strings.Contains(view, "esc count more"):
						d.Key("enter")
					case strings.Contains(view, "esc no"):
						d.Key("esc")
					default:
						return
					}
				}
				require.Fail(t, "does not settle", d.View())
			}
			sum := func() (n int64) {
				if found := picks.FindStringSubmatch(d.View()); found != nil {
					n, _ = strconv.ParseInt(found[1], 10, 64)
				}
				for _, o := range []api.Outbound{f.First, f.Second, third} {
					n += f.reload(o).PickedQuantity
				}
				return n
			}
			for range 40 {
				before := sum()
				switch event := r.IntN(9); event {
				case 0, 1, 2:
					code := []string{"SOY-1L", l41, l42, "OAT-BOX", "SN-1", "SN-2"}[r.IntN(6)]
					d.Scan(code)
					settle()
					require.Contains(t, []int64{0, 1, 12}, sum()-before, code)
				case 3:
					d.Key("+")
					settle()
					require.GreaterOrEqual(t, sum(), before)
				case 4:
					d.Type(strconv.Itoa(r.IntN(12))).Key("enter")
					settle()
				case 5:
					d.Key([]string{"up", "down"}[r.IntN(2)])
					require.Equal(t, before, sum())
				case 6:
					d = open()
					require.Equal(t, before, sum(), d.View())
				default:
					f.proxy.LoseAnswers(api.PickOutbound.Spec, r.IntN(3))
					if r.IntN(3) == 0 {
						f.proxy.Before(api.PickOutbound.Spec, f.proxy.Down)
					}
					d.Key("enter")
					if strings.Contains(d.View(), "esc count more") {
						d.Key("enter")
					}
					if r.IntN(2) == 0 {
						f.proxy.Up()
						d = open()
					}
					settle()
					require.Equal(t, before, sum(), d.View())
				}
			}
		})
	}
}
