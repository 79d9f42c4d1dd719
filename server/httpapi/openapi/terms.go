package openapi

// terms say what fields mean that mean the same wherever they are.
var terms = map[string]string{
	"id": "The id.", "organizationId": "The organization.", "environment": "The environment that the key is bound to.",
	"productId": "The product.", "locationId": "The location.", "ownerId": "The owner of the stock.", "channelId": "The sales channel.",
	"lotId": "The lot; none where the stock is in no lot.", "serialId": "The piece.", "balanceId": "The balance.", "keyId": "The API key.",
	"inboundId": "The inbound.", "outboundId": "The outbound.", "transferId": "The transfer.", "reservationId": "The reservation.",
	"sourceLocationId": "Where it comes from.", "destinationLocationId": "Where it goes to.",
	"defaultOwnerId": "The owner where none is named.", "defaultChannelId": "The channel where none is named.",
	"product": "The product in short.", "location": "The location in short.", "owner": "The owner in short.", "channel": "The channel in short.",
	"sourceLocation": "Where it comes from, in short.", "destinationLocation": "Where it goes to, in short.",
	"lot": "The lot.", "serial": "The piece.", "unit": "The packaging.", "organization": "The organization of the key.",

	"onHand":    "All that is there: available, reserved, committed, damaged, qualityControl and safetyStock.",
	"available": "Free to be sold or moved.", "reserved": "Held by reservations.", "committed": "Promised to outbounds and committed reservations.",
	"incoming": "Expected or in transit; not here yet, so not in onHand.", "damaged": "On hand and damaged.",
	"qualityControl": "On hand and being checked.", "safetyStock": "On hand and kept back.",

	"quantity": "How many, in base units.", "quantityDelta": "By how much, in base units; negative to take away.",
	"countedQuantity": "What was counted on hand, in base units.", "expectedQuantity": "How many are expected.", "receivedQuantity": "How many have come.",
	"requestedQuantity": "How many were ordered.", "allocatedQuantity": "How many are allocated.", "pickedQuantity": "How many are picked.",
	"packedQuantity": "How many are packed.", "fulfilledQuantity": "How many have been sent.", "shippedQuantity": "How many have been shipped.",
	"pendingAllocationQuantity": "requestedQuantity less allocatedQuantity.", "pendingPickQuantity": "allocatedQuantity less pickedQuantity.",
	"pendingPackQuantity": "pickedQuantity less packedQuantity.", "pendingFulfillmentQuantity": "allocatedQuantity less fulfilledQuantity.",
	"pendingShipmentQuantity": "How many are still to be shipped.", "pendingReceiveQuantity": "How many are in transit.",
	"balanceBefore": "The state's quantity before.", "balanceAfter": "The state's quantity after.",
	"unitCode": "The packaging, by its code.", "unitQuantity": "How many of the packaging.", "baseUnitCode": "The unit that quantities count.",
	"factor": "How many base units it holds.", "units": "The packagings.", "version": "Rises with every change.",

	"sku": "The stock keeping unit, unique among the products.", "name": "The name for people.", "code": "The short code, unique of its kind.",
	"type": "What kind it is.", "barcodes": "The barcodes, GTINs among them.", "tracking": "How closely its stock is told apart.",
	"components": "What a kit is made of.", "label": "The name for people.", "lotCode": "The code on the lot.", "batchCode": "The maker's batch.",
	"serialNumber": "The number of the piece, unique among the product's.", "serials": "The pieces.", "serialIds": "The pieces, by id.",
	"serialNumbers": "The pieces, by number.", "scopes": "The rights of the key.", "kind": "What it is.",

	"status": "Where it stands.", "operation": "What kind of change it was.", "inventoryState": "The state that changed or is to change.",
	"sourceState": "The state to take from.", "destinationState": "The state to bring to.", "reason": "Why, for people.",
	"referenceType": "What kind of thing it refers to outside the service.", "referenceId": "What it refers to outside the service.",
	"externalOrderType": "What kind of order it has in another system.", "externalOrderId": "Its order in another system.",
	"supplierName": "Who delivers.", "supplierReference": "The supplier's own reference.", "customerName": "Who it goes to.",
	"closeReason": "Why it was closed short.", "source": "What made the change.", "idempotencyKey": "The Idempotency-Key of the request that made it.",

	"actor": "Who did it: a person, a key, or the service itself.", "createdBy": "The person who did it, from X-Operator.",
	"actorId": "Who did it, by id.", "actorLabel": "Who did it, by name.", "actorType": "What kind of actor did it.",
	"createdAt": "When it was made.", "updatedAt": "When it was changed last.", "expectedAt": "When it is expected.", "receivedAt": "When it came.",
	"closedAt": "When it was closed short.", "cancelledAt": "When it was cancelled.", "expectedShipAt": "When it should leave.",
	"allocatedAt": "When it was allocated in full.", "fulfilledAt": "When it was sent in full.", "pickedAt": "When it was picked.",
	"packedAt": "When it was packed.", "shippedAt": "When it left.", "expiresAt": "When it ends or goes off.", "revokedAt": "When it was revoked.",

	"balance": "The balance as it now stands.", "balances": "The balances as they now stand.", "sourceBalance": "The balance at the source after the change.",
	"destinationBalance": "The balance at the destination after the change.", "componentBalances": "The balances of the components after the change.",
	"movements": "The entries of the ledger.", "inbound": "The inbound.", "outbound": "The outbound.", "transfer": "The transfer.",
	"reservation": "The reservation.", "lines": "The products of it.", "items": "The page.", "totals": "What the movements add up to.",
	"matches": "What it can mean, most likely first.", "documents": "The documents.",

	"nextCursor": "The cursor of the next page; null at the end.", "cursor": "The cursor from the previous page.",
	"metadata":    "Free-form JSON object, at most 16 KiB and 8 levels deep.",
	"lotMetadata": "Free-form JSON object, at most 16 KiB and 8 levels deep.",
}

