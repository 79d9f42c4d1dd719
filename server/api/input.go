package api

import "time"

// The types of this file are the parts that inputs have in common.

// A StockKey identifies a balance. Without an owner or a channel it is the
// organization's default.
type StockKey struct {
	ProductID  ID `json:"productId,omitzero" required:"true"`
	LocationID ID `json:"locationId,omitzero" required:"true"`
	OwnerID    ID `json:"ownerId,omitzero" doc:"default: the organization's default owner"`
	ChannelID  ID `json:"channelId,omitzero" doc:"default: the organization's default channel"`
}

// A StockFilter limits a list to the stock of a product, a location, an owner or a
// channel.
type StockFilter struct {
	ProductID  ID `json:"-" query:"productId"`
	LocationID ID `json:"-" query:"locationId"`
	OwnerID    ID `json:"-" query:"ownerId"`
	ChannelID  ID `json:"-" query:"channelId"`
}

// A NewLot is the lot of stock that comes in: an existing lot, or one to create.
type NewLot struct {
	LotID       ID         `json:"lotId,omitzero" doc:"an existing lot of the product"`
	LotCode     string     `json:"lotCode,omitzero" doc:"lot code; the lot is created if it does not exist"`
	BatchCode   string     `json:"batchCode,omitzero"`
	ExpiresAt   *time.Time `json:"expiresAt,omitzero"`
	LotMetadata Metadata   `json:"lotMetadata,omitzero" doc:"stored with a new lot; an existing lot keeps its own"`
}

// A LotChoice chooses the lots of stock that leaves a balance or a state.
type LotChoice struct {
	LotID       ID          `json:"lotId,omitzero" doc:"only stock of this lot"`
	LotStrategy LotStrategy `json:"lotStrategy,omitzero" doc:"the order of the lots; fefo is earliest expiration first"`
}

func (c *LotChoice) check(p *Problems) {
	if c.LotID != NoID && c.LotStrategy != "" {
		p.Add("lotStrategy", "exclusive", "provide a lot or a strategy, not both")
	}
}

// A SerialChoice chooses serials, by id, by serial number or both.
type SerialChoice struct {
	SerialIDs     []ID     `json:"serialIds,omitzero" maxItems:"1000"`
	SerialNumbers []string `json:"serialNumbers,omitzero" maxItems:"1000" text:"any"`
}

// A UnitInput is a quantity in a unit of the product, such as 4 cases.
type UnitInput struct {
	UnitCode     string `json:"unitCode,omitzero" text:"any" doc:"the unit of unitQuantity"`
	UnitQuantity *int64 `json:"unitQuantity,omitzero" minimum:"1" doc:"must equal quantity when converted"`
}

func (u *UnitInput) check(p *Problems) { checkUnitPair(p, u.UnitCode, u.UnitQuantity) }

// checkUnitPair checks that a unit and its quantity are provided together.
func checkUnitPair(p *Problems, code string, quantity *int64) {
	if (code == "") != (quantity == nil) {
		p.Add("unitQuantity", "together", "unitCode and unitQuantity must be provided together")
	}
}

// A Reference is a document of another system.
type Reference struct {
	ReferenceType string `json:"referenceType,omitzero"`
	ReferenceID   string `json:"referenceId,omitzero"`
}

// A TextFilter selects the rows whose names or numbers contain a text.
type TextFilter struct {
	Query string `json:"-" query:"query" doc:"part of a name, code, number or reference; case does not matter"`
}

// A Page is one page of a list.
type Page struct {
	Limit  *int64 `json:"-" query:"limit" minimum:"1" maximum:"100" default:"25" doc:"page size"`
	Cursor string `json:"-" query:"cursor" doc:"the nextCursor of the previous page"`
}

// A HistoryPage is one page of a history. A page ends early before it grows too large.
type HistoryPage struct {
	Limit  *int64 `json:"-" query:"limit" minimum:"1" maximum:"1000" default:"1000" doc:"page size; a page with large movements may be shorter"`
	Cursor string `json:"-" query:"cursor" doc:"the nextCursor of the previous page"`
	Order  Order  `json:"-" query:"order" doc:"oldest (default) or newest first"`
}
