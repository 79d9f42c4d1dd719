package products_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/drafts"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views"
	"bincard/views/panel"
	"bincard/views/products"
	"bincard/views/session"
	"bincard/views/settings"
	"bincard/views/viewtest"
)

// openAt starts a terminal with all screens on a route above home.
func openAt(t *testing.T, h *viewtest.Warehouse, route string, change ...func(*shell.Options)) *tuitest.Driver {
	t.Helper()
	reg := tui.NewRegistry()
	views.Register(reg, h.Site, settings.Hooks{})
	change = append(change, func(o *shell.Options) { o.Start = []string{"home", route} })
	return h.Terminal(t, reg, change...)
}

// emptyWarehouse returns a warehouse whose organization has no data.
func emptyWarehouse(t *testing.T) *viewtest.Warehouse {
	t.Helper()
	h := viewtest.NewWarehouse(t)
	h.World = h.NewOrganization("Empty Goods")
	h.Site = session.NewSite(session.Options{Service: h.Service, Operator: "Ada"})
	return h
}

// bySKU reads a product from the ledger.
func bySKU(h *viewtest.Warehouse, sku string) []api.Product {
	return ledgertest.Do(h.World, api.ListProducts, api.ListProductsInput{SKU: sku}).Items
}

// fill types values into consecutive fields from the focused one on; "" skips a
// field.
func fill(d *tuitest.Driver, values ...string) {
	for _, v := range values {
		d.Type(v).Key("tab")
	}
}

func TestProducts_InAllSizes(t *testing.T) {
	t.Parallel()
	none := openAt(t, emptyWarehouse(t), "products")
	none.Goldens("empty")
	h := viewtest.NewWarehouse(t)
	d := openAt(t, h, "products")
	d.Goldens("list")
	ledgertest.Do(h.World, api.ArchiveProduct, api.ProductInput{ProductID: h.Soy.ID})
	d.Key("ctrl+r").Type("milk x").Goldens("nothing")
	d.Key("esc").Goldens("archived")
	d.Scan(h.OatUnknown).Goldens("unknown")
}

func TestProduct_InAllSizes(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	low := int64(40)
	ledgertest.Do(h.World, api.CreateProduct, api.CreateProductInput{SKU: "KIT-1", Name: "Breakfast", BaseUnitCode: "kit", ReorderPoint: &low,
		Barcodes: []string{"4012345678901", "K1"}, Units: []api.Unit{{UnitCode: "box", Factor: 6, Barcodes: []string{"KB"}}, {UnitCode: "pallet", Factor: 1440}},
		Components: []api.Component{{ProductID: h.Oat.ID, Quantity: 2}, {ProductID: h.Coffee.ID, Quantity: 1}}})
	d := openAt(t, h, "products/KIT-1")
	d.Goldens("kit")
	d.Sees("2 × OAT-1L", "box", "6 × kit", "KB", "1,440").Key("ctrl+x").Goldens("archive")
	d.Key("enter").Advance(5 * time.Second).Goldens("archived")
	require.Equal(t, api.Archived, bySKU(h, "KIT-1")[0].Status)
	openAt(t, h, "products/NONE").Goldens("none")
}

func TestForm_InAllSizes(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	d := openAt(t, h, "products/new")
	d.Goldens("empty")
	fill(d, "OAT-1L", "Oat milk again", "4006381333932")
	d.Key("ctrl+s").Goldens("faulty")
	d.Scan("4012345678901").Key("ctrl+s").Goldens("taken")
	d.Key("enter")
	fill(d, "-X")
	h.Proxy.LoseAnswers(api.CreateProduct.Spec, 1)
	d.Key("ctrl+s").Goldens("lost")
	d.Key("enter").Goldens("waiting")
	d.Key("enter").Advance(5 * time.Second).Goldens("made")
}

