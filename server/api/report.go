package api

import "time"

// MovementStatus is the status of a movement. All movements are posted.
type MovementStatus string

// Posted is the only status of a movement.
const Posted MovementStatus = "posted"

// Values lists the statuses.
func (MovementStatus) Values() []string { return []string{string(Posted)} }

// StockStatus is whether a balance has stock on hand.
type StockStatus string

const (
	StockIn  StockStatus = "inStock"
	StockOut StockStatus = "outOfStock"
)

// Values lists the statuses.
func (StockStatus) Values() []string { return []string{string(StockIn), string(StockOut)} }

// A MovementRow is a row of the movements report.
type MovementRow struct {
	ID             ID                `json:"id"`
	CreatedAt      time.Time         `json:"createdAt"`
	ProductID      ID                `json:"productId"`
	ProductName    string            `json:"productName"`
	ProductSKU     string            `json:"productSku"`
	LocationID     ID                `json:"locationId"`
	LocationName   string            `json:"locationName"`
	LocationCode   string            `json:"locationCode"`
	OwnerID        ID                `json:"ownerId"`
	OwnerName      string            `json:"ownerName"`
	OwnerCode      string            `json:"ownerCode"`
	ChannelID      ID                `json:"channelId"`
	ChannelName    string            `json:"channelName"`
	ChannelCode    string            `json:"channelCode"`
	Operation      MovementOperation `json:"operation"`
	InventoryState State             `json:"inventoryState"`
	Quantity       int64             `json:"quantity"`
	BalanceBefore  int64             `json:"balanceBefore"`
	BalanceAfter   int64             `json:"balanceAfter"`
	UnitCode       string            `json:"unitCode,omitzero"`
	UnitQuantity   int64             `json:"unitQuantity,omitzero"`
	BaseUnitCode   string            `json:"baseUnitCode,omitzero"`
	ReferenceType  string            `json:"referenceType,omitzero"`
	ReferenceID    string            `json:"referenceId,omitzero"`
	Reason         string            `json:"reason,omitzero"`
	Source         string            `json:"source,omitzero"`
	ActorID        string            `json:"actorId,omitzero"`
	ActorLabel     string            `json:"actorLabel,omitzero"`
	ActorType      ActorType         `json:"actorType,omitzero"`
	LotCode        string            `json:"lotCode,omitzero" extension:"true"`
	ExpiresAt      *time.Time        `json:"expiresAt,omitzero" extension:"true"`
	SerialNumbers  []string          `json:"serialNumbers,omitzero" extension:"true"`
	// Operator is the person who made the movement.
	Operator string `json:"operator,omitzero" extension:"true"`
	// ApprovedBy is the supervisor who approved the movement, if one did.
	ApprovedBy string `json:"approvedBy,omitzero" extension:"true"`
	// Device is the label of the device, or of the API key used.
	Device string `json:"device,omitzero" extension:"true"`
	// OccurredAt is when the movement happened, if that is known and was not when it was created.
	OccurredAt time.Time `json:"occurredAt,omitzero" extension:"true"`
	// DocumentID is the inbound, outbound, transfer or reservation that was changed, if any.
	DocumentID ID `json:"documentId,omitzero" extension:"true"`
}

// Who returns the people and the device of a row. A service that does not name them in the
// row says who acted.
func (r *MovementRow) Who() (operator, supervisor, device string) {
	if r.Operator != "" || r.Device != "" {
		return r.Operator, r.ApprovedBy, r.Device
	}
	return (&Movement{Actor: Actor{Type: r.ActorType, Label: r.ActorLabel}}).Who()
}

// A SnapshotRow is a row of the inventory snapshot.
type SnapshotRow struct {
	ID           ID     `json:"id"`
	ProductID    ID     `json:"productId"`
	ProductName  string `json:"productName"`
	ProductSKU   string `json:"productSku"`
	LocationID   ID     `json:"locationId"`
	LocationName string `json:"locationName"`
	LocationCode string `json:"locationCode"`
	OwnerID      ID     `json:"ownerId"`
	OwnerName    string `json:"ownerName"`
	OwnerCode    string `json:"ownerCode"`
	ChannelID    ID     `json:"channelId"`
	ChannelName  string `json:"channelName"`
	ChannelCode  string `json:"channelCode"`
	Quantities
	UpdatedAt time.Time `json:"updatedAt"`
	// Shelf is the main shelf of the product at the location today.
	Shelf string `json:"shelf,omitzero" extension:"true"`
}

// ReportMovementsInput filters the movements.
type ReportMovementsInput struct {
	StockFilter
	CreatedFrom    *time.Time        `json:"-" query:"createdFrom" doc:"inclusive"`
	CreatedTo      *time.Time        `json:"-" query:"createdTo" doc:"exclusive"`
	OccurredFrom   *time.Time        `json:"-" query:"occurredFrom" doc:"when it happened, or was created if that is all that is known; inclusive (extension)"`
	OccurredTo     *time.Time        `json:"-" query:"occurredTo" doc:"exclusive (extension)"`
	Status         MovementStatus    `json:"-" query:"status"`
	Operation      MovementOperation `json:"-" query:"operation"`
	InventoryState State             `json:"-" query:"inventoryState"`
	Limit          *int64            `json:"-" query:"limit" minimum:"1" maximum:"500" default:"50" doc:"page size"`
	Cursor         string            `json:"-" query:"cursor" doc:"the nextCursor of the previous page"`
}

// ReportSnapshotInput filters the balances.
type ReportSnapshotInput struct {
	StockFilter
	CreatedFrom    *time.Time        `json:"-" query:"createdFrom" doc:"creation of the balance, inclusive"`
	CreatedTo      *time.Time        `json:"-" query:"createdTo" doc:"creation of the balance, exclusive"`
	Status         StockStatus       `json:"-" query:"status"`
	Operation      MovementOperation `json:"-" query:"operation" doc:"only balances with a movement of this operation"`
	InventoryState State             `json:"-" query:"inventoryState" doc:"only balances where this state is not 0"`
	AsOf           *time.Time        `json:"-" query:"asOf" doc:"balances as of this time (extension)"`
	Limit          *int64            `json:"-" query:"limit" minimum:"1" maximum:"500" default:"50" doc:"page size"`
	Cursor         string            `json:"-" query:"cursor" doc:"the nextCursor of the previous page"`
}

// validate rejects a combination that would require reading the whole history.
func (in *ReportSnapshotInput) validate(p *Problems) {
	if in.AsOf != nil && in.Operation != "" {
		p.Add("operation", "exclusive", "cannot be combined with asOf; use the movements report")
	}
}

var (
	// ReportMovements returns the movements, newest first.
	ReportMovements = operation[ReportMovementsInput, List[MovementRow]](Spec{
		ID: "reportStockMovements", Method: "GET", Path: "/reports/stock-movements", Scope: ReportsRead,
		History: true,
		Example: Example{"operation": OpInboundReceive, "limit": 50},
		Summary: "Report stock movements"})
	// ReportSnapshot returns the balances, newest first.
	ReportSnapshot = operation[ReportSnapshotInput, List[SnapshotRow]](Spec{
		ID: "reportInventorySnapshot", Method: "GET", Path: "/reports/inventory-snapshot", Scope: ReportsRead,
		Example: Example{"status": StockIn},
		Summary: "Report an inventory snapshot"})
)
