package api

import "time"

// UseStatus is the status of a lot or product.
type UseStatus string

const (
	Active   UseStatus = "active"
	Archived UseStatus = "archived"
)

// Values lists the statuses of a lot and of a product.
func (UseStatus) Values() []string { return toStrings([]UseStatus{Active, Archived}) }

// A Lot is a batch of one product. Stock without a lot is counted separately.
type Lot struct {
	ID        ID         `json:"id"`
	LotCode   string     `json:"lotCode"`
	BatchCode string     `json:"batchCode,omitzero"`
	ExpiresAt *time.Time `json:"expiresAt,omitzero"`
	Status    UseStatus  `json:"status"`
}

// CheckExpiry returns an error if the lot is not recorded with an expiration date, which a
// label or a request has.
func (l *Lot) CheckExpiry(at time.Time) error {
	recorded := Text("without an expiration date")
	details := Details{"lotId": l.ID, "lotCode": l.LotCode, "requested": at}
	if l.ExpiresAt != nil {
		if at.Equal(*l.ExpiresAt) {
			return nil
		}
		recorded, details["expiresAt"] = Textf("with expiration %s", l.ExpiresAt.Format(time.DateOnly)), l.ExpiresAt
	}

	return Fail(LotMismatch, details,
		"Lot %s is recorded %v, not with %s. Check the label, or omit the date to use the recorded one.",
		l.LotCode, recorded, at.Format(time.DateOnly))
}

// SerialStatus is the status of a serial.
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
	return toStrings([]SerialStatus{InStock, Picked, Packed, Consumed, WrittenOff, SerialArchived})
}

// A Serial is one unit with a serial number.
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

// ListLotsInput filters the lots.
type ListLotsInput struct {
	ProductID ID     `json:"-" query:"productId" doc:"only lots of this product"`
	LotCode   string `json:"-" query:"lotCode" doc:"only the lot with this code"`
	TextFilter
	Page
}

// ListSerialsInput filters the serials.
type ListSerialsInput struct {
	ProductID    ID     `json:"-" query:"productId" doc:"only serials of this product"`
	SerialNumber string `json:"-" query:"serialNumber" doc:"only this serial number"`
	TextFilter
	Page
}

// A LotTrace is a lot with its current stock and its movements.
type LotTrace struct {
	Lot     Lot         `json:"lot"`
	Product *ProductRef `json:"product,omitzero"`
	// Totals are the quantities of the lot in all balances.
	Totals Quantities `json:"totals"`
	// Holdings are the balances that hold the lot now, oldest balance first.
	Holdings []LotHolding `json:"holdings"`
	// NextHoldingsCursor is set when more balances hold the lot.
	NextHoldingsCursor *string    `json:"nextHoldingsCursor,omitzero"`
	Movements          []Movement `json:"movements"`
	// NextCursor is set when more movements follow.
	NextCursor *string `json:"nextCursor,omitzero"`
}

// A LotHolding is the stock of a lot in one balance.
type LotHolding struct {
	BalanceID  ID `json:"balanceId"`
	LocationID ID `json:"locationId"`
	OwnerID    ID `json:"ownerId"`
	ChannelID  ID `json:"channelId"`
	Quantities
	Location *PlaceRef `json:"location,omitzero"`
	Owner    *PlaceRef `json:"owner,omitzero"`
	Channel  *PlaceRef `json:"channel,omitzero"`
}

// A SerialHistory is a serial with its movements.
type SerialHistory struct {
	Serial    Serial      `json:"serial"`
	Product   *ProductRef `json:"product,omitzero"`
	Lot       *Lot        `json:"lot,omitzero"`
	Movements []Movement  `json:"movements"`
	// NextCursor is set when more movements follow.
	NextCursor *string `json:"nextCursor,omitzero"`
}

