package products

import (
	"context"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
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

				var shelves []string
				for shelf := range strings.SplitSeq(v["shelves"], ",") {
					if shelf = strings.TrimSpace(shelf); shelf != "" {
						shelves = append(shelves, shelf)
					}
				}

				return shelfStep(t, &api.Product{ID: productID(read), SKU: sku}, here, shelves)
			},
			RouteScan: func(_ *widget.Form, r count.Label) (field, value string, err error) {
				if r.Problem != "" || r.HasNoCode() {
					return "", "", t.NewError("%s is no shelf. Scan the label of the shelf.", r.Name())
				}
				return "shelves", strings.TrimSpace(r.Codes[0]), nil
			},
			CheckScan: func(ctx context.Context, _, value string) (string, error) {
				_, err := Find(ctx, site, value)
				if unknown := (*unknownProductError)(nil); errors.As(err, &unknown) {
					return value, nil
				}
				if err == nil {
					err = t.NewError("%s is the code of a product. Scan the label of the shelf.", value)
				}
				return "", err
			},
			FieldOf:         func(string) string { return "shelves" },
			ConflictActions: func(*api.Error) []tui.Action { return nil },
			Created: func(res *api.Response) entry.Created {
				p := res.Output.(*api.Product)
				return entry.Created{Text: shelfText(t, p, here, p.ShelvesAt(here.ID)), Route: tui.Path("item", p.SKU)}
			},
		})(env)
	}
}

// shelfStep builds the request that sets the shelves of a product at a location.
func shelfStep(
	t *i18n.Translator, p *api.Product, at session.Location, shelves []string,
) (submit.Step, error) {
	for _, shelf := range shelves {
		if utf8.RuneCountInString(shelf) < scan.MinCharacters {
			return submit.Step{}, t.NewError("%s is too short: a scan has at least %d characters.", shelf,
				scan.MinCharacters)
		}
	}

	in := api.SetShelvesInput{ProductID: p.ID, LocationID: at.ID, Shelves: shelves}

	return submit.NewStep(api.SetShelves, in, t.Get("put %s on %s", p.SKU, strings.Join(shelves, ", ")))
}

// shelfText says where a product lies at a location.
func shelfText(t *i18n.Translator, p *api.Product, at session.Location, shelves []string) string {
	if len(shelves) == 0 {
		return t.Get("%s has no shelf at %s", p.SKU, at.Code)
	}
	return widget.Clean(t.Get("%s is on %s at %s", p.SKU, strings.Join(shelves, ", "), at.Code))
}

// ShelfJob sets the shelves at the location of the product that the job's SKU names, without a
// screen. The first is the main one; without any, the product has no shelf there.
func ShelfJob(ctx context.Context, job *submit.Job, shelves []string) (submit.JobResult, error) {
	return job.Run(ctx, func(ctx context.Context) (*submit.Submission, error) {
		t, here := job.Site.T(), job.Site.Location()
		p, err := Find(ctx, job.Site, job.SKU)
		if err != nil {
			return nil, err
		}
		if slices.Equal(p.ShelvesAt(here.ID), shelves) {
			return &submit.Submission{Toast: t.Get("%s has these values already. Nothing was changed.", p.SKU)}, nil
		}

		step, err := shelfStep(t, &p, here, shelves)

		return &submit.Submission{Steps: []submit.Step{step}, Toast: shelfText(t, &p, here, shelves)}, err
	}, nil)
}
