package export

import (
	"strconv"
	"time"

	"bincard/server/api"
)

// MovementColumns are the columns of the movements report.
var MovementColumns = []Column[api.MovementRow]{
	{Name: "id", Value: func(r *api.MovementRow) string { return r.ID.String() }, Literal: true},
	{Name: "createdAt", Value: func(r *api.MovementRow) string { return r.CreatedAt.Format(time.RFC3339Nano) }, Literal: true},
	{Name: "productSku", Value: func(r *api.MovementRow) string { return r.ProductSKU }},
	{Name: "productName", Value: func(r *api.MovementRow) string { return r.ProductName }},
	{Name: "locationCode", Value: func(r *api.MovementRow) string { return r.LocationCode }},
	{Name: "locationName", Value: func(r *api.MovementRow) string { return r.LocationName }},
	{Name: "ownerCode", Value: func(r *api.MovementRow) string { return r.OwnerCode }},
	{Name: "channelCode", Value: func(r *api.MovementRow) string { return r.ChannelCode }},
	{Name: "operation", Value: func(r *api.MovementRow) string { return string(r.Operation) }, Literal: true},
	{Name: "inventoryState", Value: func(r *api.MovementRow) string { return string(r.InventoryState) }, Literal: true},
	{Name: "quantity", Value: func(r *api.MovementRow) string { return formatInt(r.Quantity) }, Literal: true},
	{Name: "balanceBefore", Value: func(r *api.MovementRow) string { return formatInt(r.BalanceBefore) }, Literal: true},
	{Name: "balanceAfter", Value: func(r *api.MovementRow) string { return formatInt(r.BalanceAfter) }, Literal: true},
	{Name: "baseUnitCode", Value: func(r *api.MovementRow) string { return r.BaseUnitCode }},
	{Name: "unitCode", Value: func(r *api.MovementRow) string { return r.UnitCode }},
	{Name: "unitQuantity", Literal: true, Value: func(r *api.MovementRow) string {
		if r.UnitCode == "" {
			return ""
		}
		return formatInt(r.UnitQuantity)
	}},
	{Name: "referenceType", Value: func(r *api.MovementRow) string { return r.ReferenceType }},
	{Name: "referenceId", Value: func(r *api.MovementRow) string { return r.ReferenceID }},
	{Name: "reason", Value: func(r *api.MovementRow) string { return r.Reason }},
	{Name: "source", Value: func(r *api.MovementRow) string { return r.Source }},
	{Name: "actorType", Value: func(r *api.MovementRow) string { return string(r.ActorType) }, Literal: true},
	{Name: "actorLabel", Value: func(r *api.MovementRow) string { return r.ActorLabel }},
	{Name: "productId", Value: func(r *api.MovementRow) string { return r.ProductID.String() }, Literal: true},
	{Name: "locationId", Value: func(r *api.MovementRow) string { return r.LocationID.String() }, Literal: true},
	{Name: "ownerId", Value: func(r *api.MovementRow) string { return r.OwnerID.String() }, Literal: true},
	{Name: "channelId", Value: func(r *api.MovementRow) string { return r.ChannelID.String() }, Literal: true},
}

// BalanceColumns are the columns of the snapshot report: names, the eight
// quantities, and IDs.
var BalanceColumns = func() []Column[api.SnapshotRow] {
	list := []Column[api.SnapshotRow]{
		{Name: "id", Value: func(r *api.SnapshotRow) string { return r.ID.String() }, Literal: true},
		{Name: "productSku", Value: func(r *api.SnapshotRow) string { return r.ProductSKU }},
		{Name: "productName", Value: func(r *api.SnapshotRow) string { return r.ProductName }},
		{Name: "locationCode", Value: func(r *api.SnapshotRow) string { return r.LocationCode }},
		{Name: "locationName", Value: func(r *api.SnapshotRow) string { return r.LocationName }},
		{Name: "ownerCode", Value: func(r *api.SnapshotRow) string { return r.OwnerCode }},
		{Name: "channelCode", Value: func(r *api.SnapshotRow) string { return r.ChannelCode }},
	}
	for _, s := range api.States {
		list = append(list, Column[api.SnapshotRow]{Name: string(s), Literal: true, Value: func(r *api.SnapshotRow) string { return formatInt(r.Of(s)) }})
	}
	return append(list,
		Column[api.SnapshotRow]{Name: "updatedAt", Literal: true, Value: func(r *api.SnapshotRow) string { return r.UpdatedAt.Format(time.RFC3339Nano) }},
		Column[api.SnapshotRow]{Name: "productId", Literal: true, Value: func(r *api.SnapshotRow) string { return r.ProductID.String() }},
		Column[api.SnapshotRow]{Name: "locationId", Literal: true, Value: func(r *api.SnapshotRow) string { return r.LocationID.String() }},
		Column[api.SnapshotRow]{Name: "ownerId", Literal: true, Value: func(r *api.SnapshotRow) string { return r.OwnerID.String() }},
		Column[api.SnapshotRow]{Name: "channelId", Literal: true, Value: func(r *api.SnapshotRow) string { return r.ChannelID.String() }})
}()

func formatInt(n int64) string { return strconv.FormatInt(n, 10) }
