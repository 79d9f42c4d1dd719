package api

import (
	"slices"
	"time"

	"bincard/server/api/role"
)

// OutboundStatus is the status of an outbound.
type OutboundStatus string

const (
	OutboundBackordered        OutboundStatus = "backordered"
	OutboundPartiallyAllocated OutboundStatus = "partiallyAllocated"
	OutboundAllocated          OutboundStatus = "allocated"
	OutboundPartiallyPicked    OutboundStatus = "partiallyPicked"
	OutboundPicked             OutboundStatus = "picked"
	OutboundPartiallyPacked    OutboundStatus = "partiallyPacked"
	OutboundPacked             OutboundStatus = "packed"
	OutboundPartiallyFulfilled OutboundStatus = "partiallyFulfilled"
	OutboundFulfilled          OutboundStatus = "fulfilled"
	OutboundCancelled          OutboundStatus = "cancelled"
)

// Values lists the statuses of an outbound.
func (OutboundStatus) Values() []string {
	return toStrings([]OutboundStatus{OutboundBackordered, OutboundPartiallyAllocated, OutboundAllocated,
		OutboundPartiallyPicked, OutboundPicked, OutboundPartiallyPacked, OutboundPacked,
		OutboundPartiallyFulfilled, OutboundFulfilled, OutboundCancelled})
}

// Open reports whether the outbound can still change.
func (s OutboundStatus) Open() bool { return s != OutboundFulfilled && s != OutboundCancelled }

// Progress is the quantities of an outbound or line by stage, in base units.
type Progress struct {
	RequestedQuantity          int64 `json:"requestedQuantity"`
	AllocatedQuantity          int64 `json:"allocatedQuantity"`
	PickedQuantity             int64 `json:"pickedQuantity"`
	PackedQuantity             int64 `json:"packedQuantity"`
	FulfilledQuantity          int64 `json:"fulfilledQuantity"`
	PendingAllocationQuantity  int64 `json:"pendingAllocationQuantity"`
	PendingPickQuantity        int64 `json:"pendingPickQuantity"`
	PendingPackQuantity        int64 `json:"pendingPackQuantity"`
	PendingFulfillmentQuantity int64 `json:"pendingFulfillmentQuantity"`
}

// UpdatePending computes the pending quantities from the others.
func (p *Progress) UpdatePending() {
	p.PendingAllocationQuantity = p.RequestedQuantity - p.AllocatedQuantity
	p.PendingPickQuantity = p.AllocatedQuantity - p.PickedQuantity
	p.PendingPackQuantity = p.PickedQuantity - p.PackedQuantity
	p.PendingFulfillmentQuantity = p.AllocatedQuantity - p.FulfilledQuantity
}

// Add returns the sum of p and q.
func (p Progress) Add(q Progress) Progress {
	p.RequestedQuantity += q.RequestedQuantity
	p.AllocatedQuantity += q.AllocatedQuantity
	p.PickedQuantity += q.PickedQuantity
	p.PackedQuantity += q.PackedQuantity
	p.FulfilledQuantity += q.FulfilledQuantity
	p.UpdatePending()
	return p
}

// Status returns the status of an outbound with these quantities that is not canceled.
func (p Progress) Status() OutboundStatus {
	switch {
	case p.FulfilledQuantity >= p.RequestedQuantity:
		return OutboundFulfilled
	case p.FulfilledQuantity > 0:
		return OutboundPartiallyFulfilled
	case p.PackedQuantity >= p.RequestedQuantity:
		return OutboundPacked
	case p.PackedQuantity > 0:
		return OutboundPartiallyPacked
	case p.PickedQuantity >= p.RequestedQuantity:
		return OutboundPicked
	case p.PickedQuantity > 0:
		return OutboundPartiallyPicked
	case p.AllocatedQuantity >= p.RequestedQuantity:
		return OutboundAllocated
	case p.AllocatedQuantity > 0:
		return OutboundPartiallyAllocated
	}

	return OutboundBackordered
}

