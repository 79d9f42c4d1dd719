package outbox

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/panel"
	"bincard/views/session"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// editReplacement replaces an operation with the same one with other values.
type editReplacement struct{ t *i18n.Translator }

// bodyFields are the undecoded members of a request body.
type bodyFields map[string]jsontext.Value

func bodyFieldsOf(w *api.Work) bodyFields {
	m := bodyFields{}
	if len(w.Body) > 0 && json.Unmarshal(w.Body, &m) != nil {
		return bodyFields{}
	}
	return m
}

// quantityFields maps the members that hold a quantity to their labels.
var quantityFields = i18n.Texts[string]{
	"quantity":          "Quantity",
	"quantityDelta":     "Difference",
	"countedQuantity":   "Counted",
	"expectedQuantity":  "Quantity",
	"requestedQuantity": "Quantity",
}

func (m bodyFields) quantityField() (name string) {
	for name := range quantityFields {
		if m[name] != nil {
			return name
		}
	}

	return ""
}

// lotField returns the member that names a lot in an operation: "lotCode" if the
// operation can create the lot, else "lotId", or "" if it names none.
func lotField(operation string) string {
	spec := api.FindOperation(operation)
	for _, name := range []string{"lotCode", "lotId"} {
		if spec != nil && spec.HasMember(name) {
			return name
		}
	}

	return ""
}

// serialsField returns the member that holds serial numbers, or "".
func (m bodyFields) serialsField() string {
	for _, name := range []string{"serials", "serialNumbers", "serialIds"} {
		if m[name] != nil {
			return name
		}
	}

	return ""
}

func (r editReplacement) title() string { return r.t.Get("edit") }
func (r editReplacement) question() string {
	return r.t.Get("Enter the correct values. They replace the original.")
}

func (r editReplacement) unavailable(w *api.Work) string {
	if m := bodyFieldsOf(w); m.quantityField() == "" && m.serialsField() == "" {
		return r.t.Get("It has no quantity to edit. Retry or discard it.")
	}
	return ""
}

func (r editReplacement) fields(w *api.Work) (fields []widget.Field) {
	m := bodyFieldsOf(w)
	if name := m.quantityField(); name != "" {
		f := widget.Field{
			Name:     "quantity",
			Label:    r.t.Get(quantityFields[name]),
			Kind:     widget.NumberField,
			Required: true,
			Signed:   name == "quantityDelta",
			Check:    panel.CheckPositive(r.t),
		}

		switch name {
		case "quantityDelta":
			f.Check = nonzero(r.t)
		case "countedQuantity":
			f.Check = nil
		}

		if w.Stock.OpenThere != nil {
			f.Hint = r.t.Get("%s open", r.t.Count(*w.Stock.OpenThere))
		}

		fields = append(fields, f)
	}

	if lotField(w.Operation) != "" && (w.Stock.Lot != "" || m["lotCode"] != nil) {
		fields = append(fields, widget.Field{Name: "lot", Label: r.t.Get("Lot")})
	}

	if m.serialsField() != "" {
		fields = append(fields, widget.Field{
			Name:  "serials",
			Label: r.t.Get("Serials"),
			Hint:  r.t.Get("serial numbers separated by spaces"),
		})
	}

	return fields
}

// fill fills in the original values. The quantity is reduced to what is still open.
func (r editReplacement) fill(f *widget.Form, w *api.Work) {
	if w.Stock.Quantity != nil {
		q := *w.Stock.Quantity
		if fits := w.Stock.OpenThere; fits != nil && *fits > 0 && *fits < q && w.State.NeedsDecision() {
			q = *fits
		}
		f.Fill("quantity", strconv.FormatInt(q, 10))
	}

	f.Fill("lot", w.Stock.Lot)
	f.Fill("serials", strings.Join(w.Stock.Serials, " "))
}

func (editReplacement) build(
	ctx context.Context,
	site *session.Site,
	w *api.Work,
	v map[string]string,
) (api.ReplaceWorkInput, error) {
	m := bodyFieldsOf(w)
	set := func(name string, value any) {
		text, err := json.Marshal(value)
		if err == nil {
			m[name] = text
		}
	}

	if name := m.quantityField(); name != "" {
		q, _ := strconv.ParseInt(strings.TrimPrefix(v["quantity"], "+"), 10, 64) // the form has checked it
		set(name, q)
		if err := setLotQuantity(site.T(), m, q, set); err != nil {
			return api.ReplaceWorkInput{}, err
		}
		delete(m, "unitCode")
		delete(m, "unitQuantity")
	}

	if lot, asked := v["lot"]; asked && lot != w.Stock.Lot {
		delete(m, "lotCode")
		delete(m, "lotId")
		if err := setLot(ctx, site, w, lot, set); err != nil {
			return api.ReplaceWorkInput{}, err
		}
	}

	if text, asked := v["serials"]; asked {
		numbers := strings.Fields(strings.ReplaceAll(text, ",", " "))
		if !slices.Equal(numbers, w.Stock.Serials) {
			setSerials(m, numbers, set)
		}
	}

	body, err := json.Marshal(m, json.Deterministic(true))

	return api.ReplaceWorkInput{Operation: w.Operation, Target: w.Target, Body: body}, err
}

// setLotQuantity sets the quantity of the lot that a fulfillment names.
func setLotQuantity(t *i18n.Translator, m bodyFields, q int64, set func(string, any)) error {
	var lots []api.FulfilledLot
	if m["lots"] == nil || json.Unmarshal(m["lots"], &lots) != nil {
		return nil
	}

	named := int64(0)
	for _, l := range lots {
		named += l.Quantity
	}

	switch {
	case named == q:
	case len(lots) == 1:
		lots[0].Quantity = q
		set("lots", lots)
	default:
		return &fieldError{"quantity", t.Get("it has several lots: discard it and count again")}
	}

	return nil
}

// setLot sets another lot, by its code if the operation accepts codes.
func setLot(ctx context.Context, site *session.Site, w *api.Work, lot string, set func(string, any)) error {
	switch {
	case lot == "":
	case lotField(w.Operation) == "lotCode":
		set("lotCode", lot)
	default:
		found, err := session.Call(ctx, site, api.ListLots,
			api.ListLotsInput{ProductID: w.Stock.ProductID, LotCode: lot})
		if err != nil {
			return err
		}
		if len(found.Items) == 0 {
			return &fieldError{"lot", site.T().Get("lot %s not found", lot)}
		}

		set("lotId", found.Items[0].ID)
	}

	return nil
}

func setSerials(m bodyFields, numbers []string, set func(string, any)) {
	name := m.serialsField()
	delete(m, name)
	switch {
	case len(numbers) == 0:
	case name == "serials":
		var list []api.SerialInput
		for _, n := range numbers {
			list = append(list, api.SerialInput{SerialNumber: n})
		}
		set("serials", list)

	default:
		set("serialNumbers", numbers)
	}
}

func (r editReplacement) describe(w *api.Work, v map[string]string) string {
	changed := *w
	if q, err := strconv.ParseInt(strings.TrimPrefix(v["quantity"], "+"), 10, 64); err == nil {
		changed.Stock.Quantity = &q
	}

	text := workTitle(r.t, &changed)
	if lot := v["lot"]; lot != "" && lot != w.Stock.Lot {
		text += ", " + r.t.Get("lot %s", lot)
	}

	return text
}
