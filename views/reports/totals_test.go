package reports_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"bincard/server/api"
	"bincard/tui/tuitest"
	"bincard/views/reports"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

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
	d.Sees("1 of 500+ movements").Key("f8").Sees("by operation", "~ totaling … 0 movements")
	d.Await().Sees("~ totaling … 500 movements").Key("esc").Sees("! stopped after 500 movements")
	d.Key("f8").Await().Sees("~ totaling … 1,000").Await().Sees("✓ all 1,200 movements", "adjust", "+600")
	d.Goldens("operations")
	d.Key("right").Sees("‹ by state ›", "on hand", "available").Key("right").Sees("‹ by day ›", "Su 2026-11-15", "Tu 2026-11-17", "400")
	d.Goldens("days")
	d.Key("right").Sees("‹ by location ›", "WH-1").Key("left", "down", "enter")
	d.Sees(") › 2026-11-16", "1 of 400 movements")
	d.Key("left").Sees(") › 2026-11-15").Key("right", "right").Sees(") › 2026-11-17")
	require.Equal(t, "movements?from=2026-11-17&to=2026-11-17", d.Model.Route())
	s.Terminal(s.Service, "movements?days=1", reports.Register).Key("right").Sees("This is already today")
}

func TestTotals_CompleteTheChart(t *testing.T) {
	t.Parallel()
	s := newLargeFixture(t)
	d := s.Terminal(s.Service, "movements?days=7", reports.Register)
	d.Lacks("Su").Key("f8").Await().Await().Await().Key("esc").Sees("Su", "400", "500+ movements")
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

func TestTotals_Snapshot(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	d := s.Terminal(s.Service, "snapshot?days=0", reports.Register)
	d.Key("f8").Await().Sees("✓ all 3 balances", "on hand", "1,510", "damaged").Lacks("+1,510")
	d.Key("right", "right").Sees("‹ by product ›").Key("enter").Sees(") › now · OAT-1L")
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
	other := s.Owner("NORD")
	d := s.Terminal(s.Service, "snapshot?owner=NORD", reports.Register)
	d.Sees("No matching balances: now · owner NORD")
	_ = other
	s.Terminal(s.Service, "snapshot?owner=NONE", reports.Register).Sees("Owner NONE not found.", "F3 changes the filter")
	s.Terminal(s.Service, "movements?channel=default", reports.Register).Sees("of 12 movements")
	s.Terminal(viewtest.Minimal(s.Service), "movements?owner=NORD", reports.Register).Sees("does not list owners and channels")
}

func TestSnapshot_AsOf(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	d := s.Terminal(s.Service, "snapshot?days=0", reports.Register)
	d.Key("f7").Sees("As of when?", "yesterday, 2026-11-19").Type("yesterday").Key("enter")
	d.Sees(") › as of 2026-11-19", "of 2 balances").Key("left", "left", "left").Sees("as of 2026-11-16", "1 of 1 balances")
	d.Key("right", "right", "right").Sees("as of 2026-11-19").Key("right").Sees(") › now", "of 3 balances")
	d.Key("f7").Type("another").Key("enter").Sees("2026-11-20 12:00").Key("ctrl+u").Type("2026-11-17 12:30").Key("enter")
	d.Sees("as of 2026-11-17 12:30", "incoming")
	d.Key("left").Sees("as of 2026-11-16 12:30")
	d.Key("f3", "tab", "tab").Type("a").Key("f10").Sees("cannot be combined")
	s.Terminal(s.Service, "snapshot?asOf=never", reports.Register).Sees("use 2026-03-31 or 2026-03-31 14:00: \"never\" is not a date")
	s.Terminal(s.Service, "snapshot?asOf=2026-11-21", reports.Register).Sees("2026-11-21 is in the future")
	d = s.Terminal(s.Service, "snapshot?days=0", reports.Register)
	d.Key("f7").Type("19.11.").Sees("Press enter to use this text").Key("enter").Sees(") › as of 2026-11-19")
	d.Key("f7").Type("21.11.2026").Key("enter").Sees("21.11.2026 is in the future")
}

func TestExport_WritesFile(t *testing.T) {
	t.Parallel()
	s := newLargeFixture(t)
	d := s.Terminal(s.Service, "movements?days=7", reports.Register)
	d.Key("f10").Sees("Export movements as", "CSV for Excel").Key("enter").Sees("Export to which file?", "movements-20261120-").Key("enter")
	d.Sees("~ writing … ", "rows   esc stops").Await().Sees("Wrote 1,200 rows to").Advance(time.Second).Key("enter")
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
	d.Key("f10", "enter", "enter").Advance(time.Second).Sees("~ writing … 0 rows   esc stops").Key("esc").Await().Sees("Stopped. No file was written")
	files, err := os.ReadDir(s.Exports)
	require.NoError(t, err)
	require.Empty(t, files)
	svc.now.Store(false)
	d.Key("f10", "enter", "enter").Await().Sees("Wrote 1,200 rows")
}

func TestMovements_OpensDocument(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	d := s.Terminal(s.Service, "movements?days=7", reports.Register)
	d.Key("f7").Sees("No document: adjust").Key("end", "f7").Sees("route receive/PO-2026-117")

	d = s.Terminal(s.Service, "movements?days=7", reports.Register)
	d.Scan("L42-A").Sees("route trace/")
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
		for _, operation := range []string{"inbound receive", "adjust", "move state"} {
			if strings.Contains(line, "  "+operation) || strings.Contains(line, "▸ "+operation) {
				bar[operation] = strings.Count(line, "█")
			}
		}
	}
	require.Greater(t, bar["inbound receive"], 10*max(1, bar["adjust"]), d.View())
	require.Zero(t, bar["move state"], "it moves nothing on hand")
	require.Less(t, strings.Index(d.View(), "inbound receive"), strings.Index(d.View(), "adjust "), "the greatest quantity first")
}
