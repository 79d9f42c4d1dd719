package products

import (
	"net/url"
	"slices"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"
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

// correctRoute is the route of the form that corrects a product, which has the values that were
// read.
func correctRoute(t *i18n.Translator, p *api.Product) string {
	values := url.Values{"id": {p.ID.String()}, "sku": {p.SKU}, "version": {strconv.FormatInt(p.CurrentVersion(), 10)},
		"name": {p.Name}, "unit": {names.Unit(t, p.BaseUnitCode)}, "tracking": {string(p.Tracking)}}
	if p.ReorderPoint != nil {
		values.Set("reorder", strconv.FormatInt(*p.ReorderPoint, 10))
	}

	return "products/correct?" + values.Encode()
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
					return !slices.Contains([]string{"name", "unit", "tracking", "reorder"}, f.Name)
				})
			},
			StartValues: func(f *widget.Form, _ bool) {
				for name := range f.Values() {
					f.Fill(name, read.Get(name))
				}
			},
			Name:      func(map[string]string) string { return t.Get("product %s", sku) },
			Needs:     []tui.Need{{Permission: tui.MayCreateProducts}},
			BuildStep: correctStep(t, read),
			RouteScan: func(f *widget.Form, r count.Label) (field, value string, err error) {
				if r.Scan.Kind == scan.KindPlain && !isGTIN(r.Scan.Text) { // a text that was pasted
					return f.Focused(), widget.Clean(r.Scan.Text), nil
				}
				return "", "", t.NewError("Nothing is scanned here. Type the values, or press esc.")
			},
			FieldOf: fieldOf,
			ConflictActions: func(e *api.Error) []tui.Action {
				if e.Code != api.VersionConflict {
					return nil
				}
				return []tui.Action{{ID: "products.show", Key: "f4", Label: t.Get("show %s", sku), Short: t.Get("show"),
					Run: func() tea.Cmd { return tui.Replace(tui.Path("products", read.Get("id"))) }}}
			},
			Created: func(res *api.Response) entry.Created {
				p := res.Output.(*api.Product)
				return entry.Created{Text: t.Get("%s is corrected", p.SKU), Route: Route(p)}
			},
		})(env)
	}
}

// correctStep returns the function that builds the request, with what differs from what was read.
func correctStep(t *i18n.Translator, read url.Values) func(v map[string]string) (submit.Step, error) {
	return func(v map[string]string) (submit.Step, error) {
		id, err := uuid.Parse(read.Get("id"))
		if err != nil {
			return submit.Step{}, err
		}

		in, changed := api.ChangeProductInput{ProductID: id}, false
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
		if differs("tracking") {
			in.Tracking = api.Tracking(v["tracking"])
		}
		if differs("reorder") {
			n, _ := parseCount(v["reorder"])
			in.ReorderPoint = &n
		}
		if !changed {
			return submit.Step{}, t.NewError("Nothing is different yet. Change a value, or press esc.")
		}

		step, err := submit.NewStep(api.ChangeProduct, in, t.Get("correct %s", read.Get("sku")))
		step.IfMatch, _ = strconv.ParseInt(read.Get("version"), 10, 64)

		return step, err
	}
}
