package printlabels_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/label/printer"
	"bincard/tui/label/printing"
	"bincard/tui/label/queue"
	"bincard/tui/label/setup"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views"
	"bincard/views/settings"
	"bincard/views/viewtest"
)

// printers are a printer at each warehouse.
var printers = setup.Settings{Printers: printer.List{{Name: "ZEBRA-1", Address: "cups:one", Location: "WH-1"}, {Name: "ZEBRA-2", Address: "cups:two", Location: "WH-2", Template: "50x25"}}}

// openAt starts a terminal with all screens on a route above home.
func openAt(t *testing.T, w *viewtest.Warehouse, route string) *tuitest.Driver {
	t.Helper()
	reg := tui.NewRegistry()
	views.Register(reg, w.Site, settings.Hooks{})
	return w.Terminal(t, reg, func(o *shell.Options) { o.Start = []string{"home", route} })
}

// stocked returns a warehouse with a lot and a serial number in stock.
func stocked(t *testing.T) *viewtest.Warehouse {
	t.Helper()
	w := viewtest.NewWarehouse(t)
	w.Exports = t.TempDir()
	receive(w, "PO-1", w.Oat, api.ReceiveInboundInput{Quantity: 24, NewLot: api.NewLot{LotCode: "L42-A", ExpiresAt: new(time.Date(2027, 3, 31, 0, 0, 0, 0, time.UTC))}})
	receive(w, "PO-2", w.Camera, api.ReceiveInboundInput{Quantity: 1, Serials: []api.SerialInput{{SerialNumber: "CAM-0001"}}})
	return w
}

func receive(w *viewtest.Warehouse, ref string, p api.Product, in api.ReceiveInboundInput) {
	in.InboundID = w.Inbound(ref, p, in.Quantity, time.Hour).ID
	ledgertest.Do(w.World, api.ReceiveInbound, in)
}

// queued returns the titles of the labels in the queue, with their printers and copies.
func queued(t *testing.T, s *printing.Service) (out [][]any) {
	t.Helper()
	jobs, err := s.Queue.Jobs()
	require.NoError(t, err)
	for _, j := range jobs {
		out = append(out, []any{j.Title, j.Printer, j.Copies})
	}
	return out
}

func TestPrint_InAllSizes(t *testing.T) {
	t.Parallel()
	w := stocked(t)
	w.SetUpLabels(t, printers)
	short := func(name string, d *tuitest.Driver) {
		d.Goldens(name)
		tuitest.Golden(t, name+"-40x8", d.Size(40, 8).Painted())
	}
	short("lot", openAt(t, w, "label/lot/OAT-1L?lot=L42-A"))
	short("unknown", openAt(t, w, "label/lot/OAT-1L?lot=NONE"))
	w.Site.SetReceived(batch(12))
	short("several", openAt(t, w, "label/received"))
	w.SetUpLabels(t, setup.Settings{})
	short("no printer", openAt(t, w, "label/lot/OAT-1L?lot=L42-A"))
	languages, _ := i18n.Load("")
	german, ok := languages.Find("de")
	require.True(t, ok)
	w.Translator = i18n.New(german)
	w.SetUpLabels(t, printers)
	short("german", openAt(t, w, "label/lot/OAT-1L?lot=L42-A"))
}

func TestPrint_FromItsScreen(t *testing.T) {
	t.Parallel()
	w := stocked(t)
	s := w.SetUpLabels(t, printers)
	for _, c := range []struct{ route, says, title string }{
		{"item/COF-500", "Product label: COF-500", "COF-500"},
		{"locations", "Location label: WH-1", "WH-1"},
		{"products", "Product label: ", "CAM-1"},
		{"products/COF-500", "Product label: COF-500", "COF-500"},
		{"trace/L42-A", "Lot L42-A", "OAT-1L L42-A"},
		{"serial/CAM-0001", "Serial number CAM-0001", "CAM-1 CAM-0001"},
	} {
		d := openAt(t, w, c.route).Key("ctrl+k").Sees(c.says, "Print 1 label?", "ZEBRA-1 · 70x40").Key("enter").Sees("1 label to ZEBRA-1")
		require.Equal(t, c.route, d.Model.Route())
		all := queued(t, s)
		require.Equal(t, []any{c.title, "ZEBRA-1", 1}, all[len(all)-1])
	}
	d := openAt(t, w, "home").Scan("]d2240CAM-1\x1d21CAM-0001")
	require.Contains(t, d.Model.Route(), "item/CAM-1?")
	d.Key("ctrl+k").Sees("Serial number CAM-0001").Key("esc")
	openAt(t, w, "home").Scan("]d201"+w.OatBox+"10L42-A").Key("ctrl+k").Sees("Lot L42-A", "Expires 2027-03-31")
}

