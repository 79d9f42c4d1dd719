package home

import (
	"context"
	"fmt"

	"bincard/server/api"
	"bincard/tui"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

// first is what an empty company needs before anything can be done, and the
// route where it is made.
type first struct{ noun, route string }

// lackMsg tells what is lacking; nil when the company has what it needs.
type lackMsg struct {
	first *first
	err   error // it could not be read
}

// lacks asks whether there is a place and a product at all. Once both are there
// it asks no more; what a service cannot list or make it does not lack.
func (s *screen) lacks() tea.Cmd {
	if s.furnished || !s.site.Has(api.CreateProduct.Spec) || !s.site.Has(api.CreateLocation.Spec) {
		return nil
	}
	if _, _, err := s.routes.Find("products/new"); err != nil {
		return nil
	}
	return s.env.Latest("first", func(ctx context.Context) tea.Msg {
		one := int64(1)
		places, err := dock.Ask(ctx, s.site, api.ListLocations, api.ListPlacesInput{Limit: &one})
		if err != nil {
			return lackMsg{err: err}
		}
		products, err := dock.Ask(ctx, s.site, api.ListProducts, api.ListProductsInput{Limit: &one})
		switch {
		case err != nil:
			return lackMsg{err: err}
		case len(places.Items) == 0:
			return lackMsg{first: &first{"place", "places/new"}}
		case len(products.Items) == 0:
			return lackMsg{first: &first{"product", "products/new"}}
		}
		return lackMsg{}
	})
}

// ask is the question of an empty company.
func (f *first) ask(small bool) string {
	if small {
		return fmt.Sprintf(askFirstShort, f.called())
	}
	return fmt.Sprintf(askFirst, f.called())
}

// action makes the first one.
func (f *first) action() tui.Action {
	return tui.Action{ID: "home.first", Keys: []string{"f7"}, Label: fmt.Sprintf(labelFirst, f.called()), Short: shortFirst,
		Help: fmt.Sprintf(helpFirst, f.called()), Run: func() tea.Cmd { return tui.Open(f.route) }}
}

// called is what the first one is of, in words.
func (f *first) called() string {
	if f.noun == "place" {
		return nounPlace
	}
	return nounProduct
}
