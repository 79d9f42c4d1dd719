package reports_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui/tuitest"
	"bincard/views/reports"
	"bincard/views/viewtest"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"
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
}

func TestMovements_Filter(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	d := s.Terminal(s.Service, "movements?days=7", reports.Register)
	d.Key("f3").Sees("Movements › filter", "Operation")
	d.Goldens("form")
	d.Scan("OAT-BOX").Sees("OAT-1L").Key("tab", "tab").Type("m").Key("tab").Type("d").Key("f10")
	d.Sees(") › last 7 days · OAT-1L · move state · damaged", "1 of 1 movements", "+2")
	require.Equal(t, "movements?days=7&operation=move_state&sku=OAT-1L&state=damaged", d.Model.Route())
	d.Key("f4").Sees("1 of 12 movements")
	d.Scan("ST-2").Sees(") › last 7 days · ST-2", "No matching movements")
	d.Goldens("empty")
	d.Key("f3", "tab", "tab", "tab", "tab", "right", "right", "f10").Sees(") › all time · ST-2", "1 of 2 movements", "2026-10-11")
	d.Key("f3", "esc").Sees("all time")
}

func TestMovements_Period(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	d := s.Terminal(s.Service, "movements?from=2026-11-17&to=2026-11-17", reports.Register)
	d.Sees(") › 2026-11-17", "1 of 4 movements")
	d.Key("f3", "up", "up", "up").Type("2026-11-16").Key("f10").Lacks("before the first day")
	d = s.Terminal(s.Service, "movements?from=2026-11-18", reports.Register)
	d.Key("f3", "up", "up", "up").Type("2026-11-16").Key("f10").Sees("before the first day")
	s.Terminal(s.Service, "movements?from=yesterday", reports.Register).Sees("\"yesterday\" is not a date")
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
	d.Key("end").Sees("612 of 612 movements", "inbound expect")
}

func TestMovements_ServiceDown(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	link := viewtest.NewFaultProxy(s.Service)
	d := s.Terminal(link, "movements?days=7", reports.Register)
	d.Sees("opening stock").Hold().Advance(3*time.Minute).Key("f5").Sees("~ loading … data is 3 min old", "move state")
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
}

func TestReports_MinimalService(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	d := s.Terminal(viewtest.Minimal(s.Service), "movements?sku=oat-1l&days=7", reports.Register)
	d.Sees("1 of 10 movements")
	s.Terminal(viewtest.Minimal(s.Service), "snapshot?location=ST-2&days=0", reports.Register).Sees("1 of 1 balances", "SOY-1L")
}

func TestMovements_ClickSelectsRow(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	d := s.Terminal(s.Service, "movements?days=7", reports.Register)
	d.Key("f12")
	for i, line := range strings.Split(d.View(), "\n") {
		if strings.Contains(line, "damaged") {
			d.Send(tea.MouseMsg{X: 5, Y: i, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
		}
	}
	d.Sees("3 of 12 movements")
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
	d.Key("left").Sees("Choose the default order (F9)").Key("f5").Sees("change▼", "1 of 612 movements")
	d.Key("f9").Type("change").Key("enter").Sees("change▲")
	require.Regexp(t, `▸ .*-1,200 `, d.View())
	d.Key("f9").Type("default").Key("enter").Sees("1 of 500+ movements").Lacks("▲", "▼")
}
