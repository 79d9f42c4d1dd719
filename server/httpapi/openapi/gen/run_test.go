package gen_test

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/httpapi/openapi/gen"
)

// runAll performs every operation once.
func (c *company) runAll() {
	c.catalog()
	c.inbounds()
	c.stock()
	c.traced()
	c.outbounds()
	c.transfers()
	c.reservations()
	c.reports()
	show(c, api.ChangeProduct, nil)
	show(c, api.GetProductHistory, nil)
	show(c, api.SetShelves, nil)
	show(c, api.ChangeLocation, nil)
	show(c, api.GetLocationHistory, nil)
	show(c, api.LinkBarcode, nil)
	show(c, api.UnlinkBarcode, nil)
}

func (c *company) product(in api.CreateProductInput) api.ID {
	return do(c, api.CreateProduct, in).ID
}

func some(q int64) *int64 { return &q }

// receive adds q to the stock of a product.
func (c *company) receive(product, location api.ID, q int64) {
	do(c, api.AdjustStock, api.AdjustStockInput{StockKey: api.StockKey{ProductID: product, LocationID: location}, InventoryState: api.OnHand, QuantityDelta: q, Reason: "Opening stock"})
}

func (c *company) catalog() {
	c.ids["locationId"] = show(c, api.CreateLocation, nil).ID
	c.ids["sourceLocationId"] = c.ids["locationId"]
	c.ids["destinationLocationId"] = do(c, api.CreateLocation, api.CreateLocationInput{Code: "ST-1", Name: "Shop in town", Type: api.Shop}).ID
	show(c, api.CreateOwner, nil)
	show(c, api.CreateChannel, nil)
	c.ids["productId"] = show(c, api.CreateProduct, nil).ID
	show(c, api.GetProduct, nil)
	show(c, api.ListProducts, nil)
	show(c, api.ListLocations, nil)
	show(c, api.ListOwners, nil)
	operator := show(c, api.CreateOperator, nil).ID
	show(c, api.ListOperators, names{"operatorId": operator})
	show(c, api.ChangeOperator, names{"operatorId": operator})
	show(c, api.ListChannels, nil)
	show(c, api.ArchiveProduct, names{"productId": c.product(api.CreateProductInput{SKU: "SOY-1L", Name: "Soy drink 1 l"})})
	key := show(c, api.CreateKey, nil).Key.ID
	show(c, api.ListKeys, names{"keyId": key})
	show(c, api.RevokeKey, names{"keyId": key})
	c.reportNode()
	show(c, api.ListNodes, nil)
	since := c.now.Add(-4 * time.Minute)
	do(c, api.ListPresence, api.NewListPresenceInput("dock-1",
		[]api.Presence{{Work: "receive/PO-77", Person: "Ben", Counted: 12, Since: &since}}))
	c.now = c.now.Add(-time.Minute) // the next call moves it on
	show(c, api.ListPresence, nil)
}

// reportNode reads the changes as an edge.
func (c *company) reportNode() {
	oldest := c.now.Add(-time.Minute)
	_, err := api.ListChanges.Call(context.Background(), c.svc, api.ListChangesInput{}, api.ReportedBy(api.NodeReport{
		ID: uuid.MustParse(gen.ExampleID("nodeId")), Label: "edge-st-1", Kind: api.NodeEdge, Version: "1.4.0", Pending: 3, Oldest: &oldest}))
	require.NoError(c, err)
}

func (c *company) inbounds() {
	created := show(c, api.CreateInbound, nil)
	c.ids["inboundId"], c.ids["balanceId"] = created.Inbound.ID, created.Balance.ID
	show(c, api.ReceiveInbound, nil)
	show(c, api.GetInbound, nil)
	show(c, api.ListInbounds, nil)
	expect := func() api.ID {
		return do(c, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: c.ids["productId"], LocationID: c.ids["locationId"]}, ExpectedQuantity: 5}).Inbound.ID
	}
	show(c, api.CancelInbound, names{"inboundId": expect()})
	short := expect()
	do(c, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: short, Quantity: 3})
	show(c, api.CloseInbound, names{"inboundId": short})
}

func (c *company) stock() {
	wh, shop := c.ids["locationId"], c.ids["destinationLocationId"]
	c.receive(c.ids["productId"], wh, 92)
	show(c, api.AdjustStock, nil)
	show(c, api.ReceiveStock, nil)
	show(c, api.MoveStock, nil)
	show(c, api.WriteOffStock, nil)
	show(c, api.FulfillStock, nil)
	show(c, api.ReturnStock, nil)
	c.receive(c.ids["productId"], shop, 7)
	show(c, api.RegisterPlate, nil)
	show(c, api.GetPlate, nil)
	show(c, api.ReconcileStock, names{"locationId": shop})
	show(c, api.ListNextCounts, names{"locationId": shop})
	cup := c.product(api.CreateProductInput{SKU: "CUP", Name: "Cup"})
	kit := c.product(api.CreateProductInput{SKU: "CUP-6", Name: "Box of six cups", Components: []api.Component{{ProductID: cup, Quantity: 6}}})
	c.receive(cup, wh, 60)
	show(c, api.AssembleStock, names{"productId": kit})
	show(c, api.DisassembleStock, names{"productId": kit})
}

