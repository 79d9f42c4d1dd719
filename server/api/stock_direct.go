package api

import "time"

// GoodsState is a state of stock on hand.
type GoodsState State

// Values lists the states of stock on hand.
func (GoodsState) Values() []string {
	return toStrings([]State{Available, Reserved, Committed, Damaged, QualityControl, SafetyStock})
}

// ReturnState is a state that stock can come back to.
type ReturnState State

// Values lists the states that stock can come back to.
func (ReturnState) Values() []string { return toStrings([]State{Available, QualityControl}) }

// ReceiveStockInput brings stock in that no inbound announced.
type ReceiveStockInput struct {
	ProductID     ID            `json:"productId,omitzero" required:"true"`
	LocationID    ID            `json:"locationId,omitzero" required:"true"`
	Quantity      *int64        `json:"quantity,omitzero" minimum:"1" doc:"as many as the serials when omitted"`
	OwnerID       ID            `json:"ownerId,omitzero" doc:"the organization's default owner when omitted"`
	ChannelID     ID            `json:"channelId,omitzero" doc:"the organization's default channel when omitted"`
	Reason        string        `json:"reason,omitzero" maxLength:"1000"`
	LotID         ID            `json:"lotId,omitzero" doc:"an existing lot of the product"`
	LotCode       string        `json:"lotCode,omitzero" doc:"the lot of this code; made when there is none"`
	BatchCode     string        `json:"batchCode,omitzero"`
	ExpiresAt     *time.Time    `json:"expiresAt,omitzero"`
	LotMetadata   Metadata      `json:"lotMetadata,omitzero" doc:"kept with a lot that is made; a known one keeps its own"`
	Serials       []SerialInput `json:"serials,omitzero" maxItems:"1000" doc:"one for each piece"`
	UnitCode      string        `json:"unitCode,omitzero" doc:"the unit of unitQuantity"`
	UnitQuantity  *int64        `json:"unitQuantity,omitzero" minimum:"1" doc:"converted, it must match quantity"`
	ReferenceType string        `json:"referenceType,omitzero"`
	ReferenceID   string        `json:"referenceId,omitzero"`
	Metadata      Metadata      `json:"metadata,omitzero"`
}

func (in *ReceiveStockInput) validate(p *Problems) {
	checkCounted(p, in.Quantity, len(in.Serials))
	checkUnitPair(p, in.UnitCode, in.UnitQuantity)
}

// ReturnStockInput brings stock back that had left. Pieces keep the lot they left with.
type ReturnStockInput struct {
	ProductID      ID          `json:"productId,omitzero" required:"true"`
	LocationID     ID          `json:"locationId,omitzero" required:"true"`
	Quantity       *int64      `json:"quantity,omitzero" minimum:"1" doc:"as many as the serials when omitted"`
	InventoryState ReturnState `json:"inventoryState,omitzero" doc:"available when omitted"`
	OwnerID        ID          `json:"ownerId,omitzero" doc:"the organization's default owner when omitted"`
	ChannelID      ID          `json:"channelId,omitzero" doc:"the organization's default channel when omitted"`
	Reason         string      `json:"reason,omitzero" maxLength:"1000"`
	LotID          ID          `json:"lotId,omitzero" doc:"an existing lot of the product"`
	LotCode        string      `json:"lotCode,omitzero" doc:"the lot of this code; made when there is none"`
	SerialIDs      []ID        `json:"serialIds,omitzero" maxItems:"1000"`
	SerialNumbers  []string    `json:"serialNumbers,omitzero" maxItems:"1000"`
	UnitCode       string      `json:"unitCode,omitzero" doc:"the unit of unitQuantity"`
	UnitQuantity   *int64      `json:"unitQuantity,omitzero" minimum:"1" doc:"converted, it must match quantity"`
	ReferenceType  string      `json:"referenceType,omitzero"`
	ReferenceID    string      `json:"referenceId,omitzero"`
	Metadata       Metadata    `json:"metadata,omitzero"`
}

