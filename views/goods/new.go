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
		return entry.Screen(site, entry.Config{
			Title: nameProductsNew, Short: shortNewProduct, Prompt: askAProductAndHow,
			Fields: fields, StartValues: startValues(env.Route.Query.Get("sku"), env.Route.Query.Get("barcode")),
			Name: func(v map[string]string) string {
				return strings.TrimSpace(fmt.Sprintf(saidProduct, firstNonEmpty(v["sku"], v["name"], v["barcode"], v["boxcode"])))
			},
			BuildStep: createStep, RouteScan: routeScan, CheckUnused: checkUnused(site), FieldOf: fieldOf, ConflictActions: conflictActions, Created: created(site),
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
		{Name: "holds", Label: fieldBoxOf, Kind: widget.NumberField, Hint: hintIfItComesIn, Check: dock.CheckPositive},
		{Name: "boxcode", Label: fieldBoxcode, Hint: hintScanTheLabelOf, Check: Barcode},
		{Name: "tracking", Label: fieldTracked, Kind: widget.ChoiceField, Options: api.TrackNone.Values()},
		{Name: "reorder", Label: fieldReorder, Kind: widget.NumberField, Hint: hintUnderThisManyIt},
	}
}

func startValues(sku, code string) func(*widget.Form, bool) {
	return func(f *widget.Form, again bool) {
		f.Fill("unit", "piece")
		if again {
			return
		}
		f.Fill("sku", sku)
		if isPackaging(code) {
			f.Fill("boxcode", code)
		} else {
			f.Fill("barcode", code)
		}
		if sku != "" {
			f.Focus("name")
		}
	}
}

// createStep makes the write.
func createStep(v map[string]string) (dock.Step, error) {
	in := api.CreateProductInput{SKU: v["sku"], Name: v["name"], BaseUnitCode: v["unit"], Tracking: api.Tracking(v["tracking"])}
	if v["barcode"] != "" {
		in.Barcodes = []string{v["barcode"]}
	}
	switch {
	case v["boxcode"] != "" && v["holds"] == "":
		return dock.Step{}, &entry.FieldError{Field: "holds", Short: shortNeededForABox,
			Long: fmt.Sprintf(saidHowManyDoesThe, v["boxcode"])}
	case v["boxcode"] != "" && v["boxcode"] == v["barcode"]:
		return dock.Step{}, &entry.FieldError{Field: "boxcode", Short: shortAsThePiece,
			Long: saidTheBoxAndThe}
	}
	if v["holds"] != "" && strings.EqualFold(v["unit"], "box") {
		return dock.Step{}, &entry.FieldError{Field: "unit", Short: shortABoxHoldsThem,
			Long: fmt.Sprintf(saidItIsCountedIn, v["holds"])}
	}
	if n, ok := parseCount(v["holds"]); ok {
		box := api.Unit{UnitCode: "box", Factor: n}
		if v["boxcode"] != "" {
			box.Barcodes = []string{v["boxcode"]}
		}
		in.Units = []api.Unit{box}
	}
	if n, ok := parseCount(v["reorder"]); ok {
		in.ReorderPoint = &n
	}
	return dock.NewStep(api.CreateProduct, in, fmt.Sprintf(saidMakeProduct, in.SKU))
}

// routeScan puts a scan where it belongs: a code with letters into the SKU that has
// the keys, the number of a packaging to the box, every other code to the
// barcode that has the keys, else to the first one that is empty.
func routeScan(f *widget.Form, r dock.Label) (field, value string, err error) {
	code, err := codeFromLabel(r)
	if err != nil {
		return "", "", err
	}
	at := f.Focused()
	switch {
	case at == "barcode" || at == "boxcode":
		return at, code, nil
	case at == "sku" && f.Value("sku") == "" && !isGTIN(code):
		return at, code, nil
	case isPackaging(code) && f.Value("boxcode") == "":
		return "boxcode", code, nil
	case f.Value("barcode") == "":
		return "barcode", code, nil
	case f.Value("boxcode") == "" && f.Value("barcode") != code:
		return "boxcode", code, nil
	}
	return "", "", fmt.Errorf(saidHasNoPlaceBoth, code)
}

// checkUnused asks whether a scanned code stands on another product. A service that
// cannot be asked now refuses it when the product is saved.
func checkUnused(site *dock.Site) func(ctx context.Context, field, value string) error {
	return func(ctx context.Context, field, value string) error {
		in := api.ListProductsInput{Barcode: value}
		if field == "sku" {
			in = api.ListProductsInput{SKU: value}
		}
		found, err := dock.Call(ctx, site, api.ListProducts, in)
		if err != nil || len(found.Items) == 0 {
			return nil
		}
		return entry.InUseError(field, value, &found.Items[0])
	}
}

// fieldOf is the question that a path of the request belongs to.
func fieldOf(path string) string {
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

// conflictActions leads to the product that is in the way.
func conflictActions(e *api.Error) []tui.Action {
	sku, ok := e.Details["sku"].(string)
	if !ok || e.Code != api.AlreadyExists {
		return nil
	}
	return []tui.Action{{ID: "products.show", Keys: []string{"f4"}, Label: fmt.Sprintf(saidShow, sku), Short: shortShow,
		Run: func() tea.Cmd { return tui.Open(Route(&api.Product{ID: productIDIn(e), SKU: sku})) }}}
}

// created shows the product, and what can be done with it first.
func created(site *dock.Site) func(res *api.Response) entry.Created {
	return func(res *api.Response) entry.Created {
		p := res.Output.(*api.Product)
		m := entry.Created{Text: fmt.Sprintf(saidIsKnownNow, p.SKU), Pairs: productPairs(p, nil),
			Prompt: askEnterAnnouncesADelivery, Short: shortAnnounceItEnter}
		if !site.Location().IsSet() {
			m.Short = saidEscAndF6Place
			m.Prompt = saidChooseThePlaceWhere
		}
		m.Actions = []tui.Action{
			{ID: "products.announce", Keys: []string{"enter"}, Label: labelAnnounceADelivery, Short: shortAnnounce,
				Help: helpSayThatSomeOf, Disabled: noLocationReason(site), Run: func() tea.Cmd { return tui.Replace(announceRoute(p.SKU)) }},
			{ID: "products.show", Keys: []string{"f4"}, Label: labelShowIt, Short: shortShow, Run: func() tea.Cmd { return tui.Replace(Route(p)) }},
		}
		return m
	}
}

// noLocationReason returns why no delivery can be announced yet.
func noLocationReason(site *dock.Site) func() string {
	return func() string {
		if !site.Location().IsSet() {
			return saidChooseThePlaceFirst
		}
		return ""
	}
}
