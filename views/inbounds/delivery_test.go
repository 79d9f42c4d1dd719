package inbounds_test

import (
	"strings"
	"testing"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/drafts"
	"bincard/tui/tuitest"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

// threeLines adds a delivery PO-7 of oat milk by lot, coffee and cameras by serial.
func threeLines(h *viewtest.Warehouse) (oat, coffee, camera api.Inbound) {
	oat = h.Inbound("PO-7", h.Oat, 24, time.Hour)
	h.Clock.Advance(time.Millisecond)
	coffee = h.Inbound("PO-7", h.Coffee, 10, time.Hour)
	h.Clock.Advance(time.Millisecond)
	camera = h.Inbound("PO-7", h.Camera, 2, time.Hour)
	return oat, coffee, camera
}

func received(h *viewtest.Warehouse, lines ...api.Inbound) (n []int64) {
	for _, in := range lines {
		n = append(n, reload(h, in).ReceivedQuantity)
	}
	return n
}

// A delivery that is due on a day is late from the next day on, where the terminal is.
func TestDelivery_DueDay(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	for reference, days := range map[string]int{"PO-Y": -1, "PO-T": 0, "PO-N": 1} {
		day := tuitest.Noon.UTC().Truncate(24*time.Hour).AddDate(0, 0, days)
		m, err := (&api.Announced{DueDay: true}).Metadata()
		require.NoError(t, err)
		ledgertest.Do(h.World, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: h.Oat.ID, LocationID: h.Main.ID},
			ExpectedQuantity: 5, Reference: api.Reference{ReferenceType: "purchase_order", ReferenceID: reference}, ExpectedAt: &day, Metadata: m})
	}
	d := openAt(t, h, "PO-T")
	d.Sees("expected today").Lacks("today 0", "! expected", "23:59").Key("esc")
	d.Sees("! yesterday", "today", "tomorrow").Lacks("! today", " 00:00", "23:59", " 01:00")
}

// An import creates the lines in any order.
func TestDelivery_LinesInOrderOfDeliveryNote(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	announce(t, h, h.Camera, 1, api.Announced{})
	h.Clock.Advance(time.Millisecond)
	announce(t, h, h.Coffee, 1, api.Announced{Line: "100"})
	h.Clock.Advance(time.Millisecond)
	announce(t, h, h.Oat, 2, api.Announced{Line: "20"})
	h.Clock.Advance(time.Millisecond)
	announce(t, h, h.Oat, 3, api.Announced{Line: "9"})
	d := openAt(t, h, "ASN-1")
	var skus []string
	for _, line := range strings.Split(d.View(), "\n") {
		for _, sku := range []string{"OAT-1L", "COF-500", "CAM-1"} {
			if strings.HasPrefix(strings.TrimLeft(line, " ▸"), sku) {
				skus = append(skus, sku+" "+strings.Fields(line)[len(strings.Fields(line))-1])
			}
		}
	}
	require.Equal(t, []string{"OAT-1L 3", "OAT-1L 2", "COF-500 1", "CAM-1 1"}, skus)
}

func TestDelivery_ReceivesEveryLineAtOnce(t *testing.T) {
	t.Parallel()
	h, drafts := viewtest.NewWarehouse(t), drafts.InMemory()
	oat, coffee, camera := threeLines(h)
	d := openAt(t, h, "PO-7", viewtest.KeepDrafts(drafts))
	d.Sees("Receive › PO-7", "Oat milk 1 l", "Coffee beans 500 g", "Camera")
	d.Scan("COF-500").Sees("▸ COF-500").Type("10").Key("enter").Sees("COF-500 is counted. Next: CAM-1, 2 to go")
	d.Scan("]C101" + h.OatBox + "17270331" + "10L1").Scan(h.OatBox).Sees("OAT-1L is counted. Next: CAM-1, 2 to go").Lacks("All counted")
	d.Key("f4").Sees("How many of the 24 × OAT-1L are damaged?").Type("2").Key("enter", "enter").Sees("▸ CAM-1")
	d.Scan("CAM-1").Scan("S-0001").Scan("S-0002").Sees("All counted: press enter to receive", "enter receive 36")
	d.Key("enter").Sees("Received 36 (3 products), 2 damaged: complete", "This delivery is complete (36 of 36).")
	require.Equal(t, []int64{24, 10, 2}, received(h, oat, coffee, camera))
	require.Equal(t, int64(2), h.Quantities(h.Oat, h.Main).Damaged)
	require.Len(t, h.Proxy.Calls(api.ReceiveInbound.Spec), 3)
	require.Empty(t, tuitest.DraftRoutes(t, drafts))
	lots := ledgertest.Do(h.World, api.ListLots, api.ListLotsInput{ProductID: h.Oat.ID})
	require.Equal(t, "L1", lots.Items[0].LotCode)
}