func (in *ReturnStockInput) validate(p *Problems) {
	named := len(in.SerialIDs) + len(in.SerialNumbers)
	checkCounted(p, in.Quantity, named)
	checkUnitPair(p, in.UnitCode, in.UnitQuantity)
	if named > 0 && in.LotCode != "" {
		p.Add("lotCode", "exclusive", "pieces come back in the lot they left with; leave the lot out")
	}
}

// FulfillStockInput sends stock out without an outbound: from one state of a
// balance, or what a committed reservation holds.
type FulfillStockInput struct {
	ProductID      ID          `json:"productId,omitzero" required:"true"`
	LocationID     ID          `json:"locationId,omitzero" required:"true"`
	Quantity       *int64      `json:"quantity,omitzero" minimum:"1" doc:"as many as the serials, or all the reservation holds, when omitted"`
	InventoryState GoodsState  `json:"inventoryState,omitzero" doc:"available when omitted; committed with a reservation"`
	ReservationID  ID          `json:"reservationId,omitzero" doc:"the committed reservation to fulfil"`
	OwnerID        ID          `json:"ownerId,omitzero" doc:"the organization's default owner when omitted; the reservation's own with one"`
	ChannelID      ID          `json:"channelId,omitzero" doc:"the organization's default channel when omitted; the reservation's own with one"`
	Reason         string      `json:"reason,omitzero" maxLength:"1000"`
	LotID          ID          `json:"lotId,omitzero" doc:"only stock of this lot"`
	LotStrategy    LotStrategy `json:"lotStrategy,omitzero" doc:"fefo: earliest-expiring stock first"`
	SerialIDs      []ID        `json:"serialIds,omitzero" maxItems:"1000"`
	SerialNumbers  []string    `json:"serialNumbers,omitzero" maxItems:"1000"`
	UnitCode       string      `json:"unitCode,omitzero" doc:"the unit of unitQuantity"`
	UnitQuantity   *int64      `json:"unitQuantity,omitzero" minimum:"1" doc:"converted, it must match quantity"`
	ReferenceType  string      `json:"referenceType,omitzero"`
	ReferenceID    string      `json:"referenceId,omitzero"`
	Metadata       Metadata    `json:"metadata,omitzero"`
}

func (in *FulfillStockInput) validate(p *Problems) {
	held := in.ReservationID != (ID{})
	if !held {
		checkCounted(p, in.Quantity, len(in.SerialIDs)+len(in.SerialNumbers))
	}
	checkUnitPair(p, in.UnitCode, in.UnitQuantity)
	checkLotRules(p, in.InventoryState, in.LotID, in.LotStrategy)
	if held && in.LotID != (ID{}) {
		p.Add("lotId", "exclusive", "a reservation holds its own lots; leave the lot out")
	}
	if held && in.InventoryState != "" && in.InventoryState != GoodsState(Committed) {
		p.Add("inventoryState", "exclusive", "a reservation is fulfilled from committed; leave the state out")
	}
}

// WriteOffStockInput takes stock out that is lost, broken or expired.
type WriteOffStockInput struct {
	ProductID      ID          `json:"productId,omitzero" required:"true"`
	LocationID     ID          `json:"locationId,omitzero" required:"true"`
	Quantity       *int64      `json:"quantity,omitzero" minimum:"1" doc:"as many as the serials when omitted"`
	InventoryState GoodsState  `json:"inventoryState,omitzero" doc:"available when omitted"`
	Reason         string      `json:"reason,omitzero" required:"true" maxLength:"1000"`
	OwnerID        ID          `json:"ownerId,omitzero" doc:"the organization's default owner when omitted"`
	ChannelID      ID          `json:"channelId,omitzero" doc:"the organization's default channel when omitted"`
	LotID          ID          `json:"lotId,omitzero" doc:"only stock of this lot"`
	LotStrategy    LotStrategy `json:"lotStrategy,omitzero" doc:"fefo: earliest-expiring stock first"`
	SerialIDs      []ID        `json:"serialIds,omitzero" maxItems:"1000"`
	SerialNumbers  []string    `json:"serialNumbers,omitzero" maxItems:"1000"`
	UnitCode       string      `json:"unitCode,omitzero" doc:"the unit of unitQuantity"`
	UnitQuantity   *int64      `json:"unitQuantity,omitzero" minimum:"1" doc:"converted, it must match quantity"`
	ReferenceType  string      `json:"referenceType,omitzero"`
	ReferenceID    string      `json:"referenceId,omitzero"`
	Metadata       Metadata    `json:"metadata,omitzero"`
}

