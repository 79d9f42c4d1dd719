package inbounds_test

import (
	"testing"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui/drafts"
	"bincard/tui/i18n"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

func TestLotForm_AsksAboutExpiredLot(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-1", h.Oat, 24, time.Hour)
	d := openAt(t, h, "PO-1")
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
	d := openAt(t, h, "PO-1", keepDrafts(drafts))
	d.Type("24").Key("enter").Sees("Scan the lot").Scan(label).Sees("L1", "expires 2027-03-31")
	viewtest.RequireCount(t, d, 24)
	d.Scan(label)
	viewtest.RequireCount(t, d, 25)
	d.Type("0").Key("enter")

	d.Type("24").Key("enter")
	d = openAt(t, h, "PO-1", keepDrafts(drafts))
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

func TestReceive_ForgetsNextLotIfRecordingIsRefused(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-1", h.Oat, 48, time.Hour)
	d := openAt(t, h, "PO-1")
	d.Scan("]C101" + h.OatBox + "17270331" + "10L9").Key("enter").Sees("Received 12")
	d.Scan("]C101" + h.OatBox + "17270430" + "10L9").Scan("]C101" + h.OatBox + "10L2").Key("f8")
	viewtest.RequireErrors(t, d, "L9", "2027-03-31")
	d.Type("0").Key("enter").Scan("]C101" + h.OatBox + "10L9").Key("enter").Sees("Received 12: 24 of 48")
	viewtest.RequireCount(t, d, 0)
}

// An expiration date is typed as on a label or as people write it, and the form shows which day
// it is.
func TestLotForm_TypedExpirationDate(t *testing.T) {
	t.Parallel()
	languages, _ := i18n.Load("")
	german, ok := languages.Find("de")
	require.True(t, ok)
	for _, c := range []struct {
		text, title string
		in          *i18n.Translator
	}{
		{"271123", "▸ Lot", nil},
		{"23.11.2027", "▸ Charge", i18n.New(german)},
		{"11/23/2027", "▸ Lot", nil},
	} {
		h := viewtest.NewWarehouse(t)
		h.Translator = c.in
		h.Site = h.NewSite()
		h.Inbound("PO-1", h.Oat, 24, time.Hour)
		d := openAt(t, h, "PO-1")
		d.Key("+", "f7").Sees(c.title).Type("L-9").Key("enter").Type(c.text).Sees(c.text + "█  2027-11-23")
		d.Key("enter").Lacks(c.text).Sees("L-9", "2027-11-23").Key("enter").Sees("L-9 × 24")
		require.Equal(t, []string{"L-9 2027-11-23"}, lots(h), c.text)
	}
}