func TestDelivery_ScannedDocumentOpensAtItsFirstLine(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	oat, _, _ := threeLines(h)
	h.Inbound("PO-8", h.Coffee, 5, time.Hour)
	d := openAt(t, h, "PO-8")
	d.Scan("PO-7").Sees("Receive › PO-7", "▸ OAT-1L")
	require.Equal(t, "receive/"+oat.ID.String(), d.Model.Route())
}

func TestDelivery_ShowsReceivedMissingAndExtra(t *testing.T) {
	t.Parallel()
	h, drafts := viewtest.NewWarehouse(t), drafts.InMemory()
	oat, coffee, _ := threeLines(h)
	d := openAt(t, h, "PO-7", viewtest.KeepDrafts(drafts))
	d.Scan("COF-500").Type("12").Key("enter").Sees("F8 accept 2 extra").Key("f8").Type("free").Key("enter").Sees("10 +2", "2 extra")
	d.Key("enter").Sees("Received 12 of COF-500, 2 of them extra: 2 lines to go", "0           2 extra")
	require.Equal(t, int64(10), received(h, coffee)[0])
	require.Equal(t, int64(12), h.Quantities(h.Coffee, h.Main).OnHand)
	d.Scan("COF-500").Sees("COF-500: nothing to go", "F8 accept 1 extra").Key("f8").Type("found").Key("enter").Sees("enter receive 1")
	d = openAt(t, h, "PO-7", viewtest.KeepDrafts(drafts))
	d.Sees("enter receive 1").Key("enter").Sees("Received 1 of COF-500, 1 of them extra: 2 lines to go", "0           3 extra")
	require.Equal(t, int64(13), h.Quantities(h.Coffee, h.Main).OnHand)
	d.Key("up", "up", "f5").Sees("Close PO-7 OAT-1L with 24 missing? Reason").Type("lost").Key("enter").Sees("PO-7 OAT-1L closed, 24 missing", "24 missing")
	require.Equal(t, api.InboundClosed, reload(h, oat).Status)
}

// The reason for closing all lines does not close one that was added meanwhile.
func TestDelivery_ClosesTheLinesThatWereAskedFor(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	oat, coffee, camera := threeLines(h)
	d := openAt(t, h, "PO-7").Key("f10").Sees("Close 3 lines of PO-7")
	h.Clock.Advance(time.Millisecond)
	soy := h.Inbound("PO-7", h.Soy, 5, time.Hour)
	d.Advance(31 * time.Second).Type("lost").Key("enter")
	viewtest.RequireErrors(t, d, "The delivery has more lines now")
	require.Empty(t, h.Proxy.Calls(api.CloseInbound.Spec))
	d.Key("f10").Sees("Close 4 lines of PO-7").Type("lost").Key("enter").Sees("PO-7: 4 lines closed")
	for _, in := range []api.Inbound{oat, coffee, camera, soy} {
		require.Equal(t, api.InboundClosed, reload(h, in).Status)
	}
}

