package names

import (
	"cmp"

	"bincard/tui/i18n"
)

// Status returns the name of the status of a document, a serial number, a lot or a product.
func Status[S ~string](t *i18n.Translator, status S) string {
	return cmp.Or(statuses.Get(t, string(status)), string(status))
}

// statuses are the names of the statuses.
var statuses = i18n.TableOf("status", map[string]string{
	"expected":           "expected",
	"partiallyReceived":  "partly received",
	"received":           "received",
	"closed":             "closed",
	"cancelled":          "canceled",
	"inTransit":          "in transit",
	"backordered":        "backordered",
	"partiallyAllocated": "partly allocated",
	"allocated":          "allocated",
	"partiallyPicked":    "partly picked",
	"picked":             "picked",
	"partiallyPacked":    "partly packed",
	"packed":             "packed",
	"partiallyFulfilled": "partly fulfilled",
	"fulfilled":          "fulfilled",
	"pending":            "pending",
	"committed":          "committed",
	"released":           "released",
	"expired":            "expired",
	"in_stock":           "in stock",
	"consumed":           "consumed",
	"written_off":        "written off",
	"active":             "active",
	"archived":           "archived",
})
