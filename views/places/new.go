package places

import (
	"context"
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
			Title: namePlacesNew, Short: shortNewPlace, Ask: askAPlaceWhereGoods,
			Fields: func() []widget.Field {
				return []widget.Field{
					{Name: "code", Label: fieldCode, Required: true, Hint: hintWhAsOnIts},
					{Name: "name", Label: fieldCalled, Required: true, Hint: hintMainWarehouse},
					{Name: "type", Label: fieldKind, Kind: widget.ChoiceField, Options: api.Warehouse.Values()},
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
					return strings.TrimSpace(fmt.Sprintf(saidPlace, v["name"]))
				}
				return fmt.Sprintf(saidPlace, v["code"])
			},
			Step: func(v map[string]string) (dock.Step, error) {
				return dock.NewStep(api.CreateLocation, api.CreateLocationInput{Code: v["code"], Name: v["name"], Type: api.LocationType(v["type"])}, fmt.Sprintf(saidMakePlace, v["code"]))
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
		return "", "", fmt.Errorf(saidNamesNoPlaceScan, r.Name())
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
		return fmt.Errorf(saidIsThereAlreadyNothing, found.Items[0].Code, found.Items[0].Name)
	}
}

// made shows the place, and offers to work there.
func made(site *dock.Site) func(res *api.Response) entry.Made {
	return func(res *api.Response) entry.Made {
		p := res.Output.(*api.Place)
		return entry.Made{Text: fmt.Sprintf(saidIsKnownNow, p.Code), Ask: fmt.Sprintf(saidEnterWorkAtFrom, p.Code), Short: shortWorkHereEnter,
			Pairs: []widget.Pair{{Label: fieldCode, Value: p.Code}, {Label: fieldCalled, Value: p.Name}, {Label: fieldKind, Value: p.Type}},
			Actions: []tui.Action{{ID: "places.work", Keys: []string{"enter"}, Label: labelWorkHere, Short: labelWorkHere,
				Help: helpMakeItThePlace, Run: func() tea.Cmd { return choose(site, placeOf(p)) }}}}
	}
}

// choose makes a place the one where one works, and goes back.
func choose(site *dock.Site, p dock.Place) tea.Cmd {
	site.SetPlace(p)
	return tea.Batch(tui.Toast(fmt.Sprintf(saidWorkAt, p.String())), tui.Accepted(), dock.Moved(p), tui.Back())
}
