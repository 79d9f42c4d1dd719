package views_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/drafts"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views/viewtest"
)

// orderOf creates an order that ships after some hours.
func orderOf(h *viewtest.Warehouse, reference string, hours int, lines ...api.OutboundLineInput) api.Outbound {
	ship := tuitest.Noon.Add(time.Duration(hours) * time.Hour)
	return ledgertest.Do(h.World, api.CreateOutbound, api.CreateOutboundInput{LocationID: h.Main.ID, Lines: lines, ExpectedShipAt: &ship,
		CustomerName: "Bean & Co", Reference: api.Reference{ReferenceType: "sales_order", ReferenceID: reference}}).Outbound
}

func allocated(h *viewtest.Warehouse, orders ...api.Outbound) (n []int64) {
	for _, o := range orders {
		n = append(n, ledgertest.Do(h.World, api.GetOutbound, api.OutboundInput{OutboundID: o.ID}).AllocatedQuantity)
	}
	return n
}

func openDelivery(t *testing.T, h *viewtest.Warehouse, reference string) *tuitest.Driver {
	t.Helper()
	return h.Terminal(t, registry(h), func(o *shell.Options) { o.Start = []string{"home", tui.Path("receive", reference)} })
}

func TestReceipt_OffersTheOrderThatWaits(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Oat.ID, h.Main.ID, 3)
	order := orderOf(h, "SO-7007", 1, api.OutboundLineInput{ProductID: h.Coffee.ID, RequestedQuantity: 6},
		api.OutboundLineInput{ProductID: h.Oat.ID, RequestedQuantity: 5})
	h.Inbound("PO-1", h.Coffee, 24, time.Hour)
	h.Inbound("PO-2", h.Coffee, 24, time.Hour)
	d := openDelivery(t, h, "PO-1")
	d.Scan("COF-500").Key("+", "enter").Sees("Received 24")
	d.Sees("24 × COF-500 here, SO-7007 waits for 6. Enter allocates and opens it.").Lacks("Enter opens PO-2")
	d.Goldens("receipt")
	d.Size(40, 8).Sees("SO-7007 waits for 6", "Received 24").Size(80, 24)

	d.Key("enter").Sees("Enter ignored: SO-7007 was offered just now. Press it again.")
	require.Equal(t, []int64{3}, allocated(h, order))
	d.Advance(time.Second).Key("enter")
	require.Equal(t, "fulfill/"+order.ID.String(), d.Model.Route())
	d.Sees("Allocated to SO-7007", "2 waiting for stock")
	require.Equal(t, []int64{9}, allocated(h, order))
	d.Key("esc").Sees("This delivery is received").Lacks("SO-7007 waits")
}

func TestReceipt_AllocatesToAllOrdersInOrder(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	coffee := api.OutboundLineInput{ProductID: h.Coffee.ID, RequestedQuantity: 6}
	late, soon := orderOf(h, "SO-1", 9, coffee), orderOf(h, "SO-2", 1, coffee)
	h.Inbound("PO-1", h.Coffee, 24, time.Hour)
	d := openDelivery(t, h, "PO-1")
	d.Scan("COF-500").Type("8").Key("enter", "enter")
	d.Sees("8 × COF-500 here, 2 orders wait. Press F3 to allocate all.")
	d.Type("4").Key("enter", "f3").Sees("Allocated: 6 to SO-2, 2 to SO-1").Lacks("orders wait")
	viewtest.RequireCount(t, d, 4)
	require.Equal(t, []int64{2, 6}, allocated(h, late, soon))

	d.Key("+", "enter").Sees("16 × COF-500 here, SO-1 waits for 4. Enter allocates and opens it.")
	ledgertest.Do(h.World, api.CancelOutbound, api.OutboundInput{OutboundID: late.ID})
	d.Advance(time.Second).Key("enter")
	viewtest.RequireErrors(t, d, "This order is already canceled")
	d.Lacks("SO-1 waits").Sees("This delivery is received")
}

func TestReceipt_OffersNoOrderThatCannotBeAllocated(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(testing.TB) *viewtest.Warehouse{"full": viewtest.NewWarehouse, "minimal": viewtest.NewMinimalWarehouse} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t)
			quantity, product := int64(6), h.Coffee.ID
			if name == "full" {
				product = h.Oat.ID // waits for another product
			}
			orderOf(h, "SO-7007", 1, api.OutboundLineInput{ProductID: product, RequestedQuantity: quantity})
			in := h.Inbound("PO-1", h.Coffee, 24, time.Hour)
			d := openDelivery(t, h, in.ID.String())
			d.Scan("COF-500").Key("+", "enter").Sees("Received 24").Lacks("SO-7007", "allocate")
		})
	}
}

func TestReceipt_OfTransferOffersOrder(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Coffee.ID, h.Depot.ID, 10)
	x := h.Transfer("TR-1", h.Coffee, h.Depot, h.Main, 10)
	ledgertest.Do(h.World, api.ShipTransfer, api.MoveTransferInput{TransferID: x.ID})
	order := orderOf(h, "SO-7007", 1, api.OutboundLineInput{ProductID: h.Coffee.ID, RequestedQuantity: 6})
	d := h.Terminal(t, registry(h), func(o *shell.Options) { o.Start = []string{"home", tui.Path("arrive", "TR-1")} })
	d.Scan("COF-500").Key("+", "enter").Sees("10 × COF-500 here, SO-7007 waits for 6.")
	d.Advance(time.Second).Key("enter")
	require.Equal(t, []int64{6}, allocated(h, order))
}

func TestReceipt_OffersOrderInLineMode(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	order := orderOf(h, "SO-7007", 1, api.OutboundLineInput{ProductID: h.Coffee.ID, RequestedQuantity: 6})
	h.Inbound("PO-1", h.Coffee, 24, time.Hour)
	out := runLines(t, h, 80, drafts.InMemory(), "PO-1", "COF-500", "4", "enter", "allocate", "all", "enter", "allocate", "")
	requireSays(t, out, "scan or number; SO-7007 waits for 6>", "Allocated: 4 to SO-7007", "received; SO-7007 waits for 2>", "Allocated: 2 to SO-7007")
	require.Equal(t, []int64{6}, allocated(h, order), strings.TrimSpace(out))
}

func TestReceipt_AllocatesOffline(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	coffee := api.OutboundLineInput{ProductID: h.Coffee.ID, RequestedQuantity: 6}
	first, second := orderOf(h, "SO-1", 1, coffee), orderOf(h, "SO-2", 2, coffee)
	h.Inbound("PO-1", h.Coffee, 24, time.Hour)
	node := viewtest.NewNode(t, h.World, h.Proxy)
	h.Site = h.SiteOf(node)
	node.Disconnect()

	d := openDelivery(t, h, "PO-1")
	d.Scan("COF-500").Type("8").Key("enter", "enter").Sees("8 × COF-500 here, 2 orders wait. Press F3 to allocate all.")
	d.Key("f3").Sees("Allocated: 6 to SO-1, 2 to SO-2").Lacks("orders wait")
	require.Equal(t, []int64{0, 0}, allocated(h, first, second))
	node.Connect()
	require.Equal(t, []int64{6, 2}, allocated(h, first, second))
	d.Advance(5 * time.Second).Sees("Allocated: 6 to SO-1, 2 to SO-2")
}
