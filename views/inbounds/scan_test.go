package inbounds_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui/drafts"
	"bincard/tui/i18n"
	"bincard/tui/tuitest"
	"bincard/views/viewtest"
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
	viewtest.RequireErrors(t, d, "Too many: ", "240", "14 are already counted", "Not added")
	d.Scan("]C101" + h.OatBox + "302\x1d10L42-A")
	viewtest.RequireCount(t, d, 16)
	d.Sees("L42-A")
	require.Equal(t, 1, d.Bells())
	d.Key("enter").Sees("Received 16: 16 of 240, 224 to go")
	require.Equal(t, int64(16), reload(h, in).ReceivedQuantity)
	require.Len(t, h.Proxy.Calls(api.ReceiveInbound.Spec), 1)
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
	viewtest.RequireErrors(t, d, "Too many: ", "only 144", "The count stays at 48")
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
	d.Scan("SOY-1L").Sees("F8 receive it on another delivery (2 open)")
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
	viewtest.RequireErrors(t, d, "Too many: OAT-1L has only 24 to go, and 24 are already counted")
	viewtest.RequireCount(t, d, 24)
	d.Key("enter")
	viewtest.RequireErrors(t, d, "OAT-1L is tracked by lot", "F7")
	viewtest.RequireCount(t, d, 24)
	d.Key("f7").Type("L1").Key("enter", "enter").Key("enter").Sees("Received 24")
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

func TestReceive_OtherExpiryOfAKnownLot(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-1", h.Oat, 48, time.Hour)
	d := openAt(t, h, "PO-1")
	wrong := func(lot, recorded string) {
		viewtest.RequireErrors(t, d, "Lot "+lot+" is recorded "+recorded+", not with 2027-01-20. Check the label")
		d.Sees("F7 lot").Key("f7").Sees(lot, "2027-01-20").Key("enter")
		d.Key(strings.Split(strings.Repeat("backspace ", 9)+"backspace", " ")...).Key("enter")
		require.Empty(t, d.Model.Fault())
		d.Key("enter").Sees("Received 12")
	}
	d.Scan("]C101" + h.OatBox + "17270115" + "10L1").Key("enter").Sees("Received 12").Scan("]C101" + h.OatBox + "10L2").Key("enter")
	d.Scan("]C101" + h.OatBox + "17270120" + "10L1")
	viewtest.RequireCount(t, d, 12)
	wrong("L1", "with expiration 2027-01-15")
	d.Scan(h.OatBox).Key("f7").Type("L2").Key("enter").Type("20.01.2027").Key("enter")
	wrong("L2", "without an expiration date")

	h.Inbound("PO-2", h.Oat, 12, time.Hour)
	d = openAt(t, h, "PO-2")
	h.Proxy.Fail(api.ListLots.Spec, viewtest.ErrUnreachable, nil)
	d.Scan("]C101" + h.OatBox + "17270120" + "10L1")
	require.Empty(t, d.Model.Fault(), "the service tells when it is recorded")
	h.Proxy.Fail(api.ListLots.Spec, nil, nil)
	d.Type("0").Key("enter").Scan("]C101" + h.OatBox + "17270120" + "10L1")
	viewtest.RequireErrors(t, d, "Lot L1 is recorded with expiration 2027-01-15")

	h.Inbound("PO-3", h.Oat, 12, time.Hour)
	h.Inbound("PO-3", h.Coffee, 6, time.Hour)
	d = openAt(t, h, "PO-3")
	d.Scan("]C101"+h.OatBox+"17270120"+"10L1").Sees("▸ COF-500", "F7 lot").Advance(time.Second).Key("f7").Sees("▸ OAT-1L", "2027-01-20")
}

