package home

import (
	"context"
	"fmt"

	"bincard/server/api"
	"bincard/tui"
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
func (f *setupStep) questionText(small bool) string {
	if small {
		return fmt.Sprintf(askFirstShort, f.nounText())
	}
	return fmt.Sprintf(askFirst, f.nounText())
}

// createAction makes the first one.
func (f *setupStep) createAction() tui.Action {
	return tui.Action{ID: "home.first", Keys: []string{"f7"}, Label: fmt.Sprintf(labelFirst, f.nounText()), Short: shortFirst,
		Help: fmt.Sprintf(helpFirst, f.nounText()), Run: func() tea.Cmd { return tui.Open(f.route) }}
}

// nounText is what the first one is of, in words.
func (f *setupStep) nounText() string {
	if f.noun == "place" {
		return nounPlace
	}
	return nounProduct
}
