package names

import (
	"cmp"

	"bincard/server/api"
	"bincard/tui/i18n"
)

// State returns the name of an inventory state.
func State(t *i18n.Translator, s api.State) string {
	return cmp.Or(states.Get(t, s), s.Title())
}

// states are the names of the inventory states.
var states = i18n.TableOf("state", map[api.State]string{
	api.OnHand:         "on hand",
	api.Available:      "available",
	api.Reserved:       "reserved",
	api.Committed:      "committed",
	api.Incoming:       "incoming",
	api.Damaged:        "damaged",
	api.QualityControl: "quality control",
	api.SafetyStock:    "safety stock",
})

// ShortState is State for a narrow column: "quality", "safety".
func ShortState(t *i18n.Translator, s api.State) string {
	return cmp.Or(shortStates.Get(t, s), State(t, s))
}

// shortStates are shorter names for columns.
var shortStates = i18n.TableOf("short state", map[api.State]string{
	api.OnHand:         "on hand",
	api.Available:      "available",
	api.Committed:      "committed",
	api.Incoming:       "incoming",
	api.QualityControl: "quality",
	api.SafetyStock:    "safety",
})

// Tracking returns how closely stock of a product is tracked: "lot".
func Tracking(t *i18n.Translator, tracking api.Tracking) string {
	switch tracking {
	case api.TrackNone:
		return t.GetC("none", "tracking")
	case api.TrackLot:
		return t.Get("lot")
	case api.TrackSerial:
		return t.GetC("serial", "tracking")
	}

	return string(tracking)
}

// LocationType returns the name of a type of location.
func LocationType(t *i18n.Translator, kind string) string {
	return cmp.Or(locationTypes.Get(t, api.LocationType(kind)), kind)
}

// locationTypes are the names of the types of locations.
var locationTypes = i18n.TableOf("location", map[api.LocationType]string{
	api.Warehouse: "warehouse",
	api.Shop:      "store",
	api.Virtual:   "virtual",
})

// Unit returns the display name of a unit: in the language of t if Bincard itself gives products
// units of this name.
func Unit(t *i18n.Translator, code string) string {
	switch code {
	case "", "piece":
		return t.Get("piece")
	case "box":
		return t.Get("box")
	}

	return code
}

// Texts returns the text of each value, for the options of a choice.
func Texts[V ~string](t *i18n.Translator, values []string, text func(*i18n.Translator, V) string) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = text(t, V(v))
	}
	return out
}

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
