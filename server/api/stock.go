package api

import (
	"slices"
	"time"
)

// MovableState is a state that stock can be moved to and from manually.
type MovableState State

// Values lists the movable states.
func (MovableState) Values() []string {
	return toStrings([]State{Available, Reserved, Damaged, QualityControl, SafetyStock})
}

// LotStrategy is how an operation chooses lots.
type LotStrategy string

// FEFO consumes the earliest-expiring stock first.
const FEFO LotStrategy = "fefo"

// Values lists the strategies.
func (LotStrategy) Values() []string { return []string{string(FEFO)} }

// StockResult is the result of a direct stock change.
type StockResult struct {
	Balance   Balance    `json:"balance"`
	Movements []Movement `json:"movements"`
}

func (r *StockResult) movements() []Movement { return r.Movements }

// DisassembleResult is the result of assembling or disassembling kits.
type DisassembleResult struct {
	Balance           Balance    `json:"balance"`
	ComponentBalances []Balance  `json:"componentBalances"`
	Movements         []Movement `json:"movements"`
}

func (r *DisassembleResult) movements() []Movement { return r.Movements }

// AdjustStockInput describes a signed change to one state of one balance.
type AdjustStockInput struct {
	ProductID      ID       `json:"productId,omitzero" required:"true"`
	LocationID     ID       `json:"locationId,omitzero" required:"true"`
	InventoryState State    `json:"inventoryState,omitzero" required:"true"`
	QuantityDelta  int64    `json:"quantityDelta,omitzero" required:"true" nonzero:"true"`
	Reason         string   `json:"reason,omitzero" required:"true" maxLength:"1000"`
	OwnerID        ID       `json:"ownerId,omitzero" doc:"default: the organization's default owner"`
	ChannelID      ID       `json:"channelId,omitzero" doc:"default: the organization's default channel"`
	ReferenceType  string   `json:"referenceType,omitzero"`
	ReferenceID    string   `json:"referenceId,omitzero"`
	Metadata       Metadata `json:"metadata,omitzero"`
}

// MoveStockInput describes a move between two states of one balance.
type MoveStockInput struct {
	ProductID        ID           `json:"productId,omitzero" required:"true"`
	LocationID       ID           `json:"locationId,omitzero" required:"true"`
	Quantity         int64        `json:"quantity,omitzero" required:"true" minimum:"1"`
	SourceState      MovableState `json:"sourceState,omitzero" required:"true"`
	DestinationState MovableState `json:"destinationState,omitzero" required:"true"`
	Reason           string       `json:"reason,omitzero" required:"true" maxLength:"1000"`
	OwnerID          ID           `json:"ownerId,omitzero" doc:"default: the organization's default owner"`
	ChannelID        ID           `json:"channelId,omitzero" doc:"default: the organization's default channel"`
	SerialIDs        []ID         `json:"serialIds,omitzero" maxItems:"1000"`
	SerialNumbers    []string     `json:"serialNumbers,omitzero" maxItems:"1000"`
	UnitCode         string       `json:"unitCode,omitzero" doc:"the unit of unitQuantity"`
	UnitQuantity     *int64       `json:"unitQuantity,omitzero" minimum:"1" doc:"must equal quantity when converted"`
	ReferenceType    string       `json:"referenceType,omitzero"`
	ReferenceID      string       `json:"referenceId,omitzero"`
	Metadata         Metadata     `json:"metadata,omitzero"`
	LotID            ID           `json:"lotId,omitzero" doc:"the lot to move"`
	LotStrategy      LotStrategy  `json:"lotStrategy,omitzero" doc:"fefo: earliest expiration first"`
}

// validate checks rules that involve several fields.
func (in *MoveStockInput) validate(p *Problems) {
	if in.SourceState != "" && in.SourceState == in.DestinationState {
		p.Add("destinationState", "distinct", "must differ from sourceState")
	}
	if in.LotID != (ID{}) && in.LotStrategy != "" {
		p.Add("lotStrategy", "exclusive", "provide a lot or a strategy, not both")
	}
	checkUnitPair(p, in.UnitCode, in.UnitQuantity)
}

// checkUnitPair checks that a unit and its quantity are provided together.
func checkUnitPair(p *Problems, code string, quantity *int64) {
	if (code == "") != (quantity == nil) {
		p.Add("unitQuantity", "together", "unitCode and unitQuantity must be provided together")
	}
}

