package api

import "time"

// MovableState is a state that stock can be moved to and from by hand.
type MovableState State

// Values lists the movable states.
func (MovableState) Values() []string {
	return toStrings([]State{Available, Reserved, Damaged, QualityControl, SafetyStock})
}

// LotStrategy chooses lots where none is named.
type LotStrategy string

// FEFO consumes the earliest-expiring stock first.
const FEFO LotStrategy = "fefo"

// Values lists the strategies.
func (LotStrategy) Values() []string { return []string{string(FEFO)} }

// StockResult answers a direct change of stock.
type StockResult struct {
	Balance   Balance    `json:"balance"`
	Movements []Movement `json:"movements"`
}

// DisassembleResult answers taking kits apart, and putting them together.
type DisassembleResult struct {
	Balance           Balance    `json:"balance"`
	ComponentBalances []Balance  `json:"componentBalances"`
	Movements         []Movement `json:"movements"`
}

// AdjustStockInput changes one state of one balance by a signed difference.
type AdjustStockInput struct {
	ProductID      ID       `json:"productId,omitzero" required:"true"`
	LocationID     ID       `json:"locationId,omitzero" required:"true"`
	InventoryState State    `json:"inventoryState,omitzero" required:"true"`
	QuantityDelta  int64    `json:"quantityDelta,omitzero" required:"true" nonzero:"true"`
	Reason         string   `json:"reason,omitzero" required:"true" maxLength:"1000"`
	OwnerID        ID       `json:"ownerId,omitzero" doc:"the organization's default owner when omitted"`
	ChannelID      ID       `json:"channelId,omitzero" doc:"the organization's default channel when omitted"`
	ReferenceType  string   `json:"referenceType,omitzero"`
	ReferenceID    string   `json:"referenceId,omitzero"`
	Metadata       Metadata `json:"metadata,omitzero"`
}

// MoveStockInput moves stock between two states of one balance.
type MoveStockInput struct {
	ProductID        ID           `json:"productId,omitzero" required:"true"`
	LocationID       ID           `json:"locationId,omitzero" required:"true"`
	Quantity         int64        `json:"quantity,omitzero" required:"true" minimum:"1"`
	SourceState      MovableState `json:"sourceState,omitzero" required:"true"`
	DestinationState MovableState `json:"destinationState,omitzero" required:"true"`
	Reason           string       `json:"reason,omitzero" required:"true" maxLength:"1000"`
	OwnerID          ID           `json:"ownerId,omitzero" doc:"the organization's default owner when omitted"`
	ChannelID        ID           `json:"channelId,omitzero" doc:"the organization's default channel when omitted"`
	SerialIDs        []ID         `json:"serialIds,omitzero" maxItems:"1000"`
	SerialNumbers    []string     `json:"serialNumbers,omitzero" maxItems:"1000"`
	UnitCode         string       `json:"unitCode,omitzero" doc:"the unit of unitQuantity"`
	UnitQuantity     *int64       `json:"unitQuantity,omitzero" minimum:"1" doc:"converted, it must match quantity"`
	ReferenceType    string       `json:"referenceType,omitzero"`
	ReferenceID      string       `json:"referenceId,omitzero"`
	Metadata         Metadata     `json:"metadata,omitzero"`
	LotID            ID           `json:"lotId,omitzero" doc:"the lot to move"`
	LotStrategy      LotStrategy  `json:"lotStrategy,omitzero" doc:"fefo: earliest-expiring stock first"`
}

// validate holds the rules that span several fields.
func (in *MoveStockInput) validate(p *Problems) {
	if in.SourceState != "" && in.SourceState == in.DestinationState {
		p.Add("destinationState", "distinct", "must be another state than sourceState")
	}
	if in.LotID != (ID{}) && in.LotStrategy != "" {
		p.Add("lotStrategy", "exclusive", "name a lot or a strategy, not both")
	}
	checkUnitPair(p, in.UnitCode, in.UnitQuantity)
}

// unitPair holds that a unit and a quantity in it go together.
func checkUnitPair(p *Problems, code string, quantity *int64) {
	if (code == "") != (quantity == nil) {
		p.Add("unitQuantity", "together", "unitCode and unitQuantity go together")
	}
}

