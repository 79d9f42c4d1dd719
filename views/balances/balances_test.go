package balances_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views/balances"
	"bincard/views/names"
	"bincard/views/reports"
	"bincard/views/session"
	"bincard/views/viewtest"
)

// newFixture returns a fixture with receipts, a damage move and an order.
func newFixture(t *testing.T) *viewtest.Fixture {
	t.Helper()
	s := viewtest.NewFixture(t)
	s.Receive("PO-2026-117", s.Oat.ID, s.Main.ID, 264, "L41-C")
	s.Clock.Advance(20 * time.Hour)
	s.Receive("PO-2026-118", s.Oat.ID, s.Main.ID, 48, "L42-A")
	ledgertest.Do(s.World, api.MoveStock, api.MoveStockInput{StockKey: api.StockKey{ProductID: s.Oat.ID, LocationID: s.Main.ID},
		SourceState: "available", DestinationState: "damaged", Quantity: 2, Reason: "crushed corner"})
	s.Clock.Advance(time.Hour)
	requested := int64(24)
	ledgertest.Do(s.World, api.CreateOutbound, api.CreateOutboundInput{ProductID: s.Oat.ID, LocationID: s.Main.ID,
		RequestedQuantity: &requested, Reference: api.Reference{ReferenceType: "sales_order", ReferenceID: "SO-7790"}, CustomerName: "Café Lumen"})
	ledgertest.Do(s.World, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: s.Oat.ID, LocationID: s.Main.ID},
		ExpectedQuantity: 144, Reference: api.Reference{ReferenceType: "purchase_order", ReferenceID: "PO-2026-120"}})
	s.Stock(s.Soy.ID, s.Main.ID, 40)
	s.Stock(s.Soy.ID, s.Shop.ID, 6)
	s.Clock.Set(tuitest.Noon)
	return s
}

func TestStock_Search(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	d := s.Terminal(s.Service, "stock", balances.Register)
	d.Sees("OAT-1L", "SOY-1L", "Stock › 2 in stock at WH-1", "of 2 balances").Lacks("ST-2")
	d.Goldens("all")
	d.Key("f3").Sees("route low").Key("esc", "f7").Sees("route expiring").Key("esc")
	d.Type("soy shop").Sees("No match at WH-1. F6").Key("f6").Lacks("OAT-1L").Sees("1 of 3 items in stock everywhere", "ST-2", "on hand 6 = avail 6")
	d.Key("esc").Sees("OAT-1L").Type("nothing").Sees("No match")
	d.Goldens("none")
}

// Stock that has expired is available in the ledger, and cannot be picked.
func TestStock_ShowsWhatExpired(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	viewtest.ReceiveLot(s.World, s.Oat, s.Main, 50, "OLD", tuitest.Noon.AddDate(0, 0, -3))
	d := s.Terminal(s.Service, "stock", balances.Register)
	d.Sees("Of the available 336, 50 have expired. 286 can be picked").Size(40, 8).Sees("50 expired").Size(20, 16).Sees("50 expired")
	d.Size(80, 24).Key("down").Lacks("expired").Key("up").Sees("50 have expired")
	d.Key("enter").Sees("Explain › OAT-1L", "Of the available 336, 50 have expired. 286 can be picked").Size(40, 8).Sees("50 expired").Size(20, 16).Sees("50 expired")
	d = s.Terminal(s.Service, "explain/SOY-1L@WH-1", balances.Register)
	d.Lacks("expired")
}

func TestStock_CountsTheListedProducts(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	open := func() *tuitest.Driver {
		return s.Terminal(s.Service, "stock", func(r *tui.Registry, site *session.Site) {
			balances.Register(r, site)
			r.Add("count/{location}", "", func(env tui.Env) (tui.Screen, error) { return nil, errors.New("opened " + env.Route.Path) })
		})
	}
	d := open()
	d.Key("f11").Sees("Count the 2 products listed at WH-1?", "enter count them").Key("esc").Lacks("opened")
	d.Key("f11", "enter").Sees("opened count/WH-1?skus=OAT-1L,SOY-1L")
	d = open()
	d.Type("soy").Key("f11").Sees("opened count/WH-1?sku=SOY-1L")
	d = open()
	d.Type("nothing").Key("f11").Sees("No item is listed")
	d = open()
	d.Key("f6", "f11").Sees("Show one location first (F6)")
}

