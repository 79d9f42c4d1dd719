package printlabels_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/drafts"
	"bincard/tui/label"
	"bincard/tui/label/printing"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views"
	"bincard/views/printlabels"
	"bincard/views/settings"
	"bincard/views/viewtest"
)

// printers are a printer at each warehouse.
var printers = printing.Settings{Printers: printing.Printers{{Name: "ZEBRA-1", Address: "cups:one", Location: "WH-1"}, {Name: "ZEBRA-2", Address: "cups:two", Location: "WH-2", Template: "50x25"}}}

// openAt starts a terminal with all screens on a route above home.
func openAt(t *testing.T, w *viewtest.Warehouse, route string, change ...func(*shell.Options)) *tuitest.Driver {
	t.Helper()
	reg := tui.NewRegistry()
	views.Register(reg, w.Site, settings.Hooks{})
	return w.Terminal(t, reg, append(change, func(o *shell.Options) { o.Start = []string{"home", route} })...)
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
	w.SetUpLabels(t, printing.Settings{})
	short("no printer", openAt(t, w, "label/lot/OAT-1L?lot=L42-A"))
	w.Translator = tuitest.Language(t, "de")
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
		if j.State == printing.Queued {
			waiting++
		}
	}
	require.Equal(t, 6, waiting)
}