// Lines that could not be closed are closed with the next enter, although nothing is counted.
func TestDelivery_ClosesTheRestLater(t *testing.T) {
	t.Parallel()
	for name, meanwhile := range map[string]bool{"with enter": false, "a colleague closes it": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, drafts := viewtest.NewWarehouse(t), drafts.InMemory()
			glasses(h)
			d := openAt(t, h, "PO-9", viewtest.KeepDrafts(drafts))
			h.Proxy.Before(api.CloseInbound.Spec, func() { h.Proxy.Fail(api.CloseInbound.Spec, viewtest.ErrUnreachable, nil) })
			d.Key("f10").Type("lost").Key("enter")
			viewtest.RequireErrors(t, d, "The service cannot be reached")
			h.Proxy.Fail(api.CloseInbound.Spec, nil, nil)
			d.Sees("Not sent yet: press enter to retry")
			if meanwhile {
				for _, in := range ledgertest.Do(h.World, api.ListInbounds, api.ListInboundsInput{}).Items {
					_, _ = api.CloseInbound.Call(t.Context(), h.Service, api.CloseInboundInput{InboundID: in.ID, Reason: "lost"})
				}
				d = openAt(t, h, "PO-9", viewtest.KeepDrafts(drafts))
			} else {
				d.Key("enter")
			}
			d.Sees("This delivery is complete (0 of 9)")
			require.Empty(t, tuitest.DraftRoutes(t, drafts))
		})
	}
}

func TestDelivery_RefusedLineStaysCounted(t *testing.T) {
	t.Parallel()
	h, drafts := viewtest.NewWarehouse(t), drafts.InMemory()
	oat, coffee, camera := threeLines(h)
	d := openAt(t, h, "PO-7", viewtest.KeepDrafts(drafts))
	d.Scan("OAT-1L").Type("24").Key("enter").Sees("Scan the lot").Scan("COF-500").Type("10").Key("enter").Scan("CAM-1").Scan("S-0001")
	d.Key("enter")
	viewtest.RequireErrors(t, d, "OAT-1L was not recorded: OAT-1L is tracked by lot")
	d.Sees("Received 11 (2 products): 2 lines to go", "! not recorded", "▸ OAT-1L", "OAT-1L was not recorded. Correct it, or press enter to retry")
	require.Equal(t, []int64{0, 10, 1}, received(h, oat, coffee, camera))

	d = openAt(t, h, "PO-7", viewtest.KeepDrafts(drafts))
	viewtest.RequireCount(t, d, 24)
	d.Sees("! not recorded").Key("f7").Type("L1").Key("enter", "enter").Lacks("not recorded").Key("enter").Sees("Received 24 of OAT-1L: 1 line to go")
	require.Equal(t, []int64{24, 10, 1}, received(h, oat, coffee, camera))
	require.Empty(t, tuitest.DraftRoutes(t, drafts))
}

func TestDelivery_LostAnswerIsRecordedOnce(t *testing.T) {
	t.Parallel()
	h, drafts := viewtest.NewWarehouse(t), drafts.InMemory()
	h.Inbound("PO-7", h.Coffee, 10, time.Hour)
	h.Clock.Advance(time.Millisecond)
	h.Inbound("PO-7", h.Coffee, 5, time.Hour)
	d := openAt(t, h, "PO-7", viewtest.KeepDrafts(drafts))
	d.Key("+").Sees("COF-500 is counted. Next: COF-500, 5 to go").Advance(time.Second).Key("+").Sees("enter receive 15")
	h.Proxy.LoseAnswers(api.ReceiveInbound.Spec, 1)
	d.Key("enter")
	viewtest.RequireErrors(t, d, "No answer came")

	d = openAt(t, h, "PO-7", viewtest.KeepDrafts(drafts)) // the program was killed
	d.Sees("No answer yet for: receive 10 (COF-500)").Key("enter").Sees("Received 15 of COF-500: complete")
	require.Equal(t, int64(15), h.Quantities(h.Coffee, h.Main).OnHand)
	keys := h.Proxy.Keys(api.ReceiveInbound.Spec)
	require.Equal(t, []bool{true, false}, []bool{keys[0] == keys[1], keys[1] == keys[2]})
	require.Empty(t, tuitest.DraftRoutes(t, drafts))
}

