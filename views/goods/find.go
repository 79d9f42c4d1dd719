package goods

import (
	"context"
	"errors"
	"fmt"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

// foundMsg is what a code was found to be: a product, something else that leads
// elsewhere, or nothing that is known.
type foundMsg struct {
	reading dock.Reading
	product *api.Product
	targets []dock.Target
	err     error
}

// find looks a code up.
func find(env tui.Env, site *dock.Site, r dock.Reading) tea.Cmd {
	return env.Do(func(ctx context.Context) tea.Msg {
		m := foundMsg{reading: r}
		matches, err := site.LookUp(ctx, r.Codes...)
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
		if len(matches) > 0 || r.Bare() {
			m.targets, m.err = site.Resolve(ctx, r)
		}
		return m
	})
}

// follow goes where something else than a product leads, or offers to make a
// product with a code that nobody knows.
func (m foundMsg) follow(site *dock.Site) tea.Cmd {
	switch {
	case m.err != nil:
		return tui.Fail(errors.New(dock.Words(m.err)))
	case len(m.targets) > 0:
		return dock.Follow(site, m.targets)
	}
	code, err := codeOf(m.reading)
	if err != nil {
		return tui.Fail(err)
	}
	return tui.Fail(fmt.Errorf(saidIsNotKnownHere, widget.Clean(code)),
		tui.Action{ID: "products.new", Keys: []string{"f3"}, Label: labelMakeAProductWith, Short: shortMakeIt,
			Run: func() tea.Cmd { return tui.Open(NewRoute(code)) }})
}
