package api

import (
	"slices"

	"bincard/server/api/role"
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
	StockKey
	InventoryState State    `json:"inventoryState,omitzero" required:"true"`
	QuantityDelta  int64    `json:"quantityDelta,omitzero" required:"true" nonzero:"true"`
	Reason         string   `json:"reason,omitzero" required:"true" maxLength:"1000" text:"note"`
	Metadata       Metadata `json:"metadata,omitzero"`
	Reference
}

// MoveStockInput describes a move between two states of one balance.
type MoveStockInput struct {
	StockKey
	Quantity         int64        `json:"quantity,omitzero" required:"true" minimum:"1"`
	SourceState      MovableState `json:"sourceState,omitzero" required:"true"`
	DestinationState MovableState `json:"destinationState,omitzero" required:"true"`
	Reason           string       `json:"reason,omitzero" required:"true" maxLength:"1000" text:"note"`
	Metadata         Metadata     `json:"metadata,omitzero"`
	LotChoice
	SerialChoice
	UnitInput
	Reference
}

// validate checks rules that involve several fields.
func (in *MoveStockInput) validate(p *Problems) {
	if in.SourceState != "" && in.SourceState == in.DestinationState {
		p.Add("destinationState", "distinct", "must differ from sourceState")
	}
	in.LotChoice.check(p)
	in.UnitInput.check(p)
}

// DisassembleInput describes the kits to disassemble into their components.
type DisassembleInput struct {
	StockKey
	Quantity      int64    `json:"quantity,omitzero" required:"true" minimum:"1"`
	Reason        string   `json:"reason,omitzero" maxLength:"1000" text:"note"`
	Metadata      Metadata `json:"metadata,omitzero"`
	UnitCode      string   `json:"unitCode,omitzero" text:"any" doc:"the unit of unitQuantity (extension)"`
	UnitQuantity  *int64   `json:"unitQuantity,omitzero" minimum:"1" doc:"must equal quantity when converted (extension)"`
	SerialIDs     []ID     `json:"serialIds,omitzero" maxItems:"1000" doc:"the kits, if tracked by serial number (extension)"`
	SerialNumbers []string `json:"serialNumbers,omitzero" maxItems:"1000" text:"any" doc:"the kits, if tracked by serial number (extension)"`
	LotID         ID       `json:"lotId,omitzero" doc:"only kits of this lot (extension)"`
	// ComponentLots are the lots that components return to. The rest of them has no lot.
	ComponentLots []ComponentLot `json:"componentLots,omitzero" maxItems:"100" doc:"the lots that components return to; the rest has no lot (extension)"`
	Reference
}

// A ComponentLot is a lot of a kit's component, with the quantity that returns to it.
type ComponentLot struct {
	LotID    ID    `json:"lotId,omitzero" required:"true"`
	Quantity int64 `json:"quantity,omitzero" required:"true" minimum:"1"`
}

// validate checks rules that involve several fields.
func (in *DisassembleInput) validate(p *Problems) { checkUnitPair(p, in.UnitCode, in.UnitQuantity) }

// AssembleInput describes the kits to assemble from their components, with the kits' lot
// and serials.
type AssembleInput struct {
	StockKey
	Quantity int64         `json:"quantity,omitzero" required:"true" minimum:"1"`
	Reason   string        `json:"reason,omitzero" maxLength:"1000" text:"note"`
	Serials  []SerialInput `json:"serials,omitzero" maxItems:"1000" doc:"one per kit"`
	Metadata Metadata      `json:"metadata,omitzero"`
	NewLot
	UnitInput
	Reference
}

// validate checks rules that involve several fields.
func (in *AssembleInput) validate(p *Problems) { in.UnitInput.check(p) }

var (
	// AdjustStock changes one state of one balance by a signed quantity. onHand changes
	// with the states it includes; adjusting onHand changes available.
	AdjustStock = operation[AdjustStockInput, StockResult](Spec{
		ID:         "adjustStock",
		Method:     "POST",
		Path:       "/stock/adjust",
		Scope:      InventoryWrite,
		Billable:   true,
		Direction:  DirectionEither,
		Permission: role.MayAdjust,
		Conflicts: slices.Concat(issueConflicts, unitConflicts, serialConflicts,
			[]Code{StateBackedByDocuments, ProductArchived, QuantityTooLarge}),
		Summary: "Adjust one inventory state of a product location balance",
	})
	// MoveStock moves stock between two states of one balance. On-hand stock does not
	// change.
	MoveStock = operation[MoveStockInput, StockResult](Spec{
		ID:        "moveStock",
		Method:    "POST",
		Path:      "/stock/move-state",
		Scope:     InventoryWrite,
		Billable:  true,
		Direction: DirectionWithin,
		Conflicts: slices.Concat(issueConflicts, unitConflicts, lotConflicts, serialConflicts,
			[]Code{StateBackedByDocuments}),
		Example: Example{"reason": "Dented"},
		Summary: "Move stock between inventory states without changing on-hand",
	})
	// DisassembleStock disassembles kits into their components.
	DisassembleStock = operation[DisassembleInput, DisassembleResult](Spec{
		ID:        "disassembleStock",
		Method:    "POST",
		Path:      "/stock/disassemble",
		Scope:     InventoryWrite,
		Billable:  true,
		Direction: DirectionOut,
		Conflicts: slices.Concat(issueConflicts, unitConflicts, lotConflicts, serialConflicts,
			[]Code{ProductNotComposed, QuantityTooLarge}),
		Summary: "Disassemble a kit or bundle into component stock",
	})
	// AssembleStock assembles kits from their components.
	AssembleStock = operation[AssembleInput, DisassembleResult](Spec{
		ID:        "assembleStock",
		Method:    "POST",
		Path:      "/stock/assemble",
		Scope:     InventoryWrite,
		Direction: DirectionIn,
		Conflicts: slices.Concat(issueConflicts, unitConflicts, lotConflicts, arrivalConflicts,
			[]Code{ProductNotComposed, ProductArchived}),
		Summary:   "Assemble a kit or bundle from component stock",
		Extension: true,
	})
)