func TestDelivery_ServiceGoneMidway(t *testing.T) {
	t.Parallel()
	h, drafts := viewtest.NewWarehouse(t), drafts.InMemory()
	oat, coffee, camera := threeLines(h)
	d := openAt(t, h, "PO-7", viewtest.KeepDrafts(drafts))
	d.Scan("]C101" + h.OatBox + "10L1").Scan("COF-500").Scan("CAM-1").Scan("S-0001")
	h.Proxy.Before(api.ReceiveInbound.Spec, func() { h.Proxy.Fail(api.ReceiveInbound.Spec, viewtest.ErrUnreachable, nil) })
	d.Key("enter")
	viewtest.RequireErrors(t, d, "The service cannot be reached. Unrecorded counts are kept.")
	d.Sees("Received 12 of OAT-1L: 3 lines to go", "enter receive 2", "Not sent yet")
	require.Equal(t, []int64{12, 0, 0}, received(h, oat, coffee, camera))
	h.Proxy.Fail(api.ReceiveInbound.Spec, nil, nil)

	d = openAt(t, h, "PO-7", viewtest.KeepDrafts(drafts))
	d.Sees("Not sent yet: press enter to retry").Key("enter").Sees("Received 2 (2 products): 3 lines to go")
	require.Equal(t, []int64{12, 1, 1}, received(h, oat, coffee, camera))
	keys := h.Proxy.Keys(api.ReceiveInbound.Spec)
	require.Len(t, keys, 4)
	require.Equal(t, keys[1], keys[2], "the line that was not sent keeps its key")
	require.Empty(t, tuitest.DraftRoutes(t, drafts))
}

func TestDelivery_FailedDamageWaitsForTheOtherLines(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	_, coffee, camera := threeLines(h)
	d := openAt(t, h, "PO-7")
	d.Scan("COF-500").Type("4").Key("enter", "f4").Type("2").Key("enter", "enter").Scan("CAM-1").Scan("S-0001")
	h.Proxy.Fail(api.MoveStock.Spec, api.Fail(api.InsufficientStock, nil, "Too little stock."), nil)
	d.Key("enter")
	viewtest.RequireErrors(t, d, "Done: receive 4 (COF-500). Failed: move 2 to damaged (COF-500).")
	require.Equal(t, []int64{4, 1}, received(h, coffee, camera))
	h.Proxy.Fail(api.MoveStock.Spec, nil, nil)
	d.Key("enter").Sees("Received 5 (2 products), 2 damaged: 3 lines to go")
	require.Equal(t, int64(2), h.Quantities(h.Coffee, h.Main).Damaged)
}

// The damage of a line that is recorded is not forgotten when the line after it is not sent.
func TestDelivery_ServiceGoneAfterFailedDamage(t *testing.T) {
	t.Parallel()
	for name, skip := range map[string]bool{"retried": false, "skipped": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := viewtest.NewWarehouse(t)
			_, coffee, camera := threeLines(h)
			d := openAt(t, h, "PO-7")
			d.Scan("COF-500").Type("4").Key("enter", "f4").Type("2").Key("enter", "enter").Scan("CAM-1").Scan("S-0001")
			h.Proxy.Fail(api.MoveStock.Spec, api.Fail(api.InsufficientStock, nil, "Too little stock."), nil)
			h.Proxy.Before(api.ReceiveInbound.Spec, func() { h.Proxy.Fail(api.ReceiveInbound.Spec, viewtest.ErrUnreachable, nil) })
			d.Key("enter")
			viewtest.RequireErrors(t, d, "The service cannot be reached. Unrecorded counts are kept.")
			d.Scan("OAT-1L")
			require.Contains(t, d.Model.Fault(), "Nothing was counted: press enter to retry it, or F8 to skip it.")
			d.Key("enter")

			h.Proxy.Fail(api.MoveStock.Spec, nil, nil)
			h.Proxy.Fail(api.ReceiveInbound.Spec, nil, nil)
			if skip { // the camera stays counted
				d.Key("f8").Sees("Received 4 of COF-500, 2 damaged: 3 lines to go")
				require.Equal(t, []int64{4, 0}, received(h, coffee, camera))
			}
			d.Key("enter")
			require.Equal(t, []int64{4, 1}, received(h, coffee, camera))
			require.Equal(t, int64(2), h.Quantities(h.Coffee, h.Main).Damaged)
		})
	}
}

