package gen

import (
	_ "embed"
	"sync"

	"github.com/go-json-experiment/json"
)

// wordsFile is generated from the comments of package api by go test -update.
//
//go:embed words.json
var wordsFile []byte

// words are the comments of types, of their fields (Type.Field), and of operations (by
// their ID).
var words = sync.OnceValue(func() (list map[string]string) {
	if err := json.Unmarshal(wordsFile, &list); err != nil {
		panic(err) // the file is embedded, so tests catch any error
	}
	return list
})

// terms describe fields that have the same meaning in every type.
var terms = map[string]string{
	"id":                    "The id of the resource.",
	"organizationId":        "The organization.",
	"environment":           "The environment the key belongs to.",
	"productId":             "The product.",
	"locationId":            "The location.",
	"ownerId":               "The owner of the stock.",
	"channelId":             "The sales channel.",
	"lotId":                 "The lot; absent for stock without a lot.",
	"serialId":              "The serial.",
	"balanceId":             "The balance.",
	"keyId":                 "The API key.",
	"operatorId":            "The operator.",
	"language":              "A language code, such as de.",
	"keyLabel":              "The label of the API key.",
	"lineId":                "The line of the outbound.",
	"inboundId":             "The inbound.",
	"outboundId":            "The outbound.",
	"transferId":            "The transfer.",
	"reservationId":         "The reservation.",
	"sourceLocationId":      "The location the stock leaves.",
	"destinationLocationId": "The location the stock goes to.",
	"defaultOwnerId":        "The owner used by default.",
	"defaultChannelId":      "The channel used by default.",
	"product":               "Summary of the product.",
	"location":              "Summary of the location.",
	"owner":                 "Summary of the owner.",
	"channel":               "Summary of the channel.",
	"sourceLocation":        "Summary of the source location.",
	"destinationLocation":   "Summary of the destination location.",
	"lot":                   "The lot.",
	"serial":                "The serial.",
	"unit":                  "The unit.",
	"organization":          "The organization of the key.",

	"onHand":         "Physical stock: available + reserved + committed + damaged + qualityControl + safetyStock.",
	"available":      "Free to sell or move.",
	"reserved":       "Held by reservations.",
	"committed":      "Committed to outbounds and reservations.",
	"incoming":       "Expected or in transit; not yet part of onHand.",
	"damaged":        "On hand but damaged.",
	"qualityControl": "On hand in quality control.",
	"safetyStock":    "On hand, set aside as a reserve.",

	"quantity":                   "Quantity in base units.",
	"quantityDelta":              "Signed change in base units; negative to reduce.",
	"countedQuantity":            "Counted on-hand quantity, in base units.",
	"expectedQuantity":           "Quantity expected.",
	"receivedQuantity":           "Quantity received.",
	"requestedQuantity":          "Quantity ordered.",
	"allocatedQuantity":          "Quantity allocated.",
	"pickedQuantity":             "Quantity picked.",
	"packedQuantity":             "Quantity packed.",
	"fulfilledQuantity":          "Quantity fulfilled.",
	"shippedQuantity":            "Quantity shipped.",
	"pendingAllocationQuantity":  "requestedQuantity minus allocatedQuantity.",
	"pendingPickQuantity":        "allocatedQuantity minus pickedQuantity.",
	"pendingPackQuantity":        "pickedQuantity minus packedQuantity.",
	"pendingFulfillmentQuantity": "allocatedQuantity minus fulfilledQuantity.",
	"pendingShipmentQuantity":    "Quantity left to ship.",
	"pendingReceiveQuantity":     "Quantity in transit.",
	"balanceBefore":              "Quantity of the state before the movement.",
	"balanceAfter":               "Quantity of the state after the movement.",
	"unitCode":                   "Code of the unit.",
	"unitQuantity":               "Quantity in that unit.",
	"baseUnitCode":               "Code of the base unit.",
	"factor":                     "Number of base units per unit.",
	"units":                      "Packaging units of the product.",
	"version":                    "Version of the resource, for If-Match; increases with every change.",

	"sku":           "Stock keeping unit, unique among products.",
	"name":          "Display name.",
	"productSku":    "SKU of the product.",
	"productName":   "Name of the product.",
	"locationCode":  "Code of the location.",
	"locationName":  "Name of the location.",
	"ownerCode":     "Code of the owner.",
	"ownerName":     "Name of the owner.",
	"channelCode":   "Code of the channel.",
	"channelName":   "Name of the channel.",
	"barcode":       "The barcode.",
	"reorderPoint":  "Available quantity below which stock is low.",
	"code":          "Short code, unique among resources of its type.",
	"type":          "Type of the resource.",
	"barcodes":      "Barcodes, including GTINs.",
	"tracking":      "How stock is tracked: none, lot or serial.",
	"components":    "Components of a kit.",
	"label":         "Display name.",
	"lotCode":       "Lot code.",
	"batchCode":     "Manufacturer's batch code.",
	"serialNumber":  "Serial number, unique per product.",
	"serials":       "The serials.",
	"serialIds":     "Serials by id.",
	"serialNumbers": "Serials by serial number.",
	"scopes":        "Scopes of the key.",
	"kind":          "Type of the result.",

	"status":            "Current status.",
	"operation":         "Type of change.",
	"inventoryState":    "The inventory state.",
	"sourceState":       "The state stock moves from.",
	"destinationState":  "The state stock moves to.",
	"reason":            "Reason, for people to read.",
	"referenceType":     "Type of the external reference.",
	"referenceId":       "External reference.",
	"externalOrderType": "Type of the order in an external system.",
	"externalOrderId":   "Order id in an external system.",
	"supplierName":      "Supplier name.",
	"supplierReference": "Supplier's reference.",
	"customerName":      "Customer name.",
	"closeReason":       "Reason for closing short.",
	"source":            "Origin of the change.",
	"idempotencyKey":    "Idempotency-Key of the request.",

	"actor":          "Who made the change: a person, an API key or the service.",
	"createdBy":      "The operator, from the X-Operator header.",
	"actorId":        "Id of the actor.",
	"actorLabel":     "Name of the actor.",
	"actorType":      "Type of the actor.",
	"createdAt":      "Creation time.",
	"updatedAt":      "Time of the last change.",
	"expectedAt":     "Expected time of arrival.",
	"receivedAt":     "Time of receipt.",
	"closedAt":       "Time of closing short.",
	"cancelledAt":    "Time of cancellation.",
	"expectedShipAt": "Planned ship time.",
	"allocatedAt":    "Time of full allocation.",
	"fulfilledAt":    "Time of complete fulfillment.",
	"pickedAt":       "Time of picking.",
	"packedAt":       "Time of packing.",
	"shippedAt":      "Time of shipment.",
	"expiresAt":      "Expiration time.",
	"revokedAt":      "Time of revocation.",

	"balance":            "The balance after the change.",
	"balances":           "The balances after the change.",
	"sourceBalance":      "The source balance after the change.",
	"destinationBalance": "The destination balance after the change.",
	"componentBalances":  "The component balances after the change.",
	"movements":          "Stock movements.",
	"inbound":            "The inbound.",
	"outbound":           "The outbound.",
	"transfer":           "The transfer.",
	"reservation":        "The reservation.",
	"lines":              "Lines of the document.",
	"items":              "Items of this page.",
	"matches":            "Matches, most likely first.",
	"documents":          "The documents.",

	"apiRequests":                 "API requests a month.",
	"billableInventoryOperations": "Billable operations a month.",
	"activeProducts":              "Products that are not archived.",

	"service": "Name of the service.",
	"epoch":   "Epoch of the change feed.",
	"seq":     "Sequence number of the entry.",
	"hash":    "Hash of the entry in hexadecimal.",
	"number":  "Number of the operation at the node.",
	"path":    "Path of the field.",
	"rule":    "Rule that the field breaks.",
	"message": "What is wrong, for people to read.",

	"metadata":    "Free-form JSON object, at most 16 KiB and 8 levels deep.",
	"lotMetadata": "Free-form JSON object, at most 16 KiB and 8 levels deep.",
}

