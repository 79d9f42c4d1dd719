package export

import (
	"strconv"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/views/stocktext"
)

// The rows of the reports.
type (
	movementRow = api.MovementRow
	snapshotRow = api.SnapshotRow
)

// MovementColumns are the columns of the movements report: what people read first, then
// IDs.
var MovementColumns = []Column[movementRow]{
	Literal("createdAt", func(r *movementRow) string { return r.CreatedAt.Format(time.RFC3339Nano) }),
	Text("productSku", func(r *movementRow) string { return r.ProductSKU }),
	Text("productName", func(r *movementRow) string { return r.ProductName }),
	Text("locationCode", func(r *movementRow) string { return r.LocationCode }),
	Text("locationName", func(r *movementRow) string { return r.LocationName }),
	Text("ownerCode", func(r *movementRow) string { return r.OwnerCode }),
	Text("channelCode", func(r *movementRow) string { return r.ChannelCode }),
	Literal("operation", func(r *movementRow) string { return string(r.Operation) }),
	Literal("inventoryState", func(r *movementRow) string { return string(r.InventoryState) }),
	Number("quantity", func(r *movementRow) int64 { return r.Quantity }),
	Number("balanceBefore", func(r *movementRow) int64 { return r.BalanceBefore }),
	Number("balanceAfter", func(r *movementRow) int64 { return r.BalanceAfter }),
	Text("baseUnitCode", func(r *movementRow) string { return r.BaseUnitCode }),
	Text("unitCode", func(r *movementRow) string { return r.UnitCode }),
	Literal("unitQuantity", func(r *movementRow) string {
		if r.UnitCode == "" {
			return ""
		}
		return formatInt(r.UnitQuantity)
	}),
	Text("lotCode", func(r *movementRow) string { return r.LotCode }),
	Literal("expiresAt", func(r *movementRow) string { return formatTime(r.ExpiresAt) }),
	Text("serialNumbers", func(r *movementRow) string { return strings.Join(r.SerialNumbers, " ") }),
	Text("document", func(r *movementRow) string { return stocktext.Document(r.ReferenceType, r.ReferenceID) }),
	Text("reason", func(r *movementRow) string { return r.Reason }),
	Text("operator", func(r *movementRow) string {
		operator, _, _ := r.Who()
		return operator
	}),
	Text("approvedBy", func(r *movementRow) string {
		_, supervisor, _ := r.Who()
		return supervisor
	}),
	Text("device", func(r *movementRow) string {
		_, _, device := r.Who()
		return device
	}),
	Text("source", func(r *movementRow) string { return r.Source }),
	Literal("actorType", func(r *movementRow) string { return string(r.ActorType) }),
	Text("actorLabel", func(r *movementRow) string { return r.ActorLabel }),
	Text("referenceType", func(r *movementRow) string { return r.ReferenceType }),
	Text("referenceId", func(r *movementRow) string { return r.ReferenceID }),
	Literal("id", func(r *movementRow) string { return r.ID.String() }),
	Literal("productId", func(r *movementRow) string { return r.ProductID.String() }),
	Literal("locationId", func(r *movementRow) string { return r.LocationID.String() }),
	Literal("ownerId", func(r *movementRow) string { return r.OwnerID.String() }),
	Literal("channelId", func(r *movementRow) string { return r.ChannelID.String() }),
	Literal("occurredAt", func(r *movementRow) string { return formatOccurred(r.OccurredAt) }),
}

// formatOccurred formats when a movement happened, if that is known and was not at its
// creation.
func formatOccurred(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.Format(time.RFC3339Nano)
}

// BalanceColumns are the columns of the snapshot report: names, the eight
// quantities, and IDs.
var BalanceColumns = func() []Column[snapshotRow] {
	list := []Column[snapshotRow]{
		Text("productSku", func(r *snapshotRow) string { return r.ProductSKU }),
		Text("productName", func(r *snapshotRow) string { return r.ProductName }),
		Text("locationCode", func(r *snapshotRow) string { return r.LocationCode }),
		Text("locationName", func(r *snapshotRow) string { return r.LocationName }),
		Text("ownerCode", func(r *snapshotRow) string { return r.OwnerCode }),
		Text("channelCode", func(r *snapshotRow) string { return r.ChannelCode }),
	}

	for _, s := range api.States {
		list = append(list, Number(string(s), func(r *snapshotRow) int64 { return r.Of(s) }))
	}

	return append(list,
		Literal("updatedAt", func(r *snapshotRow) string { return r.UpdatedAt.Format(time.RFC3339Nano) }),
		Literal("id", func(r *snapshotRow) string { return r.ID.String() }),
		Literal("productId", func(r *snapshotRow) string { return r.ProductID.String() }),
		Literal("locationId", func(r *snapshotRow) string { return r.LocationID.String() }),
		Literal("ownerId", func(r *snapshotRow) string { return r.OwnerID.String() }),
		Literal("channelId", func(r *snapshotRow) string { return r.ChannelID.String() }))
}()

func formatInt(n int64) string { return strconv.FormatInt(n, 10) }

// formatTime returns a time, or "" for none.
func formatTime(at *time.Time) string {
	if at == nil {
		return ""
	}
	return at.Format(time.RFC3339)
}
