package dock

import (
	"context"
	"errors"

	"bincard/tui"

	tea "github.com/charmbracelet/bubbletea"
)

// ChooseLocation returns the action that asks for the operator's location. The screen
// receives a LocationChangedMsg if it was changed.
func ChooseLocation(site *Site, env tui.Env) tui.Action {
	t := site.T()

	return tui.Action{ID: "dock.location", Keys: []string{"f6"}, Label: t.Get("location"), Help: t.Get("Choose the location where you work"), Run: func() tea.Cmd {
		return env.Do(func(ctx context.Context) tea.Msg {
			locations, err := site.Locations(ctx)
			switch {
			case err != nil:
				return tui.Fail(errors.New(UserMessage(t, err)))()
			case len(locations) == 0:
				return tui.Fail(errors.New(t.Get("There are no locations yet. Scan a location code, or ask your supervisor to add one.")))()
			}
			destinations := make([]Destination, len(locations))
			options := make([]string, len(locations))
			for i, p := range locations {
				destinations[i], options[i] = Destination{Label: t.Get("Work at %s", p.String()), Location: p}, p.String()
			}
			return tui.Choose(tui.Choice{Text: t.Get("Where do you work?"), Options: options,
				OnChoice: func(i int) tea.Cmd { return Navigate(site, destinations[i:i+1]) }})()
		})
	}}
}
