package api

import (
	"slices"
	"time"
)

// OnHandState is a state of stock on hand.
type OnHandState State

// Values lists the states of stock on hand.
func (OnHandState) Values() []string {
	return toStrings([]State{Available, Reserved, Committed, Damaged, QualityControl, SafetyStock})
}

// ReturnState is a state that stock can be returned to.
type ReturnState State

// Values lists the states that stock can be returned to.
func (ReturnState) Values() []string { return toStrings([]State{Available, QualityControl}) }

// ReceiveStockInput describes stock to receive without an inbound.
type ReceiveStockInput struct {
	ProductID     ID            `json:"productId,omitzero" required:"true"`
	LocationID    ID            `json:"locationId,omitzero" required:"true"`
	Quantity      *int64        `json:"quantity,omitzero" minimum:"1" doc:"default: the number of serials"`
	OwnerID       ID            `json:"ownerId,omitzero" doc:"default: the organization's default owner"`
	ChannelID     ID            `json:"channelId,omitzero" doc:"default: the organization's default channel"`
	Reason        string        `json:"reason,omitzero" maxLength:"1000"`
	LotID         ID            `json:"lotId,omitzero" doc:"an existing lot of the product"`
	LotCode       string        `json:"lotCode,omitzero" doc:"lot code; the lot is created if it does not exist"`
	BatchCode     string        `json:"batchCode,omitzero"`
	ExpiresAt     *time.Time    `json:"expiresAt,omitzero"`
	LotMetadata   Metadata      `json:"lotMetadata,omitzero" doc:"stored with a new lot; an existing lot keeps its own"`
	Serials       []SerialInput `json:"serials,omitzero" maxItems:"1000" doc:"one per unit"`
	UnitCode      string        `json:"unitCode,omitzero" doc:"the unit of unitQuantity"`
	UnitQuantity  *int64        `json:"unitQuantity,omitzero" minimum:"1" doc:"must equal quantity when converted"`
	ReferenceType string        `json:"referenceType,omitzero"`
	ReferenceID   string        `json:"referenceId,omitzero"`
	Metadata      Metadata      `json:"metadata,omitzero"`
}

func (in *ReceiveStockInput) validate(p *Problems) {
	checkCounted(p, in.Quantity, len(in.Serials))
	checkUnitPair(p, in.UnitCode, in.UnitQuantity)
}

// ReturnStockInput describes stock that comes back after it was shipped or consumed.
type ReturnStockInput struct {
	ProductID      ID          `json:"productId,omitzero" required:"true"`
	LocationID     ID          `json:"locationId,omitzero" required:"true"`
	Quantity       *int64      `json:"quantity,omitzero" minimum:"1" doc:"default: the number of serials"`
	InventoryState ReturnState `json:"inventoryState,omitzero" doc:"default: available"`
	OwnerID        ID          `json:"ownerId,omitzero" doc:"default: the organization's default owner"`
	ChannelID      ID          `json:"channelId,omitzero" doc:"default: the organization's default channel"`
	Reason         string      `json:"reason,omitzero" maxLength:"1000"`
	LotID          ID          `json:"lotId,omitzero" doc:"an existing lot of the product"`
	LotCode        string      `json:"lotCode,omitzero" doc:"lot code; the lot is created if it does not exist"`
	SerialIDs      []ID        `json:"serialIds,omitzero" maxItems:"1000"`
	SerialNumbers  []string    `json:"serialNumbers,omitzero" maxItems:"1000"`
	UnitCode       string      `json:"unitCode,omitzero" doc:"the unit of unitQuantity"`
	UnitQuantity   *int64      `json:"unitQuantity,omitzero" minimum:"1" doc:"must equal quantity when converted"`
	ReferenceType  string      `json:"referenceType,omitzero"`
	ReferenceID    string      `json:"referenceId,omitzero"`
	Metadata       Metadata    `json:"metadata,omitzero"`
}

func (in *ReturnStockInput) validate(p *Problems) {
	serials := len(in.SerialIDs) + len(in.SerialNumbers)
	checkCounted(p, in.Quantity, serials)
	checkUnitPair(p, in.UnitCode, in.UnitQuantity)
	if serials > 0 && in.LotCode != "" {
		p.Add("lotCode", "exclusive", "serials return to the lot they left with; omit the lot")
	}
}