// An Outbound is a customer order to ship from one location. Its product is the first
// line's; its quantities are the sums of all lines.
type Outbound struct {
	ID             ID          `json:"id"`
	OrganizationID ID          `json:"organizationId"`
	Environment    Environment `json:"environment"`
	ProductID      ID          `json:"productId"`
	LocationID     ID          `json:"locationId"`
	OwnerID        ID          `json:"ownerId"`
	ChannelID      ID          `json:"channelId"`
	Progress
	Status            OutboundStatus `json:"status"`
	CustomerName      string         `json:"customerName,omitzero"`
	ExternalOrderType string         `json:"externalOrderType,omitzero"`
	ExternalOrderID   string         `json:"externalOrderId,omitzero"`
	ReferenceType     string         `json:"referenceType,omitzero"`
	ReferenceID       string         `json:"referenceId,omitzero"`
	ExpectedShipAt    *time.Time     `json:"expectedShipAt,omitzero"`
	AllocatedAt       *time.Time     `json:"allocatedAt,omitzero"`
	FulfilledAt       *time.Time     `json:"fulfilledAt,omitzero"`
	CancelledAt       *time.Time     `json:"cancelledAt,omitzero"`
	Metadata          Metadata       `json:"metadata,omitzero"`
	Version           int64          `json:"version"`
	CreatedBy         *Actor         `json:"createdBy,omitzero"`
	Actor             Actor          `json:"actor"`
	Product           *ProductRef    `json:"product,omitzero"`
	Location          *PlaceRef      `json:"location,omitzero"`
	Owner             *PlaceRef      `json:"owner,omitzero"`
	Channel           *PlaceRef      `json:"channel,omitzero"`
	Lines             []OutboundLine `json:"lines"`
	CreatedAt         time.Time      `json:"createdAt"`
	UpdatedAt         time.Time      `json:"updatedAt"`
}

// An OutboundLine is one product of an outbound.
type OutboundLine struct {
	ID             ID          `json:"id"`
	OrganizationID ID          `json:"organizationId"`
	Environment    Environment `json:"environment"`
	OutboundID     ID          `json:"outboundId"`
	ProductID      ID          `json:"productId"`
	LocationID     ID          `json:"locationId"`
	OwnerID        ID          `json:"ownerId"`
	ChannelID      ID          `json:"channelId"`
	Progress
	Product   *ProductRef          `json:"product,omitzero"`
	Location  *PlaceRef            `json:"location,omitzero"`
	Owner     *PlaceRef            `json:"owner,omitzero"`
	Channel   *PlaceRef            `json:"channel,omitzero"`
	Serials   []OutboundLineSerial `json:"serials"`
	CreatedAt time.Time            `json:"createdAt"`
	UpdatedAt time.Time            `json:"updatedAt"`
}

// An OutboundLineSerial is a serial assigned to an outbound line.
type OutboundLineSerial struct {
	ID        ID         `json:"id"`
	SerialID  ID         `json:"serialId"`
	PickedAt  *time.Time `json:"pickedAt,omitzero"`
	PackedAt  *time.Time `json:"packedAt,omitzero"`
	ShippedAt *time.Time `json:"shippedAt,omitzero"`
	Serial    Serial     `json:"serial"`
}

// OutboundResult is the result of a change to an outbound.
type OutboundResult struct {
	// Balance is the first of the balances.
	Balance   Balance    `json:"balance"`
	Balances  []Balance  `json:"balances"`
	Outbound  Outbound   `json:"outbound"`
	Movements []Movement `json:"movements"`
}

func (r *OutboundResult) documentID() ID        { return r.Outbound.ID }
func (r *OutboundResult) movements() []Movement { return r.Movements }

// CreateOutboundInput describes an order of one product, or of several products as lines.
type CreateOutboundInput struct {
	ProductID         ID                  `json:"productId,omitzero" doc:"the product, if there is only one; otherwise use lines"`
	LocationID        ID                  `json:"locationId,omitzero" required:"true"`
	RequestedQuantity *int64              `json:"requestedQuantity,omitzero" minimum:"1" doc:"quantity of productId"`
	Lines             []OutboundLineInput `json:"lines,omitzero" maxItems:"200"`
	OwnerID           ID                  `json:"ownerId,omitzero" doc:"default: the organization's default owner"`
	ChannelID         ID                  `json:"channelId,omitzero" doc:"default: the organization's default channel"`
	CustomerName      string              `json:"customerName,omitzero" text:"name"`
	ExternalOrderType string              `json:"externalOrderType,omitzero"`
	ExternalOrderID   string              `json:"externalOrderId,omitzero"`
	ExpectedShipAt    *time.Time          `json:"expectedShipAt,omitzero"`
	Metadata          Metadata            `json:"metadata,omitzero"`
	Reference
}

