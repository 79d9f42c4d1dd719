package home

import (
	"context"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/session"

	tea "github.com/charmbracelet/bubbletea"
)

// setupStep is an object that an empty company needs, and the route that creates it.
type setupStep struct{ noun, route string }

// setupMsg holds the next setup step, or nil if there is none.
type setupMsg struct {
	step *setupStep
	err  error // the check failed
}

// checkSetup checks that a location and a product exist, until both do. It does
// nothing if the service cannot create them.
func (s *screen) checkSetup() tea.Cmd {
	if s.setupDone || !s.site.Supports(api.CreateProduct.Spec) || !s.site.Supports(api.CreateLocation.Spec) {
		return nil
	}
	if _, _, err := s.routes.Find("products/new"); err != nil {
		return nil
	}

	return s.Latest("first", func(ctx context.Context) tea.Msg {
		one := int64(1)
		locations, err := session.Call(ctx, s.site, api.ListLocations, api.ListPlacesInput{Page: api.Page{Limit: &one}})
		if err != nil {
			return setupMsg{err: err}
		}

		products, err := session.Call(ctx, s.site, api.ListProducts, api.ListProductsInput{Page: api.Page{Limit: &one}})
		switch {
		case err != nil:
			return setupMsg{err: err}
		case len(locations.Items) == 0:
			return setupMsg{step: &setupStep{"location", "locations/new"}}
		case len(products.Items) == 0:
			return setupMsg{step: &setupStep{"product", "products/new"}}
		}

		return setupMsg{}
	})
}

// setupTexts are the texts of a step.
type setupTexts struct{ question, short, label, help, speech string }

func (f *setupStep) texts() setupTexts {
	if f.noun == "location" {
		return setupTexts{
			question: i18n.Text("No location yet. Press F3 to create the first one."),
			short:    i18n.Text("add a location: F3"),
			label:    i18n.Text("first location"),
			help:     i18n.Text("Create the first location. You need one to start."),
			speech:   i18n.Text(`No locations yet. Type "first" to create one.`),
		}
	}

	return setupTexts{
		question: i18n.Text("No product yet. Press F3 to create the first one."),
		short:    i18n.Text("add a product: F3"),
		label:    i18n.Text("first product"),
		help:     i18n.Text("Create the first product. You need one to start."),
		speech:   i18n.Text(`No products yet. Type "first" to create one.`),
	}
}

// questionText returns the prompt for the step.
func (f *setupStep) questionText(t *i18n.Translator, small bool) string {
	if small {
		return t.Get(f.texts().short)
	}
	return t.Get(f.texts().question)
}

// createAction creates the missing object.
func (f *setupStep) createAction(t *i18n.Translator) tui.Action {
	return tui.Action{ID: "home.first", Key: "f3", Label: t.Get(f.texts().label), Short: t.Get("first"),
		Help: t.Get(f.texts().help), Run: tui.Opens(f.route)}
}