func TestPrint_WithoutPrinterSavesPicture(t *testing.T) {
	t.Parallel()
	w := stocked(t)
	s := w.SetUpLabels(t, printing.Settings{})
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

// sends sends all labels in the queue; send answers for each.
func sends(t *testing.T, s *printing.Service, send func(data string) error) {
	t.Helper()
	worker := &printing.Worker{Queue: s.Queue, Printers: s.Settings.Printers, Send: func(_ context.Context, _ printing.Printer, data []byte) (string, error) {
		return "", send(string(data))
	}}
	for _, p := range s.Settings.Printers {
		_ = worker.Drain(t.Context(), p.Name) // the queue has the error
	}
}

// Serial numbers are printed while the goods are expected, and received with a scan of each.
func TestNewNumbers_OfSerialsThatAreExpected(t *testing.T) {
	t.Parallel()
	w := viewtest.NewWarehouse(t)
	settings := printers
	settings.Serials, settings.Lots = "SN{NNN}", "L{YY}{MM}-{NN}"
	s := w.SetUpLabels(t, settings)
	in := w.Inbound("PO-1", w.Camera, 3, time.Hour)
	d := openAt(t, w, "receive/PO-1")
	d.Key("ctrl+p").Type("new serial").Key("enter").Sees("Serial number SN000", "The number is new. It is assigned when the label is printed.", "Print 3 labels?")
	d.Goldens("new numbers")
	tuitest.Golden(t, "new numbers-40x8", d.Size(40, 8).Painted())
	d.Size(80, 24)
	d.Key("2", "enter").Sees("Print 2 labels?").Key("enter").Sees("SN001 to SN002: 2 labels to ZEBRA-1", "Receive › PO-1")
	require.Equal(t, [][]any{{"CAM-1 SN001", "ZEBRA-1", 1}, {"CAM-1 SN002", "ZEBRA-1", 1}}, queued(t, s))
	d.Scan("]d2240CAM-1\x1d21SN001").Advance(time.Second).Scan("]d2240CAM-1\x1d21SN002").Key("enter").Sees("Received 2: 2 of 3")
	found := ledgertest.Do(w.World, api.ListSerials, api.ListSerialsInput{ProductID: w.Camera.ID})
	require.Len(t, found.Items, 2)
	require.EqualValues(t, 2, ledgertest.Do(w.World, api.GetInbound, api.InboundInput{InboundID: in.ID}).ReceivedQuantity)
}

// A new lot is numbered from the screen of its item.
func TestNewNumbers_OfALot(t *testing.T) {
	t.Parallel()
	w := viewtest.NewWarehouse(t)
	settings := printers
	settings.Lots = "L{NN}"
	s := w.SetUpLabels(t, settings)
	d := openAt(t, w, "item/OAT-1L").Key("ctrl+p").Type("new lot").Key("enter").Sees("Lot L00").Key("5", "enter", "enter").Sees("L01: 5 labels to ZEBRA-1")
	require.Equal(t, [][]any{{"OAT-1L L01", "ZEBRA-1", 5}}, queued(t, s))
	d.Key("ctrl+p").Type("new serial").Lacks("print labels of new serial numbers")
}

// Another machine with the same pattern was not so far: only a later number is known.
func TestNewNumbers_LaterNumberIsKnownToTheService(t *testing.T) {
	t.Parallel()
	w := stocked(t)
	receive(w, "PO-3", w.Camera, api.ReceiveInboundInput{Quantity: 1, Serials: []api.SerialInput{{SerialNumber: "SN003"}}})
	settings := printers
	settings.Serials = "SN{NNN}"
	s := w.SetUpLabels(t, settings)
	d := openAt(t, w, "item/CAM-1").Key("ctrl+p").Type("new serial").Key("enter", "5", "enter").Sees("Print 5 labels?").Key("enter").
		Sees("SN003 of CAM-1 exists already. Nothing was printed")
	require.Empty(t, queued(t, s))
	d.Key("enter", "1", "enter").Key("enter").Sees("SN006: 1 label to ZEBRA-1")
}

// batch returns labels of serial numbers.
func batch(n int) (out []printing.Copies) {
	for i := range n {
		out = append(out, printing.Copies{Label: label.Label{Kind: label.KindSerial, SKU: "CAM-1", Name: "Camera", Serial: fmt.Sprintf("SN-%03d", i+1)}, Count: 1})
	}
	return out
}

// Errors of a printer that is certain not to have printed, and of one that is not.
var (
	mediaOut = &printing.PrinterError{Reason: "out of labels"}
	lost     = &printing.PrinterError{Reason: "the connection ended", MayBePrinted: true}
)

func TestQueue_InAllSizes(t *testing.T) {
	t.Parallel()
	w := stocked(t)
	s := w.SetUpLabels(t, printers)
	openAt(t, w, "labels").Goldens("empty")
	_, err := s.PrintAll(batch(4), printing.Options{Location: "WH-1"}, "Ada")
	require.NoError(t, err)
	answers := []error{nil, lost, mediaOut}
	for range answers {
		sends(t, s, func(string) error { next := answers[0]; answers = answers[1:]; return next })
		if len(answers) == 0 {
			break
		}
	}
	d := openAt(t, w, "labels")
	d.Goldens("list")
	tuitest.Golden(t, "list-40x8", d.Size(40, 8).Painted())
}

func TestQueue_ResolvesLabels(t *testing.T) {
	t.Parallel()
	w := stocked(t)
	s := w.SetUpLabels(t, printers)
	_, err := s.PrintAll(batch(3), printing.Options{Location: "WH-1"}, "Ada")
	require.NoError(t, err)
	var printed []string
	answers := []error{nil, lost}
	sends(t, s, func(data string) error {
		printed = append(printed, data)
		next := answers[0]
		answers = answers[1:]
		return next
	})
	sends(t, s, func(string) error { return mediaOut })
	d := openAt(t, w, "labels").Sees("~ possibly printed", "SN-002", "1 label not printed")
	d.Key("enter").Sees("The label for CAM-1 SN-002 may already have printed. Print it again?").Key("esc").Sees("~ possibly printed")
	d.Key("enter", "enter").Sees("CAM-1 SN-002 again on ZEBRA-1").Lacks("possibly printed").Sees("2 labels not printed")
	d.Key("enter").Sees("It is printed when ZEBRA-1 is ready")
	d.Key("f8").Sees("Discard the label of CAM-1 SN-002?").Key("enter").Sees("Discarded CAM-1 SN-002")
	sends(t, s, func(data string) error { printed = append(printed, data); return nil })
	d.Advance(2 * time.Second).Lacks("not printed. Print")
	require.Len(t, printed, 3, "the second was sent once, and lost")
	d.Key("home").Key("f8").Sees("It is")
	// The last label is printed again.
	openAt(t, w, "labels").Key("home", "enter").Sees("again on ZEBRA-1", "1 label not printed")
	sends(t, s, func(data string) error { printed = append(printed, data); return nil })
	require.Len(t, printed, 4)
	require.Equal(t, printed[2], printed[3])
}

func TestNotices_EachOnce(t *testing.T) {
	t.Parallel()
	now := tuitest.Noon
	at := func(d time.Duration) time.Time { return now.Add(d) }
	job := func(id int64, state printing.JobState, reason string) printing.Job {
		return printing.Job{ID: id, Printer: "dock", Title: "OAT-1L", Copies: 2, Operator: "Ada", Created: now, Changed: now, State: state, Reason: reason}
	}
	n := printlabels.NewNotices(now)
	waits := []printing.Job{job(1, printing.Queued, "out of labels"), job(2, printing.Queued, "")}
	require.Empty(t, n.Next(nil, "Ada", waits, at(time.Second)))
	require.Equal(t, []string{"4 labels not printed on dock: out of labels"}, n.Next(nil, "Ada", waits, at(time.Minute)))
	require.Empty(t, n.Next(nil, "Ada", waits, at(2*time.Minute)))
	require.Empty(t, n.Next(nil, "Ada", nil, at(2*time.Minute)))
	require.Len(t, n.Next(nil, "Ada", waits, at(3*time.Minute)), 1, "it waits again")
	require.Empty(t, n.Next(nil, "Ben", []printing.Job{job(3, printing.MaybePrinted, "")}, at(time.Minute)))

	lost := []printing.Job{job(4, printing.MaybePrinted, "the connection ended"), job(5, printing.Printed, "the printer prints it later: paused"), job(6, printing.Printed, "")}
	require.Equal(t, []string{"dock: the label for OAT-1L may have printed. Check the printer, then decide on Labels.", "dock: the printer prints it later: paused"}, n.Next(nil, "Ada", lost, at(time.Second)))
	require.Empty(t, n.Next(nil, "Ada", lost, at(time.Second)))
	lost[0].Changed = at(time.Minute) // it was sent again, and lost again
	require.Len(t, n.Next(nil, "Ada", lost, at(time.Minute)), 1)
	require.Empty(t, printlabels.NewNotices(at(time.Hour)).Next(nil, "Ada", lost, at(time.Hour)), "before this session")
}

// lotScan is the barcode of a box of a lot that expires.
func lotScan(w *viewtest.Warehouse) string { return "]d201" + w.OatBox + "1727033110L42-A" }

func TestReceipt_OffersItsLabels(t *testing.T) {
	t.Parallel()
	w := viewtest.NewWarehouse(t)
	s := w.SetUpLabels(t, printers)
	w.Inbound("PO-1", w.Oat, 60, time.Hour)
	d := openAt(t, w, "receive/PO-1").Sees("ctrl+k label")
	d.Scan(lotScan(w)).Advance(time.Second).Key("4", "8", "enter").Key("enter").Sees("Received 48: 48 of 60", "ctrl+k 4 labels")
	d.Goldens("received")
	tuitest.Golden(t, "received-40x8", d.Size(40, 8).Painted())
	d.Size(80, 24).Key("ctrl+k").Sees("Print 4 labels?", "Lot L42-A", "Expires 2027-03-31", "Quantity 12")
	d.Key("enter").Sees("4 labels to ZEBRA-1", "Receive › PO-1")
	require.Equal(t, [][]any{{"OAT-1L L42-A", "ZEBRA-1", 4}}, queued(t, s))
	// The next scan counts at once, and the labels can still be printed.
	d.Scan(lotScan(w)).Sees("ctrl+k 4 labels")
	viewtest.RequireCount(t, d, 12)
	d.Key("ctrl+p").Type("print label of the document").Key("enter").Sees("Document label: PO-1", "ZEBRA-1").Key("esc")
	d.Key("ctrl+g", "ctrl+p").Type("last receipt").Key("enter").Sees("Print 4 labels?")
}

func TestReceipt_OfSeveralLines(t *testing.T) {
	t.Parallel()
	w := viewtest.NewWarehouse(t)
	s := w.SetUpLabels(t, printers)
	w.Inbound("PO-1", w.Camera, 2, time.Hour)
	w.Inbound("PO-1", w.Coffee, 5, time.Hour)
	d := openAt(t, w, "receive/PO-1").Scan("]d2240CAM-1\x1d21SN-1").Scan("]d2240CAM-1\x1d21SN-2").Scan("COF-500").Advance(time.Second)
	d.Key("enter").Sees("ctrl+k 3 labels").Key("ctrl+k").Sees("1 × CAM-1 SN-1", "1 × CAM-1 SN-2", "1 × COF-500").Key("enter")
	require.Equal(t, [][]any{{"CAM-1 SN-1", "ZEBRA-1", 1}, {"CAM-1 SN-2", "ZEBRA-1", 1}, {"COF-500", "ZEBRA-1", 1}}, queued(t, s))
}

func TestReceipt_OfTransfer(t *testing.T) {
	t.Parallel()
	w := viewtest.NewWarehouse(t)
	s := w.SetUpLabels(t, printers)
	w.Stock(w.Coffee.ID, w.Depot.ID, 9)
	w.Transfer("TR-1", w.Coffee, w.Depot, w.Main, 9)
	openAt(t, w, "ship/TR-1").Key("+", "enter").Key("enter").Sees("Shipped 9").Lacks("received:")
	openAt(t, w, "receive-transfer/TR-1").Key("+", "enter").Sees("ctrl+k labels for the 9 received: 9").Key("ctrl+k", "enter").Sees("9 labels to ZEBRA-1")
	require.Equal(t, [][]any{{"COF-500", "ZEBRA-1", 9}}, queued(t, s))
}

func TestReceipt_PrintsAutomatically(t *testing.T) {
	t.Parallel()
	w := viewtest.NewWarehouse(t)
	automatic := printers
	automatic.Automatic = []printing.Automatic{{Location: "WH-1", SKU: "OAT-*"}}
	s := w.SetUpLabels(t, automatic)
	w.Inbound("PO-1", w.Oat, 60, time.Hour)
	w.Inbound("PO-2", w.Coffee, 60, time.Hour)
	openAt(t, w, "receive/PO-1").Scan(lotScan(w)).Advance(time.Second).Key("enter").Sees("Received 12", "1 label to ZEBRA-1")
	openAt(t, w, "receive/PO-2").Key("7", "enter", "enter").Sees("Received 7", "ctrl+k 7 labels")
	require.Equal(t, [][]any{{"OAT-1L L42-A", "ZEBRA-1", 1}}, queued(t, s))

	// The service rejects it: nothing was received, so nothing is printed.
	w.Proxy.Fail(api.ReceiveInbound.Spec, api.Fail(api.InsufficientStock, nil, "no"), nil)
	openAt(t, w, "receive/PO-1").Scan(lotScan(w)).Advance(time.Second).Key("enter").Lacks("ctrl+k 1 label")
	require.Len(t, queued(t, s), 1)
}

// A receipt is recorded although its labels cannot be printed, and the screen says so.
func TestReceipt_IsRecordedWithoutPrinter(t *testing.T) {
	t.Parallel()
	w := viewtest.NewWarehouse(t)
	s := w.SetUpLabels(t, printing.Settings{Automatic: []printing.Automatic{{Location: "WH-1"}}})
	w.Inbound("PO-1", w.Oat, 60, time.Hour)
	d := openAt(t, w, "receive/PO-1").Scan(lotScan(w)).Advance(time.Second).Key("enter").Sees("Received 12", "! 12:00:01   Labels not printed: No label printer is set up.")
	d.Goldens("not printed")
	require.Empty(t, queued(t, s))

	full := w.SetUpLabels(t, printing.Settings{Printers: printers.Printers, Automatic: []printing.Automatic{{}}})
	jobs := make([]printing.Job, printing.MaxOpen)
	for i := range jobs {
		jobs[i] = printing.Job{Printer: "ZEBRA-1", Title: "x", Data: []byte("^XA^XZ")}
	}
	_, err := full.Queue.AddAll(jobs)
	require.NoError(t, err)
	openAt(t, w, "receive/PO-1").Scan(lotScan(w)).Advance(time.Second).Key("enter").Sees("Received 12: 24 of 60", "Labels not printed: Too many labels are waiting")
	d = openAt(t, w, "label/product/COF-500").Key("enter").Sees("Nothing was printed: Too many labels are waiting")
	require.Equal(t, "label/product/COF-500", d.Model.Route())
}

// watchedDrafts calls a function before a draft is removed.
type watchedDrafts struct {
	tui.Drafts
	discarding func()
}

func (d watchedDrafts) Discard(route, owner string) error {
	d.discarding()
	return d.Drafts.Discard(route, owner)
}

// automatic returns a warehouse that prints the labels of receipts without asking.
func automatic(t *testing.T) (*viewtest.Warehouse, *printing.Service) {
	t.Helper()
	w := viewtest.NewWarehouse(t)
	all := printers
	all.Automatic = []printing.Automatic{{Location: "WH-1"}}
	return w, w.SetUpLabels(t, all)
}

// A terminal that was killed while a receipt was sent finds its draft. Whatever was done
// until then, each label is printed once.
func TestReceipt_LabelsAreQueuedOnceAfterACrash(t *testing.T) {
	t.Parallel()
	for name, scans := range map[string][]string{
		"one line":      {"]d2240CAM-1\x1d21SN-1"},
		"several lines": {"]d2240CAM-1\x1d21SN-1", "COF-500"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, s := automatic(t)
			w.Inbound("PO-1", w.Camera, 2, time.Hour)
			want := [][]any{{"CAM-1 SN-1", "ZEBRA-1", 1}}
			if len(scans) > 1 {
				w.Inbound("PO-1", w.Coffee, 5, time.Hour)
				want = append(want, []any{"COF-500", "ZEBRA-1", 1})
			}
			var atDiscard [][]any
			saved := watchedDrafts{drafts.InMemory(), func() { atDiscard = queued(t, s) }}
			var atSend []tui.Draft
			keep := func() {
				var err error
				atSend, err = saved.List()
				require.NoError(t, err)
			}
			w.Proxy.Before(api.ReceiveInbound.Spec, keep)
			d := openAt(t, w, "receive/PO-1", viewtest.KeepDrafts(saved))
			for _, code := range scans {
				d.Scan(code)
			}
			d.Advance(time.Second).Key("enter").Sees("to ZEBRA-1")
			require.Equal(t, want, queued(t, s))
			require.Equal(t, want, atDiscard, "the draft was removed before")
			require.Len(t, atSend, 1)

			require.NoError(t, saved.Save(atSend[0]))
			d = openAt(t, w, "receive/PO-1", viewtest.KeepDrafts(saved)).Sees("No answer yet for: receive 1").Key("enter").Sees("Received")
			require.Equal(t, want, queued(t, s))
			require.Empty(t, tuitest.DraftRoutes(t, saved))
			if len(scans) == 1 {
				d.Sees("1 of 2", "ctrl+k labels for the 1 received: 1") // to print it again
			}
		})
	}
}

// The answer is lost after the receipt was recorded: its labels come with the repetition.
func TestReceipt_LabelsFollowALostAnswer(t *testing.T) {
	t.Parallel()
	w, s := automatic(t)
	w.Inbound("PO-1", w.Camera, 2, time.Hour)
	w.Proxy.LoseAnswers(api.ReceiveInbound.Spec, 1)
	saved := drafts.InMemory()
	openAt(t, w, "receive/PO-1", viewtest.KeepDrafts(saved)).Scan("]d2240CAM-1\x1d21SN-1").Advance(time.Second).Key("enter").Sees("may already be recorded")
	require.Empty(t, queued(t, s))
	openAt(t, w, "receive/PO-1", viewtest.KeepDrafts(saved)).Key("enter").Sees("Received 1: 1 of 2")
	require.Equal(t, [][]any{{"CAM-1 SN-1", "ZEBRA-1", 1}}, queued(t, s))
}
