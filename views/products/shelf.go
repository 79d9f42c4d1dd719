package products

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/entry"
	"bincard/views/session"
	"bincard/views/submit"
)

// Shelf returns the factory of the form that says where a product lies at the location.
func Shelf(site *session.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		t, read, here := env.T, env.Route.Query, site.Location()
		sku := widget.Clean(read.Get("sku"))

		return entry.Screen(site, entry.Config{
			Title:  t.Get("Products › %s › shelf", sku),
			Short:  t.Get("shelf %s", sku),
			Prompt: t.Get("Scan the shelf of %s at %s, or type several with commas", sku, here.Code),
			Fields: func() []widget.Field {
				return []widget.Field{{Name: "shelves", Label: t.Get("Shelf"), Hint: t.Get("A-03-2; empty for none")}}
			},
			StartValues: func(f *widget.Form, _ bool) { f.Fill("shelves", read.Get("shelves")) },
			Name:        func(map[string]string) string { return t.Get("shelf %s", sku) },
			BuildStep: func(_ context.Context, v map[string]string) (submit.Step, error) {
				if v["shelves"] == read.Get("shelves") {
					return submit.Step{}, t.NewError("Nothing is different yet. Change a value, or press esc.")
				}

				in := api.SetShelvesInput{ProductID: productID(read), LocationID: here.ID}
				for shelf := range strings.SplitSeq(v["shelves"], ",") {
					shelf = strings.TrimSpace(shelf)
					if n := utf8.RuneCountInString(shelf); 0 < n && n < scan.MinCharacters {
						return submit.Step{}, t.NewError(
							"%s is too short: a scan has at least %d characters.",
							shelf,
							scan.MinCharacters,
						)
					}
					if shelf != "" {
						in.Shelves = append(in.Shelves, shelf)
					}
				}
				return submit.NewStep(api.SetShelves, in, t.Get("put %s on %s", sku, strings.Join(in.Shelves, ", ")))
			},
			RouteScan: func(_ *widget.Form, r count.Label) (field, value string, err error) {
				if r.Problem != "" || r.HasNoCode() {
					return "", "", t.NewError("%s is no shelf. Scan the label of the shelf.", r.Name())
				}
				return "shelves", strings.TrimSpace(r.Codes[0]), nil
			},
			CheckUnused: func(ctx context.Context, _, value string) error {
				_, err := Find(ctx, site, value)
				if unknown := (*unknownProductError)(nil); errors.As(err, &unknown) {
					return nil
				}
				if err == nil {
					err = t.NewError("%s is the code of a product. Scan the label of the shelf.", value)
				}
				return err
			},
			FieldOf:         func(string) string { return "shelves" },
			ConflictActions: func(*api.Error) []tui.Action { return nil },
			Created: func(res *api.Response) entry.Created {
				p := res.Output.(*api.Product)
				text := t.Get("%s has no shelf here", p.SKU)
				if shelves := p.ShelvesAt(here.ID); len(shelves) > 0 {
					text = t.Get("%s is on %s", p.SKU, strings.Join(shelves, ", "))
				}
				return entry.Created{Text: text, Route: tui.Path("item", p.SKU)}
			},
		})(env)
	}
}