// filters say what parameters of a query mean that narrow a list.
var filters = map[string]string{
	"productId": "Only of this product.", "locationId": "Only at this location.", "ownerId": "Only of this owner.", "channelId": "Only in this channel.",
	"sourceLocationId": "Only from this location.", "destinationLocationId": "Only to this location.", "lotId": "Only of this lot.",
	"status": "Only those with this status.", "operation": "Only changes of this kind.", "inventoryState": "Only of this state.",
	"referenceType": "Only with this type of reference.", "referenceId": "Only with this reference.",
	"externalOrderType": "Only with this type of order.", "externalOrderId": "Only with this order.",
}

// resources say what the operations of a group are about.
var resources = map[string]string{
	"access":       "Who the caller is, with its plan and usage.",
	"balances":     "The stock of one product at one location for one owner in one channel, in eight states.",
	"capabilities": "What the service can do beyond the documented interface.",
	"changes":      "The feed of changes, for replicas.",
	"snapshot":     "All that a replica begins with.",
	"inbounds":     "Expected receipts: create, receive, close short, cancel.",
	"keys":         "API keys of the organization in the caller's environment.",
	"lookup":       "What a scanned text is.",
	"lots":         "Batches of a product, with their expiry.",
	"serials":      "Pieces with a number of their own.",
	"outbounds":    "Orders of customers: allocate, pick, pack, fulfill, cancel.",
	"locations":    "Where stock is.",
	"owners":       "Whose stock it is.",
	"channels":     "Where stock is sold.",
	"products":     "What stock is kept of, with packagings, barcodes and kits.",
	"reports":      "Movements and balances as flat rows.",
	"reservations": "Available stock held for a while: commit, release, cancel; it expires by itself.",
	"stock":        "Changes of stock without a document.",
	"transfers":    "Stock on its way from one location to another: ship, receive, close short, cancel.",
	"service":      "What the service tells of itself; no key is needed.",
}

// About says what the operations of a group are about.
func About(group string) string { return resources[group] }
