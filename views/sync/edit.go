package sync

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"bincard/server/api"
	"bincard/tui/widget"
	"bincard/views/dock"
)

// editing is the same operation with other numbers.
type editing struct{}

// members are the members of a body, as they stand.
type members map[string]jsontext.Value

func membersOf(w *api.Work) members {
	m := members{}
	if len(w.Body) > 0 && json.Unmarshal(w.Body, &m) != nil {
		return members{}
	}
	return m
}

// amounts are the members that hold how much, and what they are called.
var amounts = map[string]*string{"quantity": &fieldQuantity, "quantityDelta": &fieldDelta, "countedQuantity": &fieldCounted,
	"expectedQuantity": &fieldQuantity, "requestedQuantity": &fieldQuantity}

func (m members) amount() (name string) {
	for name := range amounts {
		if m[name] != nil {
			return name
		}
	}
	return ""
}

// lotted tells how an operation names a lot: "lotCode", "lotId", or not at all.
func lotted(operation string) string {
	switch operation {
	case api.ReceiveInbound.ID, api.ReceiveStock.ID, api.ReturnStock.ID, api.AssembleStock.ID:
		return "lotCode"
	case api.ShipTransfer.ID, api.ReceiveTransfer.ID, api.MoveStock.ID, api.FulfillStock.ID, api.WriteOffStock.ID,
		api.ReconcileStock.ID, api.PickOutbound.ID, api.AllocateOutbound.ID:
		return "lotId"
	}
	return ""
}

// pieces is the member that holds serial numbers, "" where there is none.
func (m members) pieces() string {
	for _, name := range []string{"serials", "serialNumbers", "serialIds"} {
		if m[name] != nil {
			return name
		}
	}
	return ""
}

func (editing) title() string { return labelEdit }
func (editing) ask() string   { return askEdit }

func (editing) lacks(w *api.Work) string {
	if m := membersOf(w); m.amount() == "" && m.pieces() == "" {
		return offNoNumbers
	}
	return ""
}

func (editing) fields(w *api.Work) (fields []widget.Field) {
	m := membersOf(w)
	if name := m.amount(); name != "" {
		f := widget.Field{Name: "quantity", Label: *amounts[name], Kind: widget.NumberField, Required: true,
			Signed: name == "quantityDelta", Check: dock.Positive}
		switch name {
		case "quantityDelta":
			f.Check = nonzero
		case "countedQuantity":
			f.Check = nil
		}
		if w.Goods.OpenThere != nil {
			f.Hint = sprintf(hintFits, widget.Count(*w.Goods.OpenThere))
		}
		fields = append(fields, f)
	}
	if lotted(w.Operation) != "" && (w.Goods.Lot != "" || m["lotCode"] != nil) {
		fields = append(fields, widget.Field{Name: "lot", Label: fieldLotCode})
	}
	if m.pieces() != "" {
		fields = append(fields, widget.Field{Name: "serials", Label: fieldPieces, Hint: hintPieces})
	}
	return fields
}

// fill puts in what was done; of the quantity as much as still fits.
func (editing) fill(f *widget.Form, w *api.Work) {
	if w.Goods.Quantity != nil {
		q := *w.Goods.Quantity
		if fits := w.Goods.OpenThere; fits != nil && *fits > 0 && *fits < q && undecided(w) {
			q = *fits
		}
		f.Fill("quantity", strconv.FormatInt(q, 10))
	}
	f.Fill("lot", w.Goods.Lot)
	f.Fill("serials", strings.Join(w.Goods.Serials, " "))
}

func (editing) make(ctx context.Context, site *dock.Site, w *api.Work, v map[string]string) (api.ReplaceWorkInput, error) {
	m := membersOf(w)
	set := func(name string, value any) {
		text, err := json.Marshal(value)
		if err == nil {
			m[name] = text
		}
	}
	if name := m.amount(); name != "" {
		q, _ := strconv.ParseInt(strings.TrimPrefix(v["quantity"], "+"), 10, 64) // the form has checked it
		set(name, q)
		delete(m, "unitCode")
		delete(m, "unitQuantity")
	}
	if lot, asked := v["lot"]; asked && lot != w.Goods.Lot {
		delete(m, "lotCode")
		delete(m, "lotId")
		if err := relot(ctx, site, w, lot, set); err != nil {
			return api.ReplaceWorkInput{}, err
		}
	}
	if text, asked := v["serials"]; asked {
		numbers := strings.Fields(strings.ReplaceAll(text, ",", " "))
		if !slices.Equal(numbers, w.Goods.Serials) {
			reserial(m, numbers, set)
		}
	}
	body, err := json.Marshal(m, json.Deterministic(true))
	return api.ReplaceWorkInput{Operation: w.Operation, Target: w.Target, Body: body}, err
}

// relot names another lot, by its code where the operation takes that.
func relot(ctx context.Context, site *dock.Site, w *api.Work, lot string, set func(string, any)) error {
	switch {
	case lot == "":
	case lotted(w.Operation) == "lotCode":
		set("lotCode", lot)
	default:
		found, err := dock.Ask(ctx, site, api.ListLots, api.ListLotsInput{ProductID: w.Goods.ProductID, LotCode: lot})
		if err != nil {
			return err
		}
		if len(found.Items) == 0 {
			return &faultError{"lot", sprintf(noSuchLot, lot)}
		}
		set("lotId", found.Items[0].ID)
	}
	return nil
}

func reserial(m members, numbers []string, set func(string, any)) {
	name := m.pieces()
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

func (editing) words(w *api.Work, v map[string]string) string {
	changed := *w
	if q, err := strconv.ParseInt(strings.TrimPrefix(v["quantity"], "+"), 10, 64); err == nil {
		changed.Goods.Quantity = &q
	}
	words := deed(&changed)
	if lot := v["lot"]; lot != "" && lot != w.Goods.Lot {
		words += ", " + sprintf(wordLot, lot)
	}
	return words
}
