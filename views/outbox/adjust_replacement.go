package outbox

import (
	"context"
	"strconv"
	"strings"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/names"
	"bincard/views/session"

	"github.com/go-json-experiment/json"
)

// adjustReplacement replaces an operation with a stock adjustment that records what
// happened.
type adjustReplacement struct{ t *i18n.Translator }

func (r adjustReplacement) title() string { return r.t.Get("adjust") }
func (r adjustReplacement) question() string {
	return r.t.Get("Record what happened as an adjustment. It replaces the original.")
}

func (r adjustReplacement) unavailable(w *api.Work) string {
	if direction(w).ChangesOnHand() && w.Stock.ProductID == api.NoID && w.Stock.Kind == api.DocOutbound {
		return r.t.Get("The order has several products. Discard it and adjust each product.")
	}
	if !direction(w).ChangesOnHand() || w.Stock.ProductID == api.NoID || w.Stock.LocationID == api.NoID {
		return r.t.Get("It changes no stock, so there is nothing to adjust")
	}
	return ""
}

// direction returns how an operation changes stock.
func direction(w *api.Work) api.Direction {
	if spec := api.FindOperation(w.Operation); spec != nil {
		return spec.Direction
	}
	return api.DirectionNone
}

func nonzero(t *i18n.Translator) func(text string) error {
	return func(text string) error {
		if n, err := strconv.ParseInt(strings.TrimPrefix(text, "+"), 10, 64); err == nil && n == 0 {
			return t.NewError("cannot be 0")
		}
		return nil
	}
}

func (r adjustReplacement) fields(w *api.Work) []widget.Field {
	t := r.t

	var states, texts []string
	for _, s := range api.States {
		if s != api.OnHand && s != api.Incoming {
			states, texts = append(states, string(s)), append(texts, names.State(t, s))
		}
	}

	return []widget.Field{
		{
			Name:     "delta",
			Label:    t.Get("Difference"),
			Kind:     widget.NumberField,
			Signed:   true,
			Required: true,
			Check:    nonzero(t),
		},
		{Name: "state", Label: t.Get("State"), Kind: widget.ChoiceField, Options: texts, Values: states},
		{Name: "reason", Label: t.Get("Reason"), Required: true, Hint: t.GetC("why", "sync")},
	}
}

func (r adjustReplacement) fill(f *widget.Form, w *api.Work) {
	if d := stockDelta(w); d != 0 {
		f.Fill("delta", r.t.Change(d))
	}

	f.Fill("state", string(targetState(w)))
	text := workTitle(r.t, w)
	if why := reason(r.t, w); why != "" {
		text = r.t.Get("%s: %s", text, why)
	}

	f.Fill("reason", text)
}

// stockDelta returns by how much the stock changed if the items have moved.
func stockDelta(w *api.Work) int64 {
	if w.Stock.Quantity == nil {
		return 0
	}

	q := *w.Stock.Quantity
	switch {
	case w.Operation == api.AdjustStock.ID:
		return q
	case w.Operation == api.ReconcileStock.ID && w.Stock.There != nil:
		return q - w.Stock.There.OnHand
	}

	return q * direction(w).Sign()
}

// targetState returns the state that an operation names, else available.
func targetState(w *api.Work) api.State {
	var in struct {
		State api.State `json:"inventoryState"`
	}
	if len(w.Body) > 0 && json.Unmarshal(w.Body, &in) == nil && in.State != "" && in.State != api.Committed {
		return in.State
	}
	return api.Available
}

func (adjustReplacement) build(
	_ context.Context,
	site *session.Site,
	w *api.Work,
	v map[string]string,
) (api.ReplaceWorkInput, error) {
	d, _ := strconv.ParseInt(strings.TrimPrefix(v["delta"], "+"), 10, 64) // the form has checked it
	in := api.AdjustStockInput{
		StockKey: api.StockKey{
			ProductID:  w.Stock.ProductID,
			LocationID: w.Stock.LocationID,
			OwnerID:    w.Stock.OwnerID,
			ChannelID:  w.Stock.ChannelID,
		},
		QuantityDelta:  d,
		InventoryState: api.Available,
		Reason:         v["reason"],
	}

	for _, s := range api.States {
		if string(s) == v["state"] {
			in.InventoryState = s
		}
	}

	if w.Stock.Document != api.NoID {
		in.ReferenceType, in.ReferenceID = string(w.Stock.Kind), documentName(&w.Stock)
	}

	other, err := trackedReplacement(site, w, in)
	if other == nil && err == nil {
		other, err = replaceWith(api.AdjustStock, &in)
	}
	if err != nil {
		return api.ReplaceWorkInput{}, err
	}

	return *other, nil
}

func (r adjustReplacement) describe(w *api.Work, v map[string]string) string {
	changed := *w
	changed.Operation, changed.Stock.Document, changed.Stock.Reference = api.AdjustStock.ID, api.NoID, ""
	changed.Stock.Quantity = nil
	d, err := strconv.ParseInt(strings.TrimPrefix(v["delta"], "+"), 10, 64)
	if err == nil {
		changed.Stock.Quantity = &d
	}

	text := workTitle(r.t, &changed) + ", " + names.State(r.t, api.State(v["state"]))
	if g := trackedItemsOf(w); d > 0 && g.namesIncoming() && v["state"] == string(api.Available) ||
		d < 0 && g.namesOutgoing() {
		text += g.describe(r.t, w)
	}

	return text
}