// OutboundLineInput is a line of an order.
type OutboundLineInput struct {
	ProductID         ID    `json:"productId,omitzero" required:"true"`
	RequestedQuantity int64 `json:"requestedQuantity,omitzero" required:"true" minimum:"1"`
}

// validate checks that there is either one product or lines.
func (in *CreateOutboundInput) validate(p *Problems) {
	switch {
	case len(in.Lines) > 0 && (in.ProductID != NoID || in.RequestedQuantity != nil):
		p.Add("lines", "exclusive", "provide lines, or productId with requestedQuantity, not both")
	case len(in.Lines) == 0 && in.ProductID == NoID:
		p.Add("productId", "required", "provide productId with requestedQuantity, or lines")
	case len(in.Lines) == 0 && in.RequestedQuantity == nil:
		p.Add("requestedQuantity", "required", "is required with productId")
	}
}

// FulfillOutboundInput describes the stock to fulfill.
type FulfillOutboundInput struct {
	OutboundID ID       `json:"-" path:"outboundId"`
	OwnerID    ID       `json:"ownerId,omitzero" doc:"default: the outbound's owner"`
	ChannelID  ID       `json:"channelId,omitzero" doc:"default: the outbound's channel"`
	Quantity   *int64   `json:"quantity,omitzero" minimum:"1" doc:"default: all that is allocated and not fulfilled"`
	Reason     string   `json:"reason,omitzero" maxLength:"1000" text:"note"`
	Metadata   Metadata `json:"metadata,omitzero"`
	SerialChoice
	Lots  []FulfilledLot  `json:"lots,omitzero" maxItems:"200" doc:"the lots of the quantity, or of part of it; the serials count towards their lots (extension)"`
	Lines []FulfilledLine `json:"lines,omitzero" maxItems:"200" doc:"the most to fulfill of each line, and none of other lines; default: the lines in order (extension)"`
}

// A FulfilledLine is the quantity of a line to fulfill.
type FulfilledLine struct {
	LineID   ID    `json:"lineId,omitzero" required:"true"`
	Quantity int64 `json:"quantity,omitzero" required:"true" minimum:"1"`
}

// A FulfilledLot is the quantity of a lot to fulfill.
type FulfilledLot struct {
	LotID    ID    `json:"lotId,omitzero" required:"true"`
	Quantity int64 `json:"quantity,omitzero" required:"true" minimum:"1"`
	LineID   ID    `json:"lineId,omitzero" doc:"default: the lines of the lot's product, in order"`
	Swap     bool  `json:"swap,omitzero" doc:"the lot may replace picked stock of other lots"`
}

// HandleOutboundInput describes the stock to allocate, pick, unpick, pack or ship. The quantity
// applies to the lines in order, or only to the lines of productId.
type HandleOutboundInput struct {
	OutboundID ID     `json:"-" path:"outboundId"`
	ProductID  ID     `json:"productId,omitzero" doc:"only lines of this product"`
	LineID     ID     `json:"lineId,omitzero" doc:"only this line"`
	Quantity   *int64 `json:"quantity,omitzero" minimum:"1" doc:"default: all that is pending; when unpicking, all that is picked and not shipped or fulfilled"`
	LotID      ID     `json:"lotId,omitzero" doc:"only stock of this lot"`
	SerialChoice
	Swap bool `json:"swap,omitzero" doc:"when picking: lotId may replace picked stock of other lots"`
}

// AllocateOutboundsInput chooses the outbounds that get stock: those that wait for a product, at
// a location, or both.
type AllocateOutboundsInput struct {
	ProductID  ID `json:"productId,omitzero" doc:"only lines of this product"`
	LocationID ID `json:"locationId,omitzero" doc:"only outbounds of this location; required with a key that is bound to one"`
}

// validate checks that there is a product or a location.
func (in *AllocateOutboundsInput) validate(p *Problems) {
	if in.ProductID == NoID && in.LocationID == NoID {
		p.Add("productId", "required", "provide productId, locationId or both")
	}
}

