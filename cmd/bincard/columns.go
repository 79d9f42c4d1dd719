package main

import (
	"time"

	"bincard/server/api"
	"bincard/server/sheet"
)

// movementColumns are those of exported movements.
var movementColumns = []column[api.MovementRow]{
	{"id", func(r *api.MovementRow) string { return r.ID.String() }},
	{"createdAt", func(r *api.MovementRow) string { return r.CreatedAt.Format(time.RFC3339Nano) }},
	{"productSku", func(r *api.MovementRow) string { return sheet.Guard(r.ProductSKU) }},
	{"productName", func(r *api.MovementRow) string { return sheet.Guard(r.ProductName) }},
	{"locationCode", func(r *api.MovementRow) string { return sheet.Guard(r.LocationCode) }},
	{"locationName", func(r *api.MovementRow) string { return sheet.Guard(r.LocationName) }},
	{"ownerCode", func(r *api.MovementRow) string { return sheet.Guard(r.OwnerCode) }},
	{"channelCode", func(r *api.MovementRow) string { return sheet.Guard(r.ChannelCode) }},
	{"operation", func(r *api.MovementRow) string { return string(r.Operation) }},
	{"inventoryState", func(r *api.MovementRow) string { return string(r.InventoryState) }},
	{"quantity", func(r *api.MovementRow) string { return decimal(r.Quantity) }},
	{"balanceBefore", func(r *api.MovementRow) string { return decimal(r.BalanceBefore) }},
	{"balanceAfter", func(r *api.MovementRow) string { return decimal(r.BalanceAfter) }},
	{"baseUnitCode", func(r *api.MovementRow) string { return sheet.Guard(r.BaseUnitCode) }},
	{"unitCode", func(r *api.MovementRow) string { return sheet.Guard(r.UnitCode) }},
	{"unitQuantity", func(r *api.MovementRow) string {
		if r.UnitCode == "" {
			return ""
		}
		return decimal(r.UnitQuantity)
	}},
	{"referenceType", func(r *api.MovementRow) string { return sheet.Guard(r.ReferenceType) }},
	{"referenceId", func(r *api.MovementRow) string { return sheet.Guard(r.ReferenceID) }},
	{"reason", func(r *api.MovementRow) string { return sheet.Guard(r.Reason) }},
	{"source", func(r *api.MovementRow) string { return sheet.Guard(r.Source) }},
	{"actorType", func(r *api.MovementRow) string { return string(r.ActorType) }},
	{"actorLabel", func(r *api.MovementRow) string { return sheet.Guard(r.ActorLabel) }},
	{"productId", func(r *api.MovementRow) string { return r.ProductID.String() }},
	{"locationId", func(r *api.MovementRow) string { return r.LocationID.String() }},
	{"ownerId", func(r *api.MovementRow) string { return r.OwnerID.String() }},
	{"channelId", func(r *api.MovementRow) string { return r.ChannelID.String() }},
}

// snapshotColumns are those of exported balances: the place, the eight
// quantities, and the ids.
var snapshotColumns = func() []column[api.SnapshotRow] {
	list := []column[api.SnapshotRow]{
		{"id", func(r *api.SnapshotRow) string { return r.ID.String() }},
		{"productSku", func(r *api.SnapshotRow) string { return sheet.Guard(r.ProductSKU) }},
		{"productName", func(r *api.SnapshotRow) string { return sheet.Guard(r.ProductName) }},
		{"locationCode", func(r *api.SnapshotRow) string { return sheet.Guard(r.LocationCode) }},
		{"locationName", func(r *api.SnapshotRow) string { return sheet.Guard(r.LocationName) }},
		{"ownerCode", func(r *api.SnapshotRow) string { return sheet.Guard(r.OwnerCode) }},
		{"channelCode", func(r *api.SnapshotRow) string { return sheet.Guard(r.ChannelCode) }},
	}
	for _, s := range api.States {
		list = append(list, column[api.SnapshotRow]{string(s), func(r *api.SnapshotRow) string { return decimal(r.Of(s)) }})
	}
	return append(list,
		column[api.SnapshotRow]{"updatedAt", func(r *api.SnapshotRow) string { return r.UpdatedAt.Format(time.RFC3339Nano) }},
		column[api.SnapshotRow]{"productId", func(r *api.SnapshotRow) string { return r.ProductID.String() }},
		column[api.SnapshotRow]{"locationId", func(r *api.SnapshotRow) string { return r.LocationID.String() }},
		column[api.SnapshotRow]{"ownerId", func(r *api.SnapshotRow) string { return r.OwnerID.String() }},
		column[api.SnapshotRow]{"channelId", func(r *api.SnapshotRow) string { return r.ChannelID.String() }})
}()
