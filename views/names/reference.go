package names

import (
	"bincard/server/api"
)

// ProductSKU returns the SKU in a product reference, or a short ID if it is nil.
func ProductSKU(ref *api.ProductRef, id api.ID) string {
	if ref == nil {
		return ShortID(id)
	}
	return ref.SKU
}

// ProductName returns the name in a product reference, or "" if it is nil.
func ProductName(ref *api.ProductRef) string {
	if ref == nil {
		return ""
	}
	return ref.Name
}

// LocationCode returns the code in a location reference, or "" if it is nil.
func LocationCode(ref *api.PlaceRef) string {
	_, code := ref.NameAndCode()
	return code
}

// LocationName returns the name in a location reference, or "" if it is nil.
func LocationName(ref *api.PlaceRef) string {
	name, _ := ref.NameAndCode()
	return name
}
