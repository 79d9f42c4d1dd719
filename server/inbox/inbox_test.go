package inbox_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/inbox"
	"bincard/server/ledger/ledgertest"
	"bincard/server/metrics"
)

type world struct {
	*ledgertest.World
	t   *testing.T
	dir string
}

func open(t *testing.T) *world {
	t.Helper()
	w := &world{ledgertest.Open(t), t, filepath.Join(t.TempDir(), "inbox")}
	ledgertest.Call(t, w.Service, api.CreateLocation, api.CreateLocationInput{Code: "WH-1", Name: "Main", Type: api.Warehouse})
	ledgertest.Call(t, w.Service, api.CreateProduct, api.CreateProductInput{SKU: "MUG", Name: "Mug"})
	return w
}

// inbox returns an inbox of another process on the directory.
func (w *world) inbox(svc api.Service) *inbox.Inbox {
	w.t.Helper()
	x, err := inbox.New(w.dir, svc, w.Clock.Now, slog.New(slog.DiscardHandler))
	require.NoError(w.t, err)
	return x
}

func (w *world) put(name, text string) {
	w.t.Helper()
	require.NoError(w.t, os.WriteFile(filepath.Join(w.dir, name), []byte(text), 0o600))
}

// files returns the names of the files in a folder.
func (w *world) files(folder string) (names []string) {
	w.t.Helper()
	entries, err := os.ReadDir(filepath.Join(w.dir, folder))
	require.NoError(w.t, err)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// report returns the report of the only file in a folder, which has the ending.
func (w *world) report(folder, end string) string {
	w.t.Helper()
	names := w.files(folder)
	require.Len(w.t, names, 2)
	require.True(w.t, strings.HasSuffix(names[0], end), names[0])
	require.Equal(w.t, names[0]+".report.txt", names[1])
	text, err := os.ReadFile(filepath.Join(w.dir, folder, names[1]))
	require.NoError(w.t, err)
	return string(text)
}

func (w *world) inbounds() int {
	w.t.Helper()
	many := int64(100)
	list := ledgertest.Call(w.t, w.Service, api.ListInbounds, api.ListInboundsInput{Page: api.Page{Limit: &many}})
	return len(list.Items)
}

const delivery = "reference,sku,quantity,location\nA,MUG,5,WH-1\nB,MUG,2,WH-1\n"

func TestLook_ImportsCompleteFiles(t *testing.T) {
	t.Parallel()
	w := open(t)
	x := w.inbox(w.Service)
	w.put("inbounds/day.csv", delivery[:40])
	w.put("inbounds/.hidden.csv", delivery)
	w.put("inbounds/slow.csv.tmp", delivery)
	x.Look(t.Context())
	w.put("inbounds/day.csv", delivery) // it was not complete
	x.Look(t.Context())
	require.Zero(t, w.inbounds())
	require.Len(t, w.files("inbounds"), 3)
	x.Look(t.Context())
	require.Equal(t, 2, w.inbounds())
	require.Equal(t, []string{".hidden.csv", "slow.csv.tmp"}, w.files("inbounds"))
	require.Equal(t, "day.csv: 2 lines of 2 inbounds, 2 imported.\n", w.report("done", "-day.csv"))
	require.Empty(t, w.files("working"))
}

func TestLook_ReportsBadFiles(t *testing.T) {
	t.Parallel()
	w := open(t)
	x := w.inbox(w.Service)
	w.put("inbounds/bad.csv", "reference,sku,quantity,location\nA,MUG,5,WH-1\nB,TEA,0,WH-1\n")
	x.Look(t.Context())
	x.Look(t.Context())
	require.Zero(t, w.inbounds())
	require.Equal(t, "bad.csv: line 3: sku: there is no product TEA; import the products first\nbad.csv: line 3: quantity: must be at least 1, is 0\n"+
		"Nothing was changed. Fix the file and put it into inbounds again.\n", w.report("failed", "-bad.csv"))
}

// A sender's columns apply to the files of the folder.
func TestLook_UsesColumnsOfFolder(t *testing.T) {
	t.Parallel()
	w := open(t)
	x := w.inbox(w.Service)
	w.put("inbounds/.columns.json", `[{"files":"hagen-*.csv","kind":"inbounds","columns":{"No":"reference","Pcs":"quantity","Note":"-"}}]`)
	w.put("inbounds/Hagen-7.csv", "No,sku,Pcs,location,Note\nA,MUG,5,WH-1,x\n")
	x.Look(t.Context())
	x.Look(t.Context())
	require.Contains(t, w.report("done", "Hagen-7.csv"), "1 line of 1 inbound, 1 imported")
	w.put("inbounds/.columns.json", "damaged")
	w.put("inbounds/hagen-8.csv", "No,sku,Pcs,location,Note\nB,MUG,5,WH-1,x\n")
	x.Look(t.Context())
	x.Look(t.Context())
	require.Contains(t, w.report("failed", "hagen-8.csv"), ".columns.json is damaged")
	require.Equal(t, 1, w.inbounds())
}

func TestLook_UnreadableFile(t *testing.T) {
	t.Parallel()
	w := open(t)
	x := w.inbox(w.Service)
	w.put("outbounds/"+strings.Repeat("x", 200)+".csv", "PK\x03\x04")
	x.Look(t.Context())
	x.Look(t.Context())
	require.Contains(t, w.report("failed", "xxx.csv"), "save it again as .xlsx, or as CSV UTF-8.\n")
}

// An unfinished file does not hide others, however many there are.
// The directory decides which names come first, so there are several files, before and after.
func TestLook_FindsFilesAmongManyUnfinishedOnes(t *testing.T) {
	t.Parallel()
	w := open(t)
	x := w.inbox(w.Service)
	put := func(i int) {
		w.put(fmt.Sprintf("inbounds/f-%02d.csv", i), fmt.Sprintf("reference,sku,quantity,location\nR-%d,MUG,5,WH-1\n", i))
	}
	for i := range 6 {
		put(i)
	}
	for i := range 20_000 {
		require.NoError(t, os.Link(filepath.Join(w.dir, "inbounds", "f-00.csv"), filepath.Join(w.dir, "inbounds", fmt.Sprintf("%d.tmp", i))))
	}
	require.NoError(t, os.Remove(filepath.Join(w.dir, "inbounds", "f-00.csv")))
	for i := range 6 {
		put(6 + i)
	}
	x.Look(t.Context())
	x.Look(t.Context())
	require.Equal(t, 11, w.inbounds())
}

func TestLook_ImportsProductsFirst(t *testing.T) {
	t.Parallel()
	w := open(t)
	x := w.inbox(w.Service)
	w.put("inbounds/a.csv", "reference,sku,quantity,location\nA,TEA,5,WH-1\n")
	w.put("products/b.csv", "sku,name\nTEA,Tea\n")
	x.Look(t.Context())
	x.Look(t.Context())
	require.Equal(t, 1, w.inbounds())
	require.Empty(t, w.files("failed"))
}

// Of several processes that share a directory, one imports each file.
func TestLook_ProcessesShareDirectory(t *testing.T) {
	t.Parallel()
	w := open(t)
	var all []*inbox.Inbox
	for range 4 {
		all = append(all, w.inbox(w.Service))
	}
	for i := range 40 {
		w.put(fmt.Sprintf("inbounds/f-%02d.csv", i), fmt.Sprintf("reference,sku,quantity,location\nR-%d,MUG,5,WH-1\n", i))
	}
	for range 2 {
		var looking sync.WaitGroup
		for _, x := range all {
			looking.Go(func() { x.Look(context.Background()) })
		}
		looking.Wait()
	}
	require.Equal(t, 40, w.inbounds())
	require.Len(t, w.files("done"), 80)
	require.Empty(t, w.files("working"))
	require.Empty(t, w.files("failed"))
}

// A failing service rejects all writes after a number of them.
type failing struct {
	api.Service
	mu   sync.Mutex
	left int
}

func (f *failing) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if req.Spec.Writes() {
		if f.left--; f.left < 0 {
			return nil, api.Fail(api.Unavailable, nil, "The service cannot be reached.")
		}
	}
	return f.Service.Do(ctx, req)
}

