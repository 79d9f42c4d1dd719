package dock

import (
	"context"
	"errors"
	"fmt"

	"bincard/tui"

	tea "github.com/charmbracelet/bubbletea"
)

// ChooseLocation is the action that asks where one stands. The screen gets a
// MovedMsg when the place was changed.
func ChooseLocation(site *Site, env tui.Env) tui.Action {
	return tui.Action{ID: "dock.place", Keys: []string{"f6"}, Label: labelPlace, Help: helpPlace, Run: func() tea.Cmd {
		return env.Do(func(ctx context.Context) tea.Msg {
			places, err := site.Locations(ctx)
			switch {
			case err != nil:
				return tui.Fail(errors.New(UserMessage(err)))()
			case len(places) == 0:
				return tui.Fail(errors.New(noPlaces))()
			}
			targets := make([]Destination, len(places))
			options := make([]string, len(places))
			for i, p := range places {
				targets[i], options[i] = Destination{Label: fmt.Sprintf(leadPlace, p.String()), Location: p}, p.String()
			}
			return tui.Choose(tui.Choice{Text: askPlace, Options: options,
				OnChoice: func(i int) tea.Cmd { return Navigate(site, targets[i:i+1]) }})()
		})
	}}
}
