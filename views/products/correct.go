package products

import (
	"context"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strconv"

	"github.com/google/uuid"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/scan"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/entry"
	"bincard/views/names"
	"bincard/views/session"
	"bincard/views/submit"
)

// correctedFields are the fields of the form that corrects a product.
var correctedFields = []string{"name", "unit", "holds", "tracking", "reorder", "parts"}

// correctRoute is the route of the form that corrects a product, which has the values that were
// read. parts has the components that could be read.
func correctRoute(t *i18n.Translator, p *api.Product, parts map[api.ID]api.Product) string {
	return "products/correct?" + correctValues(t, p, parts).Encode()
}

func correctValues(t *i18n.Translator, p *api.Product, parts map[api.ID]api.Product) url.Values {
	units, _ := json.Marshal(p.Units) // units always marshal
	values := url.Values{"id": {p.ID.String()}, "sku": {p.SKU}, "version": {strconv.FormatInt(p.CurrentVersion(), 10)},
		"name": {p.Name}, "unit": {names.Unit(t, p.BaseUnitCode)}, "units": {string(units)},
		"tracking": {string(p.Tracking)}, "parts": {componentsText(p, parts)}}
	if len(p.Units) > 0 {
		values.Set("holds", strconv.FormatInt(p.Units[0].Factor, 10))
	}
	if p.ReorderPoint != nil {
		values.Set("reorder", strconv.FormatInt(*p.ReorderPoint, 10))
	}

	return values
}

// Correct returns the factory of the form that corrects a product.
func Correct(site *session.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		t, read := env.T, env.Route.Query
		sku := widget.Clean(read.Get("sku"))

		return entry.Screen(site, entry.Config{
			Title:  t.Get("Products › %s › correct", sku),
			Short:  t.Get("correct %s", sku),
			Prompt: t.Get("Correct what is wrong. The SKU stays."),
			Fields: func() []widget.Field {
				return slices.DeleteFunc(fields(t), func(f widget.Field) bool {
					return !slices.Contains(correctedFields, f.Name)
				})
			},
			StartValues: func(f *widget.Form, _ bool) { entry.FillRead(t, f, read) },
			Name:        func(map[string]string) string { return t.Get("product %s", sku) },
			Needs:       []tui.Need{{Permission: tui.MayCreateProducts}},
			BuildStep:   correctStep(site, read),
			RouteScan:   scanText(t, "parts"),
			CheckScan:   nameParts(site),
			Collecting:  "parts",
			Reread: func(ctx context.Context, entered map[string]string) (string, error) {
				p, err := session.Call(ctx, site, api.GetProduct, api.ProductInput{ProductID: productID(read)})
				values := correctValues(t, &p, partsOf(ctx, site, p.Components))
				return "products/correct?" + entry.WithEntered(values, read, entered).Encode(), err
			},
			FieldOf:         fieldOf,
			ConflictActions: conflictActions(t),
			Created: func(res *api.Response) entry.Created {
				p := res.Output.(*api.Product)
				return entry.Created{Text: t.Get("%s is corrected", p.SKU), Route: Route(p)}
			},
		})(env)
	}
}

// scanText returns the function that adds a scan to the list of what a kit contains, and fills a
// text that was pasted into the field with the focus.
func scanText(t *i18n.Translator, list string) func(*widget.Form, count.Label) (field, value string, err error) {
	return func(f *widget.Form, r count.Label) (field, value string, err error) {
		if f.Focused() == list {
			code, err := codeFromLabel(t, r)
			return list, addPart(f.Value(list), code), err
		}
		if r.Scan.Kind == scan.KindPlain && !isGTIN(r.Scan.Text) {
			return f.Focused(), widget.Clean(r.Scan.Text), nil
		}
		return "", "", t.NewError("Nothing is scanned here. Type the values, or press esc.")
	}
}

// productID returns the ID in the route of a product.
func productID(read url.Values) api.ID {
	id, _ := uuid.Parse(read.Get("id"))
	return id
}

// correctStep returns the function that builds the request, with what differs from what was read.
func correctStep(
	site *session.Site, read url.Values,
) func(ctx context.Context, v map[string]string) (submit.Step, error) {
	return func(ctx context.Context, v map[string]string) (submit.Step, error) {
		t, in, changed := site.T(), api.ChangeProductInput{ProductID: productID(read)}, false
		differs := func(name string) bool {
			changed = changed || v[name] != read.Get(name)
			return v[name] != read.Get(name)
		}

		if differs("name") {
			in.Name = v["name"]
		}
		if differs("unit") {
			in.BaseUnitCode = unitCode(t, v["unit"])
		}
		if differs("holds") {
			var err error
			if in.Units, err = changedUnits(t, read.Get("units"), v["holds"]); err != nil {
				return submit.Step{}, err
			}
		}
		if differs("tracking") {
			in.Tracking = api.Tracking(v["tracking"])
		}
		if differs("reorder") {
			n, _ := parseCount(v["reorder"])
			in.ReorderPoint = &n
		}
		if differs("parts") {
			var err error
			if in.Components, err = components(ctx, site, v["parts"], map[api.ID]api.Product{}); err != nil {
				return submit.Step{}, err
			}
		}
		if !changed {
			return submit.Step{}, t.NewError("Nothing is different yet. Change a value, or press esc.")
		}

		step, err := submit.NewStep(api.ChangeProduct, in, t.Get("correct %s", read.Get("sku")))
		step.IfMatch, _ = strconv.ParseInt(read.Get("version"), 10, 64)

		return step, err
	}
}

// CorrectJob corrects the product that the job's SKU names without a screen. entered has the
// values to correct, by the fields of the form.
func CorrectJob(ctx context.Context, job *submit.Job, entered map[string]string) (submit.JobResult, error) {
	return job.Run(ctx, func(ctx context.Context) (*submit.Submission, error) {
		site, t := job.Site, job.Site.T()
		p, err := Find(ctx, site, job.SKU)
		if err != nil {
			return nil, err
		}

		read := correctValues(t, &p, partsOf(ctx, site, p.Components))
		values := map[string]string{}
		for _, name := range correctedFields {
			values[name] = read.Get(name)
		}

		same := maps.Clone(values)
		maps.Copy(values, entered)
		if maps.Equal(values, same) {
			return &submit.Submission{Toast: t.Get("%s has these values already. Nothing was changed.", p.SKU)}, nil
		}

		step, err := correctStep(site, read)(ctx, values)

		return &submit.Submission{Steps: []submit.Step{step}, Toast: t.Get("%s is corrected", p.SKU)}, err
	}, nil)
}

// changedUnits returns the packages of a product after a change of how many its first one holds;
// "" removes it, unless it has barcodes.
func changedUnits(t *i18n.Translator, read, holds string) ([]api.Unit, error) {
	units := []api.Unit{}
	_ = json.Unmarshal([]byte(read), &units) // correctValues wrote them
	n, ok := parseCount(holds)
	switch {
	case !ok && len(units) > 0 && len(units[0].Barcodes) > 0:
		return nil, &entry.FieldError{Field: "holds", Short: t.Get("has a barcode"), Long: t.Get(
			"The box has the barcode %s. Unlink it from the product first (F8 there).", units[0].Barcodes[0])}
	case !ok && len(units) > 0:
		return units[1:], nil
	case len(units) == 0:
		return []api.Unit{{UnitCode: "box", Factor: n}}, nil
	}

	units[0].Factor = n

	return units, nil
}
