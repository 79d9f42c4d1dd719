package api

import (
	"slices"
	"time"

	"bincard/server/api/role"
)

// InboundStatus is the status of an inbound.
type InboundStatus string

const (
	InboundExpected          InboundStatus = "expected"
	InboundPartiallyReceived InboundStatus = "partiallyReceived"
	InboundReceived          InboundStatus = "received"
	InboundClosed            InboundStatus = "closed"
	InboundCancelled         InboundStatus = "cancelled"
)

// Values lists the statuses of an inbound.
func (InboundStatus) Values() []string {
	return toStrings(
		[]InboundStatus{InboundExpected, InboundPartiallyReceived, InboundReceived, InboundClosed, InboundCancelled})
}

// Open reports whether more can be received.
func (s InboundStatus) Open() bool { return s == InboundExpected || s == InboundPartiallyReceived }

// An Inbound is an expected delivery of one product to one location.
type Inbound struct {
	ID                ID            `json:"id"`
	OrganizationID    ID            `json:"organizationId"`
	Environment       Environment   `json:"environment"`
	ProductID         ID            `json:"productId"`
	LocationID        ID            `json:"locationId"`
	OwnerID           ID            `json:"ownerId"`
	ChannelID         ID            `json:"channelId"`
	ExpectedQuantity  int64         `json:"expectedQuantity"`
	ReceivedQuantity  int64         `json:"receivedQuantity"`
	Status            InboundStatus `json:"status"`
	SupplierName      string        `json:"supplierName,omitzero"`
	SupplierReference string        `json:"supplierReference,omitzero"`
	ExternalOrderType string        `json:"externalOrderType,omitzero"`
	ExternalOrderID   string        `json:"externalOrderId,omitzero"`
	ReferenceType     string        `json:"referenceType,omitzero"`
	ReferenceID       string        `json:"referenceId,omitzero"`
	ExpectedAt        *time.Time    `json:"expectedAt,omitzero"`
	ReceivedAt        *time.Time    `json:"receivedAt,omitzero"`
	ClosedAt          *time.Time    `json:"closedAt,omitzero"`
	CancelledAt       *time.Time    `json:"cancelledAt,omitzero"`
	Metadata          Metadata      `json:"metadata,omitzero"`
	Version           int64         `json:"version"`
	CreatedBy         *Actor        `json:"createdBy,omitzero"`
	Actor             Actor         `json:"actor"`
	Product           *ProductRef   `json:"product,omitzero"`
	Location          *PlaceRef     `json:"location,omitzero"`
	Owner             *PlaceRef     `json:"owner,omitzero"`
	Channel           *PlaceRef     `json:"channel,omitzero"`
	// Lines are the lines of the inbound: one, which mirrors the header.
	Lines     []InboundLine `json:"lines,omitzero"`
	CreatedAt time.Time     `json:"createdAt"`
	UpdatedAt time.Time     `json:"updatedAt"`
	InboundDetails
}

// InboundDetails are the texts about an inbound that people read and no rule needs. They are
// stored, imported, exported, entered and shown in the order of Details.
type InboundDetails struct {
	Carrier string `json:"carrier,omitzero" text:"name" maxLength:"80" extension:"true" doc:"Company that carries the delivery."`
}

// A Detail is a text of a document, by its name in JSON.
type Detail struct {
	Name string
	Text *string
}

// Details lists the texts. Their order is stored: a new one comes last. It also needs a label
// (names.Detail), German names of its column (server/intake/german.go) and a line in 'bincard
// help files'.
func (d *InboundDetails) Details() []Detail { return []Detail{{"carrier", &d.Carrier}} }

// Pending returns the expected quantity that has not been received.
func (in *Inbound) Pending() int64 { return max(0, in.ExpectedQuantity-in.ReceivedQuantity) }

// An InboundLine mirrors the header of its inbound.
type InboundLine struct {
	ProductID        ID    `json:"productId"`
	LocationID       ID    `json:"locationId"`
	OwnerID          ID    `json:"ownerId"`
	ChannelID        ID    `json:"channelId"`
	ExpectedQuantity int64 `json:"expectedQuantity"`
	ReceivedQuantity int64 `json:"receivedQuantity"`
}

// InboundResult is the result of a change to an inbound.
type InboundResult struct {
	Balance   Balance    `json:"balance"`
	Inbound   Inbound    `json:"inbound"`
	Movements []Movement `json:"movements"`
}

func (r *InboundResult) documentID() ID        { return r.Inbound.ID }
func (r *InboundResult) movements() []Movement { return r.Movements }

// CreateInboundInput describes an expected delivery.
type CreateInboundInput struct {
	StockKey
	ExpectedQuantity  int64      `json:"expectedQuantity,omitzero" required:"true" minimum:"1"`
	SupplierName      string     `json:"supplierName,omitzero" text:"name"`
	SupplierReference string     `json:"supplierReference,omitzero"`
	ExternalOrderType string     `json:"externalOrderType,omitzero"`
	ExternalOrderID   string     `json:"externalOrderId,omitzero"`
	ExpectedAt        *time.Time `json:"expectedAt,omitzero"`
	Metadata          Metadata   `json:"metadata,omitzero" doc:"its member announced may say what is expected: sscc, lotCode, batchCode, expiresAt and serialNumbers"`
	Reference
	InboundDetails
}