// AllocateOutboundsResult has the outbounds that got stock, in the order in which they did.
type AllocateOutboundsResult struct {
	ProductID  ID                  `json:"productId,omitzero"`
	LocationID ID                  `json:"locationId,omitzero"`
	Items      []AllocatedOutbound `json:"items"`
	// More reports that other outbounds can get stock too: a request serves 100.
	More bool `json:"more"`
}

// An AllocatedOutbound is an outbound that got stock.
type AllocatedOutbound struct {
	ID         ID `json:"id"`
	LocationID ID `json:"locationId"`
	// Reference is its referenceId, or else its externalOrderId.
	Reference string `json:"reference,omitzero"`
	// Quantity is what it got.
	Quantity int64 `json:"quantity"`
	// PendingAllocationQuantity is what it still waits for, of all products.
	PendingAllocationQuantity int64 `json:"pendingAllocationQuantity"`
}

// An OutboundLot is what a line of an outbound holds of a lot.
type OutboundLot struct {
	LineID            ID         `json:"lineId"`
	LotID             ID         `json:"lotId"`
	LotCode           string     `json:"lotCode"`
	ExpiresAt         *time.Time `json:"expiresAt,omitzero"`
	AllocatedQuantity int64      `json:"allocatedQuantity"`
	PickedQuantity    int64      `json:"pickedQuantity"`
	PackedQuantity    int64      `json:"packedQuantity"`
	FulfilledQuantity int64      `json:"fulfilledQuantity"`
}

// OutboundInput identifies an outbound.
type OutboundInput struct {
	OutboundID ID `json:"-" path:"outboundId"`
}

// PendingStage is a stage that quantity of an outbound waits for.
type PendingStage string

// PendingAllocation is the stage of quantity that waits for stock.
const PendingAllocation PendingStage = "allocation"

// Values lists the stages.
func (PendingStage) Values() []string { return []string{string(PendingAllocation)} }

// ListOutboundsInput filters the outbounds.
type ListOutboundsInput struct {
	StockFilter
	Status            OutboundStatus `json:"-" query:"status"`
	Pending           PendingStage   `json:"-" query:"pending" doc:"allocation: only outbounds that wait for stock, of productId if given, in the order in which allocateOutbounds serves them (extension)"`
	ExternalOrderType string         `json:"-" query:"externalOrderType"`
	ExternalOrderID   string         `json:"-" query:"externalOrderId"`
	CreatedFrom       *time.Time     `json:"-" query:"createdFrom" doc:"inclusive"`
	CreatedTo         *time.Time     `json:"-" query:"createdTo" doc:"exclusive"`
	TextFilter
	Page
}

