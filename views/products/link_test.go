package products_test

import (
	"testing"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/views/session"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

// lastChange returns the latest entry of the ledger's journal.
func lastChange(h *viewtest.Warehouse) api.Change {
	changes := ledgertest.Do(h.World, api.ListChanges, api.ListChangesInput{}).Items
	return changes[len(changes)-1]
}

func TestLink_FromDeliveryCountsNextScan(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	in := h.Inbound("PO-1", h.Coffee, 48, time.Hour)
	d := openAt(t, h, "receive/"+in.ID.String())
	d.Scan(h.OatUnknown).Sees("is unknown. Nothing was counted", "F8 link to a product", "F11 unknown codes").Key("f8")
	require.Equal(t, "products/link?code="+h.OatUnknown, d.Model.Route())
	d.Goldens("choose")
	d.Type("coff").Sees("▸ COF-500").Lacks("OAT-1L").Key("enter").Sees("How many COF-500 does this barcode stand for?", "1")
	d.Key("backspace").Type("6").Key("enter").Sees("Link 4012345678901 to a package of 6 × COF-500 (Coffee beans 500 g)?", "enter link").Key("enter")
	d.Sees("4012345678901 is linked to COF-500. Scan it again.", "Receive › PO-1")
	require.Equal(t, []api.Unit{{UnitCode: "box", Factor: 6, Barcodes: []string{h.OatUnknown}}}, bySKU(h, "COF-500")[0].Units)
	d.Scan(h.OatUnknown).Scan(h.OatUnknown)
	viewtest.RequireCount(t, d, 12)
	require.Empty(t, h.Site.UnknownCodes())
}

func TestLink_ByScanOfProduct(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	d := openAt(t, h, "unknown").Key("esc").Scan(h.OatUnknown).Sees("is unknown", "F8 link").Key("enter")
	d.Do(tui.Open("unknown")).Sees("▸ 4012345678901").Key("enter").Sees("Which product is 4012345678901?")
	d.Scan(h.OatUnknown)
	viewtest.RequireErrors(t, d, "4012345678901 is the barcode to link.")
	d.Scan("WH-2")
	viewtest.RequireErrors(t, d, "WH-2 is not a product.")
	d.Scan("4012345678918")
	viewtest.RequireErrors(t, d, "4012345678918 is unknown too.")
	d.Scan(h.OatBox).Sees("▸ OAT-1L").Advance(time.Second).Key("enter").Sees("How many OAT-1L").Scan(h.OatUnit)
	d.Key("enter").Sees("Type how many, from 1 to 1,000,000").Key("ctrl+u").Type("1").Key("enter").Sees("Link 4012345678901 to OAT-1L (Oat milk 1 l)?").Key("esc")
	require.Equal(t, []string{h.OatUnit}, bySKU(h, "OAT-1L")[0].Barcodes)
	d.Key("enter", "enter", "enter").Sees("Unknown codes", "There are no unknown codes in this list.")
	require.Equal(t, []string{h.OatUnit, h.OatUnknown}, bySKU(h, "OAT-1L")[0].Barcodes)
	require.Equal(t, "Ada", lastChange(h).CreatedBy.Label)
}

func TestLink_NeedsApproval(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	d := openAt(t, h, "products/link?code="+h.OatUnknown, h.SignIn)
	d.Type("soy").Key("enter").Sees("A supervisor must approve: link the barcode").Key("esc")
	d.Key("enter").Scan("EVE-43").Sees("Approved by Eve", "How many SOY-1L").Advance(time.Second).Key("enter", "enter").Sees("is linked to SOY-1L", "Ada")
	require.Equal(t, api.LinkBarcode.Spec.ID, lastChange(h).Operation)
	require.Equal(t, []string{"Ada", "Eve"}, []string{lastChange(h).CreatedBy.Label, lastChange(h).ApprovedBy.Label})
}

func TestLink_RefusesTakenCode(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	d := openAt(t, h, "products/link?code="+h.OatUnknown)
	ledgertest.Do(h.World, api.LinkBarcode, api.LinkBarcodeInput{ProductID: h.Soy.ID, Barcode: h.OatUnknown})
	d.Type("oat").Key("enter", "enter", "enter").Sees("4012345678901 already belongs to SOY-1L (Soy drink 1 l). Nothing was changed.", "F4 show SOY-1L").Key("f4").Sees("Products › SOY-1L")
	require.Equal(t, []string{h.OatUnit}, bySKU(h, "OAT-1L")[0].Barcodes)
}

func TestLink_RetriesOnce(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	d := openAt(t, h, "products/link?code="+h.OatUnknown).Type("oat")
	h.Proxy.Down()
	d.Key("enter", "enter", "enter")
	viewtest.RequireErrors(t, d, "Not linked: the service cannot be reached.")
	h.Proxy.Up()
	h.Proxy.LoseAnswers(api.LinkBarcode.Spec, 1)
	d.Key("enter", "enter", "enter")
	viewtest.RequireErrors(t, d, "No answer. Link it again (enter); it is done only once.")
	d.Key("enter").Sees("is linked to OAT-1L")
	keys := h.Proxy.Keys(api.LinkBarcode.Spec)
	require.Len(t, keys, 3)
	require.Equal(t, keys[1], keys[2])
}

func TestLink_WithoutCodeTakesUnknownScan(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	d := openAt(t, h, "home")
	d.Do(tui.Open("products/link?code=4012345678902")).Sees("4012345678902 is not a valid barcode: check digit is 2, should be 1")
	viewtest.RequireErrors(t, d, "4012345678902 is not a valid barcode")
	d.Do(tui.Open("products/link")).Sees("Scan the new barcode")
	d.Key("enter").Sees("Scan the new barcode first").Scan("4012345678902")
	require.Contains(t, d.Model.Fault(), "check digit is 2, should be 1")
	d.Key("enter").Scan("24006381333935").Sees("Which product is 24006381333935?").Type("oat").Key("enter").Sees("How many OAT-1L").Key("enter").Sees("Type how many").Type("12").Key("enter", "enter")
	require.Equal(t, []string{h.OatBox, "24006381333935"}, bySKU(h, "OAT-1L")[0].Units[0].Barcodes)
}

func TestLink_NotOffered(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Site = session.NewSite(session.Options{Service: h.As(api.Live, api.InventoryRead), Location: h.Site.Location()})
	d := openAt(t, h, "home").Scan(h.OatUnknown).Sees("is unknown").Lacks("F8").Key("enter")
	d.Do(tui.Open("products/link")).Sees("no permission to do that (inventory:write)")

	h = viewtest.NewMinimalWarehouse(t)
	openAt(t, h, "home").Scan(h.OatUnknown).Sees("is unknown").Lacks("F8 link")
}
