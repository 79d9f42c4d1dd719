package home

import (
	"context"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/dock"

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
	return s.env.Latest("first", func(ctx context.Context) tea.Msg {
		one := int64(1)
		locations, err := dock.Call(ctx, s.site, api.ListLocations, api.ListPlacesInput{Limit: &one})
		if err != nil {
			return setupMsg{err: err}
		}
		products, err := dock.Call(ctx, s.site, api.ListProducts, api.ListProductsInput{Limit: &one})
		switch {
		case err != nil:
			return setupMsg{err: err}
		case len(locations.Items) == 0:
			return setupMsg{step: &setupStep{"place", "places/new"}}
		case len(products.Items) == 0:
			return setupMsg{step: &setupStep{"product", "products/new"}}
		}
		return setupMsg{}
	})
}

// questionText returns the prompt for the step.
func (f *setupStep) questionText(t *i18n.Translator, small bool) string {
	if small {
		return t.Get("add a %s: F7", f.nounText(t))
	}
	return t.Get("No %s yet. Press F7 to create the first one", f.nounText(t))
}

// createAction creates the missing object.
func (f *setupStep) createAction(t *i18n.Translator) tui.Action {
	return tui.Action{ID: "home.first", Keys: []string{"f7"}, Label: t.Get("first %s", f.nounText(t)), Short: t.Get("first"),
		Help: t.Get("Create the first %s. You need one to start", f.nounText(t)), Run: func() tea.Cmd { return tui.Open(f.route) }}
}

// nounText returns the translated noun.
func (f *setupStep) nounText(t *i18n.Translator) string {
	if f.noun == "place" {
		return t.Get("location")
	}
	return t.Get("product")
}
