package export

import (
	"strconv"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/views/stocktext"
)

// MovementColumns are the columns of the movements report: what people read first, then
// IDs.
var MovementColumns = []Column[api.MovementRow]{
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
	{Name: "lotCode", Value: func(r *api.MovementRow) string { return r.LotCode }},
	{Name: "expiresAt", Value: func(r *api.MovementRow) string { return formatTime(r.ExpiresAt) }, Literal: true},
	{Name: "serialNumbers", Value: func(r *api.MovementRow) string { return strings.Join(r.SerialNumbers, " ") }},
	{Name: "document", Value: func(r *api.MovementRow) string { return stocktext.Document(r.ReferenceType, r.ReferenceID) }},
	{Name: "reason", Value: func(r *api.MovementRow) string { return r.Reason }},
	{Name: "operator", Value: func(r *api.MovementRow) string {
		operator, _, _ := who(r)
		return operator
	}},
	{Name: "approvedBy", Value: func(r *api.MovementRow) string {
		_, supervisor, _ := who(r)
		return supervisor
	}},
	{Name: "device", Value: func(r *api.MovementRow) string {
		_, _, device := who(r)
		return device
	}},
	{Name: "source", Value: func(r *api.MovementRow) string { return r.Source }},
	{Name: "actorType", Value: func(r *api.MovementRow) string { return string(r.ActorType) }, Literal: true},
	{Name: "actorLabel", Value: func(r *api.MovementRow) string { return r.ActorLabel }},
	{Name: "referenceType", Value: func(r *api.MovementRow) string { return r.ReferenceType }},
	{Name: "referenceId", Value: func(r *api.MovementRow) string { return r.ReferenceID }},
	{Name: "id", Value: func(r *api.MovementRow) string { return r.ID.String() }, Literal: true},
	{Name: "productId", Value: func(r *api.MovementRow) string { return r.ProductID.String() }, Literal: true},
	{Name: "locationId", Value: func(r *api.MovementRow) string { return r.LocationID.String() }, Literal: true},
	{Name: "ownerId", Value: func(r *api.MovementRow) string { return r.OwnerID.String() }, Literal: true},
	{Name: "channelId", Value: func(r *api.MovementRow) string { return r.ChannelID.String() }, Literal: true},
	{Name: "occurredAt", Value: func(r *api.MovementRow) string { return formatOccurred(r.OccurredAt) }, Literal: true},
}

// formatOccurred formats when a movement happened, if that is known and was not at its
// creation.
func formatOccurred(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.Format(time.RFC3339Nano)
}

// who returns the people and the device of a row. A service that does not name them in
// the row says who acted.
func who(r *api.MovementRow) (operator, supervisor, device string) {
	if r.Operator != "" || r.Device != "" {
		return r.Operator, r.ApprovedBy, r.Device
	}
	return (&api.Movement{Actor: api.Actor{Type: r.ActorType, Label: r.ActorLabel}}).Who()
}

// BalanceColumns are the columns of the snapshot report: names, the eight
// quantities, and IDs.
var BalanceColumns = func() []Column[api.SnapshotRow] {
	list := []Column[api.SnapshotRow]{
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
		Column[api.SnapshotRow]{Name: "id", Literal: true, Value: func(r *api.SnapshotRow) string { return r.ID.String() }},
		Column[api.SnapshotRow]{Name: "productId", Literal: true, Value: func(r *api.SnapshotRow) string { return r.ProductID.String() }},
		Column[api.SnapshotRow]{Name: "locationId", Literal: true, Value: func(r *api.SnapshotRow) string { return r.LocationID.String() }},
		Column[api.SnapshotRow]{Name: "ownerId", Literal: true, Value: func(r *api.SnapshotRow) string { return r.OwnerID.String() }},
		Column[api.SnapshotRow]{Name: "channelId", Literal: true, Value: func(r *api.SnapshotRow) string { return r.ChannelID.String() }})
}()

func formatInt(n int64) string { return strconv.FormatInt(n, 10) }

// formatTime returns a time, or "" for none.
func formatTime(at *time.Time) string {
	if at == nil {
		return ""
	}
	return at.Format(time.RFC3339)
}
