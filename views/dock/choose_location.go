package dock

import (
	"context"
	"errors"

	"bincard/tui"

	tea "github.com/charmbracelet/bubbletea"
)

// ChooseLocation is the action that asks where one stands. The screen gets a
// MovedMsg when the place was changed.
func ChooseLocation(site *Site, env tui.Env) tui.Action {
	t := site.T()

	return tui.Action{ID: "dock.place", Keys: []string{"f6"}, Label: t.Get("location"), Help: t.Get("Choose the location where you work"), Run: func() tea.Cmd {
		return env.Do(func(ctx context.Context) tea.Msg {
			places, err := site.Locations(ctx)
			switch {
			case err != nil:
				return tui.Fail(errors.New(UserMessage(t, err)))()
			case len(places) == 0:
				return tui.Fail(errors.New(t.Get("There are no locations yet. Scan a location code, or ask your supervisor to add one.")))()
			}
			targets := make([]Destination, len(places))
			options := make([]string, len(places))
			for i, p := range places {
				targets[i], options[i] = Destination{Label: t.Get("Work at %s", p.String()), Location: p}, p.String()
			}
			return tui.Choose(tui.Choice{Text: t.Get("Where do you work?"), Options: options,
				OnChoice: func(i int) tea.Cmd { return Navigate(site, targets[i:i+1]) }})()
		})
	}}
}
