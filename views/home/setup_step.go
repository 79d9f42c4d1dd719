package home

import (
	"context"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

// setupStep is what an empty company needs before anything can be done, and the
// route where it is made.
type setupStep struct{ noun, route string }

// setupMsg tells what is lacking; nil when the company has what it needs.
type setupMsg struct {
	step *setupStep
	err  error // it could not be read
}

// checkSetup asks whether there is a place and a product at all. Once both are there
// it asks no more; what a service cannot list or make it does not lack.
func (s *screen) checkSetup() tea.Cmd {
	if s.setupDone || !s.site.Supports(api.CreateProduct.Spec) || !s.site.Supports(api.CreateLocation.Spec) {
		return nil
	}
	if _, _, err := s.routes.Find("products/new"); err != nil {
		return nil
	}
	return s.env.Latest("first", func(ctx context.Context) tea.Msg {
		one := int64(1)
		places, err := dock.Call(ctx, s.site, api.ListLocations, api.ListPlacesInput{Limit: &one})
		if err != nil {
			return setupMsg{err: err}
		}
		products, err := dock.Call(ctx, s.site, api.ListProducts, api.ListProductsInput{Limit: &one})
		switch {
		case err != nil:
			return setupMsg{err: err}
		case len(places.Items) == 0:
			return setupMsg{step: &setupStep{"place", "places/new"}}
		case len(products.Items) == 0:
			return setupMsg{step: &setupStep{"product", "products/new"}}
		}
		return setupMsg{}
	})
}

// questionText is the question of an empty company.
func (f *setupStep) questionText(t *i18n.Translator, small bool) string {
	if small {
		return t.Get("add a %s: F7", f.nounText(t))
	}
	return t.Get("No %s yet. Press F7 to create the first one", f.nounText(t))
}

// createAction makes the first one.
func (f *setupStep) createAction(t *i18n.Translator) tui.Action {
	return tui.Action{ID: "home.first", Keys: []string{"f7"}, Label: t.Get("first %s", f.nounText(t)), Short: t.Get("first"),
		Help: t.Get("Create the first %s. You need one to start", f.nounText(t)), Run: func() tea.Cmd { return tui.Open(f.route) }}
}

// nounText is what the first one is of, in words.
func (f *setupStep) nounText(t *i18n.Translator) string {
	if f.noun == "place" {
		return t.Get("location")
	}
	return t.Get("product")
}