// DisassembleInput describes the kits to disassemble into their components.
type DisassembleInput struct {
	ProductID     ID       `json:"productId,omitzero" required:"true"`
	LocationID    ID       `json:"locationId,omitzero" required:"true"`
	Quantity      int64    `json:"quantity,omitzero" required:"true" minimum:"1"`
	OwnerID       ID       `json:"ownerId,omitzero" doc:"default: the organization's default owner"`
	ChannelID     ID       `json:"channelId,omitzero" doc:"default: the organization's default channel"`
	Reason        string   `json:"reason,omitzero" maxLength:"1000"`
	ReferenceType string   `json:"referenceType,omitzero"`
	ReferenceID   string   `json:"referenceId,omitzero"`
	Metadata      Metadata `json:"metadata,omitzero"`
	UnitCode      string   `json:"unitCode,omitzero" doc:"the unit of unitQuantity (extension)"`
	UnitQuantity  *int64   `json:"unitQuantity,omitzero" minimum:"1" doc:"must equal quantity when converted (extension)"`
	SerialIDs     []ID     `json:"serialIds,omitzero" maxItems:"1000" doc:"the kits, if tracked by serial number (extension)"`
	SerialNumbers []string `json:"serialNumbers,omitzero" maxItems:"1000" doc:"the kits, if tracked by serial number (extension)"`
}

// validate checks rules that involve several fields.
func (in *DisassembleInput) validate(p *Problems) { checkUnitPair(p, in.UnitCode, in.UnitQuantity) }

// AssembleInput describes the kits to assemble from their components, with the kits' lot
// and serials.
type AssembleInput struct {
	ProductID     ID            `json:"productId,omitzero" required:"true"`
	LocationID    ID            `json:"locationId,omitzero" required:"true"`
	Quantity      int64         `json:"quantity,omitzero" required:"true" minimum:"1"`
	OwnerID       ID            `json:"ownerId,omitzero" doc:"default: the organization's default owner"`
	ChannelID     ID            `json:"channelId,omitzero" doc:"default: the organization's default channel"`
	Reason        string        `json:"reason,omitzero" maxLength:"1000"`
	UnitCode      string        `json:"unitCode,omitzero" doc:"the unit of unitQuantity"`
	UnitQuantity  *int64        `json:"unitQuantity,omitzero" minimum:"1" doc:"must equal quantity when converted"`
	LotID         ID            `json:"lotId,omitzero" doc:"an existing lot of the kit"`
	LotCode       string        `json:"lotCode,omitzero" doc:"lot code; the lot is created if it does not exist"`
	BatchCode     string        `json:"batchCode,omitzero"`
	ExpiresAt     *time.Time    `json:"expiresAt,omitzero"`
	LotMetadata   Metadata      `json:"lotMetadata,omitzero" doc:"stored with a new lot; an existing lot keeps its own"`
	Serials       []SerialInput `json:"serials,omitzero" maxItems:"1000" doc:"one per kit"`
	ReferenceType string        `json:"referenceType,omitzero"`
	ReferenceID   string        `json:"referenceId,omitzero"`
	Metadata      Metadata      `json:"metadata,omitzero"`
}

// validate checks rules that involve several fields.
func (in *AssembleInput) validate(p *Problems) { checkUnitPair(p, in.UnitCode, in.UnitQuantity) }

var (
	// AdjustStock changes one state of one balance by a signed quantity. onHand changes
	// with the states it includes; adjusting onHand changes available.
	AdjustStock = operation[AdjustStockInput, StockResult](Spec{
		ID: "adjustStock", Method: "POST", Path: "/stock/adjust", Scope: InventoryWrite, Billable: true,
		Direction: DirectionEither,
		Conflicts: slices.Concat(issueConflicts, unitConflicts, serialConflicts, []Code{StateBackedByDocuments, ProductArchived, QuantityTooLarge}),
		Summary:   "Adjust one inventory state of a product location balance"})
	// MoveStock moves stock between two states of one balance. On-hand stock does not
	// change.
	MoveStock = operation[MoveStockInput, StockResult](Spec{
		ID: "moveStock", Method: "POST", Path: "/stock/move-state", Scope: InventoryWrite, Billable: true,
		Direction: DirectionWithin,
		Conflicts: slices.Concat(issueConflicts, unitConflicts, lotConflicts, serialConflicts, []Code{StateBackedByDocuments}),
		Example:   Example{"reason": "Dented"},
		Summary:   "Move stock between inventory states without changing on-hand"})
	// DisassembleStock disassembles kits into their components.
	DisassembleStock = operation[DisassembleInput, DisassembleResult](Spec{
		ID: "disassembleStock", Method: "POST", Path: "/stock/disassemble", Scope: InventoryWrite, Billable: true,
		Direction: DirectionOut,
		Conflicts: slices.Concat(issueConflicts, unitConflicts, serialConflicts, []Code{ProductNotComposed, QuantityTooLarge}),
		Summary:   "Disassemble a kit or bundle into component stock"})
	// AssembleStock assembles kits from their components.
	AssembleStock = operation[AssembleInput, DisassembleResult](Spec{
		ID: "assembleStock", Method: "POST", Path: "/stock/assemble", Scope: InventoryWrite,
		Direction: DirectionIn,
		Conflicts: slices.Concat(issueConflicts, unitConflicts, lotConflicts, arrivalConflicts, []Code{ProductNotComposed}),
		Summary:   "Assemble a kit or bundle from component stock", Extension: true})
)
