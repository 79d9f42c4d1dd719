package products

import (
	"context"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/entry"
	"bincard/views/names"
	"bincard/views/panel"
	"bincard/views/session"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// New returns the factory of the form for a new product. The query parameters
// barcode and sku fill in fields.
func New(site *session.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		parts := map[api.ID]api.Product{} // what a kit contains

		return entry.Screen(site, entry.Config{
			Title:       env.T.Get("Products › new"),
			Short:       env.T.Get("new product"),
			Prompt:      env.T.Get("Product and packaging. Scan its barcodes in any field."),
			Fields:      func() []widget.Field { return fields(env.T) },
			StartValues: startValues(env.T, env.Route.Query.Get("sku"), env.Route.Query.Get("barcode")),
			Name: func(v map[string]string) string {
				return strings.TrimSpace(
					env.T.Get("product %s", firstNonEmpty(v["sku"], v["name"], v["barcode"], v["boxcode"])),
				)
			},
			Needs:           []tui.Need{{Permission: tui.MayCreateProducts}},
			BuildStep:       createStep(site, parts),
			RouteScan:       routeScan(env.T),
			Collecting:      "parts",
			CheckScan:       checkUnused(site),
			FieldOf:         fieldOf,
			ConflictActions: conflictActions(env.T),
			Created:         created(site, parts),
		})(env)
	}
}

// fields returns the fields of the form. "Box" stands for any packaging.
func fields(t *i18n.Translator) []widget.Field {
	return []widget.Field{
		{Name: "sku", Label: t.Get("SKU"), Required: true, Hint: t.Get("OAT-1L")},
		{Name: "name", Label: t.Get("Name"), Required: true, Hint: t.Get("Oat milk 1 l")},
		{Name: "barcode", Label: t.Get("Barcode"), Hint: t.Get("scan it"), Check: Barcode(t)},
		{Name: "unit", Label: t.Get("Unit"), Hint: t.Get("piece")},
		{
			Name:  "holds",
			Label: t.Get("Box of"),
			Kind:  widget.NumberField,
			Hint:  t.Get("12, if it comes in boxes"),
			Check: panel.CheckPositive(t),
		},
		{Name: "boxcode", Label: t.Get("Box code"), Hint: t.Get("scan the label of the box"), Check: Barcode(t)},
		{
			Name:    "tracking",
			Label:   t.Get("Tracked"),
			Kind:    widget.ChoiceField,
			Options: names.Texts(t, api.TrackNone.Values(), names.Tracking),
			Values:  api.TrackNone.Values(),
		},
		{
			Name:  "reorder",
			Label: t.Get("Reorder"),
			Kind:  widget.NumberField,
			Hint:  t.Get("low stock below this quantity"),
		},
		{Name: "parts", Label: t.Get("Contains"), Hint: t.Get("2 x MUG-W, 1 x TEA, if it is a kit")},
	}
}