func TestDelivery_TwoWorkers(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	oat, coffee, camera := threeLines(h)
	ada, ben := openAt(t, h, "PO-7"), openAt(t, h, "PO-7")
	ada.Scan("]C101" + h.OatBox + "10L1").Scan("COF-500").Key("+").Sees("enter receive 22")
	ben.Scan("COF-500").Type("4").Key("enter").Scan("CAM-1").Scan("S-0001").Scan("S-0002").Key("enter").Sees("Received 6 (2 products): 2 lines to go")
	ada.Key("enter")
	viewtest.RequireErrors(t, ada, "COF-500 was not recorded: Only 6 to go, but the count is 10")
	ada.Sees("Received 12 of OAT-1L: 2 lines to go", "✓ received", "To go          6")
	viewtest.RequireCount(t, ada, 10)
	ada.Key("+").Key("enter").Sees("Received 6 of COF-500: 1 line to go")
	require.Equal(t, []int64{12, 10, 2}, received(h, oat, coffee, camera))
}

// The result counts the lines that another worker received meanwhile. If they cannot be
// read, it counts what is known, and does not wait for long.
func TestDelivery_ResultKnowsWhatOthersReceived(t *testing.T) {
	t.Parallel()
	for name, read := range map[string]bool{"read": true, "not read": false} {
		h := viewtest.NewWarehouse(t)
		oat, coffee, camera := threeLines(h)
		d := openAt(t, h, "PO-7")
		d.Scan("]C101" + h.OatBox + "10L1").Key("+").Scan("COF-500").Key("+")
		receiveCameras := func() {
			ledgertest.Do(h.World, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: camera.ID, Quantity: 2, Serials: []api.SerialInput{{SerialNumber: "S-1"}, {SerialNumber: "S-2"}}})
		}
		if h.Proxy.Before(api.ReceiveInbound.Spec, receiveCameras); !read {
			h.Proxy.Fail(api.GetInbound.Spec, viewtest.ErrUnreachable, nil)
			h.Proxy.Fail(api.ListInbounds.Spec, viewtest.ErrUnreachable, nil)
		}
		if d.Key("enter"); read {
			d.Sees("Received 34 (2 products): complete")
		} else {
			d.Sees("Received 34 (2 products): 1 line to go")
		}
		require.Equal(t, []int64{24, 10, 2}, received(h, oat, coffee, camera), name)
		require.True(t, d.Model.Idle(), name)
	}
}

// A result does not wait for long for a service that does not answer. Scans do.
func TestDelivery_ResultDoesNotWaitForLong(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	threeLines(h)
	d := openAt(t, h, "PO-7")
	d.Scan("COF-500").Scan("CAM-1").Scan("S-0001")
	var last *tuitest.Driver
	h.Proxy.Before(api.ReceiveInbound.Spec, func() {
		h.Proxy.Before(api.ReceiveInbound.Spec, func() { last = d.Hold() }) // the second line
	})
	d.Key("enter")
	require.NotNil(t, last)
	d.Lacks("Received 2").Scan("COF-500").Advance(3 * time.Second).Sees("Received 2 (2 products): 3 lines to go")
	viewtest.RequireCount(t, d, 1)
	d.Release().Sees("Received 2 (2 products): 3 lines to go")
	viewtest.RequireCount(t, d, 1)
}

func TestDelivery_LotOfTheCompletedLine(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-7", h.Oat, 24, time.Hour)
	h.Inbound("PO-7", h.Soy, 24, time.Hour) // after the other, by its SKU
	d := openAt(t, h, "PO-7")
	d.Scan("]C101" + h.OatBox + "10L1").Scan(h.OatBox).Sees("OAT-1L is counted. Next: SOY-1L")
	d.Scan("]C110L1").Sees("OAT-1L is counted. Next: SOY-1L").Scan("]C110L2")
	viewtest.RequireErrors(t, d, "This is lot L2, but 24 of lot L1 are counted")
	d.Scan("SOY-1L").Sees("Scan the lot").Scan("LOT-9").Sees("LOT-9 is unknown. Use it as the lot of SOY-1L?")
}