func TestProduct_BySKUIDAndBarcode(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	for _, ref := range []string{"OAT-1L", "oat-1l", h.Oat.ID.String(), h.OatUnit, h.OatBox} {
		openAt(t, h, tui.Path("products", ref)).Sees("Products › OAT-1L", "Oat milk 1 l", h.OatUnit, "12 × piece", "by lot")
	}
	openAt(t, h, "products/NONE").Sees("Product NONE not found", "enter to retry").Key("f3").Sees("Products › new", "SKU       NONE")
	d := openAt(t, h, "products/OAT-1L")
	require.Equal(t, "stock?sku=OAT-1L", d.Key("enter").Model.Route())
	d.Key("esc", "f3").Sees("A delivery to WH-1", "OAT-1L")
	d.Key("esc").Scan("COF-500").Sees("Products › COF-500")
}

func TestProducts_SearchBySKUNameAndBarcode(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	d := openAt(t, h, "products")
	d.Sees("OAT-1L", "SOY-1L", "COF-500", "CAM-1", "4 products").Type("1l milk").Sees("1 of 4 products", "OAT-1L").Lacks("SOY-1L", "COF-500")
	d.Key("esc").Sees("SOY-1L").Type("40063").Sees("OAT-1L").Lacks("SOY-1L")
	d.Key("f4")
	require.Equal(t, "stock?sku=OAT-1L", d.Model.Route())
	d.Key("esc", "enter")
	require.Equal(t, "products/OAT-1L", d.Model.Route())
	d.Key("esc", "esc").Type("WH-2").Key("enter")
	require.Equal(t, h.Depot.ID, h.Site.Location().ID, "text without a match is looked up as a code")
}

// The service searches a long list. Sorting reads on, so that the first row is the first of all.
func TestProducts_SearchesAndSortsLongLists(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	for i := range 520 {
		h.Product("BULK-"+string(rune('A'+i/26))+string(rune('A'+i%26)), api.TrackNone)
	}
	d := openAt(t, h, "products")
	d.Sees("more than 500 products").Lacks("CAM-1").Type("camera").Sees("CAM-1", "1 product ")
	d.Key("esc").Sees("more than 500 products").Key("f9").Type("name").Key("enter").Sees("524 products", "name▲", "Camera").Lacks("more than")
	d.Key("f9").Type("default").Key("enter").Key("ctrl+r").Sees("more than 500 products")
}

func TestProducts_Scan(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	d := openAt(t, h, "products")
	d.Scan("]C101" + h.OatBox + "10L1")
	require.Equal(t, "products/OAT-1L", d.Model.Route())
	d.Key("esc").Scan("WH-2")
	require.Equal(t, h.Depot.ID, h.Site.Location().ID)
	d.Scan("4006381333932")
	viewtest.RequireErrors(t, d, "check digit")
	d.Scan("]C101" + "0" + h.OatUnknown + "10L1").Key("f3")
	require.Equal(t, "products/new?barcode="+h.OatUnknown, d.Model.Route())
	d.Sees(h.OatUnknown)
	h.Proxy.Down()
	d.Key("esc").Scan("OAT-1L")
	viewtest.RequireErrors(t, d, "cannot be reached")
}

func TestEmptyCompany_CreatesFirstProduct(t *testing.T) {
	t.Parallel()
	h := emptyWarehouse(t)
	d := openAt(t, h, "home")
	d.Sees("No location yet. Press F3 to create the first one.").Goldens("home")
	d.Key("f3")
	fill(d, "WH-9", "Quay")
	d.Key("ctrl+s").Sees("Location WH-9 created").Key("enter")
	require.Equal(t, "WH-9", h.Site.Location().Code)
	d.Sees("No product yet. Press F3 to create the first one.").Key("f3")
	fill(d, "TEA-1", "Tea")
	d.Key("ctrl+s").Sees("Product TEA-1 created", "Press enter to create a delivery of it").Key("enter")
	require.Equal(t, "receive/new?sku=TEA-1", d.Model.Route())
	d.Type("24").Key("ctrl+s").Sees("added: 24").Key("+", "enter").Sees("Received 24")
	d.Key("esc").Sees("Scan anything or choose a job").Lacks("F3")
}

