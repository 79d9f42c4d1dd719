package places

import (
	"bincard/server/api"
	"bincard/tui/i18n"
)

// typeText returns the name of a location type: "warehouse".
func typeText(t *i18n.Translator, kind string) string {
	switch api.LocationType(kind) {
	case api.Warehouse:
		return t.Get("warehouse")
	case api.Shop:
		return t.Get("store")
	case api.Virtual:
		return t.Get("virtual")
	}
	return kind
}

// typeLabels returns the names of all location types, in the order of their values.
func typeLabels(t *i18n.Translator) (labels []string) {
	for _, kind := range api.Warehouse.Values() {
		labels = append(labels, typeText(t, kind))
	}
	return labels
}