func TestDelivery_OneDraft(t *testing.T) {
	t.Parallel()
	h, drafts := viewtest.NewWarehouse(t), drafts.InMemory()
	oat, coffee, _ := threeLines(h)
	d := openAt(t, h, coffee.ID.String(), viewtest.KeepDrafts(drafts))
	d.Sees("▸ COF-500").Scan("COF-500")
	require.Equal(t, []string{"receive/" + coffee.ID.String()}, tuitest.DraftRoutes(t, drafts))
	for _, ref := range []string{"PO-7", oat.ID.String(), "po-7"} {
		d = openAt(t, h, ref, viewtest.KeepDrafts(drafts))
		viewtest.RequireCount(t, d, 1)
		require.Equal(t, "receive/"+coffee.ID.String(), d.Model.Route())
	}
	d.Scan("PO-7").Sees("PO-7 is already open")
}

func TestDelivery_DraftOfEarlierVersion(t *testing.T) {
	t.Parallel()
	h, drafts := viewtest.NewWarehouse(t), drafts.InMemory()
	_, coffee, _ := threeLines(h)
	again := h.Inbound("PO-7", h.Coffee, 5, time.Hour)
	require.NoError(t, drafts.Save(tui.Draft{Route: "receive/" + again.ID.String(), Data: []byte(`{"name":"Receive › PO-7","counts":{"` + h.Coffee.ID.String() + `":{"now":3}},"learned":{"12345":"` + h.Coffee.ID.String() + `"}}`)}))
	d := openAt(t, h, "PO-7", viewtest.KeepDrafts(drafts))
	viewtest.RequireCount(t, d, 3)
	d.Scan("12345").Key("enter").Sees("Received 4 of COF-500: 4 lines to go")
	require.Equal(t, []int64{0, 4}, received(h, coffee, again))
}

func TestDelivery_CloseAllShort(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	oat, coffee, camera := threeLines(h)
	d := openAt(t, h, "PO-7")
	d.Scan("COF-500").Key("f10").Sees("Close 2 lines of PO-7 with 26 missing? Reason").Type("lost").Key("enter").Sees("PO-7: 2 lines closed, 26 missing", "24 missing")
	viewtest.RequireCount(t, d, 1)
	require.Equal(t, []api.InboundStatus{api.InboundClosed, api.InboundExpected, api.InboundClosed},
		[]api.InboundStatus{reload(h, oat).Status, reload(h, coffee).Status, reload(h, camera).Status})
	d.Key("enter").Sees("Received 1 of COF-500: 1 line to go")
}

func TestDelivery_CloseTheOnlyOtherLine(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-7", h.Oat, 24, time.Hour)
	h.Inbound("PO-7", h.Coffee, 12, time.Hour)
	d := openAt(t, h, "PO-7")
	d.Scan("COF-500").Key("f10").Sees("Close 1 line of PO-7 with 24 missing? Reason").Type("lost").Key("enter").Sees("PO-7: 1 line closed, 24 missing")
}

func TestDelivery_ReferenceOfOtherLocations(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-7", h.Oat, 24, time.Hour)
	h.Inbound("PO-7", h.Coffee, 10, time.Hour)
	elsewhere := ledgertest.Do(h.World, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: h.Camera.ID, LocationID: h.Depot.ID},
		ExpectedQuantity: 3, Reference: api.Reference{ReferenceType: "purchase_order", ReferenceID: "PO-7"}}).Inbound
	openAt(t, h, "PO-7").Sees("OAT-1L", "COF-500").Lacks("CAM-1", "Which item")
	openAt(t, h, elsewhere.ID.String()).Sees("Camera").Lacks("COF-500")
}

func TestList_GroupsLines(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	threeLines(h)
	h.Inbound("PO-8", h.Soy, 5, 2*time.Hour)
	d := h.Terminal(t, registry(h))
	d.Sees("2 expected", "PO-7", "3 lines to go", "36", "PO-8")
	d.Scan("COF-500").Sees("Receive › PO-7", "▸ COF-500").Key("esc").Scan("po-7").Sees("Receive › PO-7")
	d.Key("esc").Key("/").Type("camera").Sees("1 of 2 expected", "PO-7")
}