func TestPrint_ChoosesCopiesPrinterAndTemplate(t *testing.T) {
	t.Parallel()
	w := stocked(t)
	s := w.SetUpLabels(t, printers)
	d := openAt(t, w, "label/product/COF-500").Type("40").Key("enter").Sees("Print 40 labels?")
	d.Type("0").Key("enter").Sees("0 is not a number of labels. Type 1 to 999.").Key("enter").Sees("Print 40 labels?")
	d.Type("1000").Key("enter").Sees("1000 is not a number of labels").Key("enter")
	d.Key("f3").Sees("Which printer?", "ZEBRA-2").Type("ZEBRA-2").Key("enter").Sees("ZEBRA-2 · 50x25")
	d.Key("f4").Sees("Which template?").Type("70").Key("enter").Sees("ZEBRA-2 · 70x40")
	d.Key("enter").Sees("40 labels to ZEBRA-2")
	require.Equal(t, [][]any{{"COF-500", "ZEBRA-2", 40}}, queued(t, s))
}

func TestPrint_SeveralLabels(t *testing.T) {
	t.Parallel()
	w := stocked(t)
	s := w.SetUpLabels(t, printers)
	w.Site.SetReceived(batch(500))
	d := openAt(t, w, "label/received").Sees("Print 500 labels?", "1 × CAM-1 SN-001")
	d.Type("2").Key("enter").Sees("2 is not a number of labels. Type 1 to 1.").Key("enter")
	d.Key("enter").Sees("500 labels to ZEBRA-1. Stop them on Labels")
	require.Len(t, queued(t, s), 500)
	d.Do(tui.Open("labels")).Sees("500 labels not printed").Key("ctrl+x").Sees("Discard 500 labels?").Key("enter").Sees("Stopped. 500 labels discarded")
	w.Site.SetReceived(batch(2))
	openAt(t, w, "label/received").Type("3").Key("enter").Sees("Print 6 labels?", "3 of each").Key("enter").Sees("6 labels to ZEBRA-1")
	jobs, err := s.Queue.Jobs()
	require.NoError(t, err)
	waiting := 0
	for _, j := range jobs {
		if j.State == queue.Queued {
			waiting++
		}
	}
	require.Equal(t, 6, waiting)
}

func TestPrint_WithoutPrinterSavesPicture(t *testing.T) {
	t.Parallel()
	w := stocked(t)
	s := w.SetUpLabels(t, setup.Settings{})
	d := openAt(t, w, "label/lot/OAT-1L?lot=L42-A").Sees("No label printer is set up. See 'bincard help labels'.")
	d.Key("enter").Sees("No label printer is set up").Key("f10").Sees("Wrote label-OAT-1L-L42-A-120000.png")
	files, err := filepath.Glob(filepath.Join(w.Exports, "*.png"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	png, err := os.ReadFile(files[0])
	require.NoError(t, err)
	require.Equal(t, "\x89PNG", string(png[:4]))
	require.Empty(t, queued(t, s))
	openAt(t, w, "labels").Sees("No label printer is set up. See 'bincard help labels'.")
}

// The queue is full of labels that nobody resolved: nothing is added, and it says so.
func TestPrint_QueueFull(t *testing.T) {
	t.Parallel()
	w := stocked(t)
	s := w.SetUpLabels(t, printers)
	jobs := make([]queue.Job, queue.MaxOpen)
	for i := range jobs {
		jobs[i] = queue.Job{Printer: "ZEBRA-1", Title: "x", Data: []byte("^XA^XZ")}
	}
	_, err := s.Queue.AddAll(jobs)
	require.NoError(t, err)
	d := openAt(t, w, "label/product/COF-500").Key("enter").Sees("Nothing was printed: too many labels wait to be printed")
	require.Equal(t, "label/product/COF-500", d.Model.Route())
}

func TestPrint_WithDocumentedOperations(t *testing.T) {
	t.Parallel()
	w := viewtest.NewMinimalWarehouse(t)
	w.SetUpLabels(t, printers)
	w.Inbound("PO-1", w.Oat, 24, time.Hour)
	openAt(t, w, "label/product/OAT-1L").Sees("Product label: OAT-1L")
}

// sends sends all labels in the queue; send answers for each.
func sends(t *testing.T, s *printing.Service, send func(data string) error) {
	t.Helper()
	worker := &queue.Worker{Queue: s.Queue, Printers: s.Settings.Printers, Send: func(_ context.Context, _ printer.Printer, data []byte) (string, error) { return "", send(string(data)) }}
	for _, p := range s.Settings.Printers {
		_ = worker.Drain(t.Context(), p.Name) // the queue has the error
	}
}
