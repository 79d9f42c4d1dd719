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
		return entry.Screen(site, entry.Config{
			Title: namePlacesNew, Short: shortNewPlace, Prompt: askAPlaceWhereGoods,
			Fields: func() []widget.Field {
				return []widget.Field{
					{Name: "code", Label: fieldCode, Required: true, Hint: hintWhAsOnIts},
					{Name: "name", Label: fieldCalled, Required: true, Hint: hintMainWarehouse},
					{Name: "type", Label: fieldKind, Kind: widget.ChoiceField, Options: api.Warehouse.Values()},
				}
			},
			StartValues: func(f *widget.Form, again bool) {
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
			BuildStep: func(v map[string]string) (dock.Step, error) {
				return dock.NewStep(api.CreateLocation, api.CreateLocationInput{Code: v["code"], Name: v["name"], Type: api.LocationType(v["type"])}, fmt.Sprintf(saidMakePlace, v["code"]))
			},
			RouteScan: routeScan, CheckUnused: checkUnused(site), FieldOf: fieldOf, ConflictActions: func(*api.Error) []tui.Action { return nil }, Created: created(site),
		})(env)
	}
}

// fieldOf is the question that a path of the request belongs to. That a code is
// taken is told without a path.
func fieldOf(path string) string {
	switch path {
	case "":
		return "code"
	case "code", "name", "type":
		return path
	}
	return ""
}

// routeScan takes a label for the code of the place, or for its name where that has the keys.
func routeScan(f *widget.Form, r dock.Label) (field, value string, err error) {
	if r.HasNoCode() {
		return "", "", fmt.Errorf(saidNamesNoPlaceScan, r.Name())
	}
	if f.Focused() == "name" {
		return "name", strings.TrimSpace(r.Codes[0]), nil
	}
	return "code", strings.TrimSpace(r.Codes[0]), nil
}

// checkUnused asks whether a scanned code is another place's already.
func checkUnused(site *dock.Site) func(ctx context.Context, field, value string) error {
	return func(ctx context.Context, field, value string) error {
		if field != "code" {
			return nil
		}
		found, err := dock.Call(ctx, site, api.ListLocations, api.ListPlacesInput{Code: value})
		if err != nil || len(found.Items) == 0 {
			return nil // one that cannot be asked now refuses it when the place is saved
		}
		return fmt.Errorf(saidIsThereAlreadyNothing, found.Items[0].Code, found.Items[0].Name)
	}
}

// created shows the place, and offers to work there.
func created(site *dock.Site) func(res *api.Response) entry.Created {
	return func(res *api.Response) entry.Created {
		p := res.Output.(*api.Place)
		return entry.Created{Text: fmt.Sprintf(saidIsKnownNow, p.Code), Prompt: fmt.Sprintf(saidEnterWorkAtFrom, p.Code), Short: shortWorkHereEnter,
			Pairs: []widget.Pair{{Label: fieldCode, Value: p.Code}, {Label: fieldCalled, Value: p.Name}, {Label: fieldKind, Value: p.Type}},
			Actions: []tui.Action{{ID: "places.work", Keys: []string{"enter"}, Label: labelWorkHere, Short: labelWorkHere,
				Help: helpMakeItThePlace, Run: func() tea.Cmd { return chooseLocation(site, toLocation(p)) }}}}
	}
}

// chooseLocation makes a place the one where one works, and goes back.
func chooseLocation(site *dock.Site, p dock.Location) tea.Cmd {
	site.SetLocation(p)
	return tea.Batch(tui.Toast(fmt.Sprintf(saidWorkAt, p.String())), tui.Accepted(), dock.LocationChanged(p), tui.Back())
}