func TestProducts_HiddenWithoutCatalog(t *testing.T) {
	t.Parallel()
	h := viewtest.NewMinimalWarehouse(t)
	d := openAt(t, h, "home")
	d.Lacks("F3", "first product")
	for _, route := range []string{"products", "products/new", "products/OAT-1L", "locations", "locations/new"} {
		d.Do(tui.Open(route))
		require.Equal(t, "home", d.Model.Route(), route)
		viewtest.RequireErrors(t, d, "come from another system")
	}
}

func TestForm_CreatesProduct(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	d := openAt(t, h, "products/new")
	fill(d, "TEA-1", "Green tea")
	d.Scan("]C101" + "0" + h.OatUnknown + "10L1").Sees(h.OatUnknown) // only the number of the label
	d.Key("tab")
	d.Type("12").Key("tab").Scan("T-BOX").Key("right").Key("tab").Type("40").Key("enter", "enter").Sees("Product TEA-1 created")
	p := bySKU(h, "TEA-1")
	require.Len(t, p, 1)
	low := int64(40)
	require.Equal(t, "Green tea", p[0].Name)
	require.Equal(t, []string{h.OatUnknown}, p[0].Barcodes)
	require.Equal(t, "piece", p[0].BaseUnitCode)
	require.Equal(t, []api.Unit{{UnitCode: "box", Factor: 12, Barcodes: []string{"T-BOX"}}}, p[0].Units)
	require.Equal(t, api.TrackLot, p[0].Tracking)
	require.Equal(t, &low, p[0].ReorderPoint)
	d.Advance(5*time.Second).Key("f3").Sees("SKU").Lacks("TEA-1", h.OatUnknown)
	fill(d, "TEA-2", "Black tea")
	d.Key("ctrl+s").Sees("Product TEA-2 created")
	require.Empty(t, bySKU(h, "TEA-2")[0].Units)
	h.Verify()
}

// The unit is shown in the language, and recorded in English.
func TestForm_RecordsThePieceInEnglish(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Translator = tuitest.Language(t, "de")
	h.Site = h.NewSite()
	d := openAt(t, h, "products/new").Sees("Stück").Lacks("piece")
	fill(d, "TEA-1", "Grüner Tee")
	d.Key("ctrl+s").Sees("TEA-1")
	require.Equal(t, "piece", bySKU(h, "TEA-1")[0].BaseUnitCode)
}

func TestForm_ScanFillsMatchingField(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	d := openAt(t, h, "products/new")
	d.Scan("TEA-1").Sees("SKU       TEA-1") // fills the SKU and moves to the name
	d.Scan("14012345678908").Scan(h.OatUnknown).Sees("Barcode   "+h.OatUnknown, "Box code  14012345678908")
	d.Scan("MORE")
	viewtest.RequireErrors(t, d, "both barcodes are set")
	d.Scan(h.OatBox)
	viewtest.RequireErrors(t, d, "both barcodes")
	d.Key("down").Scan(h.OatUnit)
	require.Contains(t, d.Model.Fault(), h.OatUnit+" already belongs to OAT-1L (Oat milk 1 l)")
	d.Key("f4")
	require.Equal(t, "products/OAT-1L", d.Model.Route())
	d.Key("esc").Sees("Barcode   " + h.OatUnknown)
	d.Scan("4006381333932")
	viewtest.RequireErrors(t, d, "check digit is 2, should be 1")
	d.Scan("]C110L42")
	viewtest.RequireErrors(t, d, "is not a product label")
}