func startValues(t *i18n.Translator, sku, code string) func(*widget.Form, bool) {
	return func(f *widget.Form, again bool) {
		f.Fill("unit", names.Unit(t, "piece"))
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

// unitCode returns the code of a unit as names.Unit shows it.
func unitCode(t *i18n.Translator, text string) string {
	for _, code := range []string{"piece", "box"} {
		if text == names.Unit(t, code) {
			return code
		}
	}

	return text
}

// createStep returns the function that builds the request. It adds the products of a kit to parts.
func createStep(
	site *session.Site, parts map[api.ID]api.Product,
) func(ctx context.Context, v map[string]string) (submit.Step, error) {
	return func(ctx context.Context, v map[string]string) (submit.Step, error) {
		t := site.T()
		in := api.CreateProductInput{
			SKU:          v["sku"],
			Name:         v["name"],
			BaseUnitCode: unitCode(t, v["unit"]),
			Tracking:     api.Tracking(v["tracking"]),
		}

		if v["barcode"] != "" {
			in.Barcodes = []string{v["barcode"]}
		}

		switch {
		case v["boxcode"] != "" && v["holds"] == "":
			return submit.Step{}, &entry.FieldError{
				Field: "holds",
				Short: t.Get("needed for a box"),
				Long: t.Get(
					"The quantity of the box with barcode %s is missing. Type it, or remove the barcode of the box.",
					v["boxcode"],
				),
			}

		case v["boxcode"] != "" && v["boxcode"] == v["barcode"]:
			return submit.Step{}, &entry.FieldError{
				Field: "boxcode",
				Short: t.Get("same as the unit"),
				Long: t.Get(
					"The box and the unit have the same barcode. Scan the label of the box, or leave it empty.",
				),
			}
		}

		if v["holds"] != "" && strings.EqualFold(v["unit"], "box") {
			return submit.Step{}, &entry.FieldError{
				Field: "unit",
				Short: t.Get("use a smaller unit"),
				Long: t.Get(
					`The unit cannot be a box that comes in boxes of %s. Enter the inner unit (such as piece), or clear "Box of".`,
					v["holds"],
				),
			}
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

		var err error
		if in.Components, err = components(ctx, site, v["parts"], parts); err != nil {
			return submit.Step{}, err
		}

		return submit.NewStep(api.CreateProduct, in, t.Get("create product %s", in.SKU))
	}
}

// routeScan returns the function that selects the field for a scan: a focused barcode field; the
// focused list of what a kit contains, which it adds to; the focused SKU field if it is empty and
// the code is not a GTIN; the empty box code for the GTIN of a packaging; otherwise the first empty
// barcode field.
func routeScan(t *i18n.Translator) func(f *widget.Form, r count.Label) (field, value string, err error) {
	return func(f *widget.Form, r count.Label) (field, value string, err error) {
		code, err := codeFromLabel(t, r)
		if err != nil {
			return "", "", err
		}

		at := f.Focused()
		switch {
		case at == "barcode" || at == "boxcode":
			return at, code, nil
		case at == "parts":
			return at, addPart(f.Value(at), code), nil
		case at == "sku" && f.Value("sku") == "" && !isGTIN(code):
			return at, code, nil
		case isPackaging(code) && f.Value("boxcode") == "":
			return "boxcode", code, nil
		case f.Value("barcode") == "":
			return "barcode", code, nil
		case f.Value("boxcode") == "" && f.Value("barcode") != code:
			return "boxcode", code, nil
		}

		return "", "", t.NewError(
			"No free field for %s: both barcodes are set. Go to the one to replace and scan again.",
			code,
		)
	}
}

// checkUnused checks that a scanned code does not belong to another product, and names the products
// that a kit contains. If the request fails the code passes; the service rejects it on saving.
func checkUnused(site *session.Site) func(ctx context.Context, field, value string) (string, error) {
	return func(ctx context.Context, field, value string) (string, error) {
		if field == "parts" {
			return nameParts(site)(ctx, field, value)
		}

		in := api.ListProductsInput{Barcode: value}
		if field == "sku" {
			in = api.ListProductsInput{SKU: value}
		}

		found, err := session.Call(ctx, site, api.ListProducts, in)
		if err != nil || len(found.Items) == 0 {
			return value, nil
		}

		return "", entry.InUseError(site.T(), field, value, &found.Items[0])
	}
}

// fieldOf returns the form field of a path in the request.
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
	case strings.HasPrefix(path, "components"):
		return "parts"
	}

	return ""
}

// conflictActions returns an action that opens the conflicting product.
func conflictActions(t *i18n.Translator) func(e *api.Error) []tui.Action {
	return func(e *api.Error) []tui.Action {
		sku, ok := e.Details["sku"].(string)
		if !ok || e.Code != api.AlreadyExists {
			return nil
		}
		return []tui.Action{
			{ID: "products.show", Key: "f4", Label: t.Get("show %s", sku), Short: t.Get("show"),
				Run: func() tea.Cmd { return tui.Open(Route(&api.Product{ID: productIDIn(e), SKU: sku})) }},
		}
	}
}

// created describes the new product and the next steps.
func created(site *session.Site, parts map[api.ID]api.Product) func(res *api.Response) entry.Created {
	t := site.T()

	return func(res *api.Response) entry.Created {
		p := res.Output.(*api.Product)
		m := entry.Created{
			Text:   t.Get("Product %s created", p.SKU),
			Pairs:  productPairs(t, p, references{parts: parts}),
			Prompt: t.Get("Press enter to create a delivery of it"),
			Short:  t.Get("enter: delivery"),
		}
		if !site.Location().IsSet() {
			m.Short = t.Get("esc, F6 location")
			m.Prompt = t.Get("Choose your location (esc, F6), then create a delivery")
		}

		m.Actions = []tui.Action{
			{
				ID:       "products.announce",
				Key:      "enter",
				Label:    t.Get("create a delivery"),
				Short:    t.Get("delivery"),
				Help:     t.Get("Create an expected delivery of this product"),
				Disabled: noLocationReason(site),
				Run:      func() tea.Cmd { return tui.Replace(newDeliveryRoute(p.SKU)) },
			},
			{
				ID:    "products.show",
				Key:   "f4",
				Label: t.Get("show it"),
				Short: t.Get("show"),
				Run:   func() tea.Cmd { return tui.Replace(Route(p)) },
			},
		}

		return m
	}
}

// noLocationReason returns why no delivery can be created yet, or "".
func noLocationReason(site *session.Site) func() string {
	return func() string {
		if !site.Location().IsSet() {
			return site.T().Get("Choose the receiving location first (F6 on the home screen)")
		}
		return ""
	}
}
