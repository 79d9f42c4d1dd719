package products_test

import (
	"testing"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

// linkWrong links the unknown barcode to COF-500.
func linkWrong(h *viewtest.Warehouse) {
	ledgertest.Do(h.World, api.LinkBarcode, api.LinkBarcodeInput{ProductID: h.Coffee.ID, Barcode: h.OatUnknown})
}

func TestUnlink_FromProduct(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	linkWrong(h)
	before := bySKU(h, "COF-500")[0].Barcodes
	d := openAt(t, h, "products/COF-500").Key("f8")
	require.Equal(t, "products/unlink?sku=COF-500", d.Model.Route())
	d.Sees("Which barcode does not belong to COF-500?", h.OatUnknown).Goldens("unlink")
	d.Scan(h.OatUnknown).Sees("▸ "+h.OatUnknown).Advance(time.Second).Key("enter").Sees("Unlink 4012345678901 from COF-500 (Coffee beans 500 g)?", "wrong product").Key("esc")
	require.Equal(t, before, bySKU(h, "COF-500")[0].Barcodes)
	d.Key("enter", "enter").Sees("Unlinked 4012345678901 from COF-500", "Products › COF-500").Lacks("4012345678901  ")
	require.NotContains(t, bySKU(h, "COF-500")[0].Barcodes, h.OatUnknown)
	change := lastChange(h)
	require.Equal(t, []string{api.UnlinkBarcode.Spec.ID, "wrong product", "Ada"}, []string{change.Operation, change.Reason, change.CreatedBy.Label})
}

func TestUnlink_TypedReason(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	linkWrong(h)
	d := openAt(t, h, "products/unlink").Sees("Scan the barcode to unlink").Key("enter").Sees("Scan the barcode to unlink")
	d.Scan("4012345678918")
	viewtest.RequireErrors(t, d, "4012345678918 is not a barcode of a product.")
	d.Key("enter").Scan(h.OatBox).Sees("unlink a barcode", h.OatBox, "12").Advance(time.Second)
	d.Scan(h.OatUnknown).Sees("▸ " + h.OatUnknown).Advance(time.Second).Key("enter").Type("supplier error").Key("enter").Sees("Unlinked")
	require.Equal(t, "supplier error", lastChange(h).Reason)
}

func TestUnlink_NeedsApproval(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	linkWrong(h)
	d := openAt(t, h, "products/unlink?sku=COF-500", h.SignIn)
	d.Scan(h.OatUnknown).Advance(time.Second).Key("enter").Sees("A supervisor must approve: unlink the barcode")
	d.Scan("EVE-43").Sees("Approved by Eve", "Unlink 4012345678901").Advance(time.Second).Key("enter").Sees("Unlinked", "Ada")
	require.Equal(t, []string{"Ada", "Eve"}, []string{lastChange(h).CreatedBy.Label, lastChange(h).ApprovedBy.Label})
}

func TestUnlink_RetriesOnce(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	linkWrong(h)
	d := openAt(t, h, "products/unlink?sku=COF-500").Scan(h.OatUnknown).Advance(time.Second)
	h.Proxy.LoseAnswers(api.UnlinkBarcode.Spec, 1)
	d.Key("enter", "enter")
	viewtest.RequireErrors(t, d, "No answer. Unlink it again (enter); it is done only once.")
	d.Key("enter").Sees("Unlinked 4012345678901 from COF-500")
	viewtest.RequireOneKey(t, h.Proxy, api.UnlinkBarcode.Spec, 2)
}

func TestUnlink_AlreadyUnlinked(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	linkWrong(h)
	d := openAt(t, h, "products/unlink?sku=COF-500").Scan(h.OatUnknown).Advance(time.Second)
	ledgertest.Do(h.World, api.UnlinkBarcode, api.UnlinkBarcodeInput{ProductID: h.Coffee.ID, Barcode: h.OatUnknown, Reason: "wrong product"})
	d.Key("enter", "enter").Sees("4012345678901 is not a barcode of COF-500. Nothing was changed.").Key("enter").Lacks("▸ " + h.OatUnknown)
}
