package stock_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/drafts"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views/inbounds"
	"bincard/views/names"
	"bincard/views/panel"
	"bincard/views/session"
	"bincard/views/stock"
	"bincard/views/viewtest"
)

// openAt starts a terminal on a screen of this package.
func openAt(t *testing.T, h *viewtest.Warehouse, route string, change ...func(*shell.Options)) *tuitest.Driver {
	t.Helper()
	reg := tui.NewRegistry()
	stock.Register(reg, h.Site)
	return h.Terminal(t, reg, append(change, func(o *shell.Options) { o.Start = []string{"adjust", route} })...)
}

func TestAdjust_UntrackedItemAndUndo(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 40)
	d := openAt(t, h, "adjust/COF-500@WH-1")
	d.Scan("COF-500").Scan("COF-500").Sees("40 →        38", "-2").Key("ctrl+z").Sees("40 →        39", "-1").Key("ctrl+z")
	d.Sees("Adjust › COF-500@WH-1", "remove available").Type("3").Key("enter").Sees("40 →        37", "-3")
	d.Key("enter").Sees("Reason?").Key("enter").Sees("COF-500 at WH-1: available 40 → 37, on hand 40 → 37 (lost)?")
	require.Empty(t, h.Proxy.Calls(api.AdjustStock.Spec))
	d.Key("enter").Sees("COF-500: available 40 → 37", "F8 undo: +3")
	require.Equal(t, api.Quantities{OnHand: 37, Available: 37}, h.Quantities(h.Coffee, h.Main))
	d.Key("f8").Sees("COF-500 restored: ").Lacks("undo")
	require.Equal(t, int64(40), h.Quantities(h.Coffee, h.Main).Available)
}

func TestRemoval_IsShownAsRemoved(t *testing.T) {
	t.Parallel()
	for _, language := range []string{"en", "de"} {
		h, _ := kits(t)
		h.Translator = tuitest.Language(t, language)
		h.Site = h.NewSite()
		for job, code := range map[string]string{"adjust": "COF-500", "kit": "KIT-1"} {
			d := openAt(t, h, job+"/"+code+"@WH-1")
			d.Scan(code).Type("3").Key("enter")
			for _, size := range [][2]int{{80, 24}, {40, 12}, {20, 20}, {120, 40}} {
				d.Size(size[0], size[1]).Lacks("+1", "+2")
				require.Regexp(t, `✓.* -2\s`, d.View(), "%s %s %v", language, job, size)
			}
		}
	}
}

func TestAdjust_RecordsReasonsInEnglish(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Translator = tuitest.Language(t, "de")
	h.Site = h.NewSite()
	h.Stock(h.Coffee.ID, h.Main.ID, 40)
	recorded := func() string {
		return ledgertest.Do(h.World, api.ReportMovements, api.ReportMovementsInput{}).Items[0].Reason
	}
	d := openAt(t, h, "adjust/COF-500@WH-1")
	d.Type("3").Key("enter", "enter").Sees("verloren", "zerbrochen").Key("down", "enter").Sees("(zerbrochen)?").Key("enter")
	require.Equal(t, "broken", recorded())
	d.Key("f8")
	require.Equal(t, "undo: broken", recorded())
	for typed, want := range map[string]string{"Muster": "sample", "verbogen": "verbogen"} {
		d.Type("1").Key("enter", "enter").Type(typed).Key("enter").Sees("(" + typed + ")?").Key("enter")
		require.Equal(t, want, recorded())
	}
}