// FulfillStockInput describes stock to fulfill without an outbound: from one state of a
// balance, or from a committed reservation.
type FulfillStockInput struct {
	ProductID      ID          `json:"productId,omitzero" required:"true"`
	LocationID     ID          `json:"locationId,omitzero" required:"true"`
	Quantity       *int64      `json:"quantity,omitzero" minimum:"1" doc:"default: the number of serials, or all that the reservation holds"`
	InventoryState OnHandState `json:"inventoryState,omitzero" doc:"default: available; committed with a reservation"`
	ReservationID  ID          `json:"reservationId,omitzero" doc:"the committed reservation to fulfill"`
	OwnerID        ID          `json:"ownerId,omitzero" doc:"default: the organization's default owner, or the reservation's owner"`
	ChannelID      ID          `json:"channelId,omitzero" doc:"default: the organization's default channel, or the reservation's channel"`
	Reason         string      `json:"reason,omitzero" maxLength:"1000"`
	LotID          ID          `json:"lotId,omitzero" doc:"only stock of this lot"`
	LotStrategy    LotStrategy `json:"lotStrategy,omitzero" doc:"fefo: earliest expiration first"`
	SerialIDs      []ID        `json:"serialIds,omitzero" maxItems:"1000"`
	SerialNumbers  []string    `json:"serialNumbers,omitzero" maxItems:"1000"`
	UnitCode       string      `json:"unitCode,omitzero" doc:"the unit of unitQuantity"`
	UnitQuantity   *int64      `json:"unitQuantity,omitzero" minimum:"1" doc:"must equal quantity when converted"`
	ReferenceType  string      `json:"referenceType,omitzero"`
	ReferenceID    string      `json:"referenceId,omitzero"`
	Metadata       Metadata    `json:"metadata,omitzero"`
}

func (in *FulfillStockInput) validate(p *Problems) {
	reserved := in.ReservationID != (ID{})
	if !reserved {
		checkCounted(p, in.Quantity, len(in.SerialIDs)+len(in.SerialNumbers))
	}
	checkUnitPair(p, in.UnitCode, in.UnitQuantity)
	checkLotRules(p, in.InventoryState, in.LotID, in.LotStrategy)
	if reserved && in.LotID != (ID{}) {
		p.Add("lotId", "exclusive", "a reservation holds its own lots; omit the lot")
	}
	if reserved && in.InventoryState != "" && in.InventoryState != OnHandState(Committed) {
		p.Add("inventoryState", "exclusive", "a reservation is fulfilled from committed; omit the state")
	}
}

// WriteOffStockInput describes stock to write off.
type WriteOffStockInput struct {
	ProductID      ID          `json:"productId,omitzero" required:"true"`
	LocationID     ID          `json:"locationId,omitzero" required:"true"`
	Quantity       *int64      `json:"quantity,omitzero" minimum:"1" doc:"default: the number of serials"`
	InventoryState OnHandState `json:"inventoryState,omitzero" doc:"default: available"`
	Reason         string      `json:"reason,omitzero" required:"true" maxLength:"1000"`
	OwnerID        ID          `json:"ownerId,omitzero" doc:"default: the organization's default owner"`
	ChannelID      ID          `json:"channelId,omitzero" doc:"default: the organization's default channel"`
	LotID          ID          `json:"lotId,omitzero" doc:"only stock of this lot"`
	LotStrategy    LotStrategy `json:"lotStrategy,omitzero" doc:"fefo: earliest expiration first"`
	SerialIDs      []ID        `json:"serialIds,omitzero" maxItems:"1000"`
	SerialNumbers  []string    `json:"serialNumbers,omitzero" maxItems:"1000"`
	UnitCode       string      `json:"unitCode,omitzero" doc:"the unit of unitQuantity"`
	UnitQuantity   *int64      `json:"unitQuantity,omitzero" minimum:"1" doc:"must equal quantity when converted"`
	ReferenceType  string      `json:"referenceType,omitzero"`
	ReferenceID    string      `json:"referenceId,omitzero"`
	Metadata       Metadata    `json:"metadata,omitzero"`
}

func (in *WriteOffStockInput) validate(p *Problems) {
	checkCounted(p, in.Quantity, len(in.SerialIDs)+len(in.SerialNumbers))
	checkUnitPair(p, in.UnitCode, in.UnitQuantity)
	checkLotRules(p, in.InventoryState, in.LotID, in.LotStrategy)
}

