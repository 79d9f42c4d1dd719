package inbounds_test

import (
	"strings"
	"testing"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

// reload reads an inbound from the ledger.
func reload(h *viewtest.Warehouse, in api.Inbound) api.Inbound {
	return ledgertest.Do(h.World, api.GetInbound, api.InboundInput{InboundID: in.ID})
}

// lots returns the lots of the oat milk with their expiration dates, oldest first.
func lots(h *viewtest.Warehouse) (all []string) {
	for _, lot := range ledgertest.Do(h.World, api.ListLots, api.ListLotsInput{ProductID: h.Oat.ID}).Items {
		all = append(all, strings.TrimSpace(lot.LotCode+" "+expiryOf(lot)))
	}
	return all
}

func expiryOf(lot api.Lot) string {
	if lot.ExpiresAt == nil {
		return ""
	}
	return lot.ExpiresAt.UTC().Format(time.DateOnly)
}

func TestReceive_ScanCountsUnitsAndQuantities(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	in := h.Inbound("PO-1", h.Oat, 240, time.Hour)
	d := openAt(t, h, "PO-1")
	d.Scan(h.OatUnit).Sees("+1 ")
	d.Advance(time.Second).Scan("OAT-1L").Sees("+1 ")
	viewtest.RequireCount(t, d, 2)
	d.Scan(h.OatBox).Sees("+12")
	viewtest.RequireCount(t, d, 14)
	d.Scan("]C101" + h.OatBox + "3745\x1d10L42-A").Sees("240") // 45 boxes would be 540
	viewtest.RequireErrors(t, d, "540 more is too many", "240", "the count is already 14", "Nothing was added")
	d.Scan("]C101" + h.OatBox + "302\x1d10L42-A")
	viewtest.RequireCount(t, d, 16)
	d.Sees("L42-A")
	require.Equal(t, 1, d.Bells())
	d.Key("enter").Sees("Received 16: 16 of 240, 224 to go")
	require.Equal(t, int64(16), reload(h, in).ReceivedQuantity)
	require.Len(t, h.Proxy.Calls(api.ReceiveInbound.Spec), 1)
}

func TestReceive_ScanFillsLotAndExpiry(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	in := h.Inbound("PO-1", h.Oat, 240, time.Hour)
	d := openAt(t, h, "PO-1")
	d.Scan("]C101"+h.OatBox+"17270331"+"10L42-A").Sees("L42-A", "expires 2027-03-31")
	viewtest.RequireCount(t, d, 12)
	d.Key("enter")
	require.Equal(t, []string{"L42-A 2027-03-31"}, lots(h))
	require.Equal(t, int64(12), reload(h, in).ReceivedQuantity)
}

func TestReceive_FillAndTypedQuantities(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-1", h.Coffee, 144, time.Hour)
	d := openAt(t, h, "PO-1")
	d.Key("+")
	viewtest.RequireCount(t, d, 144)
	d.Sees("enter receive 144")
	d.Type("48").Key("enter")
	viewtest.RequireCount(t, d, 48)
	d.Type("145").Key("enter")
	viewtest.RequireErrors(t, d, "145 is too many", "only 144", "The count stays at 48")
	d.Type("0").Key("enter")
	viewtest.RequireCount(t, d, 0)
	d.Key("enter").Sees("Nothing is counted yet")
	require.Empty(t, h.Proxy.Calls(api.ReceiveInbound.Spec))
}

func TestReceive_RejectedScans(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-1", h.Oat, 24, time.Hour)
	h.Inbound("PO-2", h.Soy, 24, time.Hour)
	h.Inbound("PO-3", h.Soy, 24, time.Hour)
	d := openAt(t, h, "PO-1")
	d.Scan(h.OatUnknown)
	viewtest.RequireErrors(t, d, h.OatUnknown+" is unknown", "Nothing was counted")
	d.Scan("SOY-1L").Sees("F8 receive it on another inbound (2 open)")
	viewtest.RequireErrors(t, d, "OAT-1L is expected; this is SOY-1L (Soy drink 1 l). Nothing was counted.")
	d.Scan("]C10114006381333939" + "10L42-A")
	viewtest.RequireErrors(t, d, "(01)", "check digit", "Nothing was counted")
	d.Scan("]C101" + h.OatBox + "17271399" + "10L42-A")
	viewtest.RequireErrors(t, d, "(17)", "Nothing was counted")
	d.Scan("]C101" + h.OatBox + "0512345")
	viewtest.RequireErrors(t, d, "Nothing was counted")
	d.Scan("WH-2")
	viewtest.RequireErrors(t, d, "the location WH-2")
	d.Scan(h.OatBox).Scan(h.OatBox).Scan(h.OatUnit)
	viewtest.RequireErrors(t, d, "1 more is too many: OAT-1L has only 24 to go, and the count is already 24")
	viewtest.RequireCount(t, d, 24)
	d.Key("enter")
	viewtest.RequireErrors(t, d, "OAT-1L is tracked by lot", "F7")
	viewtest.RequireCount(t, d, 24)
	d.Key("f7").Type("L1").Key("enter", "enter").Key("enter").Sees("Received 24")
}

func TestReceive_EmptyLotFormChangesNothing(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-1", h.Oat, 24, time.Hour)
	d := openAt(t, h, "PO-1")
	d.Key("f7", "enter", "enter").Lacks("✓")
	d.Key("f7").Type("L1").Key("enter", "enter").Sees("✓", "L1")
}

func TestReceive_ScanDuringErrorIsIgnored(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-1", h.Oat, 24, time.Hour)
	d := openAt(t, h, "PO-1")
	d.Scan("SOY-1L").Scan(h.OatBox).Sees("Scan ignored")
	d.Key("enter")
	viewtest.RequireCount(t, d, 0)
}

func TestReceive_OtherItemOpensItsInbound(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-1", h.Oat, 24, time.Hour)
	soy := h.Inbound("PO-2", h.Soy, 24, time.Hour)
	d := openAt(t, h, "PO-1")
	d.Scan("SOY-1L").Key("f8")
	require.Equal(t, "receive/"+soy.ID.String(), d.Model.Route())
}

func TestReceive_OneLotPerBooking(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-1", h.Oat, 48, time.Hour)
	d := openAt(t, h, "PO-1")
	d.Scan("]C101" + h.OatBox + "10L1").Scan("]C101" + h.OatBox + "10L2")
	viewtest.RequireErrors(t, d, "This is lot L2, but 12 of lot L1 are counted", "Press F8 to record those first")
	d.Key("enter").Scan("]C101" + h.OatBox + "10L2").Key("enter").Sees("24 of 48, 24 to go")
}

func TestReceive_LotOnSeparateLabel(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-1", h.Oat, 48, time.Hour)
	d := openAt(t, h, "PO-1")
	d.Scan(h.OatBox).Sees("Scan the lot, or press F7 to type it")
	d.Scan("LOT-77").Sees("LOT-77 is unknown. Use it as the lot?", "Scan it again to confirm", "enter skip this scan")
	d.Size(20, 16).Sees("LOT-77 is unknown", "enter skip").Size(80, 24)
	d.Advance(time.Second).Key("enter").Lacks("LOT-77").Scan("LOT-77").Sees("Use it as the lot?").Advance(time.Second).Scan("LOT-77").Sees("LOT-77")
	viewtest.RequireCount(t, d, 12)
	d.Key("enter").Sees("Received 12")
	require.Equal(t, []string{"LOT-77"}, lots(h))
	d.Scan(h.OatBox).Scan("LOT-77")
	require.Empty(t, d.Model.Fault(), "the lot is known now")
	d.Sees("LOT-77")
}

func TestReceive_ExpiredLotNeedsConfirmation(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-1", h.Oat, 48, time.Hour)
	d := openAt(t, h, "PO-1")
	code := "]C101" + h.OatBox + "17260131" + "10L0"
	d.Scan(code).Sees("Lot L0 expired 2026-01-31", "Scan it again to confirm, or press enter to skip it.", "enter skip this scan")
	viewtest.RequireCount(t, d, 0)
	d.Size(20, 16).Sees("Lot L0 expired", "enter skip").Size(80, 24)
	d.Advance(time.Second).Key("enter").Lacks("Lot L0")
	viewtest.RequireCount(t, d, 0)
	d.Key("enter").Sees("Nothing is counted yet").Scan(code).Sees("Lot L0 expired")
	d.Advance(time.Second).Scan(code)
	viewtest.RequireCount(t, d, 12)
	d.Key("enter").Sees("Received 12")
	require.Equal(t, []string{"L0 2026-01-31"}, lots(h))
}

func TestReceive_RejectsOtherExpiry(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-1", h.Oat, 48, time.Hour)
	d := openAt(t, h, "PO-1")
	d.Scan("]C101" + h.OatBox + "17270331" + "10L1").Key("enter").Sees("Received 12")
	d.Scan("]C101" + h.OatBox + "17270430" + "10L1").Key("enter")
	viewtest.RequireErrors(t, d, "L1", "2027-03-31", "2027-04-30")
	viewtest.RequireCount(t, d, 12)
}

func TestReceive_TypedBarcodeIsNeverAQuantity(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	in := h.Inbound("PO-1", h.Oat, 240, time.Hour)
	d := openAt(t, h, "PO-1")
	d.Type(h.OatUnit).Sees(h.OatUnit).Key("enter").Lacks("too many").Sees("+1 ")
	viewtest.RequireCount(t, d, 1)
	d.Advance(time.Second).Type(h.OatBox).Key("enter").Sees("+12")
	viewtest.RequireCount(t, d, 13)
	wrong := h.OatUnit[:12] + string('0'+(h.OatUnit[12]-'0'+1)%10) // its check digit is wrong
	d.Type(wrong).Key("enter").Sees("is neither a quantity nor a valid barcode").Key("enter")
	d.Type("4012345678901").Key("enter").Sees("4012345678901 is unknown").Key("enter")
	viewtest.RequireCount(t, d, 13)
	d.Type("48").Key("enter")
	viewtest.RequireCount(t, d, 48)
	require.Zero(t, reload(h, in).ReceivedQuantity)
}
