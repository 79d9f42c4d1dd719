package reports

import (
	"context"
	"errors"
	"slices"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/widget"
	"bincard/views/balances/catalogue"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

const whatever = "any"

var stocked = []string{whatever, "in stock", "out of stock"}

// operations and states are the choices of the form, in words.
func operations() []string {
	out := []string{whatever}
	for _, o := range api.MovementOperations {
		out = append(out, strings.ReplaceAll(string(o), "_", " "))
	}
	return out
}

func states() []string {
	out := []string{whatever}
	for _, s := range api.States {
		out = append(out, s.Title())
	}
	return out
}

// newForm asks for a filter; status is for reports of balances only.
func newForm(f filter, status bool) *widget.Form {
	var spans []string
	for _, p := range periods {
		spans = append(spans, p.name)
	}
	if !slices.Contains(spans, f.span()) && f.From == "" && f.To == "" {
		spans = append(spans, f.span())
	}
	fields := []widget.Field{
		{Name: "sku", Label: "Product", Hint: "scan it, or type the SKU"},
		{Name: "place", Label: "Place", Hint: "scan it, or type its code"},
		{Name: "operation", Label: "Operation", Kind: widget.ChoiceField, Options: operations()},
		{Name: "state", Label: "State", Kind: widget.ChoiceField, Options: states()},
	}
	if status {
		fields = append(fields, widget.Field{Name: "status", Label: "Holds", Kind: widget.ChoiceField, Options: stocked})
	}
	fields = append(fields,
		widget.Field{Name: "span", Label: "Period", Kind: widget.ChoiceField, Options: spans},
		widget.Field{Name: "from", Label: "From", Kind: widget.DateField, Hint: "2026-03-01"},
		widget.Field{Name: "to", Label: "To", Kind: widget.DateField, Hint: "2026-03-31"})
	form := widget.NewForm(fields...)
	form.Fill("sku", f.SKU)
	form.Fill("place", f.Place)
	form.Fill("operation", strings.ReplaceAll(f.Operation, "_", " "))
	form.Fill("state", api.State(f.State).Title())
	form.Fill("status", stocked[max(0, slices.Index([]string{"", string(api.StockIn), string(api.StockOut)}, f.Status))])
	form.Fill("from", f.From)
	form.Fill("to", f.To)
	form.Fill("span", f.span())
	if f.From != "" || f.To != "" {
		form.Fill("span", "from … to")
	}
	return form
}

// read takes a filter from the form. A day that was typed counts, whatever the
// period says.
func read(form *widget.Form, old filter) filter {
	f := filter{SKU: form.Value("sku"), Place: form.Value("place"), From: form.Value("from"), To: form.Value("to")}
	if i := slices.Index(operations(), form.Value("operation")); i > 0 {
		f.Operation = string(api.MovementOperations[i-1])
	}
	if i := slices.Index(states(), form.Value("state")); i > 0 {
		f.State = string(api.States[i-1])
	}
	f.Status = []string{"", string(api.StockIn), string(api.StockOut)}[max(0, slices.Index(stocked, form.Value("status")))]
	span := form.Value("span")
	if span != "from … to" && (f.From != "" || f.To != "") && f.From == old.From && f.To == old.To {
		f.From, f.To = "", "" // another period was chosen in their place
	}
	f.Days = old.Days
	for _, p := range periods {
		if p.name == span {
			f.Days = max(0, p.days)
		}
	}
	if f.From != "" || f.To != "" {
		f.Days = 0
	}
	return f
}

// thingMsg is what a code scanned into the form was found to be.
type thingMsg struct {
	thing catalogue.Thing
	err   error
}

// scanned looks up what a code is, to filter by it.
func scanned(env tui.Env, site *dock.Site, got scan.Scan) tea.Cmd {
	codes := dock.Read(got).Codes
	return env.Do(func(ctx context.Context) tea.Msg {
		thing, err := catalogue.Find(ctx, site, codes...)
		return thingMsg{thing, err}
	})
}

// narrowed is the filter with a scanned thing in it.
func (f filter) narrowed(t catalogue.Thing) (filter, error) {
	switch {
	case t.Product == nil && t.Location == nil:
		return f, errors.New("That is a document. Scan a product or a place to filter by it.")
	case t.Product != nil:
		f.SKU = t.Product.SKU
	}
	if t.Location != nil {
		f.Place = t.Location.Code
	}
	return f, nil
}