func TestForm_ShowsErrorAtField(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	d := openAt(t, h, "products/new")
	d.Key("ctrl+s").Sees("! required")
	require.GreaterOrEqual(t, d.Bells(), 2)
	fill(d, "oat-1l", "Oats", "4006381333932")
	d.Sees("! check digit is 2, should be 1").Key("up", "ctrl+u").Type("4711").Key("ctrl+s")
	require.Contains(t, d.Model.Fault(), "Product OAT-1L already exists (Oat milk 1 l)")
	d.Key("enter").Sees("taken by OAT-1L")
	d.Key("ctrl+u")
	fill(d, "OATS", "", "") // 4711 is not a GTIN, so it is a valid barcode
	d.Key("up", "ctrl+u").Type(h.OatUnit).Key("ctrl+s")
	require.Contains(t, d.Model.Fault(), "Barcode "+h.OatUnit+" already belongs to OAT-1L (Oat milk 1 l)")
	d.Key("enter").Sees("taken by OAT-1L").Key("ctrl+u").Type("4711")
	d.Key("tab", "tab").Type("0").Key("tab").Sees("at least 1").Type("4712").Key("up", "ctrl+u", "ctrl+s")
	viewtest.RequireErrors(t, d, "The quantity of the box with barcode 4712 is missing")
	d.Sees("needed for a box").Type("6").Key("tab", "ctrl+u").Type("4711").Key("ctrl+s")
	viewtest.RequireErrors(t, d, "the same barcode")
	d.Key("ctrl+u").Type("4712").Key("up", "up", "ctrl+u").Type("BOX").Key("ctrl+s")
	viewtest.RequireErrors(t, d, "comes in boxes of 6")
	require.Empty(t, bySKU(h, "OATS"))
	d.Key("ctrl+u").Key("ctrl+s").Sees("Product OATS created")
	require.Equal(t, []string{"4711"}, bySKU(h, "OATS")[0].Barcodes)
}

func TestForm_LostAnswerReusesKey(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	drafts := drafts.InMemory()
	d := openAt(t, h, "products/new", viewtest.KeepDrafts(drafts))
	fill(d, "TEA-1", "Tea")
	h.Proxy.LoseAnswers(api.CreateProduct.Spec, 2)
	d.Key("ctrl+s")
	viewtest.RequireErrors(t, d, "it is saved only once")
	d.Sees("No answer yet. Press enter to retry.").Type("x").Sees("TEA-1").Lacks("TEA-1x").Scan("4711")
	viewtest.RequireErrors(t, d, "No answer yet")
	d.Advance(2 * time.Second).Key("enter") // a second after the typed letter
	viewtest.RequireErrors(t, d, "it is saved only once")

	unsent, err := panel.UnsentDrafts(drafts, "")
	require.NoError(t, err)
	require.Equal(t, []panel.UnsentDraft{{Route: "products/new", Name: "product TEA-1", AwaitingAnswer: true}}, unsent)
	again := openAt(t, h, "products/new", viewtest.KeepDrafts(drafts)) // after a crash
	again.Sees("No answer yet", "TEA-1").Key("enter").Sees("Product TEA-1 created")
	viewtest.RequireOneKey(t, h.Proxy, api.CreateProduct.Spec, 3)
	require.Len(t, bySKU(h, "TEA-1"), 1)
	require.Empty(t, tuitest.DraftRoutes(t, drafts))
}

func TestForm_SurvivesServiceOutage(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	d := openAt(t, h, "products/new")
	fill(d, "TEA-1", "Tea")
	h.Proxy.Down()
	d.Scan("4711").Sees("4711") // whether it is in use cannot be checked now
	d.Key("ctrl+s")
	viewtest.RequireErrors(t, d, "Nothing was saved: the service cannot be reached")
	d.Key("ctrl+s")
	viewtest.RequireErrors(t, d, "Nothing was saved")
	h.Proxy.Up()
	d.Key("ctrl+s").Sees("Product TEA-1 created")
	viewtest.RequireOneKey(t, h.Proxy, api.CreateProduct.Spec, 3)

	d.Key("f3")
	fill(d, "TEA-2", "Tea")
	h.Proxy.Down()
	d.Key("ctrl+s")
	viewtest.RequireErrors(t, d, "Nothing was saved")
	h.Proxy.Up()
	d.Key("up", "up").Type("3").Key("ctrl+s").Sees("Product TEA-23 created")
	keys := h.Proxy.Keys(api.CreateProduct.Spec)
	require.NotEqual(t, keys[3], keys[4], "other values use another key")
}