// filters describe query parameters that filter a list.
var filters = map[string]string{
	"productId":             "Filter by product.",
	"locationId":            "Filter by location.",
	"ownerId":               "Filter by owner.",
	"channelId":             "Filter by channel.",
	"sourceLocationId":      "Filter by source location.",
	"destinationLocationId": "Filter by destination location.",
	"status":                "Filter by status.",
	"operation":             "Filter by operation.",
	"inventoryState":        "Filter by inventory state.",
	"referenceType":         "Filter by reference type.",
	"referenceId":           "Filter by reference.",
	"externalOrderType":     "Filter by external order type.",
	"externalOrderId":       "Filter by external order id.",
}

// resources describe the groups of operations by name.
var resources = map[string]string{
	"access":       "The caller's access, plan and usage.",
	"balances":     "The stock of one product at one location for one owner in one channel, in eight states.",
	"capabilities": "Features beyond the base interface.",
	"changes":      "The change feed for replicas.",
	"snapshot":     "The initial snapshot for replicas.",
	"inbounds":     "Expected deliveries: create, receive, close short, cancel.",
	"keys":         "API keys of the organization in the caller's environment.",
	"nodes":        "Edges and offline terminals that follow the change feed.",
	"lookup":       "Look up scanned codes.",
	"lots":         "Lots of products, with expiration dates.",
	"serials":      "Units with serial numbers.",
	"outbounds":    "Customer orders: allocate, pick, pack, fulfill, cancel.",
	"locations":    "Warehouses, stores and virtual locations of stock.",
	"owners":       "Owners of stock.",
	"channels":     "Sales channels.",
	"products":     "Products, with their units, barcodes and kit components.",
	"reports":      "Movements and balances as flat rows, for export.",
	"reservations": "Temporary holds on available stock: commit, release, cancel. They expire automatically.",
	"stock":        "Stock changes without a document.",
	"transfers":    "Stock transfers between locations: ship, receive, close short, cancel.",
	"service":      "Service endpoints; no key is required.",
}

// About returns the description of a group of operations.
func About(group string) string { return resources[group] }
