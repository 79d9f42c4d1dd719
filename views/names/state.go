package names

import (
	"bincard/server/api"
	"bincard/tui/i18n"
)

// State returns the name of an inventory state.
func State(t *i18n.Translator, s api.State) string {
	switch s {
	case api.OnHand:
		return t.GetC("on hand", "state")
	case api.Available:
		return t.GetC("available", "state")
	case api.Reserved:
		return t.GetC("reserved", "state")
	case api.Committed:
		return t.GetC("committed", "state")
	case api.Incoming:
		return t.GetC("incoming", "state")
	case api.Damaged:
		return t.GetC("damaged", "state")
	case api.QualityControl:
		return t.GetC("quality control", "state")
	case api.SafetyStock:
		return t.GetC("safety stock", "state")
	}

	return s.Title()
}

// ShortState is State for a narrow column: "quality", "safety".
func ShortState(t *i18n.Translator, s api.State) string {
	switch s {
	case api.QualityControl:
		return t.GetC("quality", "state")
	case api.SafetyStock:
		return t.GetC("safety", "state")
	}

	return State(t, s)
}

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
	switch api.LocationType(kind) {
	case api.Warehouse:
		return t.GetC("warehouse", "location")
	case api.Shop:
		return t.GetC("store", "location")
	case api.Virtual:
		return t.GetC("virtual", "location")
	}

	return kind
}

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
