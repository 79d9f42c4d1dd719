package names

import (
	"bincard/tui/i18n"
)

// Status returns the name of the status of a document, a serial number, a lot or a product.
func Status[S ~string](t *i18n.Translator, status S) string {
	switch string(status) {
	case "expected":
		return t.GetC("expected", "status")
	case "partiallyReceived":
		return t.GetC("partly received", "status")
	case "received":
		return t.GetC("received", "status")
	case "closed":
		return t.GetC("closed", "status")
	case "cancelled":
		return t.GetC("canceled", "status")
	case "inTransit":
		return t.GetC("in transit", "status")
	case "backordered":
		return t.GetC("backordered", "status")
	case "partiallyAllocated":
		return t.GetC("partly allocated", "status")
	case "allocated":
		return t.GetC("allocated", "status")
	case "partiallyPicked":
		return t.GetC("partly picked", "status")
	case "picked":
		return t.GetC("picked", "status")
	case "partiallyPacked":
		return t.GetC("partly packed", "status")
	case "packed":
		return t.GetC("packed", "status")
	case "partiallyFulfilled":
		return t.GetC("partly fulfilled", "status")
	case "fulfilled":
		return t.GetC("fulfilled", "status")
	case "pending":
		return t.GetC("pending", "status")
	case "committed":
		return t.GetC("committed", "status")
	case "released":
		return t.GetC("released", "status")
	case "expired":
		return t.GetC("expired", "status")
	case "in_stock":
		return t.GetC("in stock", "status")
	case "consumed":
		return t.GetC("consumed", "status")
	case "written_off":
		return t.GetC("written off", "status")
	case "active":
		return t.GetC("active", "status")
	case "archived":
		return t.GetC("archived", "status")
	}

	return string(status)
}