// DisassembleInput takes kits apart into their components. Units and serials
// are additions of this service.
type DisassembleInput struct {
	ProductID     ID       `json:"productId,omitzero" required:"true"`
	LocationID    ID       `json:"locationId,omitzero" required:"true"`
	Quantity      int64    `json:"quantity,omitzero" required:"true" minimum:"1"`
	OwnerID       ID       `json:"ownerId,omitzero" doc:"the organization's default owner when omitted"`
	ChannelID     ID       `json:"channelId,omitzero" doc:"the organization's default channel when omitted"`
	Reason        string   `json:"reason,omitzero" maxLength:"1000"`
	ReferenceType string   `json:"referenceType,omitzero"`
	ReferenceID   string   `json:"referenceId,omitzero"`
	Metadata      Metadata `json:"metadata,omitzero"`
	UnitCode      string   `json:"unitCode,omitzero" doc:"the unit of unitQuantity (extension)"`
	UnitQuantity  *int64   `json:"unitQuantity,omitzero" minimum:"1" doc:"converted, it must match quantity (extension)"`
	SerialIDs     []ID     `json:"serialIds,omitzero" maxItems:"1000" doc:"the kits, where they are kept by serial number (extension)"`
	SerialNumbers []string `json:"serialNumbers,omitzero" maxItems:"1000" doc:"the kits, where they are kept by serial number (extension)"`
}

// validate holds the rules that span several fields.
func (in *DisassembleInput) validate(p *Problems) { checkUnitPair(p, in.UnitCode, in.UnitQuantity) }

// AssembleInput puts kits together from their components. Lot and serials are the kits'.
type AssembleInput struct {
	ProductID     ID            `json:"productId,omitzero" required:"true"`
	LocationID    ID            `json:"locationId,omitzero" required:"true"`
	Quantity      int64         `json:"quantity,omitzero" required:"true" minimum:"1"`
	OwnerID       ID            `json:"ownerId,omitzero" doc:"the organization's default owner when omitted"`
	ChannelID     ID            `json:"channelId,omitzero" doc:"the organization's default channel when omitted"`
	Reason        string        `json:"reason,omitzero" maxLength:"1000"`
	UnitCode      string        `json:"unitCode,omitzero" doc:"the unit of unitQuantity"`
	UnitQuantity  *int64        `json:"unitQuantity,omitzero" minimum:"1" doc:"converted, it must match quantity"`
	LotID         ID            `json:"lotId,omitzero" doc:"an existing lot of the kit"`
	LotCode       string        `json:"lotCode,omitzero" doc:"the lot of this code; made when there is none"`
	BatchCode     string        `json:"batchCode,omitzero"`
	ExpiresAt     *time.Time    `json:"expiresAt,omitzero"`
	LotMetadata   Metadata      `json:"lotMetadata,omitzero" doc:"kept with a lot that is made; a known one keeps its own"`
	Serials       []SerialInput `json:"serials,omitzero" maxItems:"1000" doc:"one for each kit"`
	ReferenceType string        `json:"referenceType,omitzero"`
	ReferenceID   string        `json:"referenceId,omitzero"`
	Metadata      Metadata      `json:"metadata,omitzero"`
}

// validate holds the rules that span several fields.
func (in *AssembleInput) validate(p *Problems) { checkUnitPair(p, in.UnitCode, in.UnitQuantity) }

var (
	// AdjustStock changes one state of one balance.
	AdjustStock = operation[AdjustStockInput, StockResult](Spec{
		ID: "adjustStock", Method: "POST", Path: "/stock/adjust", Scope: InventoryWrite, Billable: true,
		Summary: "Adjust one inventory state of a product location balance"})
	// MoveStock moves stock between states.
	MoveStock = operation[MoveStockInput, StockResult](Spec{
		ID: "moveStock", Method: "POST", Path: "/stock/move-state", Scope: InventoryWrite, Billable: true,
		Summary: "Move stock between inventory states without changing on-hand"})
	// DisassembleStock takes kits apart.
	DisassembleStock = operation[DisassembleInput, DisassembleResult](Spec{
		ID: "disassembleStock", Method: "POST", Path: "/stock/disassemble", Scope: InventoryWrite, Billable: true,
		Summary: "Disassemble a kit or bundle into component stock"})
	// AssembleStock puts kits together.
	AssembleStock = operation[AssembleInput, DisassembleResult](Spec{
		ID: "assembleStock", Method: "POST", Path: "/stock/assemble", Scope: InventoryWrite,
		Summary: "Assemble a kit or bundle from component stock", Extension: true})
)
