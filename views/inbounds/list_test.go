package inbounds_test

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
	"bincard/views/panel"
	"bincard/views/products"
	"bincard/views/session"
	"bincard/views/viewtest"
)

func registry(h *viewtest.Warehouse) *tui.Registry {
	return tui.NewRegistry().
		Add("receive", "Receive", inbounds.List(h.Site)).
		Add("receive/new", "Announce a delivery", inbounds.New(h.Site)).
		Add("receive/{id}", "Inbound", inbounds.Detail(h.Site))
}

// openAt starts a terminal on the inbound of a reference.
func openAt(t *testing.T, h *viewtest.Warehouse, reference string, change ...func(*shell.Options)) *tuitest.Driver {
	t.Helper()
	change = append(change, func(o *shell.Options) { o.Start = []string{"receive", tui.Path("receive", reference)} })
	return h.Terminal(t, registry(h), change...)
}

func TestList_ScanOpensInbound(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	oat := h.Inbound("PO-1", h.Oat, 24, time.Hour)
	h.Inbound("PO-2", h.Soy, 24, 2*time.Hour)
	h.Inbound("PO-3", h.Soy, 12, time.Hour)
	d := h.Terminal(t, registry(h))
	for _, code := range []string{"PO-1", "OAT-1L", h.OatBox, oat.ID.String()} {
		d.Scan(code)
		require.Equal(t, "receive/"+oat.ID.String(), d.Model.Route(), code)
		d.Key("esc")
	}
	d.Scan("SOY-1L").Sees("Which delivery?", "PO-3", "PO-2").Advance(time.Second).Key("enter").Sees("Receive › PO-3")
	d.Key("esc").Scan("COF-500").Sees("No delivery of COF-500 (Coffee beans 500 g) is expected here.", "F3 add delivery")
	d.Key("f3").Sees("Receive › new", "COF-500")
}

func TestDetail_UnknownInbound(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	d := openAt(t, h, "PO-404")
	d.Sees("There is no delivery PO-404 here", "enter to retry")
	h.Inbound("PO-404", h.Oat, 24, time.Hour)
	d.Key("enter").Sees("Oat milk 1 l")
}

func TestList_LoadingIsNotEmpty(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-1", h.Oat, 24, time.Hour)
	d := openAt(t, h, "PO-1")
	d.Hold().Do(tui.Open("receive")).Key("enter").Sees("The list is still loading").Release()
	d.Sees("PO-1").Key("enter").Sees("Receive › PO-1")
}

func TestNew_CreatesInbound(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	d := h.Terminal(t, registry(h))
	d.Key("f3").Scan(h.OatBox).Sees("OAT-1L", "Oat milk 1 l")
	d.Type("48").Key("enter").Type("PO-9").Key("enter").Type("Nordic Foods").Key("enter").Type("2026-11-21").Key("enter").Type("Nord Freight")
	d.Goldens("new")
	h.Proxy.LoseAnswers(api.CreateInbound.Spec, 1)
	d.Key("enter")
	viewtest.RequireErrors(t, d, "No answer came")
	d.Key("enter").Sees("Receive › PO-9", "Delivery PO-9 added: 48", "expected tomorrow", "Nordic Foods · carrier Nord Freight")
	viewtest.RequireOneKey(t, h.Proxy, api.CreateInbound.Spec, 2)
	require.Len(t, ledgertest.Do(h.World, api.ListInbounds, api.ListInboundsInput{}).Items, 1)
	d.Key("esc").Size(200, 60).Do(tui.Open("receive")).Sees("carrier   Nord Freight")
}

func TestNew_RejectsUnknownProduct(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	reg := registry(h)
	products.Register(reg, h.Site)
	d := h.Terminal(t, reg)
	d.Key("f3").Type("NO-SUCH").Key("enter").Type("5").Key("ctrl+s")
	viewtest.RequireErrors(t, d, "There is no product NO-SUCH")
	d.Sees("unknown")
	require.Empty(t, h.Proxy.Calls(api.CreateInbound.Spec))
	d.Scan("4006381333948").Sees("There is no product", "F3 create product")
	d.Key("f3").Sees("4006381333948")
	require.Equal(t, "products/new?barcode=4006381333948", d.Model.Route())
}