// A company's reasons are shown in the language of the terminal, and recorded by their codes.
func TestAdjust_OffersReasonsOfTheCompany(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Translator = tuitest.Language(t, "de")
	h.Stock(h.Coffee.ID, h.Main.ID, 40)
	h.SetRules(api.Rules{Reasons: []api.Reason{
		{Code: "R1", Texts: map[string]string{"en": "Dropped", "de": "Heruntergefallen"}, Uses: []api.ReasonUse{api.RemoveReason}},
		{Code: "R2", Texts: map[string]string{"en": "Sold to staff"}},
		{Code: "R3", Uses: []api.ReasonUse{api.AddReason}},
	}})
	recorded := func() string {
		return ledgertest.Do(h.World, api.ReportMovements, api.ReportMovementsInput{}).Items[0].Reason
	}
	d := openAt(t, h, "adjust/COF-500@WH-1")
	d.Type("3").Key("enter", "enter").Sees("Heruntergefallen", "Sold to staff").Lacks("R3", "verloren").Key("enter").
		Sees("(Heruntergefallen)?").Key("enter")
	require.Equal(t, "R1", recorded())
	d.Key("f8")
	require.Equal(t, "undo: R1", recorded())
	d.Type("1").Key("enter", "enter").Type("r2").Key("enter").Sees("(Sold to staff)?").Key("enter")
	require.Equal(t, "R2", recorded())
	require.Equal(t, "rückgängig: Heruntergefallen", names.Reason(h.Translator, "undo: R1"))
}

// The question names the lots that the ledger takes without a scanned one.
func TestAdjust_NamesAssumedLots(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Receive(h.Oat.ID, h.Main.ID, 10, "L1")
	h.Receive(h.Oat.ID, h.Main.ID, 5, "L2")
	d := openAt(t, h, "adjust/OAT-1L@WH-1")
	d.Type("3").Key("enter", "enter", "enter").Sees(
		"OAT-1L at WH-1: available 15 → 12, on hand 15 → 12, from L1 (lost)?").Key("esc")
	d.Type("12").Key("enter", "enter").Sees("available 15 → 3, on hand 15 → 3, from L1, L2 (lost)?").Key("enter").
		Sees("OAT-1L: available 15 → 3")

	viewtest.ReceiveLot(h.World, h.Soy, h.Main, 4, "OLD", tuitest.Noon.AddDate(0, 0, -3))
	h.Receive(h.Soy.ID, h.Main.ID, 6, "NEW")
	d = openAt(t, h, "move/SOY-1L@WH-1")
	d.Type("5").Key("enter", "enter", "enter").Sees("damaged 0 → 5, from expired lots,", "NEW (damaged)?").Key("esc")
	d.Type("4").Key("enter", "enter").Sees("damaged 0 → 4, from expired lots", "(damaged)?")
}

func TestAdjust_RequiresLot(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Receive(h.Oat.ID, h.Main.ID, 10, "L1")
	h.RequireLot()
	for _, job := range []string{"adjust", "move"} {
		d := openAt(t, h, job+"/OAT-1L@WH-1")
		d.Type("3").Key("enter", "enter")
		viewtest.RequireErrors(t, d, "OAT-1L is tracked by lot. Scan or type the lot (F7), then try again.")
		d.Key("f7").Type("L1").Key("enter", "enter", "enter", "enter").Sees(", lot L1 (")
	}
}

func TestAdjust_SetsAQuantity(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 40)
	d := openAt(t, h, "adjust/COF-500@WH-1")
	d.Key("f3", "f3").Type("30").Key("enter", "enter", "enter")
	h.Stock(h.Coffee.ID, h.Main.ID, 5)
	d.Key("enter")
	viewtest.RequireErrors(t, d, "Someone else changed this")
	d.Sees("45 →        30", "-15").Key("enter", "enter").Sees("available 45 → 30")
	require.Equal(t, int64(30), h.Quantities(h.Coffee, h.Main).OnHand)

	d = openAt(t, h, "adjust/COF-500@WH-1")
	d.Key("f3", "f3").Sees("set available").Type("30").Key("enter", "enter")
	viewtest.RequireErrors(t, d, "No change: available is already 30")
	d.Type("0").Key("enter").Sees("30 →         0", "-30").Key("enter", "enter", "enter").Sees("available 30 → 0")
	require.Equal(t, api.Quantities{}, h.Quantities(h.Coffee, h.Main))
	d.Key("f3").Size(20, 16).Sees("none here: F3 adds")
}