// The list shows the quantities that a worker must not see before a count.
func TestStock_CountOfAWorkerNeedsASupervisor(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 40)
	r := tui.NewRegistry()
	balances.Register(r, h.Site)
	d := h.Terminal(t, r, func(o *shell.Options) {
		o.Start = []string{"stock"}
		o.Login = tui.Login{Current: "Ada", Operators: []tui.Operator{{Name: "Ada", Badge: "BADGE-1"}, {Name: "Eve", Badge: "BADGE-9", Supervisor: true}}}
	})
	d.Sees("COF-500", "40").Key("f11").Sees("A supervisor must approve: count only COF-500")
}

func TestStock_ShowsAndFiltersShelves(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	s.Terminal(s.Service, "stock", balances.Register).Lacks("shelf")
	ledgertest.Do(s.World, api.SetShelves, api.SetShelvesInput{ProductID: s.Soy.ID, LocationID: s.Main.ID, Shelves: []string{"A-03-2", "B-1"}})
	d := s.Terminal(s.Service, "stock", balances.Register)
	d.Sees("shelf", "A-03-2").Lacks("B-1").Size(160, 40).Sees("A-03-2").Size(20, 16).Key("down").Sees("A-03-2").Size(80, 24)
	d.Type("a-03").Sees("SOY-1L").Lacks("OAT-1L")
}

func TestStock_Scan(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	d := s.Terminal(s.Service, "stock", balances.Register)
	d.Scan("OAT-BOX").Sees("Stock › OAT-1L Oat milk 1 l", "of 1 balances").Lacks("SOY-1L")
	require.Equal(t, 1, d.Bells())
	d.Key("f3").Sees("SOY-1L").Scan("ST-2").Sees("Stock › 1 in stock at ST-2").Lacks("OAT-1L")
	d.Key("f6").Sees("OAT-1L").Key("f6").Sees("Stock › 2 in stock at WH-1")
	s.Terminal(s.Service, "stock?sku=SOY-1L", balances.Register).Sees("Stock › SOY-1L", "1 of 2 balances")
	d.Scan("NO-SUCH").Sees("NO-SUCH was not found", "F8 link to a product")
	require.Equal(t, 3, d.Bells())
	d.Key("enter").Scan("(01)09521234543213(17)991399").Sees("OAT-1L")
}

func TestStock_WithoutCatalog(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	d := s.Terminal(viewtest.Minimal(s.Service), "stock", balances.Register)
	d.Sees("OAT-1L", "SOY-1L").Scan("oat-1l").Sees("Stock › OAT-1L", "of 1 balances")
	d.Scan("9521234543213").Sees("no barcode list")
	d = s.Terminal(s.As(api.Live, api.InventoryRead), "stock", balances.Register) // a key without reports
	d.Sees("OAT-1L", "SOY-1L", "of 2 balances")
}

func TestStock_ServiceDown(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	link := viewtest.NewFaultProxy(s.Service)
	link.Fail(api.ReportSnapshot.Spec, viewtest.ErrUnreachable, nil)
	d := s.Terminal(link, "stock", balances.Register)
	d.Sees("! The service cannot be reached.", "F5")
	d.Goldens("down")
	link.Fail(api.ReportSnapshot.Spec, nil, nil)
	d.Key("f5").Sees("OAT-1L")
	link.Fail(api.ReportSnapshot.Spec, viewtest.ErrUnreachable, nil)
	d.Advance(2*time.Minute).Key("f5").Sees("OAT-1L", "data is 2 min old")
}

// TestStock_SortsCompleteList chooses a column, which the next terminal of the operator
// keeps.
func TestStock_SortsCompleteList(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	d := s.Terminal(s.Service, "stock", balances.Register)
	d.SeesInOrder("OAT-1L", "SOY-1L")
	d.Key("f9").Type("on hand").Key("enter").Sees("on hand▼")
	d.SeesInOrder("OAT-1L", "SOY-1L")
	d.Key("f9").Sees("on hand ▼").Type("on hand").Key("enter").Sees("on hand▲")
	d.SeesInOrder("SOY-1L", "OAT-1L")
	d = s.Terminal(s.Service, "stock", balances.Register)
	d.Sees("on hand▲", "▸ SOY-1L").SeesInOrder("SOY-1L", "OAT-1L")
	d.Key("down").Sees("▸ OAT-1L").Key("f5").Sees("▸ OAT-1L", "2 of 2 balances")
	d.Key("f9").Type("default").Key("enter").Lacks("▲")
	d.SeesInOrder("OAT-1L", "SOY-1L")
}