// A file whose import was interrupted is taken over when its claim is stale, and finished.
func TestLook_TakesOverStaleClaim(t *testing.T) {
	t.Parallel()
	w := open(t)
	crashed := w.inbox(&failing{Service: w.Service, left: 1})
	w.put("inbounds/day.csv", delivery)
	crashed.Look(t.Context())
	crashed.Look(t.Context())
	require.Equal(t, 1, w.inbounds())
	require.Len(t, w.files("working"), 1)

	other := w.inbox(w.Service)
	w.Clock.Advance(4 * time.Minute)
	other.Look(t.Context())
	require.Equal(t, 1, w.inbounds(), "the claim is not stale yet")
	w.Clock.Advance(time.Minute)
	other.Look(t.Context())
	require.Equal(t, 2, w.inbounds())
	require.Contains(t, w.report("done", "-day.csv"), "2 lines of 2 inbounds")
	require.Empty(t, w.files("working"))
}

// A file of a process that ends in an orderly way is put back at once.
func TestLook_PutsFileBackAtTheEnd(t *testing.T) {
	t.Parallel()
	w := open(t)
	ctx, stop := context.WithCancel(t.Context())
	x := w.inbox(stopping{w.Service, stop})
	w.put("inbounds/day.csv", delivery)
	x.Look(ctx)
	x.Look(ctx)
	require.Empty(t, w.files("working"))
	require.Equal(t, []string{"day.csv"}, w.files("inbounds"))
	next := w.inbox(w.Service)
	next.Look(t.Context())
	next.Look(t.Context())
	require.Equal(t, 2, w.inbounds())
}