func TestAdjust_ItemTrackedByLot(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	d := openAt(t, h, "adjust")
	d.Sees("Scan the product, or type its SKU").Scan("]C101" + h.OatBox + "17270331" + "10L42-A")
	d.Sees("OAT-1L@WH-1", "add available", "OAT-1L selected, 0 counted. Scan again to count.").Lacks("+12")
	d.Scan(h.OatBox).Key("enter")
	viewtest.RequireErrors(t, d, "OAT-1L is tracked by lot")
	d.Scan("]C117270331"+"10L42-A").Sees("L42-A", "exp 2027-03-31", "new lot", "+12")
	d.Key("f4").Type("damaged").Key("enter").Sees("add damaged", "Damaged")
	d.Key("enter").Type("found").Key("enter", "enter").Sees("damaged 0 → 12")
	require.Equal(t, api.Quantities{OnHand: 12, Damaged: 12}, h.Quantities(h.Oat, h.Main))
	lots := ledgertest.Do(h.World, api.ListLots, api.ListLotsInput{ProductID: h.Oat.ID})
	require.Equal(t, "2027-03-31", lots.Items[0].ExpiresAt.Format(time.DateOnly))
	d.Key("f8").Sees("OAT-1L restored: ")
	require.Equal(t, api.Quantities{}, h.Quantities(h.Oat, h.Main))

	h.Receive(h.Oat.ID, h.Main.ID, 24, "L1")
	d = openAt(t, h, "adjust/OAT-1L@WH-1")
	d.Scan("]C1" + "10L1").Sees("24 here").Type("25").Key("enter")
	viewtest.RequireErrors(t, d, "Too many: ")
	d.Type("4").Key("enter", "enter", "enter", "enter").Sees("available 24 → 20")
	d.Key("f8").Sees("restored: ")
	require.Equal(t, int64(24), h.Quantities(h.Oat, h.Main).Available)
}

func TestAdjust_SerializedItem(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Receive(h.Camera.ID, h.Main.ID, 2, "", "S-1001", "S-1002")
	d := openAt(t, h, "adjust/CAM-1@WH-1")
	d.Scan("]C121S-1002").Sees("S-1002", "-1").Key("enter", "down", "enter", "enter").Sees("available 2 → 1")
	require.Equal(t, int64(1), h.Quantities(h.Camera, h.Main).OnHand)
	d.Key("f8").Sees("A serial that was written off cannot be restored")
	d.Key("f3").Scan("]C121S-2001").Key("enter", "enter", "enter").Sees("available 1 → 2")
	require.Equal(t, int64(2), h.Quantities(h.Camera, h.Main).OnHand)
}

func TestAdjust_RetriesLostAnswer(t *testing.T) {
	t.Parallel()
	h, drafts := viewtest.NewWarehouse(t), drafts.InMemory()
	h.Stock(h.Coffee.ID, h.Main.ID, 40)
	d := openAt(t, h, "adjust", viewtest.KeepDrafts(drafts))
	d.Type("COF-500").Key("enter").Scan("COF-500").Type("5").Key("enter")
	d = openAt(t, h, "adjust", viewtest.KeepDrafts(drafts)) // restarted
	d.Sees("Adjust › COF-500@WH-1", "-5")
	h.Proxy.LoseAnswers(api.AdjustStock.Spec, 1)
	d.Key("enter", "enter", "enter")
	viewtest.RequireErrors(t, d, "No answer")
	d = openAt(t, h, "adjust", viewtest.KeepDrafts(drafts)) // restarted with a booking in progress
	d.Size(100, 24).Sees("No answer yet for: adjust COF-500 by -5").Key("enter").
		Sees("COF-500: available 40 → 35, on hand 40 → 35", "F8 undo: +5")
	viewtest.RequireOneKey(t, h.Proxy, api.AdjustStock.Spec, 2)
	require.Equal(t, int64(35), h.Quantities(h.Coffee, h.Main).OnHand)
	require.Empty(t, tuitest.DraftRoutes(t, drafts))
}

func TestAdjust_NeedsScope(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	reg := tui.NewRegistry()
	site := session.NewSite(session.Options{Service: h.As(api.Live, api.InventoryRead), Location: h.Site.Location()})
	stock.Register(reg, site)
	d := h.Terminal(t, reg)
	h.Stock(h.Coffee.ID, h.Main.ID, 40)
	d.Scan("COF-500").Sees("COF-500@WH-1").Type("5").Key("enter").Sees("-5")
	d.Key("enter").Sees("no permission to do that (inventory:write)")
}

