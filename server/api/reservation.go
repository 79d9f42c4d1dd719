package api

import "time"

// ReservationStatus is the status of a reservation.
type ReservationStatus string

const (
	ReservationPending   ReservationStatus = "pending"
	ReservationCommitted ReservationStatus = "committed"
	ReservationReleased  ReservationStatus = "released"
	ReservationExpired   ReservationStatus = "expired"
	ReservationCancelled ReservationStatus = "cancelled"
)

// Values lists the statuses of a reservation.
func (ReservationStatus) Values() []string {
	return toStrings([]ReservationStatus{
		ReservationPending,
		ReservationCommitted,
		ReservationReleased,
		ReservationExpired,
		ReservationCancelled,
	})
}

// A Reservation holds available stock until it is released, is canceled or expires.
// Once committed, it does not expire and holds stock until it is fulfilled or released.
type Reservation struct {
	ID             ID          `json:"id"`
	OrganizationID ID          `json:"organizationId"`
	Environment    Environment `json:"environment"`
	ProductID      ID          `json:"productId"`
	LocationID     ID          `json:"locationId"`
	OwnerID        ID          `json:"ownerId"`
	ChannelID      ID          `json:"channelId"`
	Quantity       int64       `json:"quantity"`
	// FulfilledQuantity is the fulfilled part of a committed reservation (extension).
	FulfilledQuantity int64             `json:"fulfilledQuantity,omitzero" extension:"true"`
	Status            ReservationStatus `json:"status"`
	ExpiresAt         time.Time         `json:"expiresAt"`
	ReferenceType     string            `json:"referenceType,omitzero"`
	ReferenceID       string            `json:"referenceId,omitzero"`
	Metadata          Metadata          `json:"metadata,omitzero"`
	CreatedBy         *Actor            `json:"createdBy,omitzero"`
	Actor             Actor             `json:"actor"`
	Product           *ProductRef       `json:"product,omitzero"`
	Location          *PlaceRef         `json:"location,omitzero"`
	Owner             *PlaceRef         `json:"owner,omitzero"`
	Channel           *PlaceRef         `json:"channel,omitzero"`
	CreatedAt         time.Time         `json:"createdAt"`
	UpdatedAt         time.Time         `json:"updatedAt"`
}

// ReservationResult is the result of a change to a reservation.
type ReservationResult struct {
	Balance     Balance     `json:"balance"`
	Reservation Reservation `json:"reservation"`
	Movements   []Movement  `json:"movements"`
}

func (r *ReservationResult) documentID() ID        { return r.Reservation.ID }
func (r *ReservationResult) movements() []Movement { return r.Movements }

// CreateReservationInput describes the stock to reserve.
type CreateReservationInput struct {
	StockKey
	Quantity  int64      `json:"quantity,omitzero" required:"true" minimum:"1"`
	ExpiresAt *time.Time `json:"expiresAt,omitzero" required:"true"`
	Metadata  Metadata   `json:"metadata,omitzero"`
	Reference
}

// ReservationInput identifies a reservation.
type ReservationInput struct {
	ReservationID ID `json:"-" path:"reservationId"`
}

// ListReservationsInput filters the reservations.
type ListReservationsInput struct {
	StockFilter
	Status        ReservationStatus `json:"-" query:"status"`
	ReferenceType string            `json:"-" query:"referenceType"`
	ReferenceID   string            `json:"-" query:"referenceId"`
	ExpiresFrom   *time.Time        `json:"-" query:"expiresFrom" doc:"inclusive"`
	ExpiresTo     *time.Time        `json:"-" query:"expiresTo" doc:"exclusive"`
	Page
}

var (
	// CreateReservation reserves available stock until a time. It reserves the whole
	// quantity or fails.
	CreateReservation = operation[CreateReservationInput, ReservationResult](Spec{
		ID:        "createReservation",
		Method:    "POST",
		Path:      "/reservations",
		Scope:     ReservationsWrite,
		Billable:  true,
		Status:    201,
		Document:  DocReservation,
		Direction: DirectionNone,
		Conflicts: []Code{ProductArchived, InsufficientStock, ReservationTooLate},
		Summary:   "Reserve available stock for a product location",
	})
	// CommitReservation commits a pending reservation: its stock moves from reserved to
	// committed.
	CommitReservation = operation[ReservationInput, ReservationResult](Spec{
		ID:        "commitReservation",
		Method:    "POST",
		Path:      "/reservations/{reservationId}/commit",
		Scope:     ReservationsWrite,
		Billable:  true,
		Document:  DocReservation,
		Direction: DirectionNone,
		Conflicts: []Code{ReservationNotPending},
		Summary:   "Commit a pending reservation",
	})
	// ReleaseReservation releases the stock that a pending or committed reservation still
	// holds.
	ReleaseReservation = operation[ReservationInput, ReservationResult](Spec{
		ID:        "releaseReservation",
		Method:    "POST",
		Path:      "/reservations/{reservationId}/release",
		Scope:     ReservationsWrite,
		Document:  DocReservation,
		Direction: DirectionNone,
		Conflicts: []Code{ReservationNotPending, NothingPending},
		Summary:   "Release a pending or committed reservation",
		Extension: true,
	})
	// CancelReservation cancels a pending reservation and returns its stock to available.
	CancelReservation = operation[ReservationInput, ReservationResult](Spec{
		ID: "cancelReservation", Method: "POST", Path: "/reservations/{reservationId}/cancel", Scope: ReservationsWrite,
		Document: DocReservation, Direction: DirectionNone,
		Conflicts: []Code{ReservationNotPending},
		Summary:   "Cancel a pending reservation", Extension: true})
	// GetReservation returns one reservation.
	GetReservation = operation[ReservationInput, Reservation](Spec{
		ID: "getReservation", Method: "GET", Path: "/reservations/{reservationId}", Scope: ReservationsRead,
		Document: DocReservation,
		Summary:  "Read one reservation", Extension: true})
	// ListReservations returns the reservations, newest first.
	ListReservations = operation[ListReservationsInput, List[Reservation]](Spec{
		ID: "listReservations", Method: "GET", Path: "/reservations", Scope: ReservationsRead,
		Document: DocReservation,
		Example:  Example{"status": ReservationPending},
		Summary:  "List reservations"})
)
