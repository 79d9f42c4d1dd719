package products

import (
	"context"
	"errors"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/catalog"
	"bincard/views/count"
	"bincard/views/panel"
	"bincard/views/session"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// foundMsg is the result of looking up a scan: a product, destinations for anything
// else, or neither if the code is unknown.
type foundMsg struct {
	label        count.Label
	product      *api.Product
	destinations []session.Destination
	err          error
}

// lookUp looks up the codes of a label.
func lookUp(ctx context.Context, site *session.Site, r count.Label) foundMsg {
	m := foundMsg{label: r}
	matches, err := site.Lookup(ctx, r.Codes...)
	if err != nil {
		m.err = err
		return m
	}

	for _, match := range matches {
		if match.Product != nil && match.Kind == api.KindProduct {
			m.product = match.Product
			return m
		}
	}

	if len(matches) > 0 || r.HasNoCode() {
		m.destinations, m.err = site.Resolve(ctx, r)
	}

	return m
}

// navigate opens the destinations, or offers to create a product with an unknown
// code.
func (m foundMsg) navigate(site *session.Site) tea.Cmd {
	t := site.T()

	switch {
	case m.err != nil:
		return tui.Fail(errors.New(submit.UserMessage(t, m.err)))
	case len(m.destinations) > 0:
		return panel.Navigate(site, m.destinations)
	}

	code, err := codeFromLabel(t, m.label)
	if err != nil {
		return tui.Fail(err)
	}

	create := tui.Action{
		ID:    "products.new",
		Key:   "f3",
		Label: t.Get("create product with it"),
		Short: t.Get("create"),
		Run:   tui.Opens(catalog.NewProductRoute(code)),
	}

	return tui.Fail(t.NewError("Unknown barcode %s. Press F3 to create a product with it.", widget.Clean(code)),
		append([]tui.Action{create}, panel.LinkCodeActions(site, code)...)...)
}
