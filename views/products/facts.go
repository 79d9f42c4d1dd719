package products

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/names"

	"github.com/google/uuid"
)

// references has the products and the codes of the locations that a product names, as far as they
// could be loaded.
type references struct {
	parts  map[api.ID]api.Product
	places map[api.ID]string
}

// productPairs returns all attributes of a product.
func productPairs(t *i18n.Translator, p *api.Product, refs references) []widget.Pair {
	out := []widget.Pair{{Label: t.Get("SKU"), Value: p.SKU}, {Label: t.Get("Name"), Value: p.Name}}
	add := func(label, value string) { out = append(out, widget.Pair{Label: label, Value: value}) }
	add(t.Get("Barcode"), strings.Join(p.Barcodes, "  "))
	unit := names.Unit(t, p.BaseUnitCode)
	add(t.Get("Unit"), unit)
	for _, u := range p.Units {
		add(names.Unit(t, u.UnitCode),
			strings.TrimSpace(t.Count(u.Factor)+" × "+unit+"   "+strings.Join(u.Barcodes, "  ")))
	}

	add(t.Get("Tracked"), trackingText(t, p.Tracking))
	if p.ReorderPoint != nil {
		add(t.Get("Reorder"), reorderText(t, p))
	}

	for i, at := range p.Shelves {
		label := ""
		if i == 0 {
			label = t.Get("Shelf")
		}

		code := at.LocationID.String()
		if place, ok := refs.places[at.LocationID]; ok {
			code = place
		}

		add(label, code+"  "+strings.Join(at.Shelves, ", "))
	}

	for i, c := range p.Components {
		label := ""
		if i == 0 {
			label = t.Get("Contains")
		}

		name := c.ProductID.String()
		if part, ok := refs.parts[c.ProductID]; ok {
			name = part.SKU + "  " + part.Name
		}

		add(label, t.Count(c.Quantity)+" × "+name)
	}

	if text := strings.TrimSpace(string(p.Metadata)); text != "" && text != "{}" && text != "null" {
		add(t.Get("Metadata"), text)
	}

	return out
}

// historyPairs returns what has changed in a product, newest first.
func historyPairs(
	t *i18n.Translator, now time.Time, p *api.Product, refs references, list []api.ResourceChange,
) (out []widget.Pair) {
	for i, c := range list {
		label := ""
		if i == 0 {
			label = t.Get("Changed")
		}

		who := c.Actor.Label
		if c.CreatedBy != nil {
			who = c.CreatedBy.Label
		}

		text := t.When(c.CreatedAt, now) + "  " + who + "  " + strings.Join(differences(t, p, refs, c), "; ")
		out = append(out, widget.Pair{Label: label, Value: text})
	}

	return out
}

// pastComponents returns the components that a product had before or after its changes.
func pastComponents(list []api.ResourceChange) (all []api.Component) {
	for _, c := range list {
		for _, data := range []api.Metadata{c.Before, c.After} {
			var state api.Product
			if json.Unmarshal(data, &state) == nil {
				all = append(all, state.Components...)
			}
		}
	}
	return all
}

// differences returns what differs in a change, as the screen shows it: "Name: Oat → Oats".
func differences(
	t *i18n.Translator, p *api.Product, refs references, c api.ResourceChange,
) (list []string) {
	var values [2]map[string]string
	var labels []string
	for i, data := range []api.Metadata{c.Before, c.After} {
		state := api.Product{BaseUnitCode: p.BaseUnitCode}
		if json.Unmarshal(data, &state) != nil {
			continue // of a newer version
		}

		values[i] = map[string]string{}
		label := ""
		pairs := append(
			productPairs(t, &state, refs),
			widget.Pair{Label: t.Get("Status"), Value: names.Status(t, state.Status)},
		)
		for _, pair := range pairs {
			label = firstNonEmpty(pair.Label, label) // a list has its label once
			values[i][label] = strings.TrimSpace(values[i][label] + "  " + pair.Value)
			if !slices.Contains(labels, label) {
				labels = append(labels, label)
			}
		}
	}

	for _, label := range labels {
		if before, after := values[0][label], values[1][label]; before != after {
			list = append(list, label+": "+firstNonEmpty(before, "–")+" → "+firstNonEmpty(after, "–"))
		}
	}

	return list
}

// trackingText describes how stock is tracked.
func trackingText(t *i18n.Translator, tracking api.Tracking) string {
	switch tracking {
	case api.TrackLot:
		return t.Get("by lot")
	case api.TrackSerial:
		return t.Get("by serial")
	}

	return names.Tracking(t, api.TrackNone)
}

// reorderText returns the reorder point, or "" for none.
func reorderText(t *i18n.Translator, p *api.Product) string {
	if p.ReorderPoint == nil {
		return ""
	}
	return t.Count(*p.ReorderPoint)
}

// packagingText lists the packagings: "box 12".
func packagingText(t *i18n.Translator, p *api.Product) string {
	var words []string
	for _, u := range p.Units {
		words = append(words, names.Unit(t, u.UnitCode)+" "+t.Count(u.Factor))
	}
	return strings.Join(words, ", ")
}

// parseCount parses a typed number. ok is false for an empty field.
func parseCount(text string) (n int64, ok bool) {
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil
}

func firstNonEmpty(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}

	return ""
}

// productIDIn returns the product ID in the details of an error, or zero.
func productIDIn(e *api.Error) api.ID {
	switch id := e.Details["productId"].(type) {
	case api.ID:
		return id
	case string:
		parsed, _ := uuid.Parse(id)
		return parsed
	}

	return api.NoID
}