func TestAdjust_LocationChange(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 40)
	d := openAt(t, h, "adjust/COF-500@WH-1")
	d.Hold().Key("ctrl+r").Send(panel.LocationChangedMsg{Location: session.Location{
		ID:   h.Depot.ID,
		Code: "WH-2",
	}}).Release()
	d.Sees("Adjust › COF-500@WH-1", "40")
	h.Site.SetLocation(session.Location{})
	d = openAt(t, h, "adjust/COF-500")
	d.Sees("Which location? Scan it")
	h.Site.SetLocation(h.NewSite().Location())
	d.Send(panel.LocationChangedMsg{Location: h.NewSite().Location()}).Sees("Adjust › COF-500@WH-1", "40")
}

func TestMove_AndUndo(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Receive(h.Oat.ID, h.Main.ID, 24, "L1")
	h.Receive(h.Oat.ID, h.Main.ID, 6, "L2")
	d := openAt(t, h, "move/OAT-1L@WH-1")
	d.Sees("available → damaged").Scan(h.OatBox).Scan(h.OatBox).Type("26").Key("enter").
		Sees("30 →         4", "0 →        26")
	d.Key("enter").Type("damaged").Key("enter").Sees(
		"Move 26 OAT-1L at WH-1: available 30 → 4, damaged 0 → 26, from L1, L2")
	d.Key("enter").Sees("damaged 0 → 26", "F8 undo: 26 back")
	require.Equal(t, api.Quantities{OnHand: 30, Available: 4, Damaged: 26}, h.Quantities(h.Oat, h.Main))
	d.Key("f8").Sees("OAT-1L restored: ")
	require.Equal(t, int64(30), h.Quantities(h.Oat, h.Main).Available)
	for _, lot := range ledgertest.Do(h.World, api.ListLots, api.ListLotsInput{ProductID: h.Oat.ID}).Items {
		for _, held := range ledgertest.Do(h.World, api.TraceLot, api.TraceLotInput{LotID: lot.ID}).Holdings {
			require.Zero(t, held.Damaged, lot.LotCode)
		}
	}
}

func TestMove_RejectsImmovableState(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 40)
	d := openAt(t, h, "move/COF-500@WH-1")
	d.Key("f3").Sees("committed", "orders hold it", "incoming", "not here yet", "it includes all states")
	d.Type("committed").Key("enter")
	viewtest.RequireErrors(t, d, "committed stock cannot be moved by hand: orders hold it")
	d.Key("f4").Type("quality").Key("enter").Sees("available → quality control")
	d.Key("f3").Type("quality").Key("enter").Sees("quality control → available", "No quality control stock here")
	d.Type("1").Key("enter")
	viewtest.RequireErrors(t, d, "COF-500: nothing quality control here. The count stays at 0.")
}

func TestMove_LotAndSerial(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Receive(h.Oat.ID, h.Main.ID, 24, "L1")
	h.Receive(h.Oat.ID, h.Main.ID, 6, "L2")
	d := openAt(t, h, "move/OAT-1L@WH-1")
	d.Scan("]C1"+"10L2").Key("+").Sees("30 →        24", "6 here").Key("enter", "enter", "enter").Sees("damaged 0 → 6")
	h.Receive(h.Camera.ID, h.Main.ID, 2, "", "S-1001", "S-1002")
	d = openAt(t, h, "move/CAM-1@WH-1")
	d.Scan("]C121S-1002").Key("enter", "enter", "enter").Sees("damaged 0 → 1").Key("f8").Sees("restored: ")
	require.Equal(t, int64(2), h.Quantities(h.Camera, h.Main).Available)
}

func TestMove_RejectsMoreThanAvailable(t *testing.T) {
	t.Parallel()
	h, drafts := viewtest.NewWarehouse(t), drafts.InMemory()
	h.Stock(h.Coffee.ID, h.Main.ID, 40)
	d := openAt(t, h, "move/COF-500@WH-1", viewtest.KeepDrafts(drafts))
	d.Key("+", "enter", "enter")
	h.Proxy.Before(api.MoveStock.Spec, func() {
		h.Stock(h.Coffee.ID, h.Main.ID, -10)
	})
	d.Key("enter")
	viewtest.RequireErrors(t, d, "The available quantity here is 30, but you need 40")
	d.Sees("30 →       -10", "! too many").Type("30").Key("enter", "enter", "enter").Sees("damaged 0 → 30")
}

