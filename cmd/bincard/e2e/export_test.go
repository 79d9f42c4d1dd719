package e2e_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
)

// An export of movements names the lot and the serial numbers of each.
func TestExport_NamesLotsAndSerials(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	c.addLots(10, true, "L119-B")
	out := h.mustRun("export", "movements", "--data", c.dir, "--sku", "OAT-1L")
	require.Contains(t, out, ",lotCode,expiresAt,serialNumbers,")
	require.Regexp(t, `inbound_receive,onHand,24,[^\n]*,L119-B,`, out)
	require.Regexp(t, `outbound_(pick|allocate),[^\n]*,L119-B,`, out)
	out = h.mustRun("export", "movements", "--data", c.dir, "--sku", "SCA-5")
	require.Regexp(t, `inbound_receive,onHand,3,[^\n]*SN-1[^\n]*SN-2[^\n]*SN-3`, out)
}

// addLots receives 24 OAT-1L of each lot and orders ten as SO-2. It picks as many as
// picked from the first lot, and packs them if packed is set.
func (c *company) addLots(picked int64, packed bool, codes ...string) {
	c.t.Helper()
	c.withLedger(func(l *ledger.Ledger) {
		svc := c.service(l)
		at := api.StockKey{ProductID: c.oat, LocationID: c.main}
		first := api.ID{}
		for i, code := range codes {
			in := do(c.t, svc, api.CreateInbound, api.CreateInboundInput{StockKey: at, ExpectedQuantity: 24}).Inbound
			out := do(c.t, svc, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 24, NewLot: api.NewLot{LotCode: code}})
			if i == 0 {
				first = out.Movements[0].LotID
			}
		}
		ten := int64(10)
		order := do(c.t, svc, api.CreateOutbound, api.CreateOutboundInput{ProductID: c.oat, LocationID: c.main, RequestedQuantity: &ten,
			CustomerName: "Café Lumen", Reference: api.Reference{ReferenceType: "sales_order", ReferenceID: "SO-2"}}).Outbound
		do(c.t, svc, api.PickOutbound, api.HandleOutboundInput{OutboundID: order.ID, LotID: first, Quantity: &picked})
		if packed {
			do(c.t, svc, api.PackOutbound, api.HandleOutboundInput{OutboundID: order.ID})
		}
	})
}