func (in *WriteOffStockInput) validate(p *Problems) {
	checkCounted(p, in.Quantity, len(in.SerialIDs)+len(in.SerialNumbers))
	checkUnitPair(p, in.UnitCode, in.UnitQuantity)
	checkLotRules(p, in.InventoryState, in.LotID, in.LotStrategy)
}

// ReconcileStockInput says what was counted on hand of one balance, or of one
// lot of it. What is more or less than the books say is available or lacks there.
type ReconcileStockInput struct {
	ProductID       ID       `json:"productId,omitzero" required:"true"`
	LocationID      ID       `json:"locationId,omitzero" required:"true"`
	CountedQuantity *int64   `json:"countedQuantity,omitzero" required:"true" minimum:"0"`
	OwnerID         ID       `json:"ownerId,omitzero" doc:"the organization's default owner when omitted"`
	ChannelID       ID       `json:"channelId,omitzero" doc:"the organization's default channel when omitted"`
	LotID           ID       `json:"lotId,omitzero" doc:"only this lot was counted"`
	Reason          string   `json:"reason,omitzero" maxLength:"1000"`
	ReferenceType   string   `json:"referenceType,omitzero"`
	ReferenceID     string   `json:"referenceId,omitzero"`
	Metadata        Metadata `json:"metadata,omitzero"`
}

// counted holds that there is a quantity, or pieces that set it.
func checkCounted(p *Problems, quantity *int64, pieces int) {
	if quantity == nil && pieces == 0 {
		p.Add("quantity", "required", "is required where no serials are given")
	}
}

// lotRules hold what goes with a lot. What is committed in a lot is a
// document's; what is committed by hand is in none.
func checkLotRules(p *Problems, state GoodsState, lot ID, strategy LotStrategy) {
	if lot != (ID{}) && strategy != "" {
		p.Add("lotStrategy", "exclusive", "name a lot or a strategy, not both")
	}
	if lot != (ID{}) && state == GoodsState(Committed) {
		p.Add("lotId", "exclusive", "what is committed of a lot is held by an outbound or a reservation; fulfil that one")
	}
}

var (
	// ReceiveStock brings stock in that no inbound announced.
	ReceiveStock = operation[ReceiveStockInput, StockResult](Spec{
		ID: "receiveStock", Method: "POST", Path: "/stock/receive", Scope: InventoryWrite,
		Summary: "Receive stock that no inbound announced", Extension: true})
	// ReturnStock brings stock back that had left.
	ReturnStock = operation[ReturnStockInput, StockResult](Spec{
		ID: "returnStock", Method: "POST", Path: "/stock/return", Scope: InventoryWrite,
		Summary: "Return stock to available or to quality control", Extension: true})
	// FulfillStock sends stock out without an outbound.
	FulfillStock = operation[FulfillStockInput, StockResult](Spec{
		ID: "fulfillStock", Method: "POST", Path: "/stock/fulfill", Scope: InventoryWrite,
		Summary: "Fulfill stock without an outbound, or what a committed reservation holds", Extension: true})
	// WriteOffStock takes stock out that is lost, broken or expired.
	WriteOffStock = operation[WriteOffStockInput, StockResult](Spec{
		ID: "writeOffStock", Method: "POST", Path: "/stock/write-off", Scope: InventoryWrite,
		Summary: "Write stock off", Extension: true})
	// ReconcileStock books what was counted.
	ReconcileStock = operation[ReconcileStockInput, StockResult](Spec{
		ID: "reconcileStock", Method: "POST", Path: "/stock/reconcile", Scope: InventoryWrite,
		Summary: "Reconcile a balance with what was counted", Extension: true})
)