func TestReceive_TypedBarcodeIsNeverAQuantity(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	in := h.Inbound("PO-1", h.Oat, 240, time.Hour)
	d := openAt(t, h, "PO-1")
	d.Type(h.OatUnit).Sees(h.OatUnit).Key("enter").Lacks("Too many").Sees("+1 ")
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

// announce creates an inbound whose stock is announced.
func announce(t *testing.T, h *viewtest.Warehouse, p api.Product, q int64, a api.Announced) api.Inbound {
	t.Helper()
	m, err := a.Metadata()
	require.NoError(t, err)
	return ledgertest.Do(h.World, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: p.ID, LocationID: h.Main.ID},
		ExpectedQuantity: q, Reference: api.Reference{ReferenceType: "purchase_order", ReferenceID: "ASN-1"}, Metadata: m}).Inbound
}

// One scan of a pallet's label counts all that is announced on it, and enter receives it.
func TestReceive_ScanCountsPallet(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	expires := time.Date(2028, 3, 31, 0, 0, 0, 0, time.UTC)
	first := announce(t, h, h.Oat, 24, api.Announced{SSCC: "340123450000000017", LotCode: "L1", ExpiresAt: &expires})
	second := announce(t, h, h.Oat, 12, api.Announced{SSCC: "340123450000000024", LotCode: "L2"})
	third := announce(t, h, h.Coffee, 6, api.Announced{SSCC: "340123450000000017", LotCode: "L3"})
	d := openAt(t, h, "ASN-1")
	d.Sees("lot L2")
	d.Scan("]C100340123450000000017").Sees("pallet", "2 lines", "+30", "enter receive 30")
	d.Key("ctrl+z").Lacks("enter receive 30")
	d.Scan("(00)340123450000000017").Sees("enter receive 30")
	d.Key("enter").Sees("Received 30 (2 products): 1 line to go")
	require.Equal(t, int64(24), reload(h, first).ReceivedQuantity)
	require.Zero(t, reload(h, second).ReceivedQuantity)
	require.Equal(t, int64(6), reload(h, third).ReceivedQuantity)
	lots := ledgertest.Do(h.World, api.ListLots, api.ListLotsInput{ProductID: h.Oat.ID})
	require.Len(t, lots.Items, 1)
	require.Equal(t, "L1", lots.Items[0].LotCode)
	require.True(t, lots.Items[0].ExpiresAt.Equal(expires))

	d.Type("00340123450000000017").Key("enter")
	viewtest.RequireErrors(t, d, "Pallet 340123450000000017 is already counted or received")
	d.Type("340123450000000025").Key("enter") // as the label shows it, but for the check digit
	viewtest.RequireErrors(t, d, "340123450000000025 is neither a quantity nor a valid barcode")
	d.Type("340123450000000024").Key("enter").Sees("enter receive 12").Key("enter").Sees("complete")
	require.Equal(t, int64(12), reload(h, second).ReceivedQuantity)
}

// A label that repeats the lot alone, and a typed lot, have the announced expiration date.
func TestReceive_LotHasTheAnnouncedExpirationDate(t *testing.T) {
	t.Parallel()
	expires := time.Date(2028, 3, 31, 0, 0, 0, 0, time.UTC)
	for name, count := range map[string]func(d *tuitest.Driver){
		"scanned": func(d *tuitest.Driver) { d.Scan("]C10104006381333931" + "10L1").Key("+") },
		"typed":   func(d *tuitest.Driver) { d.Key("+", "f7").Type("L1").Key("enter").Sees("2028-03-31").Key("enter") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := viewtest.NewWarehouse(t)
			in := announce(t, h, h.Oat, 24, api.Announced{LotCode: "L1", ExpiresAt: &expires})
			d := openAt(t, h, in.ID.String())
			count(d)
			d.Sees("2028-03-31").Key("enter").Sees("Received 24")
			lots := ledgertest.Do(h.World, api.ListLots, api.ListLotsInput{ProductID: h.Oat.ID}).Items
			require.Len(t, lots, 1)
			require.Equal(t, expires, lots[0].ExpiresAt.UTC())
		})
	}
}

