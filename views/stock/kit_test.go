package stock_test

import (
	"testing"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui/drafts"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

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
	d.Key("enter", "enter").Sees("Disassemble 3 KIT-1 at WH-1 (components needed)?").Key("enter").Sees("3 KIT-1 disassembled", "F8 undo")
	require.Equal(t, int64(2), quantitiesAt(h, kit, h.Main).OnHand)
	require.Equal(t, int64(42), quantitiesAt(h, h.Oat, h.Main).OnHand)
	d.Key("f8").Sees("3 KIT-1 assembled")
	require.Equal(t, int64(5), quantitiesAt(h, kit, h.Main).OnHand)
	require.Equal(t, int64(36), quantitiesAt(h, h.Oat, h.Main).OnHand)
}

func TestKit_MissingComponents(t *testing.T) {
	t.Parallel()
	h, kit := kits(t)
	d := openAt(t, h, "kit/KIT-1@WH-1")
	d.Key("f3").Type("30").Key("enter").Sees("assemble", "Short of 24 OAT-1L: enough for 18 (+)", "! short 24")
	d.Goldens("short")
	d.Key("enter")
	viewtest.RequireErrors(t, d, "Short of 24 OAT-1L")
	d.Key("+").Lacks("Short").Key("enter", "enter", "enter").Sees("18 KIT-1 assembled")
	require.Equal(t, int64(23), quantitiesAt(h, kit, h.Main).OnHand)
	require.Zero(t, quantitiesAt(h, h.Oat, h.Main).OnHand)
}

func TestKit_OpensWithWhatIsPossible(t *testing.T) {
	t.Parallel()
	h, kit := kits(t)
	h.Stock(kit.ID, h.Main.ID, -5)
	d := openAt(t, h, "kit")
	d.Scan("KIT-1").Sees("assemble", "Scan kits to assemble").Lacks("piece", "Nothing was counted")
	d.Type("2").Key("enter", "enter").Sees("built for sale").Type("for the shop").Sees("Press enter to use this text").Key("enter")
	d.Sees("Assemble 2 KIT-1 at WH-1 (for the shop)?").Key("esc")
	d.Type("0").Key("enter", "f3").Sees("No KIT-1 here to disassemble. Press F3 to assemble.").Key("+").Sees("No KIT-1 here to disassemble.")
}

func TestKit_RetriesLostAnswer(t *testing.T) {
	t.Parallel()
	h, kit := kits(t)
	drafts := drafts.InMemory()
	d := openAt(t, h, "kit/KIT-1@WH-1", keepDrafts(drafts))
	h.Proxy.LoseAnswers(api.DisassembleStock.Spec, 1)
	d.Type("2").Key("enter", "enter", "enter", "enter")
	viewtest.RequireErrors(t, d, "No answer")
	d = openAt(t, h, "kit/KIT-1@WH-1", keepDrafts(drafts))
	d.Sees("No answer yet for: disassemble 2 KIT-1").Key("enter").Sees("2 KIT-1 disassembled")
	calls := h.Proxy.Calls(api.DisassembleStock.Spec)
	require.Len(t, calls, 2)
	require.Equal(t, calls[0].Key, calls[1].Key)
	require.Equal(t, int64(3), quantitiesAt(h, kit, h.Main).OnHand)
}

func TestKit_RejectsOtherItem(t *testing.T) {
	t.Parallel()
	h, _ := kits(t)
	openAt(t, h, "kit/COF-500@WH-1").Sees("COF-500 is not a kit or bundle")
}

// The scanned lot is the one that is disassembled, and an undo takes apart the lot that
// was assembled.
func TestKit_Lots(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	kit := ledgertest.Do(h.World, api.CreateProduct, api.CreateProductInput{SKU: "KIT-2", Name: "Breakfast basket", Tracking: api.TrackLot,
		Components: []api.Component{{ProductID: h.Coffee.ID, Quantity: 1}}})
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