// kits returns a warehouse with a kit of two oat milks and one coffee.
func kits(t *testing.T) (*viewtest.Warehouse, api.Product) {
	t.Helper()
	h := fullWarehouse(t)
	kit := ledgertest.Do(h.World, api.CreateProduct, api.CreateProductInput{SKU: "KIT-1", Name: "Breakfast basket",
		Components: []api.Component{{ProductID: h.Oat.ID, Quantity: 2}, {ProductID: h.Coffee.ID, Quantity: 1}}})
	h.Stock(kit.ID, h.Main.ID, 5)
	return h, kit
}

func TestKit_DisassembleAndUndo(t *testing.T) {
	t.Parallel()
	h, kit := kits(t)
	d := openAt(t, h, "kit")
	d.Scan("KIT-1").Sees("Kits › KIT-1@WH-1", "disassemble", "2× OAT-1L", "1× COF-500").Type("3").Key("enter")
	d.Sees("5 →         2", "36 →      42", "40 →      43").Goldens("apart")
	d.Key("enter", "enter").Sees("Disassemble 3 KIT-1 at WH-1 (components needed)?").Key("enter").
		Sees("3 KIT-1 disassembled", "F8 undo")
	require.Equal(t, int64(2), h.Quantities(kit, h.Main).OnHand)
	require.Equal(t, int64(42), h.Quantities(h.Oat, h.Main).OnHand)
	d.Key("f8").Sees("3 KIT-1 assembled")
	require.Equal(t, int64(5), h.Quantities(kit, h.Main).OnHand)
	require.Equal(t, int64(36), h.Quantities(h.Oat, h.Main).OnHand)
}

func TestKit_MissingComponents(t *testing.T) {
	t.Parallel()
	h, kit := kits(t)
	d := openAt(t, h, "kit/KIT-1@WH-1")
	d.Key("f3").Type("30").Key("enter").Sees("assemble", "Missing 24 OAT-1L. You can build 18 (press +).", "! short 24")
	d.Goldens("short")
	d.Key("enter")
	viewtest.RequireErrors(t, d, "Missing 24 OAT-1L")
	d.Key("+").Lacks("Short").Key("enter", "enter", "enter").Sees("18 KIT-1 assembled")
	require.Equal(t, int64(23), h.Quantities(kit, h.Main).OnHand)
	require.Zero(t, h.Quantities(h.Oat, h.Main).OnHand)
}

func TestKit_OpensWithWhatIsPossible(t *testing.T) {
	t.Parallel()
	h, kit := kits(t)
	h.Stock(kit.ID, h.Main.ID, -5)
	openAt(t, h, "kit/COF-500@WH-1").Sees("COF-500 is not a kit or bundle")
	d := openAt(t, h, "kit").Size(40, 8).Scan("COF-500").Sees("not a kit").Lacks("selected", "retry")
	d.Key("enter").Sees("Scan the product").Lacks("loading").Size(80, 24)
	d.Scan("KIT-1").Sees("assemble", "Scan kits to assemble").Lacks("piece", "Nothing was counted")
	d.Type("2").Key("enter", "enter").Sees("built for sale").Type("for the shop").Sees("Press enter to use this text").
		Key("enter")
	d.Sees("Assemble 2 KIT-1 at WH-1 (for the shop)?").Key("esc")
	d.Key("f9").Type("9").Sees("No match").Lacks("use this text").Key("enter").Sees("9█", "No match").Key("backspace").Type("2").Key("enter")
	d.Key("enter").Sees("Assemble 2 KIT-1 at WH-1 (built for an order)?").Key("esc")
	d.Type("0").Key("enter", "f3").Sees("No KIT-1 here to disassemble. Press F3 to assemble.").Key("+").
		Sees("No KIT-1 here to disassemble.")
}

