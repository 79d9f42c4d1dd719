package goods

import (
	"context"
	"fmt"
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
			Title: nameProductsNew, Short: shortNewProduct, Ask: askAProductAndHow,
			Fields: fields, Start: start(env.Route.Query.Get("sku"), env.Route.Query.Get("barcode")),
			Name: func(v map[string]string) string {
				return strings.TrimSpace(fmt.Sprintf(saidProduct, first(v["sku"], v["name"], v["barcode"], v["boxcode"])))
			},
			Step: step, Aim: aim, Free: free(site), Field: field, Offer: offer, Made: made(site),
		})(env)
	}
}

// fields are the questions. The box stands for any packaging.
func fields() []widget.Field {
	return []widget.Field{
		{Name: "sku", Label: fieldSku, Required: true, Hint: hintOat},
		{Name: "name", Label: fieldName, Required: true, Hint: hintOatMilkL},
		{Name: "barcode", Label: fieldBarcode, Hint: hintScanIt, Check: Barcode},
		{Name: "unit", Label: fieldUnit, Hint: hintPiece},
		{Name: "holds", Label: fieldBoxOf, Kind: widget.NumberField, Hint: hintIfItComesIn, Check: dock.Positive},
		{Name: "boxcode", Label: fieldBoxcode, Hint: hintScanTheLabelOf, Check: Barcode},
		{Name: "tracking", Label: fieldTracked, Kind: widget.ChoiceField, Options: api.TrackNone.Values()},
		{Name: "reorder", Label: fieldReorder, Kind: widget.NumberField, Hint: hintUnderThisManyIt},
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
		return dock.Step{}, &entry.Fault{Field: "holds", Short: shortNeededForABox,
			Long: fmt.Sprintf(saidHowManyDoesThe, v["boxcode"])}
	case v["boxcode"] != "" && v["boxcode"] == v["barcode"]:
		return dock.Step{}, &entry.Fault{Field: "boxcode", Short: shortAsThePiece,
			Long: saidTheBoxAndThe}
	}
	if v["holds"] != "" && strings.EqualFold(v["unit"], "box") {
		return dock.Step{}, &entry.Fault{Field: "unit", Short: shortABoxHoldsThem,
			Long: fmt.Sprintf(saidItIsCountedIn, v["holds"])}
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
	return dock.NewStep(api.CreateProduct, in, fmt.Sprintf(saidMakeProduct, in.SKU))
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
	return "", "", fmt.Errorf(saidHasNoPlaceBoth, code)
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
	return []tui.Action{{ID: "products.show", Keys: []string{"f4"}, Label: fmt.Sprintf(saidShow, sku), Short: shortShow,
		Run: func() tea.Cmd { return tui.Open(Route(&api.Product{ID: idIn(e), SKU: sku})) }}}
}

// made shows the product, and what can be done with it first.
func made(site *dock.Site) func(res *api.Response) entry.Made {
	return func(res *api.Response) entry.Made {
		p := res.Output.(*api.Product)
		m := entry.Made{Text: fmt.Sprintf(saidIsKnownNow, p.SKU), Pairs: facts(p, nil),
			Ask: askEnterAnnouncesADelivery, Short: shortAnnounceItEnter}
		if !site.Place().Chosen() {
			m.Short = saidEscAndF6Place
			m.Ask = saidChooseThePlaceWhere
		}
		m.Actions = []tui.Action{
			{ID: "products.announce", Keys: []string{"enter"}, Label: labelAnnounceADelivery, Short: shortAnnounce,
				Help: helpSayThatSomeOf, Disabled: placeless(site), Run: func() tea.Cmd { return tui.Replace(announceRoute(p.SKU)) }},
			{ID: "products.show", Keys: []string{"f4"}, Label: labelShowIt, Short: shortShow, Run: func() tea.Cmd { return tui.Replace(Route(p)) }},
		}
		return m
	}
}

// placeless tells why no delivery can be announced yet.
func placeless(site *dock.Site) func() string {
	return func() string {
		if !site.Place().Chosen() {
			return saidChooseThePlaceFirst
		}
		return ""
	}
}
