package dock

import "bincard/server/api"

// ProductSKU is the SKU of the goods that a document names; where it only gives
// their id, the beginning of that.
func ProductSKU(ref *api.ProductRef, id api.ID) string {
	if ref == nil {
		return ShortID(id)
	}
	return ref.SKU
}

// ProductName is what the goods of a document are called, "" where it does not tell.
func ProductName(ref *api.ProductRef) string {
	if ref == nil {
		return ""
	}
	return ref.Name
}

// LocationCode is the code of the place that a document names, "" where it does not tell.
func LocationCode(ref *api.PlaceRef) string {
	if ref == nil {
		return ""
	}
	return ref.Code
}
