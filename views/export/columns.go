package export

import (
	"cmp"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui/i18n"
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
	Time("createdAt", func(r *movementRow) time.Time { return r.CreatedAt }),
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
	{Name: "unitQuantity", Value: func(r *movementRow) any {
		if r.UnitCode == "" {
			return nil
		}
		return r.UnitQuantity
	}},
	Text("lotCode", func(r *movementRow) string { return r.LotCode }),
	Time("expiresAt", func(r *movementRow) time.Time { return timeOf(r.ExpiresAt) }),
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
	Time("occurredAt", func(r *movementRow) time.Time { return r.OccurredAt }),
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
		list = append(list, Quantity(string(s), func(r *snapshotRow) int64 { return r.Of(s) }))
	}

	return append(list,
		Text("shelf", func(r *snapshotRow) string { return r.Shelf }),
		Time("updatedAt", func(r *snapshotRow) time.Time { return r.UpdatedAt }),
		Literal("id", func(r *snapshotRow) string { return r.ID.String() }),
		Literal("productId", func(r *snapshotRow) string { return r.ProductID.String() }),
		Literal("locationId", func(r *snapshotRow) string { return r.LocationID.String() }),
		Literal("ownerId", func(r *snapshotRow) string { return r.OwnerID.String() }),
		Literal("channelId", func(r *snapshotRow) string { return r.ChannelID.String() }))
}()

// timeOf returns a time, zero for none.
func timeOf(at *time.Time) time.Time {
	if at == nil {
		return time.Time{}
	}
	return *at
}

// title returns the title of a column in the language of a translator.
func title(t *i18n.Translator, name string) string {
	return cmp.Or(titles.Get(t, name), strings.ToUpper(name[:1])+name[1:])
}

var titles = i18n.TableOf("export", map[string]string{
	"actorLabel":        "API key",
	"actorType":         "Actor",
	"approvedBy":        "Approved by",
	"at":                "Time",
	"available":         "Available",
	"balanceAfter":      "Balance after",
	"balanceBefore":     "Balance before",
	"baseUnitCode":      "Base unit",
	"by":                "By",
	"carrier":           "Carrier",
	"channel":           "Channel",
	"channelCode":       "Channel",
	"channelId":         "Channel ID",
	"committed":         "Committed",
	"createdAt":         "Created",
	"customer":          "Customer",
	"damaged":           "Damaged",
	"destination":       "Destination",
	"device":            "Device",
	"document":          "Document",
	"documentId":        "Document ID",
	"dueAt":             "Due",
	"expiresAt":         "Expires",
	"expiry":            "Expiry",
	"extra":             "Extra",
	"id":                "ID",
	"in":                "In",
	"incoming":          "Incoming",
	"inventoryState":    "State",
	"job":               "Job",
	"line":              "Line",
	"location":          "Location",
	"locationCode":      "Location",
	"locationId":        "Location ID",
	"locationName":      "Location name",
	"lot":               "Lot",
	"lotCode":           "Lot",
	"lotId":             "Lot ID",
	"missing":           "Missing",
	"movementId":        "Movement ID",
	"net":               "Net",
	"occurredAt":        "Happened",
	"onHand":            "On hand",
	"operation":         "Operation",
	"operator":          "Operator",
	"order":             "Order",
	"otherItem":         "Other item",
	"otherQuantity":     "Quantity of other item",
	"out":               "Out",
	"owner":             "Owner",
	"ownerCode":         "Owner",
	"ownerId":           "Owner ID",
	"party":             "Party",
	"pending":           "Pending",
	"productId":         "Product ID",
	"productName":       "Product name",
	"productSku":        "SKU",
	"qualityControl":    "Quality control",
	"quantity":          "Quantity",
	"reason":            "Reason",
	"receivedAt":        "Received",
	"reference":         "Reference",
	"referenceId":       "Reference",
	"referenceType":     "Type of reference",
	"reorderPoint":      "Reorder point",
	"reserved":          "Reserved",
	"rows":              "Rows",
	"safetyStock":       "Safety stock",
	"serialNumbers":     "Serial numbers",
	"serials":           "Serials",
	"shelf":             "Shelf",
	"shippedAt":         "Shipped",
	"sku":               "SKU",
	"source":            "Source",
	"sscc":              "SSCC",
	"supplier":          "Supplier",
	"supplierReference": "Supplier reference",
	"unitCode":          "Unit",
	"unitQuantity":      "Quantity in units",
	"updatedAt":         "Changed",
})
