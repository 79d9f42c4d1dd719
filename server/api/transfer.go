package api

import (
	"slices"
	"time"

	"bincard/server/api/role"
)

// TransferStatus is the status of a transfer.
type TransferStatus string

const (
	TransferInTransit TransferStatus = "inTransit"
	TransferReceived  TransferStatus = "received"
	TransferCancelled TransferStatus = "cancelled"
	TransferClosed    TransferStatus = "closed"
)

// Values lists the statuses of a transfer.
func (TransferStatus) Values() []string {
	return toStrings([]TransferStatus{TransferInTransit, TransferReceived, TransferCancelled, TransferClosed})
}

// A Transfer moves one product from one location to another.
type Transfer struct {
	ID                      ID             `json:"id"`
	OrganizationID          ID             `json:"organizationId"`
	Environment             Environment    `json:"environment"`
	ProductID               ID             `json:"productId"`
	SourceLocationID        ID             `json:"sourceLocationId"`
	DestinationLocationID   ID             `json:"destinationLocationId"`
	OwnerID                 ID             `json:"ownerId"`
	ChannelID               ID             `json:"channelId"`
	Quantity                int64          `json:"quantity"`
	ShippedQuantity         int64          `json:"shippedQuantity"`
	ReceivedQuantity        int64          `json:"receivedQuantity"`
	PendingShipmentQuantity int64          `json:"pendingShipmentQuantity"`
	PendingReceiveQuantity  int64          `json:"pendingReceiveQuantity"`
	Status                  TransferStatus `json:"status"`
	ReferenceType           string         `json:"referenceType,omitzero"`
	ReferenceID             string         `json:"referenceId,omitzero"`
	CloseReason             string         `json:"closeReason,omitzero"`
	Metadata                Metadata       `json:"metadata,omitzero"`
	CreatedBy               *Actor         `json:"createdBy,omitzero"`
	Actor                   Actor          `json:"actor"`
	ShippedAt               *time.Time     `json:"shippedAt,omitzero"`
	ReceivedAt              *time.Time     `json:"receivedAt,omitzero"`
	CancelledAt             *time.Time     `json:"cancelledAt,omitzero"`
	ClosedAt                *time.Time     `json:"closedAt,omitzero"`
	Product                 *ProductRef    `json:"product,omitzero"`
	SourceLocation          *PlaceRef      `json:"sourceLocation,omitzero"`
	DestinationLocation     *PlaceRef      `json:"destinationLocation,omitzero"`
	Owner                   *PlaceRef      `json:"owner,omitzero"`
	Channel                 *PlaceRef      `json:"channel,omitzero"`
	CreatedAt               time.Time      `json:"createdAt"`
	UpdatedAt               time.Time      `json:"updatedAt"`
}

// TransferResult is the result of creating a transfer; no stock moves yet.
type TransferResult struct {
	Transfer  Transfer   `json:"transfer"`
	Movements []Movement `json:"movements"`
}

func (r *TransferResult) documentID() ID        { return r.Transfer.ID }
func (r *TransferResult) movements() []Movement { return r.Movements }

// TransferSourceResult is the result of a change at the source of a transfer.
type TransferSourceResult struct {
	Transfer      Transfer   `json:"transfer"`
	SourceBalance Balance    `json:"sourceBalance"`
	Movements     []Movement `json:"movements"`
}

func (r *TransferSourceResult) documentID() ID        { return r.Transfer.ID }
func (r *TransferSourceResult) movements() []Movement { return r.Movements }

// TransferDestinationResult is the result of a change at the destination of a transfer.
type TransferDestinationResult struct {
	Transfer           Transfer   `json:"transfer"`
	DestinationBalance Balance    `json:"destinationBalance"`
	Movements          []Movement `json:"movements"`
}

func (r *TransferDestinationResult) documentID() ID        { return r.Transfer.ID }
func (r *TransferDestinationResult) movements() []Movement { return r.Movements }

// CreateTransferInput describes a transfer.
type CreateTransferInput struct {
	ProductID             ID       `json:"productId,omitzero" required:"true"`
	SourceLocationID      ID       `json:"sourceLocationId,omitzero" required:"true"`
	DestinationLocationID ID       `json:"destinationLocationId,omitzero" required:"true"`
	Quantity              int64    `json:"quantity,omitzero" required:"true" minimum:"1"`
	OwnerID               ID       `json:"ownerId,omitzero" doc:"default: the organization's default owner"`
	ChannelID             ID       `json:"channelId,omitzero" doc:"default: the organization's default channel"`
	Metadata              Metadata `json:"metadata,omitzero"`
	Reference
}

// validate checks that source and destination differ.
func (in *CreateTransferInput) validate(p *Problems) {
	if in.SourceLocationID != NoID && in.SourceLocationID == in.DestinationLocationID {
		p.Add("destinationLocationId", "distinct", "must differ from sourceLocationId")
	}
}