// A PickableLot is the stock of one lot, or of no lot, that can be picked.
type PickableLot struct {
	// LotID is omitted for stock without a lot.
	LotID     ID         `json:"lotId,omitzero"`
	LotCode   string     `json:"lotCode,omitzero"`
	ExpiresAt *time.Time `json:"expiresAt,omitzero"`
	// AvailableQuantity is the quantity that no document or reservation holds.
	AvailableQuantity int64 `json:"availableQuantity"`
	// SerialNumbers are the oldest serials in stock, at most 20. Allocated stock counts
	// too: serials belong to a document only when picked.
	SerialNumbers []string `json:"serialNumbers,omitzero"`
}

// PickableStock is a page of the stock of a balance that can be picked.
type PickableStock struct {
	List[PickableLot]
	// AvailableQuantity is the sum of all pages.
	AvailableQuantity int64 `json:"availableQuantity"`
}

// ListPickableStockInput identifies a balance.
type ListPickableStockInput struct {
	ProductID  ID `json:"-" query:"productId" required:"true"`
	LocationID ID `json:"-" query:"locationId" required:"true"`
	OwnerID    ID `json:"-" query:"ownerId" doc:"default: the organization's default owner"`
	ChannelID  ID `json:"-" query:"channelId" doc:"default: the organization's default channel"`

	Limit  *int64 `json:"-" query:"limit" minimum:"1" maximum:"1000" default:"1000" doc:"page size"`
	Cursor string `json:"-" query:"cursor" doc:"the nextCursor of the previous page"`
}

// LotInput identifies a lot.
type LotInput struct {
	LotID ID `json:"-" path:"lotId"`
}

// TraceLotInput identifies a lot; limit and cursor page its movements, holdingsLimit and
// holdingsCursor its holdings.
type TraceLotInput struct {
	LotID ID `json:"-" path:"lotId"`
	HistoryPage
	HoldingsLimit  *int64 `json:"-" query:"holdingsLimit" minimum:"1" maximum:"1000" default:"1000" doc:"most holdings in the answer"`
	HoldingsCursor string `json:"-" query:"holdingsCursor" doc:"the nextHoldingsCursor of the previous answer"`
}

// SerialHistoryInput identifies a serial; limit and cursor page its movements.
type SerialHistoryInput struct {
	SerialID ID `json:"-" path:"serialId"`
	HistoryPage
}

var (
	// ListLots returns the lots, newest first.
	ListLots = operation[ListLotsInput, List[Lot]](Spec{
		ID: "listLots", Method: "GET", Path: "/lots", Scope: InventoryRead,
		Summary: "List lots", Extension: true})
	// ListPickableStock returns the unexpired stock of a balance by lot, in the order in
	// which it is picked: first expiry first.
	ListPickableStock = operation[ListPickableStockInput, PickableStock](Spec{
		ID: "listPickableStock", Method: "GET", Path: "/stock/pickable", Scope: InventoryRead,
		Summary: "List the stock to pick, by lot and first expiry first", Extension: true})
	// ListSerials returns the serials, newest first.
	ListSerials = operation[ListSerialsInput, List[Serial]](Spec{
		ID: "listSerials", Method: "GET", Path: "/serials", Scope: InventoryRead,
		Summary: "List serials", Extension: true})
	// ArchiveLot archives an empty lot. Operations can no longer receive or name it; its
	// trace stays readable.
	ArchiveLot = operation[LotInput, Lot](Spec{
		ID: "archiveLot", Method: "POST", Path: "/lots/{lotId}/archive", Scope: InventoryWrite,
		Direction: DirectionNone, AllLocations: true,
		Conflicts: []Code{LotNotEmpty},
		Summary:   "Archive an empty lot", Extension: true})
	// TraceLot returns a lot with its current stock and its movements.
	TraceLot = operation[TraceLotInput, LotTrace](Spec{
		ID: "traceLot", Method: "GET", Path: "/lots/{lotId}/trace", Scope: InventoryRead,
		History: true,
		Summary: "Trace a lot through its movements", Extension: true})
	// GetSerialHistory returns a serial with its movements.
	GetSerialHistory = operation[SerialHistoryInput, SerialHistory](Spec{
		ID: "getSerialHistory", Method: "GET", Path: "/serials/{serialId}/history", Scope: InventoryRead,
		History: true,
		Summary: "Read the history of a serial", Extension: true})
)
