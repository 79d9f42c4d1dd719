package api

import (
	"slices"

	"bincard/server/api/role"
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
	StockKey
	Quantity *int64        `json:"quantity,omitzero" minimum:"1" doc:"default: the number of serials"`
	Reason   string        `json:"reason,omitzero" maxLength:"1000" text:"note"`
	Serials  []SerialInput `json:"serials,omitzero" maxItems:"1000" doc:"one per unit"`
	Metadata Metadata      `json:"metadata,omitzero"`
	NewLot
	UnitInput
	Reference
}

func (in *ReceiveStockInput) validate(p *Problems) {
	checkCounted(p, in.Quantity, len(in.Serials))
	in.UnitInput.check(p)
}

// ReturnStockInput describes stock that comes back after it was shipped, consumed or
// written off.
type ReturnStockInput struct {
	StockKey
	Quantity       *int64      `json:"quantity,omitzero" minimum:"1" doc:"default: the number of serials"`
	InventoryState ReturnState `json:"inventoryState,omitzero" doc:"default: available"`
	Reason         string      `json:"reason,omitzero" maxLength:"1000" text:"note"`
	LotID          ID          `json:"lotId,omitzero" doc:"an existing lot of the product"`
	LotCode        string      `json:"lotCode,omitzero" doc:"lot code; the lot is created if it does not exist"`
	Metadata       Metadata    `json:"metadata,omitzero"`
	SerialChoice
	UnitInput
	Reference
}

func (in *ReturnStockInput) validate(p *Problems) {
	serials := len(in.SerialIDs) + len(in.SerialNumbers)
	checkCounted(p, in.Quantity, serials)
	in.UnitInput.check(p)
	if serials > 0 && in.LotCode != "" {
		p.Add("lotCode", "exclusive", "serials return to the lot they left with; omit the lot")
	}
}

// FulfillStockInput describes stock to fulfill without an outbound: from one state of a
// balance, or from a committed reservation.
type FulfillStockInput struct {
	StockKey
	Quantity       *int64      `json:"quantity,omitzero" minimum:"1" doc:"default: the number of serials, or all that the reservation holds"`
	InventoryState OnHandState `json:"inventoryState,omitzero" doc:"default: available; committed with a reservation"`
	ReservationID  ID          `json:"reservationId,omitzero" doc:"the committed reservation to fulfill; its owner and channel are the defaults"`
	Reason         string      `json:"reason,omitzero" maxLength:"1000" text:"note"`
	Metadata       Metadata    `json:"metadata,omitzero"`
	LotChoice
	SerialChoice
	UnitInput
	Reference
}

func (in *FulfillStockInput) validate(p *Problems) {
	reserved := in.ReservationID != NoID
	if !reserved {
		checkCounted(p, in.Quantity, len(in.SerialIDs)+len(in.SerialNumbers))
	}

	in.UnitInput.check(p)
	checkIssue(p, in.InventoryState, &in.LotChoice)
	if reserved && in.LotID != NoID {
		p.Add("lotId", "exclusive", "a reservation holds its own lots; omit the lot")
	}
	if reserved && in.InventoryState != "" && in.InventoryState != OnHandState(Committed) {
		p.Add("inventoryState", "exclusive", "a reservation is fulfilled from committed; omit the state")
	}
}

// WriteOffStockInput describes stock to write off.
type WriteOffStockInput struct {
	StockKey
	Quantity       *int64      `json:"quantity,omitzero" minimum:"1" doc:"default: the number of serials"`
	InventoryState OnHandState `json:"inventoryState,omitzero" doc:"default: available"`
	Reason         string      `json:"reason,omitzero" required:"true" maxLength:"1000" text:"note"`
	Metadata       Metadata    `json:"metadata,omitzero"`
	LotChoice
	SerialChoice
	UnitInput
	Reference
}

func (in *WriteOffStockInput) validate(p *Problems) {
	checkCounted(p, in.Quantity, len(in.SerialIDs)+len(in.SerialNumbers))
	in.UnitInput.check(p)
	checkIssue(p, in.InventoryState, &in.LotChoice)
}

