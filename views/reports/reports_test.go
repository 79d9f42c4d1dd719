package reports_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views/reports"
	"bincard/views/viewtest"
)

// newFixture returns a fixture with movements on several days.
func newFixture(t *testing.T) *viewtest.Fixture {
	t.Helper()
	s := viewtest.NewFixtureAt(t, tuitest.Noon.AddDate(0, 0, -40))
	s.Stock(s.Soy.ID, s.Shop.ID, 6)
	s.Clock.Set(tuitest.Noon.AddDate(0, 0, -3))
	s.Receive("PO-2026-117", s.Oat.ID, s.Main.ID, 264, "L41-C")
	s.Clock.Advance(24 * time.Hour)
	s.Receive("PO-2026-118", s.Oat.ID, s.Main.ID, 1200, "L42-A")
	s.Clock.Advance(42 * time.Hour)
	ledgertest.Do(s.World, api.MoveStock, api.MoveStockInput{StockKey: api.StockKey{ProductID: s.Oat.ID, LocationID: s.Main.ID},
		SourceState: "available", DestinationState: "damaged", Quantity: 2, Reason: "crushed corner"})
	s.Stock(s.Soy.ID, s.Main.ID, 40)
	s.Clock.Set(tuitest.Noon)
	return s
}

func TestMovements_Browse(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	d := s.Terminal(s.Service, "movements?days=7", reports.Register)
	d.Sees(") › last 7 days", "1 of 12 movements", "move state", "opening stock")
	d.Goldens("week")
	d.Key("left").Sees("5 of 12").Key("left").Sees("9 of 12").Key("right").Sees("5 of 12").Key("right").Sees("1 of 12")
	d.Key("down", "enter").Sees("route explain/SOY-1L@WH-1")
	d.Key("esc", "ctrl+y")
	require.NotEmpty(t, d.Written())

	d.Key("home", "f7").Sees("No document: adjust").Key("end", "f7").Sees("route receive/PO-2026-117").Key("esc")
	d.Scan("L42-A").Sees("route trace/").Key("esc", "home", "f12")
	for i, line := range strings.Split(d.View(), "\n") {
		if strings.Contains(line, "damaged") {
			d.Send(tea.MouseMsg{X: 5, Y: i, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
		}
	}
	d.Sees("3 of 12 movements")
}

func TestMovements_Filter(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	d := s.Terminal(s.Service, "movements?days=7", reports.Register)
	d.Key("f3").Sees("Movements › filter", "Operation")
	d.Goldens("form")
	d.Scan("NO-SUCH").Sees("NO-SUCH was not found", "F8 link to a product").Advance(time.Second).Key("enter")
	d.Scan("OAT-BOX").Sees("OAT-1L").Key("tab", "tab").Type("m").Key("tab").Type("d").Key("f10")
	d.Sees(") › last 7 days · OAT-1L · move state · damaged", "1 of 1 movements", "+2")
	require.Equal(t, "movements?days=7&operation=move_state&sku=OAT-1L&state=damaged", d.Model.Route())
	d.Key("f4").Sees("1 of 12 movements")
	d.Scan("ST-2").Sees(") › last 7 days · ST-2", "No matching movements")
	d.Goldens("empty")
	d.Key("f3", "tab", "tab", "tab", "tab", "right", "right", "f10").Sees(") › all time · ST-2", "1 of 2 movements", "2026-10-11")
	d.Key("f3", "esc").Sees("all time")
}

// What a person did, what happened to a document, a lot or a serial is asked for on the screen.
func TestMovements_FilterOfPeople(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	camera := ledgertest.Do(s.World, api.CreateProduct, api.CreateProductInput{SKU: "CAM-1", Name: "Camera", Tracking: api.TrackSerial})
	in := api.ReceiveStockInput{StockKey: api.StockKey{ProductID: camera.ID, LocationID: s.Main.ID}, Reason: "found"}
	in.Serials = []api.SerialInput{{SerialNumber: "S-1"}}
	_, err := api.ReceiveStock.Call(t.Context(), s.Service, in, api.By("Ben"), api.ApprovedBy("Sue"))
	require.NoError(t, err)
	for query, want := range map[string]string{"person=ben": "1 of 2 movements", "person=sue": "1 of 2 movements", "person=eve": "No matching movements",
		"serial=s-1": "1 of 2 movements", "lot=l42-a": "1 of 2 movements", "document=2026-118": "1 of 4 movements"} {
		s.Terminal(s.Service, "movements?days=0&"+query, reports.Register).Sees(want)
	}
	d := s.Terminal(s.Service, "movements?days=0", reports.Register)
	d.Key("f3", "up").Type("S-1").Key("f10").Sees("all time · S-1", "1 of 2 movements")
}

func TestMovements_Period(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	d := s.Terminal(s.Service, "movements?from=2026-11-17&to=2026-11-17", reports.Register)
	d.Sees(") › 2026-11-17", "1 of 4 movements")
	d.Key("f3", "up", "up", "up", "up", "up", "up", "up").Type("2026-11-16").Key("f10").Lacks("before the first day")
	d = s.Terminal(s.Service, "movements?from=2026-11-18", reports.Register)
	d.Key("f3", "up", "up", "up", "up", "up", "up", "up").Type("2026-11-16").Key("f10").Sees("before the first day")
	s.Terminal(s.Service, "movements?from=never", reports.Register).Sees("\"never\" is not a date")
	s.Terminal(s.Service, "movements?sku=NO-SUCH", reports.Register).Sees("NO-SUCH was not found", "F3 changes the filter")
}

func TestMovements_LoadsPageByPage(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	for range 300 {
		s.Stock(s.Soy.ID, s.Main.ID, 1)
	}
	d := s.Terminal(s.Service, "movements?days=7", reports.Register)
	d.Sees("1 of 500+ movements", "500+")
	d.Key("end").Sees("of 612 movements").Lacks("612+")
	d.Key("end").Sees("612 of 612 movements", "delivery expected")
}

func TestMovements_ServiceDown(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	link := viewtest.NewFaultProxy(s.Service)
	d := s.Terminal(link, "movements?days=7", reports.Register)
	d.Sees("opening stock").Hold().Advance(3*time.Minute).Key("f5").Sees("~ loading… data is 3 min old", "move state")
	d.Release().Sees("1 of 12 movements")
	link.Fail(api.ReportMovements.Spec, viewtest.ErrUnreachable, nil)
	d.Advance(time.Minute).Key("f5").Sees("! The service cannot be reached. F5 retries (data is 1 min old)", "move state")
	d.Goldens("stale")
	link.Fail(api.ReportMovements.Spec, nil, nil)
	d.Key("f5").Sees("1 of 12 movements")
	for range 300 {
		s.Stock(s.Soy.ID, s.Main.ID, 1)
	}
	d = s.Terminal(link, "movements?days=7", reports.Register)
	link.Down()
	d.Key("end").Sees("The service cannot be reached. F5 retries", "500")
	link.Up()
	d.Lacks("612").Key("pgdown").Lacks("cannot be reached").Key("end").Sees("612 of 612 movements")
	s.Terminal(s.As(api.Live, api.InventoryRead), "movements?days=7", reports.Register).Sees("no permission to do that (reports:read)")
}

func TestSnapshot_Browse(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	d := s.Terminal(s.Service, "snapshot?days=0", reports.Register)
	d.Sees(") › now", "1 of 3 balances")
	d.Goldens("all")
	d.Key("f3", "tab", "tab", "tab").Type("d").Key("tab", "right", "f10").Sees(") › now · damaged · in stock", "1 of 1 balances", "OAT-1L")
	d.Key("enter").Sees("route explain/")

	d = s.Terminal(s.Service, "snapshot?days=0", reports.Register)
	d.Key("f8").Await().Sees("✓ all 3 balances", "on hand", "1,510", "damaged").Lacks("+1,510")
	d.Key("right", "right").Sees("‹ by product ›").Key("enter").Sees(") › now · OAT-1L")
}

func TestReports_MinimalService(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	d := s.Terminal(viewtest.Minimal(s.Service), "movements?sku=oat-1l&days=7", reports.Register)
	d.Sees("1 of 10 movements")
	s.Terminal(viewtest.Minimal(s.Service), "snapshot?location=ST-2&days=0", reports.Register).Sees("1 of 1 balances", "SOY-1L")
}

// searchService returns an empty page with a cursor before the real pages.
type searchService struct{ api.Service }

func (l searchService) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if in, ok := req.Input.(*api.ReportMovementsInput); ok && in.Cursor == "" {
		next := "further"
		return &api.Response{Output: &api.List[api.MovementRow]{Items: []api.MovementRow{}, NextCursor: &next}}, nil
	} else if ok && in.Cursor == "further" {
		in.Cursor = ""
	}
	return l.Service.Do(ctx, req)
}

func TestMovements_EmptyPageIsNotTheEnd(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	s.Terminal(searchService{s.Service}, "movements?days=7", reports.Register).Sees("1 of 12 movements")
}

// TestMovements_SortsWhenComplete sorts all movements, and none while some are not loaded.
func TestMovements_SortsWhenComplete(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	for range 300 {
		s.Stock(s.Soy.ID, s.Main.ID, 1)
	}
	d := s.Terminal(s.Service, "movements?days=7", reports.Register)
	d.Sees("1 of 500+ movements").Key("f9").Type("change").Key("enter").Sees("change▼", "1 of 612 movements")
	require.Regexp(t, `▸ .*\+1,200 `, d.View())
	d.Key("left").Sees("Switch to the default sort (F9)").Key("f5").Sees("change▼", "1 of 612 movements")
	d.Key("f9").Type("change").Key("enter").Sees("change▲")
	require.Regexp(t, `▸ .*-1,200 `, d.View())
	d.Key("f9").Type("default").Key("enter").Sees("1 of 500+ movements").Lacks("▲", "▼")
}

func TestSavedFilters_SaveRenameDelete(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	d := s.Terminal(s.Service, "movements?days=30&state=damaged", reports.Register)
	d.Key("ctrl+o").Sees("Save as: last 30 days · damaged").Type("Night").Key("enter").Sees("Saved as Night", "saved: Night")
	d.Key("f4").Sees("last 7 days").Lacks("saved:")
	d.Key("ctrl+o").Sees("Which filter?", "Night   last 30 days · damaged").Key("enter").Sees("last 30 days · damaged", "saved: Night")
	d = s.Terminal(s.Service, "movements", reports.Register)
	d.Sees("last 30 days · damaged", "saved: Night") // the last one used
	d.Key("ctrl+o").Type("rename").Key("enter", "enter").Sees("New name for Night").Type(" shift").Key("enter").Sees("Saved as Night shift")
	d.Key("ctrl+s", "enter").Sees("saved: Night shift")
	d.Key("ctrl+o").Type("delete").Key("enter", "enter").Sees("Delete the saved filter Night shift?").Key("enter").Lacks("saved:")
	s.Terminal(s.Service, "movements", reports.Register).Sees("Movements (4) › today · WH-1") // it has no name anymore
	s.Terminal(s.Service, "snapshot", reports.Register).Sees("Snapshot (2) › now · WH-1 · in stock")
	require.NoError(t, s.Settings.Save("filters", []byte("{broken")))
	s.Terminal(s.Service, "movements?days=7", reports.Register).Sees("last 7 days").Key("ctrl+o").Sees("Cannot read the saved filters")
}

// Eve sees the filters of older versions and those that Ada shares, and changes none of Ada's.
func TestSavedFilters_BelongToTheirOperator(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	require.NoError(t, s.Settings.Save("filters", []byte(`{"movements":{"last":"days=30&state=damaged","named":[{"name":"Night","query":"days=30&state=damaged","color":"red"}]}}`)))
	open := func(operator string) *tuitest.Driver {
		site, r := s.Site(s.Service), tui.NewRegistry()
		site.SetOperator(operator)
		reports.Register(r, site)
		return tuitest.New(t, shell.Options{Registry: r, Start: []string{"movements"}})
	}
	filters := func() string {
		data, err := s.Settings.Load("filters")
		require.NoError(t, err)
		return strings.Join(strings.Fields(string(data)), "")
	}
	d := open("Ada").Sees("last 30 days · damaged", "saved: Night")
	d.Key("f4").Key("ctrl+o").Sees("Night (everyone's)   last 30 days").Type("save").Key("enter").Type("Week").Key("enter").Sees("saved: Week")
	d.Key("ctrl+o").Sees("Week   last 7 days").Lacks("Week (shared)").Key("enter")
	open("Ada").Sees("saved: Week")
	d = open("Eve").Sees("saved: Night").Lacks("Week")
	d.Key("ctrl+o").Sees("Night (everyone's)").Lacks("Week", "share one").Key("esc")

	d = open("Ada").Key("ctrl+o").Type("share").Key("enter").Sees("Share which filter", "Week").Lacks("Night").Key("enter").Sees("Everyone sees Week now")
	d.Key("ctrl+o").Sees("Week (shared)").Key("esc")
	e := open("Eve").Key("ctrl+o").Sees("Week (Ada's)").Type("Week").Key("enter").Sees("saved: Week")
	e.Key("ctrl+o").Type("delete").Key("enter").Sees("Delete which filter?", "Night").Lacks("Week (").Key("esc")
	e.Key("ctrl+o").Type("save").Key("enter").Key("enter").Sees("Saved as Week")
	e.Key("ctrl+o").Sees("Week   last 7 days", "Week (Ada's)").Key("esc")
	require.Contains(t, filters(), `{"name":"Week","query":"days=7","operator":"Ada","shared":true},{"name":"Week","query":"days=7","operator":"Eve"}`)

	d.Key("ctrl+o").Type("share").Key("enter", "enter").Sees("Only you see Week now")
	open("Eve").Key("ctrl+o").Lacks("Ada's")
	require.Contains(t, filters(), `"color":"red"`)
}

// newLargeFixture returns a fixture with more than two pages of movements over
// several days.
func newLargeFixture(t *testing.T) *viewtest.Fixture {
	t.Helper()
	s := viewtest.NewFixtureAt(t, tuitest.Noon.AddDate(0, 0, -5))
	for range 3 {
		for range 200 {
			s.Stock(s.Soy.ID, s.Main.ID, 1)
		}
		s.Clock.Advance(24 * time.Hour)
	}
	s.Clock.Set(tuitest.Noon)
	return s
}

func TestTotals_StopAndResume(t *testing.T) {
	t.Parallel()
	s := newLargeFixture(t)
	d := s.Terminal(s.Service, "movements?days=7", reports.Register)
	d.Sees("1 of 500+ movements").Lacks("Su").Key("f8").Sees("by operation", "~ totaling… 0 movements")
	d.Await().Sees("~ totaling… 500 movements").Key("esc").Sees("! stopped after 500 movements")
	d.Key("f8").Await().Sees("~ totaling… 1,000").Await().Sees("✓ all 1,200 movements", "adjust", "+600")
	d.Key("esc").Sees("Su", "400", "500+ movements").Key("f8")
	d.Goldens("operations")
	d.Key("right").Sees("‹ by state ›", "on hand", "available").Key("right").Sees("‹ by day ›", "Su 2026-11-15", "Tu 2026-11-17", "400")
	d.Goldens("days")
	d.Key("right").Sees("‹ by location ›", "WH-1").Key("left", "down", "enter")
	d.Sees(") › 2026-11-16", "1 of 400 movements")
	d.Key("left").Sees(") › 2026-11-15").Key("right", "right").Sees(") › 2026-11-17")
	require.Equal(t, "movements?from=2026-11-17&to=2026-11-17", d.Model.Route())
	s.Terminal(s.Service, "movements?days=1", reports.Register).Key("right").Sees("Already showing today")
}

func TestMovements_SeeksUnloadedDay(t *testing.T) {
	t.Parallel()
	s := viewtest.NewFixtureAt(t, tuitest.Noon.AddDate(0, 0, -5))
	s.Stock(s.Soy.ID, s.Main.ID, 5)
	s.Clock.Set(tuitest.Noon.AddDate(0, 0, -3))
	for range 600 {
		s.Stock(s.Soy.ID, s.Main.ID, 1)
	}
	d := s.Terminal(s.Service, "movements?days=7", reports.Register)
	d.Sees("1 of 500+ movements").Key("left").Sees("1,201 of 1,202 movements").Key("right").Sees("1 of 1,202")
}

func TestTotals_ByHourAndPerson(t *testing.T) {
	t.Parallel()
	s := viewtest.NewFixtureAt(t, tuitest.Noon.Add(-3*time.Hour))
	adjust := func(by string, q int64) {
		ledgertest.Do(s.World, api.AdjustStock, api.AdjustStockInput{StockKey: api.StockKey{ProductID: s.Soy.ID, LocationID: s.Main.ID},
			InventoryState: api.OnHand, QuantityDelta: q, Reason: "found"}, api.By(by))
	}
	adjust("Ben", 5)
	adjust("Ben", 7)
	s.Clock.Advance(time.Hour)
	adjust("Ben", 2)
	adjust("Ada", 3)
	s.Clock.Set(tuitest.Noon)
	d := s.Terminal(s.Service, "movements?days=7", reports.Register).Key("f8").Await().Key("right", "right", "right", "right", "right", "right")
	d.Sees("‹ by hour ›").SeesInOrder("today 10:00 Ben", "+2", "today 10:00 Ada", "+3", "today 09:00 Ben", "+12")
	d.Size(20, 16).SeesInOrder("10:00 Ben", "10:00 Ada", "09:00 Ben").Size(80, 24)
	d.Key("enter").Sees("2026-11-20 · Ben", "1 of 6 movements")
}

func TestTotals_ServiceDown(t *testing.T) {
	t.Parallel()
	s := newLargeFixture(t)
	link := viewtest.NewFaultProxy(s.Service)
	d := s.Terminal(link, "movements?days=7", reports.Register)
	link.Fail(api.ReportMovements.Spec, viewtest.ErrUnreachable, nil)
	d.Key("f8").Await().Sees("! The service cannot be reached. F8 resumes after 0 movements")
	link.Fail(api.ReportMovements.Spec, nil, nil)
	d.Key("f8").Await().Await().Await().Sees("✓ all 1,200 movements")
}

func TestReload_KeepsSelectedRow(t *testing.T) {
	t.Parallel()
	s := newLargeFixture(t)
	d := s.Terminal(s.Service, "movements?days=7", reports.Register)
	d.Key("end", "end").Sees("1,000 of 1,200 movements")
	s.Stock(s.Soy.ID, s.Main.ID, 1)
	d.Key("f5").Sees("1,002 of 1,202 movements")
	d.Key("enter").Sees("route explain/").Key("esc").Sees("1,002 of 1,202 movements")
	d = s.Terminal(s.Service, "snapshot?days=0", reports.Register)
	d.Key("end").Sees("1 of 1 balances")
	s.Stock(s.Oat.ID, s.Main.ID, 1)
	d.Key("f5").Sees("2 of 2 balances")
}

func TestReports_FilterByOwnerAndChannel(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	s.Owner("NORD")
	s.Terminal(s.Service, "snapshot?owner=NORD", reports.Register).Sees("No matching balances: now · owner NORD")
	s.Terminal(s.Service, "snapshot?owner=NONE", reports.Register).Sees("Owner NONE not found.", "F3 changes the filter")
	s.Terminal(s.Service, "movements?channel=default", reports.Register).Sees("of 12 movements")
	s.Terminal(viewtest.Minimal(s.Service), "movements?owner=NORD", reports.Register).Sees("does not list owners and channels")
}

func TestSnapshot_AsOf(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	d := s.Terminal(s.Service, "snapshot?days=0", reports.Register)
	d.Key("f7").Sees("Show stock as of which date?", "yesterday, 2026-11-19").Type("yesterday").Key("enter")
	d.Sees(") › as of 2026-11-19", "of 2 balances").Key("left", "left", "left").Sees("as of 2026-11-16", "1 of 1 balances")
	d.Key("right", "right", "right").Sees("as of 2026-11-19").Key("right").Sees(") › now", "of 3 balances")
	d.Key("f7").Type("another").Key("enter").Sees("2026-11-20 12:00").Key("ctrl+u").Type("2026-11-17 12:30").Key("enter")
	d.Sees("as of 2026-11-17 12:30", "incoming")
	d.Key("left").Sees("as of 2026-11-16 12:30")
	d.Key("f3", "tab", "tab").Type("a").Key("f10").Sees("cannot be combined")
	s.Terminal(s.Service, "snapshot?asOf=never", reports.Register).Sees("\"never\" is not a date")
	s.Terminal(s.Service, "snapshot?asOf=2026-11-21", reports.Register).Sees("2026-11-21 is in the future")
	d = s.Terminal(s.Service, "snapshot?days=0", reports.Register)
	d.Key("f7").Type("19.11.").Sees("Press enter to use this text").Key("enter").Sees(") › as of 2026-11-19")
	d.Key("f7").Type("21.11.2026").Key("enter").Sees("2026-11-21 is in the future")
}

func TestExport_WritesFile(t *testing.T) {
	t.Parallel()
	s := newLargeFixture(t)
	d := s.Terminal(s.Service, "movements?days=7", reports.Register)
	d.Key("f10").Sees("Export movements as", "Excel").Key("down", "enter").Sees("Export to which file?", "movements-20261120-").Key("enter")
	d.Sees("~ writing… ", "rows   esc stops").Await().Sees("Wrote 1,200 rows to").Advance(time.Second).Key("enter")
	require.Contains(t, d.Written(), "\x1b]52", "the path is copied")
	files, err := os.ReadDir(s.Exports)
	require.NoError(t, err)
	require.Len(t, files, 1)
	text, err := os.ReadFile(filepath.Join(s.Exports, files[0].Name()))
	require.NoError(t, err)
	require.Equal(t, 1201, strings.Count(string(text), "\n"))
	require.True(t, strings.HasPrefix(string(text), "createdAt,productSku,"))
	d.Key("f10", "enter").Key("ctrl+u").Type("/no/such/out.csv").Key("enter").Sees("folder /no/such does not exist").Key("esc")
	d.Key("f8").Await().Await().Await().Key("f10").Sees("Export movements by operation as").Type("json").Key("enter", "enter").Await().Sees("Wrote 1 row to")
}

func TestExport_ResumesAfterOutage(t *testing.T) {
	t.Parallel()
	s := newLargeFixture(t)
	link := viewtest.NewFaultProxy(s.Service)
	d := s.Terminal(link, "movements?days=30", reports.Register)
	link.Fail(api.ReportMovements.Spec, viewtest.ErrUnreachable, nil)
	d.Key("f10", "enter", "enter").Await().Sees("The service cannot be reached. The export stopped at 0 rows.")
	files := func() (complete, partial int) {
		list, err := os.ReadDir(s.Exports)
		require.NoError(t, err)
		for _, f := range list {
			if strings.HasPrefix(f.Name(), ".") {
				partial++
			} else {
				complete++
			}
		}
		return complete, partial
	}
	complete, partial := files()
	require.Equal(t, [2]int{0, 1}, [2]int{complete, partial})
	d.Key("enter").Sees("! The export stopped at 0 rows. F10 resumes, esc discards it")
	d.Goldens("stopped")
	link.Fail(api.ReportMovements.Spec, nil, nil)
	d.Key("f10").Await().Sees("Wrote 1,200 rows").Advance(time.Second).Key("esc")
	link.Fail(api.ReportMovements.Spec, viewtest.ErrUnreachable, nil)
	d.Key("f10", "enter", "enter").Await().Key("enter", "f4").Sees("An export is in progress. Esc stops it").Key("esc").Sees("Discarded")
	complete, partial = files()
	require.Equal(t, [2]int{1, 0}, [2]int{complete, partial})
	s.Exports = ""
	s.Terminal(link, "movements?days=7", reports.Register).Key("f10").Sees("cannot write files")
}

// stuckService blocks every request while now is set.
type stuckService struct {
	api.Service
	now *atomic.Bool
}

func (s stuckService) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if s.now.Load() {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return s.Service.Do(ctx, req)
}

func TestExport_StopRemovesFile(t *testing.T) {
	t.Parallel()
	s := newLargeFixture(t)
	svc := stuckService{s.Service, new(atomic.Bool)}
	d := s.Terminal(svc, "movements?days=7", reports.Register)
	svc.now.Store(true)
	d.Key("f10", "enter", "enter").Advance(time.Second).Sees("~ writing… 0 rows   esc stops").Key("esc").Await().Sees("Stopped. No file was written.")
	files, err := os.ReadDir(s.Exports)
	require.NoError(t, err)
	require.Empty(t, files)
	svc.now.Store(false)
	d.Key("f10", "enter", "enter").Await().Sees("Wrote 1,200 rows")
}

// TestTotals_BarsShowQuantities has an operation of few rows with the greatest quantity.
func TestTotals_BarsShowQuantities(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	for range 10 {
		s.Stock(s.Soy.ID, s.Main.ID, 1)
	}
	d := s.Terminal(s.Service, "movements?days=7", reports.Register)
	d.Size(120, 40).Key("f8").Await().Sees("✓ all 32 movements")
	bar := map[string]int{}
	for _, line := range strings.Split(d.View(), "\n") {
		for _, operation := range []string{"delivery received", "adjust", "move state"} {
			if strings.Contains(line, "  "+operation) || strings.Contains(line, "▸ "+operation) {
				bar[operation] = strings.Count(line, "█")
			}
		}
	}
	require.Greater(t, bar["delivery received"], 10*max(1, bar["adjust"]), d.View())
	require.Zero(t, bar["move state"], "it moves nothing on hand")
	require.Less(t, strings.Index(d.View(), "delivery received"), strings.Index(d.View(), "adjust "), "the greatest quantity first")
}
