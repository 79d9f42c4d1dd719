package printlabels_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/tui/label/queue"
	"bincard/tui/label/setup"
	"bincard/tui/tuitest"
	"bincard/views/viewtest"
)

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
	automatic.Automatic = []setup.Automatic{{Location: "WH-1", SKU: "OAT-*"}}
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
	s := w.SetUpLabels(t, setup.Settings{Automatic: []setup.Automatic{{Location: "WH-1"}}})
	w.Inbound("PO-1", w.Oat, 60, time.Hour)
	d := openAt(t, w, "receive/PO-1").Scan(lotScan(w)).Advance(time.Second).Key("enter").Sees("Received 12", "! 12:00:01   Labels not printed: No label printer is set up.")
	d.Goldens("not printed")
	require.Empty(t, queued(t, s))

	full := w.SetUpLabels(t, setup.Settings{Printers: printers.Printers, Automatic: []setup.Automatic{{}}})
	jobs := make([]queue.Job, queue.MaxOpen)
	for i := range jobs {
		jobs[i] = queue.Job{Printer: "ZEBRA-1", Title: "x", Data: []byte("^XA^XZ")}
	}
	_, err := full.Queue.AddAll(jobs)
	require.NoError(t, err)
	openAt(t, w, "receive/PO-1").Scan(lotScan(w)).Advance(time.Second).Key("enter").Sees("Received 12: 24 of 60", "Labels not printed: too many labels wait")
}
