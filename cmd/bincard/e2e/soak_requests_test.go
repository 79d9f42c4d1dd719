package e2e_test

import (
	"fmt"
	"time"

	"bincard/server/api"
	"bincard/server/built"
)

func (c *soakClient) stock() api.StockKey {
	return api.StockKey{ProductID: c.tenant.products[c.random.IntN(len(c.tenant.products))], LocationID: c.tenant.main}
}

// read performs a random read. A flood reads as much as it may.
func (c *soakClient) read() {
	few, many, wait := int64(20), int64(100), int64(1+c.random.IntN(3))
	if c.tenant.floods {
		few, many, wait = 100, 500, 0
	}
	switch c.random.IntN(10) {
	case 0, 1, 2:
		soakRead(c, api.GetBalance, api.GetBalanceInput{BalanceID: c.tenant.balances[c.random.IntN(len(c.tenant.balances))]})
	case 3:
		soakRead(c, api.ListBalances, api.ListBalancesInput{})
	case 4:
		soakRead(c, api.ListOutbounds, api.ListOutboundsInput{Page: api.Page{Limit: &few}})
	case 5:
		soakRead(c, api.ExplainBalance, api.ExplainBalanceInput{BalanceID: c.tenant.balances[c.random.IntN(len(c.tenant.balances))],
			HistoryPage: api.HistoryPage{Limit: &many, Order: api.NewestFirst}})
	case 6, 7:
		soakRead(c, api.ReportMovements, api.ReportMovementsInput{StockFilter: api.StockFilter{ProductID: c.stock().ProductID}, Limit: &many})
	case 8:
		soakRead(c, api.LookUp, api.LookupInput{Code: fmt.Sprintf("P-%d", c.random.IntN(8))})
	case 9:
		if got := soakRead(c, api.ListChanges, api.ListChangesInput{After: &c.after, Wait: &wait, Limit: &many}); len(got.Items) > 0 {
			c.after = got.Items[len(got.Items)-1].Seq
		}
	}
}

// write performs a random write.
func (c *soakClient) write() {
	stock, q := c.stock(), int64(1+c.random.IntN(4))
	switch n := c.random.IntN(10); {
	case n < 2:
		soakDo(c, api.AdjustStock, api.AdjustStockInput{StockKey: stock, InventoryState: api.OnHand, QuantityDelta: q, Reason: "found"}, q)
	case n < 4:
		soakDo(c, api.AdjustStock, api.AdjustStockInput{StockKey: stock, InventoryState: api.OnHand, QuantityDelta: -q, Reason: "broken"}, -q)
	case n < 5:
		soakDo(c, api.ReceiveStock, api.ReceiveStockInput{StockKey: stock, Quantity: &q}, q)
	case n < 6:
		soakDo(c, api.FulfillStock, api.FulfillStockInput{StockKey: stock, Quantity: &q}, -q)
	case n < 8 && len(c.reservations) == 0:
		week := built.Now().Add(7 * 24 * time.Hour).UTC().Truncate(time.Second)
		if out, ok := soakDo(c, api.CreateReservation, api.CreateReservationInput{StockKey: stock, Quantity: q, ExpiresAt: &week}, 0); ok {
			c.reservations = append(c.reservations, out.Reservation.ID)
		}
	case n < 8:
		soakDo(c, api.CancelReservation, api.ReservationInput{ReservationID: c.reservations[0]}, 0)
		c.reservations = nil
	case len(c.outbounds) == 0:
		if out, ok := soakDo(c, api.CreateOutbound, api.CreateOutboundInput{ProductID: stock.ProductID, LocationID: stock.LocationID, RequestedQuantity: &q}, 0); ok {
			c.outbounds = append(c.outbounds, out.Outbound.ID)
		}
	default:
		soakDo(c, api.CancelOutbound, api.OutboundInput{OutboundID: c.outbounds[0]}, 0)
		c.outbounds = nil
	}
}
