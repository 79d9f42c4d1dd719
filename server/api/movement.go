package api

import (
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// MovementOperation is the type of change that a movement records.
type MovementOperation string

const (
	OpReceive              MovementOperation = "receive"
	OpAdjust               MovementOperation = "adjust"
	OpFulfill              MovementOperation = "fulfill"
	OpWriteOff             MovementOperation = "write_off"
	OpReturnStock          MovementOperation = "return_stock"
	OpMoveState            MovementOperation = "move_state"
	OpReconcile            MovementOperation = "reconcile"
	OpReserve              MovementOperation = "reserve"
	OpCommit               MovementOperation = "commit"
	OpRelease              MovementOperation = "release"
	OpReservationCancel    MovementOperation = "reservation_cancel"
	OpExpire               MovementOperation = "expire"
	OpTransferOut          MovementOperation = "transfer_out"
	OpTransferIn           MovementOperation = "transfer_in"
	OpTransferCancel       MovementOperation = "transfer_cancel"
	OpTransferClose        MovementOperation = "transfer_close"
	OpInboundExpect        MovementOperation = "inbound_expect"
	OpInboundReceive       MovementOperation = "inbound_receive"
	OpInboundClose         MovementOperation = "inbound_close"
	OpInboundCancel        MovementOperation = "inbound_cancel"
	OpOutboundAllocate     MovementOperation = "outbound_allocate"
	OpOutboundPick         MovementOperation = "outbound_pick"
	OpOutboundPack         MovementOperation = "outbound_pack"
	OpOutboundShip         MovementOperation = "outbound_ship"
	OpOutboundFulfill      MovementOperation = "outbound_fulfill"
	OpOutboundCancel       MovementOperation = "outbound_cancel"
	OpAssembleComponent    MovementOperation = "composition_assemble_component"
	OpAssembleOutput       MovementOperation = "composition_assemble_output"
	OpDisassembleInput     MovementOperation = "composition_disassemble_input"
	OpDisassembleComponent MovementOperation = "composition_disassemble_component"
	// OpReservationCreate appears in the response to a new reservation; filters do not accept it.
	OpReservationCreate MovementOperation = "reservation_create"
)

// MovementOperations are the operations that filters accept. Ledgers store their positions in
// every movement, so append new ones at the end.
var MovementOperations = []MovementOperation{
	OpReceive, OpAdjust, OpFulfill, OpWriteOff, OpReturnStock, OpMoveState, OpReconcile,
	OpReserve, OpCommit, OpRelease, OpReservationCancel, OpExpire,
	OpTransferOut, OpTransferIn, OpTransferCancel, OpTransferClose,
	OpInboundExpect, OpInboundReceive, OpInboundClose, OpInboundCancel,
	OpOutboundAllocate, OpOutboundPick, OpOutboundPack, OpOutboundShip, OpOutboundFulfill, OpOutboundCancel,
	OpAssembleComponent, OpAssembleOutput, OpDisassembleInput, OpDisassembleComponent,
}

// Values lists the operations that filters accept.
func (MovementOperation) Values() []string { return toStrings(MovementOperations) }

// Document returns the kind of document a movement belongs to, or empty if none.
func (op MovementOperation) Document() DocumentKind {
	switch op {
	case OpReserve, OpReservationCreate, OpCommit, OpRelease, OpReservationCancel, OpExpire:
		return DocReservation
	}
	for _, kind := range []DocumentKind{DocInbound, DocTransfer, DocOutbound} {
		if strings.HasPrefix(string(op), string(kind)+"_") {
			return kind
		}
	}

	return ""
}

// Metadata is a free-form JSON object, stored as sent.
type Metadata = jsontext.Value

// A Movement is the change of one state of one balance.
type Movement struct {
	ID             ID                `json:"id"`
	OrganizationID ID                `json:"organizationId"`
	Environment    Environment       `json:"environment"`
	ProductID      ID                `json:"productId"`
	LocationID     ID                `json:"locationId"`
	OwnerID        ID                `json:"ownerId"`
	ChannelID      ID                `json:"channelId"`
	LotID          ID                `json:"lotId,omitzero"`
	Operation      MovementOperation `json:"operation"`
	InventoryState State             `json:"inventoryState"`
	// Quantity is the change of the state in base units, negative for a decrease.
	Quantity       int64    `json:"quantity"`
	UnitCode       string   `json:"unitCode,omitzero"`
	UnitQuantity   int64    `json:"unitQuantity,omitzero"`
	BaseUnitCode   string   `json:"baseUnitCode,omitzero"`
	BalanceBefore  int64    `json:"balanceBefore"`
	BalanceAfter   int64    `json:"balanceAfter"`
	Reason         string   `json:"reason,omitzero"`
	ReferenceType  string   `json:"referenceType,omitzero"`
	ReferenceID    string   `json:"referenceId,omitzero"`
	Source         string   `json:"source,omitzero"`
	IdempotencyKey string   `json:"idempotencyKey,omitzero"`
	Metadata       Metadata `json:"metadata,omitzero"`
	CreatedBy      *Actor   `json:"createdBy,omitzero"`
	// ApprovedBy is the supervisor who approved it, if one did.
	ApprovedBy *Actor      `json:"approvedBy,omitzero" extension:"true"`
	Actor      Actor       `json:"actor"`
	Product    *ProductRef `json:"product,omitzero"`
	Location   *PlaceRef   `json:"location,omitzero"`
	Owner      *PlaceRef   `json:"owner,omitzero"`
	Channel    *PlaceRef   `json:"channel,omitzero"`
	Lot        *Lot        `json:"lot,omitzero"`
	Serials    []Serial    `json:"serials"`
	CreatedAt  time.Time   `json:"createdAt"`
	// OccurredAt is when the movement happened, if that is known and was not when it was created.
	OccurredAt time.Time `json:"occurredAt,omitzero" extension:"true"`
}

// Who returns the operator of a movement, the supervisor who approved it, and the label of
// the API key used.
func (m *Movement) Who() (operator, supervisor, device string) {
	if m.Actor.Type == APIKey {
		device = m.Actor.Label
	}

	switch {
	case m.CreatedBy != nil:
		operator, supervisor = People(m.CreatedBy.Label)
	case m.Actor.Type == User:
		operator, supervisor = People(m.Actor.Label)
	}

	if m.ApprovedBy != nil {
		supervisor = m.ApprovedBy.Label
	}

	return operator, supervisor, device
}