func TestExplain_OrderAndFilters(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	d := s.Terminal(s.Service, "explain/OAT-1L@WH-1", balances.Register)
	d.Sees("Explain › OAT-1L Oat milk 1 l @ WH-1", "on hand 312", "balance adds up ✓ in all eight states", "PO-2026-120")
	d.Goldens("newest")
	d.Size(200, 60).Key("f9").Sees("newest first").Size(80, 24)
	d.Goldens("oldest")
	d.Key("f8").Sees("Verified: 13 movements add up")
	d.Key("f3").Type("damaged").Key("enter").Sees("damaged only", "1 of 1 movements")
	d.Size(40, 8).Sees("damaged only").Size(20, 16).Sees("damaged only").Size(80, 24)
	d.Key("f3", "enter", "f4").Type("L42").Key("enter").Sees("lot L42-A only").Lacks("L41-C")
	d.Key("end", "ctrl+y")
	require.NotEmpty(t, d.Written())
}

// TestExplain_SaysThatBalanceIsNotThatOfSnapshot is opened from a snapshot of the past.
func TestExplain_SaysThatBalanceIsNotThatOfSnapshot(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	d := s.Terminal(s.Service, "snapshot?asOf=2026-11-17&days=0", balances.Register, reports.Register)
	d.Sees("as of 2026-11-17", "264").Key("enter").Sees("on hand 312", "! This is the balance now. As of 2026-11-17, 264 were on hand.")
	d.Size(40, 8).Sees("! balance now; 2026-11-17: 264").Size(20, 16).Sees("! balance now;", "2026-11-17: 264")
	s.Terminal(s.Service, "explain/OAT-1L@WH-1", balances.Register).Lacks("the balance now")
}

func TestExplain_OpensDocument(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	d := s.Terminal(s.Service, "explain/OAT-1L@WH-1", balances.Register)
	d.Key("enter").Sees("route receive/PO-2026-120")
	d.Key("esc", "down", "enter").Sees("route fulfill/SO-7790")
	d.Key("esc", "down", "down", "down", "enter").Sees("No document: move state")
	d.Key("end", "enter").Sees("route receive/PO-2026-117").Key("esc", "home")
	d.Key("ctrl+t").Sees("This movement has no lot").Key("end", "up", "ctrl+t").Sees("route trace/").Key("esc")
	d.Scan("L41-C").Sees("lot L41-C only")
}

func TestExplain_OpensReservation(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	ends := tuitest.Noon.Add(time.Hour)
	held := ledgertest.Do(s.World, api.CreateReservation, api.CreateReservationInput{StockKey: api.StockKey{ProductID: s.Oat.ID, LocationID: s.Main.ID},
		Quantity: 3, ExpiresAt: &ends}).Reservation
	d := s.Terminal(s.Service, "explain/OAT-1L@WH-1", balances.Register)
	d.Sees(names.Reservation(&held)).Key("enter").Sees("route reservations/" + held.ID.String())
}

func TestExplain_ServiceWithoutPages(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	d := s.Terminal(viewtest.Minimal(s.Service), "explain/OAT-1L@WH-1", balances.Register)
	d.Sees("13 movements: balance adds up ✓", "1 of 13 movements", "PO-2026-120")
	d.Key("end").Sees("PO-2026-117")
	full := s.Terminal(s.Service, "explain/OAT-1L@WH-1", balances.Register)
	require.Equal(t, full.Key("end").View(), d.View())
}

func TestExplain_LoadsPageByPage(t *testing.T) {
	t.Parallel()
	s := viewtest.NewFixture(t)
	s.Receive("PO-9", s.Soy.ID, s.Main.ID, 5, "")
	for range 148 {
		s.Stock(s.Soy.ID, s.Main.ID, 1)
		s.Clock.Advance(time.Minute)
	}
	d := s.Terminal(s.Service, "explain/SOY-1L@WH-1", balances.Register)
	d.Sees("all movements: balance adds up ✓", "1 of 200+ movements")
	d.Key("end").Sees("of 300 movements", "300 movements: balance adds up ✓")
	d.Key("end").Sees("300 of 300 movements").Key("enter").Sees("route receive/PO-9").Key("esc").Sees("300 of 300 movements")
	d = s.Terminal(s.Service, "explain/SOY-1L@WH-1", balances.Register)
	d.Key("f8").Sees("Verified: 300 movements")
	d.Key("f9").Sees("2026-11-17 12:00").Key("end").Sees("300 of 300")
}

func TestExplain_ShowsMismatch(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	d := s.Terminal(wrongBalanceService{s.Service}, "explain/OAT-1L@WH-1", balances.Register)
	d.Sees("! damaged: the movements add up to 2, the balance is 5", "F8 verify")
	d.Goldens("wrong")
	d.Key("f8").Sees("damaged is 5 and should be 2", "bincard verify")
}

