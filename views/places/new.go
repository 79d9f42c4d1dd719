package places

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/dock"
	"bincard/views/goods/entry"

	tea "github.com/charmbracelet/bubbletea"
)

// New makes the form of a new location; "?code=" fills in its code.
func New(site *dock.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		code := env.Route.Query.Get("code")
		return entry.Screen(site, entry.Making{
			Title: "Places › new", Short: "new place", Ask: "A place where goods are: a warehouse, a store, or one that is none",
			Fields: func() []widget.Field {
				return []widget.Field{
					{Name: "code", Label: "Code", Required: true, Hint: "WH-1, as on its label"},
					{Name: "name", Label: "Called", Required: true, Hint: "Main warehouse"},
					{Name: "type", Label: "Kind", Kind: widget.ChoiceField, Options: api.Warehouse.Values()},
				}
			},
			Start: func(f *widget.Form, again bool) {
				if code != "" && !again {
					f.Fill("code", code)
					f.Focus("name")
				}
			},
			Name: func(v map[string]string) string {
				if v["code"] == "" {
					return strings.TrimSpace("place " + v["name"])
				}
				return "place " + v["code"]
			},
			Step: func(v map[string]string) (dock.Step, error) {
				return dock.NewStep(api.CreateLocation, api.CreateLocationInput{Code: v["code"], Name: v["name"], Type: api.LocationType(v["type"])}, "make place "+v["code"])
			},
			Aim: aim, Free: free(site), Field: field, Offer: func(*api.Error) []tui.Action { return nil }, Made: made(site),
		})(env)
	}
}

// field is the question that a path of the request belongs to. That a code is
// taken is told without a path.
func field(path string) string {
	switch path {
	case "":
		return "code"
	case "code", "name", "type":
		return path
	}
	return ""
}

// aim takes a label for the code of the place, or for its name where that has the keys.
func aim(f *widget.Form, r dock.Reading) (field, value string, err error) {
	if r.Bare() {
		return "", "", fmt.Errorf("%s names no place. Scan the label of the place.", r.Name())
	}
	if f.Focused() == "name" {
		return "name", strings.TrimSpace(r.Codes[0]), nil
	}
	return "code", strings.TrimSpace(r.Codes[0]), nil
}

// free asks whether a scanned code is another place's already.
func free(site *dock.Site) func(ctx context.Context, field, value string) error {
	return func(ctx context.Context, field, value string) error {
		if field != "code" {
			return nil
		}
		found, err := dock.Ask(ctx, site, api.ListLocations, api.ListPlacesInput{Code: value})
		if err != nil || len(found.Items) == 0 {
			return nil // one that cannot be asked now refuses it when the place is saved
		}
		return errors.New(found.Items[0].Code + " is there already (" + found.Items[0].Name + "). Nothing was changed: scan another label.")
	}
}

// made shows the place, and offers to work there.
func made(site *dock.Site) func(res *api.Response) entry.Made {
	return func(res *api.Response) entry.Made {
		p := res.Output.(*api.Place)
		return entry.Made{Text: p.Code + " is known now", Ask: "enter: work at " + p.Code + " from now on", Short: "work here: enter",
			Pairs: []widget.Pair{{Label: "Code", Value: p.Code}, {Label: "Called", Value: p.Name}, {Label: "Kind", Value: p.Type}},
			Actions: []tui.Action{{ID: "places.work", Keys: []string{"enter"}, Label: "work here", Short: "work here",
				Help: "Make it the place where you work", Run: func() tea.Cmd { return choose(site, placeOf(p)) }}}}
	}
}

// choose makes a place the one where one works, and goes back.
func choose(site *dock.Site, p dock.Place) tea.Cmd {
	site.SetPlace(p)
	return tea.Batch(tui.Toast("Work at "+p.String()), tui.Accepted(), dock.Moved(p), tui.Back())
}
