package printlabels_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui/tuitest"
	"bincard/views/viewtest"
)

// Serial numbers are printed while the goods are expected, and received with a scan of each.
func TestNewNumbers_OfSerialsThatAreExpected(t *testing.T) {
	t.Parallel()
	w := viewtest.NewWarehouse(t)
	settings := printers
	settings.Serials, settings.Lots = "SN{NNN}", "L{YY}{MM}-{NN}"
	s := w.SetUpLabels(t, settings)
	in := w.Inbound("PO-1", w.Camera, 3, time.Hour)
	d := openAt(t, w, "receive/PO-1")
	d.Key("ctrl+p").Type("new serial").Key("enter").Sees("Serial number SN000", "The number is new. It is given when the label is printed.", "Print 3 labels?")
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

// If the counter began again, nothing is printed.
func TestNewNumbers_KnownToTheService(t *testing.T) {
	t.Parallel()
	w := stocked(t)
	settings := printers
	settings.Serials = "CAM-{NNNN}"
	s := w.SetUpLabels(t, settings)
	openAt(t, w, "item/CAM-1").Key("ctrl+p").Type("new serial").Key("enter").Sees("Print 1 label?").Key("enter").
		Sees("CAM-0001 of CAM-1 exists already. Nothing was printed")
	require.Empty(t, queued(t, s))
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