func TestKit_RetriesLostAnswer(t *testing.T) {
	t.Parallel()
	h, kit := kits(t)
	drafts := drafts.InMemory()
	d := openAt(t, h, "kit/KIT-1@WH-1", viewtest.KeepDrafts(drafts))
	h.Proxy.LoseAnswers(api.DisassembleStock.Spec, 1)
	d.Type("2").Key("enter", "enter", "enter", "enter")
	viewtest.RequireErrors(t, d, "No answer")
	d = openAt(t, h, "kit/KIT-1@WH-1", viewtest.KeepDrafts(drafts))
	d.Sees("No answer yet for: disassemble 2 KIT-1").Key("enter").Sees("2 KIT-1 disassembled")
	viewtest.RequireOneKey(t, h.Proxy, api.DisassembleStock.Spec, 2)
	require.Equal(t, int64(3), h.Quantities(kit, h.Main).OnHand)
}

// The scanned lot is the one that is disassembled, and an undo takes apart the lot that
// was assembled.
func TestKit_Lots(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	kit := ledgertest.Do(h.World, api.CreateProduct, api.CreateProductInput{SKU: "KIT-2", Name: "Breakfast basket",
		Tracking: api.TrackLot, Components: []api.Component{{ProductID: h.Coffee.ID, Quantity: 1}}})
	h.Receive(kit.ID, h.Main.ID, 5, "K1")
	h.Receive(kit.ID, h.Main.ID, 5, "K2")
	d := openAt(t, h, "kit/KIT-2@WH-1")
	d.Scan("]C1"+"10K2").Type("3").Key("enter", "enter", "enter", "enter").Sees("3 KIT-2 disassembled")
	require.Equal(t, []int64{5, 2}, []int64{lotAt(t, h, "K1"), lotAt(t, h, "K2")})
	d.Key("f3").Scan("]C1"+"10K3").Type("4").Key("enter", "enter", "enter", "enter").Sees("4 KIT-2 assembled")
	require.EqualValues(t, 4, lotAt(t, h, "K3"))
	d.Key("f8").Sees("4 KIT-2 disassembled")
	require.Equal(t, []int64{5, 2, 0}, []int64{lotAt(t, h, "K1"), lotAt(t, h, "K2"), lotAt(t, h, "K3")})
}

// A kit with a serialized part is refused before it is counted.
func TestKit_SerializedPart(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	ledgertest.Do(h.World, api.CreateProduct, api.CreateProductInput{SKU: "KIT-4", Name: "Set",
		Components: []api.Component{{ProductID: h.Camera.ID, Quantity: 1}}})
	openAt(t, h, "kit").Scan("KIT-4").Sees("KIT-4 contains CAM-1, which is serialized").Key("enter").Sees("Scan the product")
	openAt(t, h, "kit/KIT-4@WH-1").Sees("KIT-4 contains CAM-1, which is serialized")
}

// An undo returns the parts to the lots that they were taken from.
func TestKit_UndoReturnsPartsToTheirLots(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	part := h.Product("PART-1", api.TrackLot)
	kit := ledgertest.Do(h.World, api.CreateProduct, api.CreateProductInput{SKU: "KIT-3", Name: "Breakfast basket",
		Components: []api.Component{{ProductID: part.ID, Quantity: 2}}})
	h.Receive(part.ID, h.Main.ID, 3, "P1")
	h.Receive(part.ID, h.Main.ID, 3, "P2")
	d := openAt(t, h, "kit/KIT-3@WH-1").Type("2").Key("enter", "enter", "enter", "enter").Sees("2 KIT-3 assembled (P1 × 3, P2 × 1)")
	require.EqualValues(t, 2, lotAt(t, h, "P1")+lotAt(t, h, "P2"))
	d.Key("f8").Sees("2 KIT-3 disassembled")
	require.Equal(t, []int64{3, 3}, []int64{lotAt(t, h, "P1"), lotAt(t, h, "P2")})
	h.Stock(kit.ID, h.Main.ID, 2)
	openAt(t, h, "kit/KIT-3@WH-1").Type("1").Key("enter", "enter", "enter", "enter").
		Sees("1 KIT-3 disassembled. Count the parts into their lots:", "PART-1")
}