// stopping ends the context at the first write.
type stopping struct {
	api.Service
	stop func()
}

func (s stopping) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if req.Spec.Writes() {
		s.stop()
		return nil, api.Fail(api.Unavailable, nil, "The service is shutting down.")
	}
	return s.Service.Do(ctx, req)
}

// The report of a process that crashed before it moved the file is replaced.
func TestLook_ReplacesReportOfCrash(t *testing.T) {
	t.Parallel()
	w := open(t)
	x := w.inbox(w.Service)
	at := w.Clock.Now().UTC().Add(-time.Hour).Format("20060102T150405Z")
	w.put("working/inbounds~"+at+"~0123456789ab~day.csv", delivery)
	w.put("done/"+at+"-0123456789ab-day.csv.report.txt", "half a rep")
	x.Look(t.Context())
	require.Equal(t, "day.csv: 2 lines of 2 inbounds, 2 imported.\n", w.report("done", "-day.csv"))
}

func TestMeters_CountFiles(t *testing.T) {
	t.Parallel()
	w := open(t)
	x := w.inbox(w.Service)
	m := inbox.NewMeters([]*inbox.Inbox{x})
	w.put("inbounds/a.csv", delivery)
	w.put("inbounds/b.csv", "x")
	w.put("inbounds/c.csv.tmp", delivery)
	w.put("working/inbounds~"+w.Clock.Now().UTC().Format("20060102T150405Z")+"~0123456789ab~day.csv", delivery)
	require.NoError(t, os.Chtimes(filepath.Join(w.dir, "inbounds/b.csv"), time.Time{}, w.Clock.Now().Add(-time.Hour)))
	for _, name := range []string{"inbounds/a.csv", w.claims()[0]} {
		require.NoError(t, os.Chtimes(filepath.Join(w.dir, name), time.Time{}, w.Clock.Now()))
	}
	w.requireMetrics(m, 0, 0, 3, 3600)
	x.Look(t.Context())
	x.Look(t.Context())
	w.requireMetrics(m, 1, 1, 1, 0)
}

// claims returns the paths of the claimed files.
func (w *world) claims() (paths []string) {
	for _, name := range w.files("working") {
		paths = append(paths, filepath.Join("working", name))
	}
	return paths
}

func (w *world) requireMetrics(m *inbox.Meters, done, failed, waiting, oldest int) {
	w.t.Helper()
	got := string(metrics.Collect(m.Collect).Text())
	require.Contains(w.t, got, fmt.Sprintf("\nbincard_inbox_files_total{result=\"done\"} %d\n", done))
	require.Contains(w.t, got, fmt.Sprintf("\nbincard_inbox_files_total{result=\"failed\"} %d\n", failed))
	require.Contains(w.t, got, fmt.Sprintf("\nbincard_inbox_oldest_waiting_seconds %d\n", oldest))
	require.Contains(w.t, got, fmt.Sprintf("\nbincard_inbox_waiting_files %d\n", waiting))
}

// A claim is renewed while its file is imported, so that nobody takes it over.
func TestLook_RenewsClaim(t *testing.T) {
	t.Parallel()
	w := open(t)
	other := w.inbox(w.Service)
	slow := &slowService{Service: w.Service, step: func() { w.Clock.Advance(10 * time.Second); other.Look(t.Context()) }}
	x := w.inbox(slow)
	var text strings.Builder
	text.WriteString("reference,sku,quantity,location\n")
	for i := range 100 {
		fmt.Fprintf(&text, "R-%d,MUG,5,WH-1\n", i)
	}
	w.put("inbounds/day.csv", text.String())
	x.Look(t.Context())
	x.Look(t.Context())
	require.Equal(t, 100, w.inbounds())
	require.Equal(t, "day.csv: 100 lines of 100 inbounds, 100 imported.\n", w.report("done", "-day.csv"))
}

// A slowService takes some time for each write, one after another.
type slowService struct {
	api.Service
	mu   sync.Mutex
	step func()
}

func (s *slowService) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if req.Spec.Writes() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.step()
	}
	return s.Service.Do(ctx, req)
}