// A retry that does not reach the service says nothing about the first try.
func TestForm_StaysUnknownIfTheRetryIsNotSent(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	d := openAt(t, h, "products/new")
	fill(d, "TEA-1", "Tea")
	h.Proxy.LoseAnswers(api.CreateProduct.Spec, 1)
	d.Key("ctrl+s")
	viewtest.RequireErrors(t, d, "it is saved only once")
	h.Proxy.Down()
	d.Key("enter")
	viewtest.RequireErrors(t, d, "it is saved only once")
	d.Type("x").Lacks("TEA-1x")
	h.Proxy.Up()
	d.Advance(2*time.Second).Key("f8", "enter", "f8", "enter", "ctrl+s") // F8 is gone with the question
	viewtest.RequireErrors(t, d, "Product TEA-1 already exists")
	require.Len(t, bySKU(h, "TEA-1"), 1)
}

func TestArchive_LostAnswerReusesKey(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	d := openAt(t, h, "products/OAT-1L")
	h.Proxy.LoseAnswers(api.ArchiveProduct.Spec, 1)
	d.Key("ctrl+x", "enter")
	viewtest.RequireErrors(t, d, "Archive it again")
	d.Key("ctrl+x", "enter").Sees("archived")
	viewtest.RequireOneKey(t, h.Proxy, api.ArchiveProduct.Spec, 2)
}

func TestBarcode(t *testing.T) {
	t.Parallel()
	for _, sound := range []string{"4006381333931", "14006381333938", "96385074", "036000291452", "4711", "12345678901", "ABC-12345678", "123456789012345"} {
		require.NoError(t, products.Barcode(nil)(sound), sound)
	}
	for _, bad := range []string{"4006381333932", "14006381333931", "96385075", "036000291453", "00000001"} {
		require.Error(t, products.Barcode(nil)(bad), bad)
	}
}

func TestCorrect_SendsWhatDiffers(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	d := openAt(t, h, "products/OAT-1L")
	d.Key("ctrl+e").Sees("Products › OAT-1L › correct", "Oat milk 1 l")
	d.Key("ctrl+s")
	viewtest.RequireErrors(t, d, "Nothing is different yet.")
	d.Scan("4006381333931")
	viewtest.RequireErrors(t, d, "Nothing is scanned here.")
	d.Key("ctrl+u").Scan("Oat drink 1 l").Key("tab", "tab", "tab").Type("48") // as pasted
	h.Proxy.LoseAnswers(api.ChangeProduct.Spec, 1)
	d.Key("ctrl+s")
	viewtest.RequireErrors(t, d, "it is saved only once")
	d.Advance(2*time.Second).Key("enter").Sees("OAT-1L is corrected", "Oat drink 1 l", "48")
	require.EqualValues(t, 2, bySKU(h, "OAT-1L")[0].Version)
	viewtest.RequireOneKey(t, h.Proxy, api.ChangeProduct.Spec, 2)

	d.Sees("Changed", "Name: Oat milk 1 l → Oat drink 1 l; Reorder: – → 48")
}

func TestCorrect_ShowsBothValuesAfterAConflict(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	d := openAt(t, h, "products/OAT-1L").Key("ctrl+e", "ctrl+u").Type("Oat drink")
	d.Key("tab", "tab", "tab", "tab").Type("48")
	ledgertest.Do(h.World, api.ChangeProduct, api.ChangeProductInput{ProductID: h.Oat.ID, Name: "Oats", BaseUnitCode: "carton"})
	d.Key("ctrl+s")
	require.Contains(t, d.Model.Fault(), "Nothing was saved: product OAT-1L has changed meanwhile. F4 shows both values.")
	d.Advance(time.Second).Key("f4").Goldens("both")
	d.Sees("Oat drink", "is Oats now", "carton", "is empty now").Key("ctrl+s").Sees("OAT-1L is corrected")
	got := bySKU(h, "OAT-1L")[0]
	require.Equal(t, "Oat drink", got.Name)
	require.Equal(t, "carton", got.BaseUnitCode, "what only the other person changed stays")
	require.EqualValues(t, 48, *got.ReorderPoint)
	d.Do(tui.Open("home")).Lacks("Correct a product", "unfinished")
}