// MoveTransferInput describes the stock to ship or receive. By default, lots with the
// earliest expiration ship first.
type MoveTransferInput struct {
	TransferID    ID       `json:"-" path:"transferId"`
	Quantity      *int64   `json:"quantity,omitzero" minimum:"1" doc:"default: all that is pending"`
	LotID         ID       `json:"lotId,omitzero" doc:"only stock of this lot (extension)"`
	SerialIDs     []ID     `json:"serialIds,omitzero" maxItems:"1000" doc:"the serials (extension)"`
	SerialNumbers []string `json:"serialNumbers,omitzero" maxItems:"1000" text:"any" doc:"the serials (extension)"`
	Metadata      Metadata `json:"metadata,omitzero" doc:"of the movements; its member sscc names the plate (extension)"`
}

// TransferInput identifies a transfer.
type TransferInput struct {
	TransferID ID `json:"-" path:"transferId"`
}

// CloseTransferInput closes a transfer short.
type CloseTransferInput struct {
	TransferID ID     `json:"-" path:"transferId"`
	Reason     string `json:"reason,omitzero" required:"true" maxLength:"1000" text:"note"`
}

// ListTransfersInput filters the transfers.
type ListTransfersInput struct {
	ProductID             ID             `json:"-" query:"productId"`
	SourceLocationID      ID             `json:"-" query:"sourceLocationId"`
	DestinationLocationID ID             `json:"-" query:"destinationLocationId"`
	OwnerID               ID             `json:"-" query:"ownerId"`
	ChannelID             ID             `json:"-" query:"channelId"`
	Status                TransferStatus `json:"-" query:"status"`
	ReferenceType         string         `json:"-" query:"referenceType"`
	ReferenceID           string         `json:"-" query:"referenceId"`
	CreatedFrom           *time.Time     `json:"-" query:"createdFrom" doc:"inclusive"`
	CreatedTo             *time.Time     `json:"-" query:"createdTo" doc:"exclusive"`
	TextFilter
	Page
}

var (
	// CreateTransfer creates a transfer. It does not move or hold stock.
	CreateTransfer = operation[CreateTransferInput, TransferResult](Spec{
		ID: "createTransfer", Method: "POST", Path: "/transfers", Scope: TransfersWrite, Status: 201,
		Document: DocTransfer, Direction: DirectionNone,
		Conflicts: []Code{ProductArchived},
		Summary:   "Create a transfer between two locations", Extension: true})
	// ShipTransfer ships stock from the source. It is incoming at the destination until it
	// is received.
	ShipTransfer = operation[MoveTransferInput, TransferSourceResult](Spec{
		ID:           "shipTransfer",
		Method:       "POST",
		Path:         "/transfers/{transferId}/ship",
		Scope:        TransfersWrite,
		Billable:     true,
		BodyOptional: true,
		Document:     DocTransfer,
		Direction:    DirectionOut,
		Conflicts:    slices.Concat(transferConflicts, lotConflicts, issueConflicts, []Code{QuantityTooLarge}),
		Summary:      "Ship a partial or full transfer from the source location",
	})
	// ReceiveTransfer receives stock in transit at the destination.
	ReceiveTransfer = operation[MoveTransferInput, TransferDestinationResult](Spec{
		ID:            "receiveTransfer",
		Method:        "POST",
		Path:          "/transfers/{transferId}/receive",
		Scope:         TransfersWrite,
		Billable:      true,
		BodyOptional:  true,
		Document:      DocTransfer,
		AtDestination: true,
		Direction:     DirectionIn,
		Conflicts:     slices.Concat(transferConflicts, lotConflicts, []Code{QuantityTooLarge}),
		Summary:       "Receive an in-transit quantity into the destination location",
	})
	// CancelTransfer cancels a transfer and returns the quantity in transit to the source.
	CancelTransfer = operation[TransferInput, TransferSourceResult](Spec{
		ID: "cancelTransfer", Method: "POST", Path: "/transfers/{transferId}/cancel", Scope: TransfersWrite,
		Document: DocTransfer, Direction: DirectionNone, Permission: role.MayCancel,
		Conflicts: []Code{TransferNotOpen, QuantityTooLarge},
		Summary:   "Cancel an in-transit transfer and return stock to the source"})
	// CloseTransfer closes a transfer short: the quantity in transit is lost.
	CloseTransfer = operation[CloseTransferInput, TransferDestinationResult](Spec{
		ID: "closeTransfer", Method: "POST", Path: "/transfers/{transferId}/close", Scope: TransfersWrite,
		Document: DocTransfer, AtDestination: true, Direction: DirectionNone, Permission: role.MayCloseShort,
		Conflicts: []Code{TransferNotOpen},
		Example:   Example{"reason": "One carton lost on the way"},
		Summary:   "Close a transfer short", Extension: true})
	// GetTransfer returns one transfer.
	GetTransfer = operation[TransferInput, Transfer](Spec{
		ID: "getTransfer", Method: "GET", Path: "/transfers/{transferId}", Scope: TransfersRead,
		Document: DocTransfer,
		Summary:  "Read one transfer", Extension: true})
	// ListTransfers returns the transfers, newest first.
	ListTransfers = operation[ListTransfersInput, List[Transfer]](Spec{
		ID: "listTransfers", Method: "GET", Path: "/transfers", Scope: TransfersRead,
		Document: DocTransfer,
		Example:  Example{"status": TransferInTransit},
		Summary:  "List transfers"})
)