func TestExplain_Chart(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	d := s.Terminal(s.Service, "explain/OAT-1L@WH-1", balances.Register)
	d.Key("tab").Sees("on hand at the end of each of 30 days", "most 312, 2026-11-18", "least 0", "today")
	d.Goldens("hand")
	d.Key("left").Sees("of 90 days").Key("left").Sees("of 7 days").Key("f3").Type("dam").Key("enter").Sees("damaged at the end of each of 7 days", "most 2,")
	d.Key("tab").Sees("damaged only", "1 of 1 movements")
}

func TestExplain_ChartOfFewPiecesIsLow(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	d := s.Terminal(s.Service, "explain/OAT-1L@WH-1", balances.Register)
	d.Key("f3").Type("dam").Key("enter", "tab").Sees("damaged at the end of each of 30 days", "most 2,")
	bars := func(width, height int) (n int) {
		for line := range strings.Lines(d.Size(width, height).View()) {
			if strings.Contains(line, "█") {
				n++
			}
		}
		return n
	}
	const states = 1 // the bar of the states above the chart
	require.Equal(t, states+4, bars(200, 60))
	require.Equal(t, states+4, bars(120, 40))
	d.Key("f3").Key("ctrl+u").Type("hand").Key("enter").Sees("on hand at the end of each of 30 days")
	require.Equal(t, states+1+24, bars(200, 60), "also the line of the last days")
}

func TestExplain_Export(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	d := s.Terminal(s.Service, "explain/OAT-1L@WH-1", balances.Register)
	d.Key("f4").Type("L42").Key("enter").Sees("lot L42-A only")
	d.Key("f10", "down", "enter", "enter").Await().Sees("Wrote 2 rows to", "explain-OAT-").Advance(time.Second).Key("esc")
	files, err := filepath.Glob(filepath.Join(s.Exports, "explain-*.csv"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	text, err := os.ReadFile(files[0])
	require.NoError(t, err)
	require.Contains(t, string(text), ",L42-A,")
	require.NotContains(t, string(text), "L41-C")
}

// wrongBalanceService adds 3 to the damaged quantity of every explained balance.
type wrongBalanceService struct{ api.Service }

func (l wrongBalanceService) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	res, err := l.Service.Do(ctx, req)
	if err == nil {
		if out, ok := res.Output.(*api.Explanation); ok {
			out.Balance.Damaged += 3
		}
	}
	return res, err
}

func TestExplain_UnknownBalance(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	d := s.Terminal(s.Service, "explain/OAT-1L@ST-2", balances.Register)
	d.Sees("OAT-1L was never stocked at ST-2. Press F6")
	s.Terminal(s.Service, "explain/OAT-1L", balances.Register).Sees("Write SKU@LOCATION")
	s.Terminal(s.Service, "explain/NO@WH-1", balances.Register).Sees("Product NO not found")
	d.Scan("SOY-1L")
	require.Equal(t, "stock", d.Model.Route())
}

func TestExplain_ScanOpensOtherBalance(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	d := s.Terminal(s.Service, "explain/OAT-1L@WH-1", balances.Register)
	d.Scan("SOY-1L").Sees("Explain › SOY-1L Soy drink 1 l @ WH-1", "on hand 40")
	d.Scan("ST-2").Sees("Explain › SOY-1L Soy drink 1 l @ ST-2", "on hand 6")
	d.Key("esc")
	require.Equal(t, "stock", d.Model.Route())
}

func TestExplain_AsksForOwner(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	other := s.Owner("NORD")
	ledgertest.Do(s.World, api.AdjustStock, api.AdjustStockInput{StockKey: api.StockKey{ProductID: s.Soy.ID, LocationID: s.Shop.ID, OwnerID: other.ID},
		InventoryState: api.OnHand, QuantityDelta: 9, Reason: "consignment"})
	d := s.Terminal(s.Service, "explain/SOY-1L@ST-2", balances.Register)
	d.Sees("Whose stock?", "9 on hand", "6 on hand").Type("9 on").Key("enter").Sees("on hand 9 = avail 9")
}

// Names and reasons from before they were checked give no orders to the terminal, and add
// no lines.
func TestTextExplanation_IsClean(t *testing.T) {
	t.Parallel()
	text := balances.TextExplanation{Explanation: api.Explanation{
		Balance:   api.Balance{Product: &api.ProductRef{SKU: "OAT\u202e", Name: "Oat\x1b]0;PWNED\a\x1b[2J\u009b2Jmilk\nx"}},
		Movements: []api.Movement{{Reason: "fell\r\ndown\x1b]52;c;eA==\a"}}}}
	var english *i18n.Translator
	lines := text.Lines(english)
	require.Len(t, lines, 4)
	for _, l := range lines {
		require.False(t, strings.ContainsAny(l, "\x1b\a\n\r\u009b\u202e"), "%q", l)
	}
	require.Contains(t, lines[0], "milk")
}