func TestCorrect_UnitsAndComponents(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	d := openAt(t, h, "products/new").Type("KIT-1").Key("tab").Type("Breakfast")
	for range 7 {
		d.Key("tab")
	}
	d.Scan("no-such")
	viewtest.RequireErrors(t, d, "Product no-such not found. Correct what the kit contains.")
	d.Scan("4006381333931").Scan("COF-500").Scan("oat-1l").Sees("2 x OAT-1L, 1 x COF-500")
	d.Key("ctrl+s").Sees("Product KIT-1 created", "2 × OAT-1L")
	kit := bySKU(h, "KIT-1")[0]
	require.Equal(t, []api.Component{{ProductID: h.Oat.ID, Quantity: 2}, {ProductID: h.Coffee.ID, Quantity: 1}}, kit.Components)

	d.Key("f4").Key("ctrl+e").Sees("2 x OAT-1L, 1 x COF-500").Key("tab", "tab").Type("6")
	d.Key("tab", "tab", "tab", "ctrl+u").Type("3 x cof-500, nothing").Key("ctrl+s")
	viewtest.RequireErrors(t, d, "Product nothing not found.")
	d.Sees("unknown product").Key("ctrl+u").Type("3 x cof-500").Key("ctrl+s").Sees("KIT-1 is corrected")
	d.Sees("Contains: 2 × OAT-1L  Oat milk 1 l  1 × COF-500", "box: – → 6 ×")
	kit = bySKU(h, "KIT-1")[0]
	require.Equal(t, []api.Unit{{UnitCode: "box", Factor: 6}}, kit.Units)
	require.Equal(t, []api.Component{{ProductID: h.Coffee.ID, Quantity: 3}}, kit.Components)

	ledgertest.Do(h.World, api.LinkBarcode, api.LinkBarcodeInput{ProductID: kit.ID, Barcode: "KIT-BOX", Factor: new(int64(6))})
	d.Key("ctrl+r").Key("ctrl+e").Key("tab", "tab", "ctrl+u").Type("8").Key("ctrl+s").Sees("KIT-1 is corrected")
	require.Equal(t, []api.Unit{{UnitCode: "box", Factor: 8, Barcodes: []string{"KIT-BOX"}}}, bySKU(h, "KIT-1")[0].Units)
	d.Key("ctrl+e").Key("tab", "tab", "ctrl+u", "ctrl+s")
	viewtest.RequireErrors(t, d, "The box has the barcode KIT-BOX. Unlink it from the product first (F8 there).")
	ledgertest.Do(h.World, api.UnlinkBarcode, api.UnlinkBarcodeInput{ProductID: kit.ID, Barcode: "KIT-BOX", Reason: "wrong product"})
	d.Advance(time.Second).Key("enter", "esc").Key("ctrl+r", "ctrl+e").Key("tab", "tab", "ctrl+u")
	d.Key("tab", "tab", "tab", "ctrl+u", "ctrl+s").Sees("KIT-1 is corrected")
	require.Empty(t, bySKU(h, "KIT-1")[0].Units)
	require.Empty(t, bySKU(h, "KIT-1")[0].Components)
}

func TestCorrect_ABoxCountsWhatItHolds(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	d := openAt(t, h, "products/COF-500").Key("ctrl+e").Key("tab", "tab", "tab", "tab", "tab")
	box := h.Oat.Units[0]
	d.Scan(box.Barcodes[0]).Sees(fmt.Sprint(box.Factor, " x OAT-1L"))
}

func TestCorrect_TrackingNeedsNoStock(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 1)
	d := openAt(t, h, "products/COF-500").Key("ctrl+e").Key("tab", "tab", "tab", "right", "ctrl+s")
	viewtest.RequireErrors(t, d, "cannot change while stock of COF-500 exists or is expected at WH-1")
	d.Goldens("correct")
}