// ReconcileStockInput is the counted on-hand quantity of a balance, or of one of its
// lots.
type ReconcileStockInput struct {
	ProductID       ID       `json:"productId,omitzero" required:"true"`
	LocationID      ID       `json:"locationId,omitzero" required:"true"`
	CountedQuantity *int64   `json:"countedQuantity,omitzero" required:"true" minimum:"0"`
	OwnerID         ID       `json:"ownerId,omitzero" doc:"default: the organization's default owner"`
	ChannelID       ID       `json:"channelId,omitzero" doc:"default: the organization's default channel"`
	LotID           ID       `json:"lotId,omitzero" doc:"the lot, if only this lot was counted"`
	Reason          string   `json:"reason,omitzero" maxLength:"1000"`
	ReferenceType   string   `json:"referenceType,omitzero"`
	ReferenceID     string   `json:"referenceId,omitzero"`
	Metadata        Metadata `json:"metadata,omitzero"`
}

// checkCounted checks that there is a quantity, or serials that imply it.
func checkCounted(p *Problems, quantity *int64, serials int) {
	if quantity == nil && serials == 0 {
		p.Add("quantity", "required", "is required without serials")
	}
}

// checkLotRules checks the fields that go with a lot. Committed stock of a lot always
// belongs to a document; stock committed manually has no lot.
func checkLotRules(p *Problems, state OnHandState, lot ID, strategy LotStrategy) {
	if lot != (ID{}) && strategy != "" {
		p.Add("lotStrategy", "exclusive", "provide a lot or a strategy, not both")
	}
	if lot != (ID{}) && state == OnHandState(Committed) {
		p.Add("lotId", "exclusive", "committed stock of a lot is held by an outbound or reservation; fulfill that document")
	}
}

var (
	// ReceiveStock receives stock without an inbound.
	ReceiveStock = operation[ReceiveStockInput, StockResult](Spec{
		ID: "receiveStock", Method: "POST", Path: "/stock/receive", Scope: InventoryWrite,
		Direction: DirectionIn,
		Conflicts: slices.Concat(unitConflicts, lotConflicts, arrivalConflicts, []Code{ProductArchived}),
		Summary:   "Receive stock without an inbound", Extension: true})
	// ReturnStock records stock that comes back after it was shipped or consumed. Serials
	// return to the lot they left with.
	ReturnStock = operation[ReturnStockInput, StockResult](Spec{
		ID: "returnStock", Method: "POST", Path: "/stock/return", Scope: InventoryWrite,
		Direction: DirectionIn,
		Conflicts: slices.Concat(unitConflicts, lotConflicts, arrivalConflicts, []Code{SerialNotAvailable}),
		Summary:   "Return stock to available or to quality control", Extension: true})
	// FulfillStock issues stock without an outbound, or the stock of a committed
	// reservation.
	FulfillStock = operation[FulfillStockInput, StockResult](Spec{
		ID: "fulfillStock", Method: "POST", Path: "/stock/fulfill", Scope: InventoryWrite,
		Direction: DirectionOut,
		Conflicts: slices.Concat(issueConflicts, unitConflicts, lotConflicts, serialConflicts, pendingConflicts, []Code{ReservationNotCommitted, StateBackedByDocuments}),
		Summary:   "Fulfill stock without an outbound, or a committed reservation", Extension: true})
	// WriteOffStock removes stock that is lost, broken or expired.
	WriteOffStock = operation[WriteOffStockInput, StockResult](Spec{
		ID: "writeOffStock", Method: "POST", Path: "/stock/write-off", Scope: InventoryWrite,
		Direction: DirectionOut,
		Conflicts: slices.Concat(issueConflicts, unitConflicts, lotConflicts, serialConflicts, []Code{StateBackedByDocuments}),
		Example:   Example{"reason": "Broken on the dock"},
		Summary:   "Write off stock", Extension: true})
	// ReconcileStock adjusts a balance to a counted on-hand quantity. The difference is
	// posted to available.
	ReconcileStock = operation[ReconcileStockInput, StockResult](Spec{
		ID: "reconcileStock", Method: "POST", Path: "/stock/reconcile", Scope: InventoryWrite,
		Direction: DirectionEither,
		Conflicts: slices.Concat(issueConflicts, lotConflicts, serialConflicts, []Code{QuantityTooLarge}),
		Summary:   "Reconcile a balance with a count", Extension: true})
)
