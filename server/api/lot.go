package api

import "time"

// Status values that lots share with products.
const (
	Active   = "active"
	Archived = "archived"
)

// A Lot is a batch of one product. Stock without a lot is a bucket of its own.
type Lot struct {
	ID        ID         `json:"id"`
	LotCode   string     `json:"lotCode"`
	BatchCode string     `json:"batchCode,omitzero"`
	ExpiresAt *time.Time `json:"expiresAt,omitzero"`
	Status    string     `json:"status"`
}

// SerialStatus tells where a piece is in its life.
type SerialStatus string

const (
	InStock        SerialStatus = "in_stock"
	Picked         SerialStatus = "picked"
	Packed         SerialStatus = "packed"
	Consumed       SerialStatus = "consumed"
	WrittenOff     SerialStatus = "written_off"
	SerialArchived SerialStatus = "archived"
)

// Values lists the statuses of a serial.
func (SerialStatus) Values() []string {
	return texts([]SerialStatus{InStock, Picked, Packed, Consumed, WrittenOff, SerialArchived})
}

// A Serial is one piece with a number of its own.
type Serial struct {
	ID           ID           `json:"id"`
	SerialNumber string       `json:"serialNumber"`
	Status       SerialStatus `json:"status"`
	ProductID    ID           `json:"productId"`
	LocationID   ID           `json:"locationId"`
	OwnerID      ID           `json:"ownerId"`
	ChannelID    ID           `json:"channelId"`
	LotID        ID           `json:"lotId,omitzero"`
}

// ListLotsInput filters the lots; balance shows what a balance holds by lot.
type ListLotsInput struct {
	ProductID ID     `json:"-" query:"productId" doc:"only lots of this product"`
	LotCode   string `json:"-" query:"lotCode" doc:"only the lot of this code"`
	Limit     *int64 `json:"-" query:"limit" minimum:"1" maximum:"100" default:"25" doc:"page size"`
	Cursor    string `json:"-" query:"cursor" doc:"lot id cursor from the previous page"`
}

// ListSerialsInput filters the serials.
type ListSerialsInput struct {
	ProductID    ID     `json:"-" query:"productId" doc:"only pieces of this product"`
	SerialNumber string `json:"-" query:"serialNumber" doc:"only the piece of this number"`
	Limit        *int64 `json:"-" query:"limit" minimum:"1" maximum:"100" default:"25" doc:"page size"`
	Cursor       string `json:"-" query:"cursor" doc:"serial id cursor from the previous page"`
}

var (
	// ListLots answers the lots, newest first.
	ListLots = operation[ListLotsInput, List[Lot]](Spec{
		ID: "listLots", Method: "GET", Path: "/lots", Scope: InventoryRead,
		Summary: "List lots", Extension: true})
	// ListSerials answers the serials, newest first.
	ListSerials = operation[ListSerialsInput, List[Serial]](Spec{
		ID: "listSerials", Method: "GET", Path: "/serials", Scope: InventoryRead,
		Summary: "List serials", Extension: true})
)
