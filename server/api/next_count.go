package api

import "time"

// A NextCount is a product to count at a location. It has no quantity, because counts are blind.
type NextCount struct {
	ProductID ID          `json:"productId"`
	Product   *ProductRef `json:"product,omitzero"`
	// Class is A, B or C: the products with 80, 15 and 5 percent of the movements of about 90 days.
	Class string `json:"class"`
	// CountedAt is when the product, or a lot of it, was last counted, if that is known.
	CountedAt time.Time `json:"countedAt,omitzero"`
	CountedBy *Actor    `json:"countedBy,omitzero"`
}

// ListNextCountsInput identifies a location.
type ListNextCountsInput struct {
	LocationID ID `json:"-" query:"locationId" required:"true"`
}

// ListNextCounts returns the products to count next at a location: those whose last count is
// the longest ago for their class, from ten shelves. A product without a shelf counts as one.
var ListNextCounts = operation[ListNextCountsInput, List[NextCount]](Spec{
	ID: "listNextCounts", Method: "GET", Path: "/counts/next", Scope: InventoryRead,
	History: true,
	Summary: "List what to count next", Extension: true})