var (
	// CreateOutbound creates an outbound and allocates available stock to it.
	CreateOutbound = operation[CreateOutboundInput, OutboundResult](Spec{
		ID: "createOutbound", Method: "POST", Path: "/outbounds", Scope: InventoryWrite, Status: 201,
		Document: DocOutbound, Direction: DirectionNone,
		Conflicts: []Code{ProductArchived, QuantityTooLarge},
		Summary:   "Create an outbound and allocate what is available", Extension: true})
	// AllocateOutbound allocates stock that has become available.
	AllocateOutbound = operation[HandleOutboundInput, OutboundResult](Spec{
		ID:           "allocateOutbound",
		Method:       "POST",
		Path:         "/outbounds/{outboundId}/allocate",
		Scope:        InventoryWrite,
		BodyOptional: true,
		Document:     DocOutbound,
		Direction:    DirectionNone,
		Conflicts:    slices.Concat(outboundConflicts, issueConflicts),
		Summary:      "Allocate the rest",
		Extension:    true,
	})
	// AllocateOutbounds allocates stock that has become available to the outbounds that wait for
	// it, earliest expectedShipAt first, then by reference, then oldest first.
	AllocateOutbounds = operation[AllocateOutboundsInput, AllocateOutboundsResult](Spec{
		ID: "allocateOutbounds", Method: "POST", Path: "/outbounds/allocate", Scope: InventoryWrite,
		Document: DocOutbound, Direction: DirectionNone,
		Conflicts: []Code{},
		Summary:   "Allocate available stock to the outbounds that wait for it", Extension: true})
	// PickOutbound records picked quantity.
	PickOutbound = operation[HandleOutboundInput, OutboundResult](Spec{
		ID:           "pickOutbound",
		Method:       "POST",
		Path:         "/outbounds/{outboundId}/pick",
		Scope:        InventoryWrite,
		BodyOptional: true,
		Document:     DocOutbound,
		Direction:    DirectionWithin,
		Conflicts:    outboundConflicts,
		Summary:      "Pick allocated quantity",
		Extension:    true,
	})
	// PackOutbound records packed quantity.
	PackOutbound = operation[HandleOutboundInput, OutboundResult](Spec{
		ID:           "packOutbound",
		Method:       "POST",
		Path:         "/outbounds/{outboundId}/pack",
		Scope:        InventoryWrite,
		BodyOptional: true,
		Document:     DocOutbound,
		Direction:    DirectionWithin,
		Conflicts:    outboundConflicts,
		Summary:      "Pack picked quantity",
		Extension:    true,
	})
	// UnpickOutbound takes back picked and packed quantity that is not shipped or fulfilled. It
	// stays allocated. A lot that was picked instead of an allocated one is exchanged for that
	// one again, as far as it is available.
	UnpickOutbound = operation[HandleOutboundInput, OutboundResult](Spec{
		ID:           "unpickOutbound",
		Method:       "POST",
		Path:         "/outbounds/{outboundId}/unpick",
		Scope:        InventoryWrite,
		BodyOptional: true,
		Document:     DocOutbound,
		Direction:    DirectionWithin,
		Conflicts:    outboundConflicts,
		Summary:      "Put picked quantity back",
		Extension:    true,
	})
	// ShipOutbound records that packed quantity was handed to the carrier. It does not
	// change stock; fulfillOutbound does.
	ShipOutbound = operation[HandleOutboundInput, OutboundResult](Spec{
		ID:           "shipOutbound",
		Method:       "POST",
		Path:         "/outbounds/{outboundId}/ship",
		Scope:        InventoryWrite,
		BodyOptional: true,
		Document:     DocOutbound,
		Direction:    DirectionOut,
		Conflicts:    outboundConflicts,
		Summary:      "Record the handover of packed quantity to the carrier",
		Extension:    true,
	})
	// FulfillOutbound fulfills allocated stock: it leaves the location.
	FulfillOutbound = operation[FulfillOutboundInput, OutboundResult](Spec{
		ID:        "fulfillOutbound",
		Method:    "POST",
		Path:      "/outbounds/{outboundId}/fulfill",
		Scope:     InventoryWrite,
		Billable:  true,
		Document:  DocOutbound,
		Direction: DirectionOut,
		Conflicts: slices.Concat(outboundConflicts, []Code{OwnerMismatch, ChannelMismatch}),
		Summary:   "Fulfill allocated outbound stock",
	})
	// CancelOutbound cancels an outbound and releases its allocated stock.
	CancelOutbound = operation[OutboundInput, OutboundResult](Spec{
		ID: "cancelOutbound", Method: "POST", Path: "/outbounds/{outboundId}/cancel", Scope: InventoryWrite,
		Document: DocOutbound, Direction: DirectionNone, Permission: role.MayCancel,
		Conflicts: []Code{OutboundNotOpen},
		Summary:   "Cancel an outbound and release allocated pending stock"})
	// GetOutbound returns one outbound.
	GetOutbound = operation[OutboundInput, Outbound](Spec{
		ID: "getOutbound", Method: "GET", Path: "/outbounds/{outboundId}", Scope: InventoryRead,
		Document: DocOutbound,
		Summary:  "Read one outbound"})
	// ListOutboundLots returns the lots that the lines of an outbound hold.
	ListOutboundLots = operation[OutboundInput, List[OutboundLot]](Spec{
		ID: "listOutboundLots", Method: "GET", Path: "/outbounds/{outboundId}/lots", Scope: InventoryRead,
		Document: DocOutbound,
		Summary:  "List the lots of one outbound", Extension: true})
	// ListOutbounds returns the outbounds, newest first unless pending is set.
	ListOutbounds = operation[ListOutboundsInput, List[Outbound]](Spec{
		ID: "listOutbounds", Method: "GET", Path: "/outbounds", Scope: InventoryRead,
		Document: DocOutbound,
		Summary:  "List outbounds", Extension: true})
)
