package api

import "time"

// A Balance is the stock of one product at one location for one owner in one channel.
type Balance struct {
	ID             ID          `json:"id"`
	OrganizationID ID          `json:"organizationId"`
	Environment    Environment `json:"environment"`
	ProductID      ID          `json:"productId"`
	LocationID     ID          `json:"locationId"`
	OwnerID        ID          `json:"ownerId"`
	ChannelID      ID          `json:"channelId"`
	Quantities
	// Version starts at 1 and increases by one with every write to the balance.
	Version   int64       `json:"version"`
	Product   *ProductRef `json:"product,omitzero"`
	Location  *PlaceRef   `json:"location,omitzero"`
	Owner     *PlaceRef   `json:"owner,omitzero"`
	Channel   *PlaceRef   `json:"channel,omitzero"`
	CreatedAt time.Time   `json:"createdAt"`
	UpdatedAt time.Time   `json:"updatedAt"`
}

// SnapshotRow returns the balance as a row of the snapshot report.
func (b *Balance) SnapshotRow() SnapshotRow {
	row := SnapshotRow{ID: b.ID, ProductID: b.ProductID, LocationID: b.LocationID, OwnerID: b.OwnerID,
		ChannelID: b.ChannelID, Quantities: b.Quantities, UpdatedAt: b.UpdatedAt}
	if b.Product != nil {
		row.ProductName, row.ProductSKU = b.Product.Name, b.Product.SKU
	}

	row.LocationName, row.LocationCode = b.Location.NameAndCode()
	row.OwnerName, row.OwnerCode = b.Owner.NameAndCode()
	row.ChannelName, row.ChannelCode = b.Channel.NameAndCode()

	return row
}

// An Explanation is a balance, the movements that add up to it and their totals.
type Explanation struct {
	Balance   Balance    `json:"balance"`
	Movements []Movement `json:"movements"`
	// Totals are the sums of all movements, also if only a page is returned. They equal
	// the quantities of the balance.
	Totals Quantities `json:"totals"`
	// NextCursor is set when more movements follow.
	NextCursor *string `json:"nextCursor,omitzero"`
}

// ListBalancesInput filters the balances.
type ListBalancesInput struct {
	StockFilter
	Page
}

// GetBalanceInput identifies a balance.
type GetBalanceInput struct {
	BalanceID ID `json:"-" path:"balanceId"`
}

// ExplainBalanceInput identifies a balance; limit and cursor page its movements.
type ExplainBalanceInput struct {
	BalanceID    ID         `json:"-" path:"balanceId"`
	OccurredFrom *time.Time `json:"-" query:"occurredFrom" doc:"only movements that happened, or were created if that is all that is known, at this time or later (extension)"`
	OccurredTo   *time.Time `json:"-" query:"occurredTo" doc:"only movements that happened before this time (extension)"`
	HistoryPage
}

// Order is the sort order of a list.
type Order string

const (
	OldestFirst Order = "oldest"
	NewestFirst Order = "newest"
)

// Values lists the orders.
func (Order) Values() []string { return []string{string(OldestFirst), string(NewestFirst)} }

var (
	// ListBalances returns the balances, newest first.
	ListBalances = operation[ListBalancesInput, List[Balance]](Spec{
		ID: "listBalances", Method: "GET", Path: "/balances", Scope: InventoryRead,
		Example: Example{"productId": nil},
		Summary: "List balances", Extension: true})
	// GetBalance returns one balance.
	GetBalance = operation[GetBalanceInput, Balance](Spec{
		ID: "getBalance", Method: "GET", Path: "/balances/{balanceId}", Scope: InventoryRead,
		Summary: "Read one balance", Extension: true})
	// ExplainBalance returns a balance with the movements that add up to it.
	ExplainBalance = operation[ExplainBalanceInput, Explanation](Spec{
		ID: "explainBalance", Method: "GET", Path: "/balances/{balanceId}/explain", Scope: InventoryRead,
		History: true,
		Summary: "Explain a balance from its ledger movements"})
)