// ReconcileStockInput is the counted on-hand quantity of a balance, or of one of its
// lots.
type ReconcileStockInput struct {
	StockKey
	CountedQuantity *int64   `json:"countedQuantity,omitzero" required:"true" minimum:"0"`
	LotID           ID       `json:"lotId,omitzero" doc:"the lot, if only this lot was counted"`
	Reason          string   `json:"reason,omitzero" maxLength:"1000" text:"note"`
	Metadata        Metadata `json:"metadata,omitzero"`
	Reference
}

// checkCounted checks that there is a quantity, or serials that imply it.
func checkCounted(p *Problems, quantity *int64, serials int) {
	if quantity == nil && serials == 0 {
		p.Add("quantity", "required", "is required without serials")
	}
}

// checkIssue checks which lots are issued from a state. Committed stock of a lot always
// belongs to a document; stock committed manually has no lot.
func checkIssue(p *Problems, state OnHandState, lots *LotChoice) {
	lots.check(p)
	if lots.LotID != NoID && state == OnHandState(Committed) {
		p.Add("lotId", "exclusive",
			"committed stock of a lot is held by an outbound or reservation; fulfill that document")
	}
}

var (
	// ReceiveStock receives stock without an inbound.
	ReceiveStock = operation[ReceiveStockInput, StockResult](Spec{
		ID: "receiveStock", Method: "POST", Path: "/stock/receive", Scope: InventoryWrite,
		Direction: DirectionIn, Permission: role.MayAdjust,
		Conflicts: slices.Concat(unitConflicts, lotConflicts, arrivalConflicts, []Code{ProductArchived}),
		Summary:   "Receive stock without an inbound", Extension: true})
	// ReturnStock records stock that comes back after it was shipped, consumed or written
	// off. Serials return to the lot they left with.
	ReturnStock = operation[ReturnStockInput, StockResult](Spec{
		ID: "returnStock", Method: "POST", Path: "/stock/return", Scope: InventoryWrite,
		Direction: DirectionIn, Permission: role.MayAdjust,
		Conflicts: slices.Concat(unitConflicts, lotConflicts, arrivalConflicts, []Code{SerialNotAvailable}),
		Summary:   "Return stock to available or to quality control", Extension: true})
	// FulfillStock fulfills stock without an outbound, or the stock of a committed
	// reservation.
	FulfillStock = operation[FulfillStockInput, StockResult](Spec{
		ID:        "fulfillStock",
		Method:    "POST",
		Path:      "/stock/fulfill",
		Scope:     InventoryWrite,
		Direction: DirectionOut,
		Conflicts: slices.Concat(issueConflicts, unitConflicts, lotConflicts, serialConflicts, pendingConflicts,
			[]Code{ReservationNotCommitted, StateBackedByDocuments}),
		Summary:   "Fulfill stock without an outbound, or a committed reservation",
		Extension: true,
	})
	// WriteOffStock removes stock that is lost, broken or expired.
	WriteOffStock = operation[WriteOffStockInput, StockResult](Spec{
		ID:         "writeOffStock",
		Method:     "POST",
		Path:       "/stock/write-off",
		Scope:      InventoryWrite,
		Direction:  DirectionOut,
		Permission: role.MayAdjust,
		Conflicts: slices.Concat(issueConflicts, unitConflicts, lotConflicts, serialConflicts,
			[]Code{StateBackedByDocuments}),
		Example:   Example{"reason": "Broken on the dock"},
		Summary:   "Write off stock",
		Extension: true,
	})
	// ReconcileStock adjusts a balance to a counted on-hand quantity. The difference is
	// posted to available.
	ReconcileStock = operation[ReconcileStockInput, StockResult](Spec{
		ID: "reconcileStock", Method: "POST", Path: "/stock/reconcile", Scope: InventoryWrite,
		Direction: DirectionEither, Permission: role.MayCount,
		Conflicts: slices.Concat(issueConflicts, lotConflicts, serialConflicts, []Code{QuantityTooLarge}),
		Summary:   "Reconcile a balance with a count", Extension: true})
)