func TestDelivery_InAllSizes(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-2026-118", h.Oat, 240, 2*time.Hour)
	h.Inbound("PO-2026-118", h.Soy, 60, 2*time.Hour)
	h.Inbound("PO-2026-118", h.Coffee, 24, 2*time.Hour)
	d := openAt(t, h, "PO-2026-118")
	d.Scan("COF-500").Key("+", "enter").Sees("Received 24 of COF-500: 2 lines to go")
	d.Scan("]C101" + h.OatBox + "17270331" + "10L42-A").Scan(h.OatBox)
	d.Goldens("delivery")
	d.Key("+")
	d.Goldens("delivery-next")
}

func TestDelivery_CloseAllShort_OneLineIsReceivedMeanwhile(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	oat, coffee, camera := threeLines(h)
	d := openAt(t, h, "PO-7")
	ledgertest.Do(h.World, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: coffee.ID, Quantity: 10})
	d.Key("f10").Sees("Close 3 lines of PO-7 with 36 missing? Reason").Type("lost").Key("enter")
	viewtest.RequireErrors(t, d, "COF-500 was not recorded: This delivery is already received")
	d.Sees("lines done: 2", "This delivery is complete (10 of 36).")
	require.Equal(t, []api.InboundStatus{api.InboundClosed, api.InboundReceived, api.InboundClosed},
		[]api.InboundStatus{reload(h, oat).Status, reload(h, coffee).Status, reload(h, camera).Status})
}

func TestDelivery_LotFormKeepsItsLine(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	threeLines(h)
	d := openAt(t, h, "PO-7")
	d.Scan(h.OatBox).Key("f7").Type("L1").Key("down", "enter").Sees("▸ OAT-1L", "L1")
}

func TestDelivery_OffersNextOne(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-6", h.Coffee, 10, 2*time.Hour)
	threeLines(h)
	h.Inbound("PO-8", h.Coffee, 10, 3*time.Hour)
	d := openAt(t, h, "PO-6")
	d.Key("+", "enter").Sees("This delivery is received (10 of 10). Enter opens PO-7, due today 13:00.", "enter open PO-7")
	d.Advance(time.Second).Key("enter").Sees("Receive › PO-7", "Coffee beans 500 g", "Camera")
	d.Scan("PO-8").Sees("Receive › PO-8").Key("+", "enter").Sees("Enter opens PO-7").Key("esc").Sees("PO-7").Lacks("PO-8")
}

// A delivery is received without a connection, the program is restarted, and the work syncs.
func TestDelivery_Offline(t *testing.T) {
	t.Parallel()
	h, drafts := viewtest.NewWarehouse(t), drafts.InMemory()
	oat, coffee, camera := threeLines(h)
	node := viewtest.NewNode(t, h.World, h.Proxy)
	h.Site = h.SiteOf(node)
	node.Disconnect()
	d := openAt(t, h, "PO-7", viewtest.KeepDrafts(drafts))
	d.Scan("COF-500").Type("10").Key("enter", "f4").Type("2").Key("enter", "enter")
	d.Scan("]C101" + h.OatBox + "10L1").Scan(h.OatBox).Scan("CAM-1").Scan("S-0001").Scan("S-0002")
	d.Key("enter").Sees("Saved, not synced. Received 36 (3 products), 2 damaged:")
	require.Empty(t, tuitest.DraftRoutes(t, drafts))

	node.Restart()
	d = openAt(t, h, "PO-7", viewtest.KeepDrafts(drafts))
	d.Sees("This delivery is complete (36 of 36).")
	waiting := func() int64 {
		st, err := api.GetSync.Call(t.Context(), node, api.SyncInput{})
		require.NoError(t, err)
		return st.Waiting
	}
	require.Equal(t, int64(4), waiting())
	require.Equal(t, []int64{0, 0, 0}, received(h, oat, coffee, camera))
	node.Connect() // the first answers show that the service has not gone back
	node.Sync()
	require.Zero(t, waiting())
	require.Equal(t, []int64{24, 10, 2}, received(h, oat, coffee, camera))
	require.Equal(t, int64(2), h.Quantities(h.Coffee, h.Main).Damaged)
	require.Equal(t, []string{"L1"}, lots(h))
}
