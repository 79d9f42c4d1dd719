package inbounds_test

import (
	"testing"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

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
	d.Key("enter").Sees("Received 30 of 2 products: 1 line to go")
	require.Equal(t, int64(24), reload(h, first).ReceivedQuantity)
	require.Zero(t, reload(h, second).ReceivedQuantity)
	require.Equal(t, int64(6), reload(h, third).ReceivedQuantity)
	lots := ledgertest.Do(h.World, api.ListLots, api.ListLotsInput{ProductID: h.Oat.ID})
	require.Len(t, lots.Items, 1)
	require.Equal(t, "L1", lots.Items[0].LotCode)
	require.True(t, lots.Items[0].ExpiresAt.Equal(expires))

	d.Type("00340123450000000017").Key("enter")
	viewtest.RequireErrors(t, d, "Pallet 340123450000000017 is already counted or received")
	d.Scan("]C100340123450000000024").Key("enter").Sees("complete")
	require.Equal(t, int64(12), reload(h, second).ReceivedQuantity)
}

// An SSCC that cannot be scanned is typed as the label shows it. Lines of the same product
// are not several products.
func TestReceive_TypedPallet(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	announce(t, h, h.Oat, 24, api.Announced{SSCC: "340123450000000017", LotCode: "L1"})
	announce(t, h, h.Oat, 12, api.Announced{SSCC: "340123450000000017", LotCode: "L2"})
	announce(t, h, h.Oat, 6, api.Announced{SSCC: "340123450000000024", LotCode: "L3"})
	d := openAt(t, h, "ASN-1")
	d.Type("340123450000000017").Key("enter").Sees("pallet", "+36", "enter receive 36")
	d.Key("enter").Sees("Received 36 of OAT-1L: 1 line to go")
	d.Type("00340123450000000024").Key("enter").Sees("enter receive 6")
	d.Type("340123450000000025").Key("enter")
	viewtest.RequireErrors(t, d, "340123450000000025 is neither a quantity nor a valid barcode")
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