// A pallet's label opens its delivery in the list, and counts it there.
func TestList_ScanOfPalletOpensDelivery(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-1", h.Oat, 24, time.Hour)
	announce(t, h, h.Oat, 24, api.Announced{SSCC: "340123450000000017", LotCode: "L1"})
	announce(t, h, h.Coffee, 6, api.Announced{SSCC: "340123450000000024"})
	d := h.Terminal(t, registry(h))
	d.Scan("]C100340123450000000024").Sees("Receive › ASN-1")
	d.Scan("]C100340123450000000024").Sees("+6")
	d.Key("esc").Scan("]C100340123450000000031").Sees("Receive", "PO-1").Lacks("Receive › ")
}

func TestLotForm_AsksAboutExpiredLot(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-1", h.Oat, 24, time.Hour)
	d := openAt(t, h, "PO-1")
	d.Key("f7", "enter", "enter").Lacks("✓") // an empty form changes nothing
	d.Key("+", "f7").Type("OLD-1").Key("enter").Type("2025-01-01").Key("enter")
	d.Sees("Lot OLD-1 expired 2025-01-01. Change the lot, or press F8 to use it.", "F8 use the expired lot").Key("esc").Sees("2025-01-01█").Lacks("✓ 12:00:00   lot")
	d.Key("enter").Advance(time.Second).Key("enter").Sees("2025-01-01█").Lacks("✓ 12:00:00   lot") // enter never accepts it
	d.Key("enter", "f8").Sees("expires 2025-01-01")
	d.Key("f7", "enter", "enter").Lacks("Change the lot")
	d.Key("enter").Sees("Received 24")
}

func TestLotForm_RejectsLabelOfAnotherItem(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	camera := ledgertest.Do(h.World, api.CreateProduct, api.CreateProductInput{SKU: "CAM-2", Name: "Camera", Barcodes: []string{"04012345678901"}})
	h.Inbound("PO-7", h.Oat, 24, time.Hour)
	h.Inbound("PO-7", camera, 10, time.Hour)
	d := openAt(t, h, "PO-7")
	d.Scan("OAT-1L").Type("24").Key("enter", "f7")
	for _, label := range []string{"01" + camera.Barcodes[0], "01" + "04006381333948"} { // on the list, and unknown
		d.Scan("]C1" + label + "17270331" + "10OTHER")
		viewtest.RequireErrors(t, d, "This label is not of OAT-1L. Nothing was changed")
		d.Lacks("OTHER", "2027-03-31█")
	}
	d.Scan("]C101"+h.OatBox+"17270331"+"10L1").Key("enter", "enter").Sees("OAT-1L is counted", "L1").Key("enter").Sees("Received 24 of OAT-1L")
	require.Equal(t, "L1", ledgertest.Do(h.World, api.ListLots, api.ListLotsInput{ProductID: h.Oat.ID}).Items[0].LotCode)
}

func TestReceive_LotLabelAfterTypedQuantity(t *testing.T) {
	t.Parallel()
	h, drafts := viewtest.NewWarehouse(t), drafts.InMemory()
	h.Inbound("PO-1", h.Oat, 48, time.Hour)
	label := "]C101" + "04006381333931" + "17270331" + "10L1"
	d := openAt(t, h, "PO-1", viewtest.KeepDrafts(drafts))
	d.Type("24").Key("enter").Sees("Scan the lot").Scan(label).Sees("L1", "expires 2027-03-31")
	viewtest.RequireCount(t, d, 24)
	d.Scan(label)
	viewtest.RequireCount(t, d, 25)
	d.Type("0").Key("enter")

	d.Type("24").Key("enter")
	d = openAt(t, h, "PO-1", viewtest.KeepDrafts(drafts))
	d.Sees("Scan the lot").Scan(label)
	viewtest.RequireCount(t, d, 24)
	d.Type("0").Key("enter")

	d.Scan(h.OatBox).Sees("Scan the lot").Scan("]C101" + h.OatBox + "10L1").Sees("L1")
	viewtest.RequireCount(t, d, 12) // the label answers the question
	d.Scan("]C101" + h.OatBox + "10L1")
	viewtest.RequireCount(t, d, 24)
	d.Type("0").Key("enter")

	d.Scan(h.OatBox).Scan(h.OatBox).Scan(h.OatBox).Scan(h.OatBox).Scan("]C101" + h.OatBox + "10L1")
	require.Empty(t, d.Model.Fault(), "everything is counted: the label can only name the lot")
	viewtest.RequireCount(t, d, 48)
	d.Sees("L1")
}

