package export

import (
	"strconv"
	"time"

	"bincard/server/api"
)

// Movements are the columns of the report of movements.
var Movements = []Column[api.MovementRow]{
	{Name: "id", Of: func(r *api.MovementRow) string { return r.ID.String() }, Plain: true},
	{Name: "createdAt", Of: func(r *api.MovementRow) string { return r.CreatedAt.Format(time.RFC3339Nano) }, Plain: true},
	{Name: "productSku", Of: func(r *api.MovementRow) string { return r.ProductSKU }},
	{Name: "productName", Of: func(r *api.MovementRow) string { return r.ProductName }},
	{Name: "locationCode", Of: func(r *api.MovementRow) string { return r.LocationCode }},
	{Name: "locationName", Of: func(r *api.MovementRow) string { return r.LocationName }},
	{Name: "ownerCode", Of: func(r *api.MovementRow) string { return r.OwnerCode }},
	{Name: "channelCode", Of: func(r *api.MovementRow) string { return r.ChannelCode }},
	{Name: "operation", Of: func(r *api.MovementRow) string { return string(r.Operation) }, Plain: true},
	{Name: "inventoryState", Of: func(r *api.MovementRow) string { return string(r.InventoryState) }, Plain: true},
	{Name: "quantity", Of: func(r *api.MovementRow) string { return decimal(r.Quantity) }, Plain: true},
	{Name: "balanceBefore", Of: func(r *api.MovementRow) string { return decimal(r.BalanceBefore) }, Plain: true},
	{Name: "balanceAfter", Of: func(r *api.MovementRow) string { return decimal(r.BalanceAfter) }, Plain: true},
	{Name: "baseUnitCode", Of: func(r *api.MovementRow) string { return r.BaseUnitCode }},
	{Name: "unitCode", Of: func(r *api.MovementRow) string { return r.UnitCode }},
	{Name: "unitQuantity", Plain: true, Of: func(r *api.MovementRow) string {
		if r.UnitCode == "" {
			return ""
		}
		return decimal(r.UnitQuantity)
	}},
	{Name: "referenceType", Of: func(r *api.MovementRow) string { return r.ReferenceType }},
	{Name: "referenceId", Of: func(r *api.MovementRow) string { return r.ReferenceID }},
	{Name: "reason", Of: func(r *api.MovementRow) string { return r.Reason }},
	{Name: "source", Of: func(r *api.MovementRow) string { return r.Source }},
	{Name: "actorType", Of: func(r *api.MovementRow) string { return string(r.ActorType) }, Plain: true},
	{Name: "actorLabel", Of: func(r *api.MovementRow) string { return r.ActorLabel }},
	{Name: "productId", Of: func(r *api.MovementRow) string { return r.ProductID.String() }, Plain: true},
	{Name: "locationId", Of: func(r *api.MovementRow) string { return r.LocationID.String() }, Plain: true},
	{Name: "ownerId", Of: func(r *api.MovementRow) string { return r.OwnerID.String() }, Plain: true},
	{Name: "channelId", Of: func(r *api.MovementRow) string { return r.ChannelID.String() }, Plain: true},
}

// Balances are the columns of the snapshot: the place, the eight quantities,
// and the ids.
var Balances = func() []Column[api.SnapshotRow] {
	list := []Column[api.SnapshotRow]{
		{Name: "id", Of: func(r *api.SnapshotRow) string { return r.ID.String() }, Plain: true},
		{Name: "productSku", Of: func(r *api.SnapshotRow) string { return r.ProductSKU }},
		{Name: "productName", Of: func(r *api.SnapshotRow) string { return r.ProductName }},
		{Name: "locationCode", Of: func(r *api.SnapshotRow) string { return r.LocationCode }},
		{Name: "locationName", Of: func(r *api.SnapshotRow) string { return r.LocationName }},
		{Name: "ownerCode", Of: func(r *api.SnapshotRow) string { return r.OwnerCode }},
		{Name: "channelCode", Of: func(r *api.SnapshotRow) string { return r.ChannelCode }},
	}
	for _, s := range api.States {
		list = append(list, Column[api.SnapshotRow]{Name: string(s), Plain: true, Of: func(r *api.SnapshotRow) string { return decimal(r.Of(s)) }})
	}
	return append(list,
		Column[api.SnapshotRow]{Name: "updatedAt", Plain: true, Of: func(r *api.SnapshotRow) string { return r.UpdatedAt.Format(time.RFC3339Nano) }},
		Column[api.SnapshotRow]{Name: "productId", Plain: true, Of: func(r *api.SnapshotRow) string { return r.ProductID.String() }},
		Column[api.SnapshotRow]{Name: "locationId", Plain: true, Of: func(r *api.SnapshotRow) string { return r.LocationID.String() }},
		Column[api.SnapshotRow]{Name: "ownerId", Plain: true, Of: func(r *api.SnapshotRow) string { return r.OwnerID.String() }},
		Column[api.SnapshotRow]{Name: "channelId", Plain: true, Of: func(r *api.SnapshotRow) string { return r.ChannelID.String() }})
}()

func decimal(n int64) string { return strconv.FormatInt(n, 10) }
