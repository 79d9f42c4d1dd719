package goods

import (
	"context"
	"errors"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/dock"
	"bincard/views/goods/entry"

	tea "github.com/charmbracelet/bubbletea"
)

// New makes the form of a new product. "?barcode=" fills in a code, "?sku=" the
// SKU.
func New(site *dock.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		return entry.Screen(site, entry.Making{
			Title: "Products › new", Short: "new product", Ask: "A product, and how it comes. Scan its barcodes at any field",
			Fields: fields, Start: start(env.Route.Query.Get("sku"), env.Route.Query.Get("barcode")),
			Name: func(v map[string]string) string {
				return strings.TrimSpace("product " + first(v["sku"], v["name"], v["barcode"], v["boxcode"]))
			},
			Step: step, Aim: aim, Free: free(site), Field: field, Offer: offer, Made: made(site),
		})(env)
	}
}

// fields are the questions. The box stands for any packaging.
func fields() []widget.Field {
	return []widget.Field{
		{Name: "sku", Label: "SKU", Required: true, Hint: "OAT-1L"},
		{Name: "name", Label: "Name", Required: true, Hint: "Oat milk 1 l"},
		{Name: "barcode", Label: "Barcode", Hint: "scan it", Check: Barcode},
		{Name: "unit", Label: "Unit", Hint: "piece"},
		{Name: "holds", Label: "Box of", Kind: widget.NumberField, Hint: "12, if it comes in boxes", Check: dock.Positive},
		{Name: "boxcode", Label: "Boxcode", Hint: "scan the label of the box", Check: Barcode},
		{Name: "tracking", Label: "Tracked", Kind: widget.ChoiceField, Options: api.TrackNone.Values()},
		{Name: "reorder", Label: "Reorder", Kind: widget.NumberField, Hint: "under this many it is low"},
	}
}

func start(sku, code string) func(*widget.Form, bool) {
	return func(f *widget.Form, again bool) {
		f.Fill("unit", "piece")
		if again {
			return
		}
		f.Fill("sku", sku)
		if isBox(code) {
			f.Fill("boxcode", code)
		} else {
			f.Fill("barcode", code)
		}
		if sku != "" {
			f.Focus("name")
		}
	}
}

// step makes the write.
func step(v map[string]string) (dock.Step, error) {
	in := api.CreateProductInput{SKU: v["sku"], Name: v["name"], BaseUnitCode: v["unit"], Tracking: api.Tracking(v["tracking"])}
	if v["barcode"] != "" {
		in.Barcodes = []string{v["barcode"]}
	}
	switch {
	case v["boxcode"] != "" && v["holds"] == "":
		return dock.Step{}, &entry.Fault{Field: "holds", Short: "needed for a box",
			Long: "How many does the box with the barcode " + v["boxcode"] + " hold? Type it, or take the barcode of the box out."}
	case v["boxcode"] != "" && v["boxcode"] == v["barcode"]:
		return dock.Step{}, &entry.Fault{Field: "boxcode", Short: "as the piece",
			Long: "The box and the piece have the same barcode, so a scan could not tell them apart. Scan the label of the box, or leave it empty."}
	}
	if v["holds"] != "" && strings.EqualFold(v["unit"], "box") {
		return dock.Step{}, &entry.Fault{Field: "unit", Short: "a box holds them",
			Long: "It is counted in boxes, and comes in boxes of " + v["holds"] + ": name what is in the box, such as piece, or leave out how many it holds."}
	}
	if n, ok := number(v["holds"]); ok {
		box := api.Unit{UnitCode: "box", Factor: n}
		if v["boxcode"] != "" {
			box.Barcodes = []string{v["boxcode"]}
		}
		in.Units = []api.Unit{box}
	}
	if n, ok := number(v["reorder"]); ok {
		in.ReorderPoint = &n
	}
	return dock.NewStep(api.CreateProduct, in, "make product "+in.SKU)
}

// aim puts a scan where it belongs: a code with letters into the SKU that has
// the keys, the number of a packaging to the box, every other code to the
// barcode that has the keys, else to the first one that is empty.
func aim(f *widget.Form, r dock.Reading) (field, value string, err error) {
	code, err := codeOf(r)
	if err != nil {
		return "", "", err
	}
	at := f.Focused()
	switch {
	case at == "barcode" || at == "boxcode":
		return at, code, nil
	case at == "sku" && f.Value("sku") == "" && !tradeItem(code):
		return at, code, nil
	case isBox(code) && f.Value("boxcode") == "":
		return "boxcode", code, nil
	case f.Value("barcode") == "":
		return "barcode", code, nil
	case f.Value("boxcode") == "" && f.Value("barcode") != code:
		return "boxcode", code, nil
	}
	return "", "", errors.New(code + " has no place: both barcodes are filled in. Go to the one it shall replace and scan again.")
}

// free asks whether a scanned code stands on another product. A service that
// cannot be asked now refuses it when the product is saved.
func free(site *dock.Site) func(ctx context.Context, field, value string) error {
	return func(ctx context.Context, field, value string) error {
		in := api.ListProductsInput{Barcode: value}
		if field == "sku" {
			in = api.ListProductsInput{SKU: value}
		}
		found, err := dock.Ask(ctx, site, api.ListProducts, in)
		if err != nil || len(found.Items) == 0 {
			return nil
		}
		return entry.Taken(field, value, &found.Items[0])
	}
}

// field is the question that a path of the request belongs to.
func field(path string) string {
	switch {
	case path == "sku" || path == "name" || path == "tracking":
		return path
	case strings.HasPrefix(path, "barcodes"):
		return "barcode"
	case path == "baseUnitCode" || strings.HasSuffix(path, ".unitCode"):
		return "unit"
	case strings.HasSuffix(path, ".factor"):
		return "holds"
	case strings.HasPrefix(path, "units"):
		return "boxcode"
	case path == "reorderPoint":
		return "reorder"
	}
	return ""
}

// offer leads to the product that is in the way.
func offer(e *api.Error) []tui.Action {
	sku, ok := e.Details["sku"].(string)
	if !ok || e.Code != api.AlreadyExists {
		return nil
	}
	return []tui.Action{{ID: "products.show", Keys: []string{"f4"}, Label: "show " + sku, Short: "show",
		Run: func() tea.Cmd { return tui.Open(Route(&api.Product{ID: idIn(e), SKU: sku})) }}}
}

// made shows the product, and what can be done with it first.
func made(site *dock.Site) func(res *api.Response) entry.Made {
	return func(res *api.Response) entry.Made {
		p := res.Output.(*api.Product)
		m := entry.Made{Text: p.SKU + " is known now", Pairs: facts(p, nil),
			Ask: "enter announces a delivery of it", Short: "announce it: enter"}
		if !site.Place().Chosen() {
			m.Short = "esc, and F6 place"
			m.Ask = "Choose the place where you work (esc, F6), then announce a delivery"
		}
		m.Actions = []tui.Action{
			{ID: "products.announce", Keys: []string{"enter"}, Label: "announce a delivery", Short: "announce",
				Help: "Say that some of it will come", Disabled: placeless(site), Run: func() tea.Cmd { return tui.Replace(announceRoute(p.SKU)) }},
			{ID: "products.show", Keys: []string{"f4"}, Label: "show it", Short: "show", Run: func() tea.Cmd { return tui.Replace(Route(p)) }},
		}
		return m
	}
}

// placeless tells why no delivery can be announced yet.
func placeless(site *dock.Site) func() string {
	return func() string {
		if !site.Place().Chosen() {
			return "Choose the place first where the goods will come (F6 on the first screen)"
		}
		return ""
	}
}