// A lot has one expiration date. What is scanned of the next lot is forgotten with the refusal.
func TestReceive_RejectsOtherExpiry(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-1", h.Oat, 48, time.Hour)
	d := openAt(t, h, "PO-1")
	d.Scan("]C101" + h.OatBox + "17270331" + "10L9").Key("enter").Sees("Received 12")
	require.Equal(t, []string{"L9 2027-03-31"}, lots(h))
	d.Scan("]C101" + h.OatBox + "17270430" + "10L9")
	viewtest.RequireErrors(t, d, "L9", "2027-03-31", "2027-04-30")
	d.Key("enter")
	require.Len(t, h.Proxy.Calls(api.ReceiveInbound.Spec), 2)
	viewtest.RequireErrors(t, d, "L9", "2027-03-31", "2027-04-30")
	viewtest.RequireCount(t, d, 12)
	d.Scan("]C101" + h.OatBox + "10L2").Key("f8")
	viewtest.RequireErrors(t, d, "L9", "2027-03-31")
	d.Type("0").Key("enter").Scan("]C101" + h.OatBox + "10L9").Key("enter").Sees("Received 12: 24 of 48")
	viewtest.RequireCount(t, d, 0)
}

// An expiration date is typed as on a label or as people write it, and the form shows which day
// it is.
func TestLotForm_TypedExpirationDate(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, title, date string
		in                *i18n.Translator
	}{
		{"271123", "▸ Lot", "2027-11-23", nil},
		{"271123", "▸ Charge", "23.11.2027", tuitest.Language(t, "de")},
		{"271123", "▸ Lote", "23/11/2027", tuitest.Language(t, "es")},
		{"11/23/2027", "▸ Lot", "2027-11-23", nil},
	} {
		h := viewtest.NewWarehouse(t)
		h.Translator = c.in
		h.Site = h.NewSite()
		h.Inbound("PO-1", h.Oat, 24, time.Hour)
		d := openAt(t, h, "PO-1")
		d.Key("+", "f7").Sees(c.title).Type("L-9").Key("enter").Type(c.text).Sees(c.text + "█  " + c.date)
		d.Key("enter").Lacks(c.text).Sees("L-9", c.date).Key("enter").Sees("L-9 × 24")
		require.Equal(t, []string{"L-9 2027-11-23"}, lots(h), c.text)
	}
}

// A serial that is not among the announced ones is counted after a question.
func TestReceive_AsksAboutSerialThatIsNotAnnounced(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	in := announce(t, h, h.Camera, 3, api.Announced{SerialNumbers: []string{"S-0001", "S-0002"}})
	d := openAt(t, h, in.ID.String()).Scan("CAM-1").Scan("S-0001")
	viewtest.RequireCount(t, d, 1)
	d.Scan("CAM-1").Scan("S-0009").Sees("Serial S-0009 of CAM-1 was not announced.", "Scan it again to confirm").Key("enter")
	viewtest.RequireCount(t, d, 1)
	d.Scan("S-0009").Sees("was not announced.").Scan("S-0009")
	viewtest.RequireCount(t, d, 2)
	d.Scan("CAM-1").Scan("S-0009")
	viewtest.RequireErrors(t, d, "Serial S-0009 is already counted")
	d.Scan("S-0002").Key("enter").Sees("Received 3")
}