// traced performs the operations on lots and serials.
func (c *company) traced() {
	wh := c.ids["locationId"]
	cheese := c.product(api.CreateProductInput{SKU: "BRIE-200", Name: "Brie 200 g", Tracking: api.TrackLot})
	got := do(c, api.ReceiveStock, api.ReceiveStockInput{StockKey: api.StockKey{ProductID: cheese, LocationID: wh}, Quantity: some(24), NewLot: api.NewLot{LotCode: "L2026-03"}})
	lot := got.Movements[0].LotID
	show(c, api.ListLots, names{"lotId": lot})
	show(c, api.ListPickableStock, names{"productId": cheese, "locationId": wh, "lotId": lot})
	show(c, api.TraceLot, names{"lotId": lot, "productId": cheese})
	order := do(c, api.CreateOutbound, api.CreateOutboundInput{ProductID: cheese, LocationID: wh, RequestedQuantity: some(5)}).Outbound
	show(c, api.ListOutboundLots, names{"outboundId": order.ID, "lotId": lot, "lineId": order.Lines[0].ID})
	do(c, api.CancelOutbound, api.OutboundInput{OutboundID: order.ID})
	do(c, api.WriteOffStock, api.WriteOffStockInput{StockKey: api.StockKey{ProductID: cheese, LocationID: wh}, Quantity: some(24), Reason: "Too warm", LotChoice: api.LotChoice{LotID: lot}})
	show(c, api.ArchiveLot, names{"lotId": lot})
	drill := c.product(api.CreateProductInput{SKU: "DRILL-18", Name: "Drill 18 V", Tracking: api.TrackSerial})
	got = do(c, api.ReceiveStock, api.ReceiveStockInput{StockKey: api.StockKey{ProductID: drill, LocationID: wh}, Quantity: some(1), Serials: []api.SerialInput{{SerialNumber: "SN-1001"}}})
	var serial api.ID
	for _, m := range got.Movements {
		for _, s := range m.Serials {
			serial = s.ID
		}
	}
	require.NotZero(c, serial)
	show(c, api.ListSerials, names{"serialId": serial, "productId": drill})
	show(c, api.GetSerialHistory, names{"serialId": serial, "productId": drill})
}

func (c *company) outbounds() {
	order := func(product api.ID) api.ID {
		return do(c, api.CreateOutbound, api.CreateOutboundInput{ProductID: product, LocationID: c.ids["locationId"], RequestedQuantity: some(5)}).Outbound.ID
	}
	c.ids["outboundId"] = show(c, api.CreateOutbound, nil).Outbound.ID
	show(c, api.PickOutbound, nil)
	show(c, api.UnpickOutbound, nil)
	do(c, api.PickOutbound, api.HandleOutboundInput{OutboundID: c.ids["outboundId"]})
	show(c, api.PackOutbound, nil)
	show(c, api.ShipOutbound, nil)
	show(c, api.FulfillOutbound, nil)
	show(c, api.GetOutbound, nil)
	show(c, api.ListOutbounds, nil)
	show(c, api.CancelOutbound, names{"outboundId": order(c.ids["productId"])})
	late := c.product(api.CreateProductInput{SKU: "RYE-500", Name: "Rye bread 500 g"})
	short := order(late)
	c.receive(late, c.ids["locationId"], 20)
	show(c, api.AllocateOutbound, names{"outboundId": short, "productId": late})
	do(c, api.CreateOutbound, api.CreateOutboundInput{ProductID: late, LocationID: c.ids["locationId"], RequestedQuantity: some(20), ExternalOrderID: "SO-1043"})
	c.receive(late, c.ids["locationId"], 3)
	show(c, api.AllocateOutbounds, names{"productId": late})
}

func (c *company) transfers() {
	plan := func() api.ID {
		t := do(c, api.CreateTransfer, api.CreateTransferInput{ProductID: c.ids["productId"], SourceLocationID: c.ids["sourceLocationId"],
			DestinationLocationID: c.ids["destinationLocationId"], Quantity: 5}).Transfer.ID
		do(c, api.ShipTransfer, api.MoveTransferInput{TransferID: t})
		return t
	}
	c.ids["transferId"] = show(c, api.CreateTransfer, nil).Transfer.ID
	show(c, api.ShipTransfer, nil)
	show(c, api.ReceiveTransfer, nil)
	show(c, api.GetTransfer, nil)
	show(c, api.ListTransfers, nil)
	show(c, api.CancelTransfer, names{"transferId": plan()})
	lost := plan()
	do(c, api.ReceiveTransfer, api.MoveTransferInput{TransferID: lost, Quantity: some(4)})
	show(c, api.CloseTransfer, names{"transferId": lost})
}

func (c *company) reservations() {
	week := c.now.AddDate(0, 0, 7)
	hold := func() api.ID {
		return do(c, api.CreateReservation, api.CreateReservationInput{StockKey: api.StockKey{ProductID: c.ids["productId"], LocationID: c.ids["locationId"]},
			Quantity: 5, ExpiresAt: &week}).Reservation.ID
	}
	c.ids["reservationId"] = show(c, api.CreateReservation, nil).Reservation.ID
	show(c, api.GetReservation, nil)
	show(c, api.ListReservations, nil)
	show(c, api.CommitReservation, nil)
	show(c, api.ReleaseReservation, nil)
	show(c, api.CancelReservation, names{"reservationId": hold()})
}

func (c *company) reports() {
	show(c, api.ListBalances, nil)
	show(c, api.GetBalance, nil)
	show(c, api.ExplainBalance, nil)
	show(c, api.ReportMovements, nil)
	show(c, api.ReportSnapshot, nil)
	show(c, api.LookUp, nil)
	show(c, api.GetAccess, nil)
	show(c, api.GetCapabilities, nil)
	show(c, api.ListChanges, nil)
	show(c, api.GetSnapshot, nil)
}