// ReceiveInboundInput describes a partial or full receipt, with its lot and serials.
type ReceiveInboundInput struct {
	InboundID  ID            `json:"-" path:"inboundId"`
	Quantity   int64         `json:"quantity,omitzero" required:"true" minimum:"1"`
	Reason     string        `json:"reason,omitzero" maxLength:"1000" text:"note"`
	Metadata   Metadata      `json:"metadata,omitzero"`
	ReceivedAt *time.Time    `json:"receivedAt,omitzero" doc:"when the stock arrived; default: now"`
	Serials    []SerialInput `json:"serials,omitzero" maxItems:"1000" doc:"one per unit"`
	NewLot
}

// SerialInput describes a new serial.
type SerialInput struct {
	SerialNumber string   `json:"serialNumber,omitzero" required:"true"`
	Metadata     Metadata `json:"metadata,omitzero"`
}

// InboundInput identifies an inbound.
type InboundInput struct {
	InboundID ID `json:"-" path:"inboundId"`
}

// CloseInboundInput closes an inbound short.
type CloseInboundInput struct {
	InboundID ID     `json:"-" path:"inboundId"`
	Reason    string `json:"reason,omitzero" maxLength:"1000" text:"note"`
}

// ListInboundsInput filters the inbounds.
type ListInboundsInput struct {
	StockFilter
	Status            InboundStatus `json:"-" query:"status"`
	ExternalOrderType string        `json:"-" query:"externalOrderType"`
	ExternalOrderID   string        `json:"-" query:"externalOrderId"`
	CreatedFrom       *time.Time    `json:"-" query:"createdFrom" doc:"inclusive"`
	CreatedTo         *time.Time    `json:"-" query:"createdTo" doc:"exclusive"`
	TextFilter
	Page
}

var (
	// CreateInbound creates an inbound for an expected delivery and adds its quantity to
	// incoming.
	CreateInbound = operation[CreateInboundInput, InboundResult](Spec{
		ID: "createInbound", Method: "POST", Path: "/inbounds", Scope: InventoryWrite, Billable: true, Status: 201,
		Document: DocInbound, Direction: DirectionNone,
		Conflicts: []Code{ProductArchived, QuantityTooLarge},
		Summary:   "Create an expected inbound receipt"})
	// ReceiveInbound records a partial or full receipt. The stock moves from incoming to
	// available.
	ReceiveInbound = operation[ReceiveInboundInput, InboundResult](Spec{
		ID:         "receiveInbound",
		Method:     "POST",
		Path:       "/inbounds/{inboundId}/receive",
		Scope:      InventoryWrite,
		Billable:   true,
		Document:   DocInbound,
		Direction:  DirectionIn,
		Permission: role.MayOverReceive,
		Conflicts:  slices.Concat([]Code{InboundNotOpen, QuantityExceedsPending}, lotConflicts, arrivalConflicts),
		Summary:    "Receive a partial or full quantity",
	})
	// CancelInbound cancels an inbound that has no receipts.
	CancelInbound = operation[InboundInput, InboundResult](Spec{
		ID: "cancelInbound", Method: "POST", Path: "/inbounds/{inboundId}/cancel", Scope: InventoryWrite,
		Document: DocInbound, Direction: DirectionNone, Permission: role.MayCancel,
		Conflicts: []Code{InboundAlreadyReceived, InboundNotOpen},
		Summary:   "Cancel an inbound before any quantity is received"})
	// CloseInbound closes an inbound short: the pending quantity is no longer expected.
	CloseInbound = operation[CloseInboundInput, InboundResult](Spec{
		ID:           "closeInbound",
		Method:       "POST",
		Path:         "/inbounds/{inboundId}/close",
		Scope:        InventoryWrite,
		BodyOptional: true,
		Document:     DocInbound,
		Direction:    DirectionNone,
		Permission:   role.MayCloseShort,
		Conflicts:    []Code{InboundNotOpen},
		Summary:      "Close an inbound short",
		Extension:    true,
	})
	// GetInbound returns one inbound.
	GetInbound = operation[InboundInput, Inbound](Spec{
		ID: "getInbound", Method: "GET", Path: "/inbounds/{inboundId}", Scope: InventoryRead,
		Document: DocInbound,
		Summary:  "Read one inbound", Extension: true})
	// ListInbounds returns the inbounds, newest first.
	ListInbounds = operation[ListInboundsInput, List[Inbound]](Spec{
		ID: "listInbounds", Method: "GET", Path: "/inbounds", Scope: InventoryRead,
		Document: DocInbound,
		Example:  Example{"status": InboundExpected, "limit": 25},
		Summary:  "List inbounds"})
)