// Scanning a document opens it above the count or the form, whose draft stays.
func TestStock_ScanOfADocumentOpensIt(t *testing.T) {
	t.Parallel()
	for route, counted := range map[string]string{"count/WH-1": "1 of 4 counted",
		"adjust/COF-500@WH-1": "40 →        39", "adjust": "Scan the product"} {
		t.Run(route, func(t *testing.T) {
			t.Parallel()
			h := fullWarehouse(t)
			in := h.Inbound("PO-1", h.Soy, 24, time.Hour)
			reg := tui.NewRegistry().Add("home", "Home", stock.Count(h.Site))
			stock.Register(reg, h.Site)
			inbounds.Register(reg, h.Site)
			d := h.Terminal(t, reg)
			d.Do(tui.Open(route))
			if route != "adjust" {
				d.Scan("COF-500").Advance(time.Second)
			}
			if route == "count/WH-1" {
				d.Scan("COF-500")
			}
			d.Sees(counted).Scan("PO-1")
			require.Equal(t, "receive/"+in.ID.String(), d.Model.Route())
			d.Sees("Receive › PO-1").Key("esc").Sees(counted)
			require.Equal(t, route, d.Model.Route())
		})
	}
}

func TestAdjustInAllSizes(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	d := openAt(t, h, "adjust")
	d.Goldens("nothing")
	d = openAt(t, h, "adjust/OAT-1L@WH-1")
	d.Scan("]C101"+h.OatBox+"10L1").Type("5").Key("enter", "f9", "enter")
	d.Goldens("less")
	d.Key("enter").Goldens("confirm")
	h.Proxy.LoseAnswers(api.WriteOffStock.Spec, 1)
	d.Key("enter", "enter").Goldens("waiting")
	d.Key("enter").Advance(5 * time.Second)
	d.Goldens("done")
	d = openAt(t, h, "adjust/NO-SUCH@WH-1")
	d.Goldens("unknown")
}

func TestMoveInAllSizes(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	d := openAt(t, h, "move/OAT-1L@WH-1")
	d.Scan(h.OatBox).Goldens("move")
	d.Key("f3").Goldens("states")
}

func TestCountInAllSizes(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	d := openAt(t, h, "count/WH-1")
	d.Scan("COF-500").Type("38").Key("enter").Scan("]C101" + h.OatBox + "10L2")
	d.Goldens("open")
	d.Scan("]C101" + h.OatBox + "10L2").Key("f4").Goldens("blind")
	h.Stock(h.Coffee.ID, h.Main.ID, 5)
	d.Key("enter").Goldens("review")
	openAt(t, h, "count/WH-2").Goldens("empty")
}

func TestStockScreens_RetryWhenUnreachable(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	h.Proxy.Down()
	for _, route := range []string{"adjust/COF-500@WH-1", "move/COF-500@WH-1", "count/WH-1"} {
		d := openAt(t, h, route)
		d.Sees("cannot be reached", "enter to retry")
		h.Proxy.Up()
		d.Key("enter").Sees("40")
		h.Proxy.Down()
	}
	openAt(t, h, "adjust").Scan("COF-500").Sees("cannot be reached")
}

func TestKit_ChangedMeanwhileIsNotRecorded(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	kit := ledgertest.Do(h.World, api.CreateProduct, api.CreateProductInput{SKU: "KIT-2", Name: "Coffee twice",
		Components: []api.Component{{ProductID: h.Coffee.ID, Quantity: 2}}})
	d := openAt(t, h, "kit/KIT-2@WH-1").Sees("2× COF-500").Type("1").Key("enter")
	ledgertest.Do(h.World, api.ChangeProduct, api.ChangeProductInput{ProductID: kit.ID, Components: []api.Component{{ProductID: h.Coffee.ID, Quantity: 3}}})
	d.Key("enter", "enter").Sees("Assemble 1 KIT-2 at WH-1").Key("enter")
	viewtest.RequireErrors(t, d, "KIT-2 contains something else now. Nothing was recorded: press F5 and check.")
	require.Empty(t, h.Proxy.Calls(api.AssembleStock.Spec))
	d.Advance(time.Second).Key("f5").Sees("3× COF-500").Key("enter", "enter").Sees("1 KIT-2 assembled")
}