func TestReceive_MinimalService(t *testing.T) {
	t.Parallel()
	h := viewtest.NewMinimalWarehouse(t)
	in := h.Inbound("PO-1", h.Oat, 24, time.Hour)
	d := h.Terminal(t, registry(h))
	d.Scan("OAT-1L").Sees("Receive › PO-1", "Oat milk 1 l")
	d.Scan("OAT-1L")
	viewtest.RequireCount(t, d, 1)
	d.Scan(h.OatUnknown).Sees(h.OatUnknown+" is unknown. Is it OAT-1L (Oat milk 1 l)?", "Scan it again to confirm")
	d.Advance(time.Second).Scan(h.OatUnknown)
	viewtest.RequireCount(t, d, 2)
	d.Advance(time.Second).Scan(h.OatUnknown)
	viewtest.RequireCount(t, d, 3)
	d.Key("enter")
	viewtest.RequireErrors(t, d, "OAT-1L is tracked by lot")
	d.Key("f7").Type("L1").Key("enter", "enter", "f4").Type("1").Key("enter", "enter", "enter").Sees("Received 3, 1 damaged: 3 of 24")
	require.Equal(t, int64(1), h.Quantities(h.Oat, h.Main).Damaged)
	require.Equal(t, int64(3), reload(h, in).ReceivedQuantity)
	h.Inbound("PO-2", h.Camera, 2, time.Hour)
	d = openAt(t, h, "PO-2")
	d.Key("+", "enter")
	viewtest.RequireErrors(t, d, "There are 0 serial numbers for 2 items")
	d.Scan("S-0001").Scan("S-0002").Key("enter").Sees("Received 2: 2 of 2")
	d.Lacks("close short")
	h.Stock(h.Coffee.ID, h.Main.ID, 1)
	d.Key("esc", "f3").Scan("COF-500").Type("48").Key("ctrl+s").Sees("added: 48")
}

func TestNew_NeedsLocation(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Site.SetLocation(session.Location{})
	d := h.Terminal(t, registry(h))
	d.Key("f3")
	require.Contains(t, d.Model.Fault(), "Choose the receiving location first")
	require.Equal(t, "receive", d.Model.Route())
}

func TestNew_RejectsScanThatIsNoNumber(t *testing.T) {
	t.Parallel()
	h, saved := viewtest.NewWarehouse(t), drafts.InMemory()
	d := h.Terminal(t, registry(h), func(o *shell.Options) { o.Start, o.Drafts = []string{"receive", "receive/new"}, saved })
	d.Scan("SOY-1L").Type("7").Scan("L162-B")
	viewtest.RequireErrors(t, d, "L162-B is not valid in that field. Nothing was changed.")
	d.Sees("Quantity   7").Sees("enter next field")
	d.Scan("4006381333931-X")
	viewtest.RequireErrors(t, d, "is not valid in that field")
	d.Key("up").Scan("4012345678901")
	viewtest.RequireErrors(t, d, "4012345678901")
	d.Sees("SOY-1L").Lacks("! unknown")
	d.Key("esc").Sees("Draft saved: Add a delivery › SOY-1L")
	unsent, err := panel.UnsentDrafts(saved, "")
	require.NoError(t, err)
	require.Equal(t, "Receive › new delivery  SOY-1L", unsent[0].Name)
}

func TestList_InAllSizes(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	d := h.Terminal(t, registry(h))
	d.Goldens("empty")
	h.Inbound("PO-2026-118", h.Oat, 240, 2*time.Hour)
	h.Inbound("PO-2026-090", h.Coffee, 1200, -20*time.Hour)
	h.Inbound("PO-2026-121", h.Camera, 3, 30*time.Hour)
	d.Key("ctrl+r")
	d.Goldens("list")
}

func TestList_PreviewsSelectedDelivery(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	d := h.Terminal(t, registry(h)).Size(200, 60)
	d.Lacks("│")
	h.Inbound("PO-2026-118", h.Oat, 240, 2*time.Hour)
	h.Inbound("PO-2026-118", h.Camera, 3, 2*time.Hour)
	h.Inbound("PO-2026-090", h.Coffee, 1200, -20*time.Hour)
	d.Key("ctrl+r", "down")
	tuitest.Golden(t, "list-200x60", d.Painted())
	d.Key("up").Sees("│ PO-2026-090", "COF-500").Lacks("│ PO-2026-118")
	d.Size(120, 40).Sees("│ PO-2026-090").Size(80, 24).Lacks("│")
}

func TestDetail_InAllSizes(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-2026-118", h.Oat, 240, 2*time.Hour)
	d := openAt(t, h, "PO-2026-118")
	d.Scan("]C1011400638133393817270331"+"10L41-Z").Type("96").Key("enter", "enter").Sees("Received 96")
	d.Scan("]C1011400638133393817270331" + "10L42-A").Scan("14006381333938").Scan("14006381333938")
	d.Type("48").Key("enter", "f4").Type("2").Key("enter", "enter")
	d.Goldens("inbound")
	d.Scan("SOY-1L")
	d.Goldens("wrong")
	d.Key("enter", "f7")
	d.Goldens("lot")
}

func TestNoAnswer_InAllSizes(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-2026-118", h.Coffee, 240, 2*time.Hour)
	d := openAt(t, h, "PO-2026-118")
	h.Proxy.LoseAnswers(api.ReceiveInbound.Spec, 1)
	d.Type("240").Key("enter", "enter")
	d.Goldens("fault")
	d.Key("enter")
	d.Goldens("waiting")
	d.Key("enter").Advance(5 * time.Second)
	d.Goldens("received")
}
