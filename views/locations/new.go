package locations

import (
	"context"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/entry"
	"bincard/views/names"
	"bincard/views/panel"
	"bincard/views/session"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// New returns the factory of the form for a new location. The query parameter code
// fills in its code.
func New(site *session.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		code := env.Route.Query.Get("code")

		return entry.Screen(site, entry.Config{
			Title:  env.T.Get("Locations › new"),
			Short:  env.T.Get("new location"),
			Prompt: env.T.Get("A location holds stock: a warehouse, a store, or a virtual one"),
			Fields: func() []widget.Field { return fields(env.T) },
			StartValues: func(f *widget.Form, again bool) {
				if code != "" && !again {
					f.Fill("code", code)
					f.Focus("name")
				}
			},
			Name: func(v map[string]string) string {
				if v["code"] == "" {
					return strings.TrimSpace(env.T.Get("location %s", v["name"]))
				}
				return env.T.Get("location %s", v["code"])
			},
			BuildStep: func(_ context.Context, v map[string]string) (submit.Step, error) {
				return submit.NewStep(api.CreateLocation,
					api.CreateLocationInput{Code: v["code"], Name: v["name"], Type: api.LocationType(v["type"])},
					env.T.Get("create location %s", v["code"]))
			},
			RouteScan:       routeScan(env.T),
			CheckScan:       checkUnused(site),
			FieldOf:         fieldOf,
			ConflictActions: func(*api.Error) []tui.Action { return nil },
			Created:         created(site),
		})(env)
	}
}

// fields returns the fields of the form.
func fields(t *i18n.Translator) []widget.Field {
	return []widget.Field{
		{Name: "code", Label: t.Get("Code"), Required: true, Hint: t.Get("WH-1, as on its label")},
		{Name: "name", Label: t.Get("Name"), Required: true, Hint: t.Get("Main warehouse")},
		{
			Name:    "type",
			Label:   t.Get("Type"),
			Kind:    widget.ChoiceField,
			Options: names.Texts(t, api.Warehouse.Values(), names.LocationType),
			Values:  api.Warehouse.Values(),
		},
	}
}

// fieldOf returns the form field of a path in the request. A conflict has no path;
// only the code can conflict.
func fieldOf(path string) string {
	switch path {
	case "":
		return "code"
	case "code", "name", "type":
		return path
	}

	return ""
}

// routeScan fills a scan into the code field, or into the name field if it has
// focus.
func routeScan(t *i18n.Translator) func(f *widget.Form, r count.Label) (field, value string, err error) {
	return func(f *widget.Form, r count.Label) (field, value string, err error) {
		if r.HasNoCode() {
			return "", "", t.NewError("%s is not a location label. Scan the label of the location.", r.Name())
		}
		if f.Focused() == "name" {
			return "name", strings.TrimSpace(r.Codes[0]), nil
		}
		return "code", strings.TrimSpace(r.Codes[0]), nil
	}
}

// checkUnused checks that a scanned code does not belong to another location.
func checkUnused(site *session.Site) func(ctx context.Context, field, value string) (string, error) {
	return func(ctx context.Context, field, value string) (string, error) {
		if field != "code" {
			return value, nil
		}

		found, err := session.Call(ctx, site, api.ListLocations, api.ListPlacesInput{Code: value})
		if err != nil || len(found.Items) == 0 {
			return value, nil // if the request fails, saving rejects the code
		}

		return "", site.T().NewError(
			"%s already exists (%s). Nothing was changed: scan another label.",
			found.Items[0].Code,
			found.Items[0].Name,
		)
	}
}

// created describes the new location and offers to work there.
func created(site *session.Site) func(res *api.Response) entry.Created {
	t := site.T()

	return func(res *api.Response) entry.Created {
		p := res.Output.(*api.Place)

		return entry.Created{
			Text:   t.Get("Location %s created", p.Code),
			Prompt: t.Get("Press enter to work at %s", p.Code),
			Short:  t.Get("work here: enter"),
			Pairs: []widget.Pair{
				{Label: t.Get("Code"), Value: p.Code},
				{Label: t.Get("Name"), Value: p.Name},
				{Label: t.Get("Type"), Value: names.LocationType(t, p.Type)},
			},
			Actions: []tui.Action{
				{
					ID:    "locations.work",
					Key:   "enter",
					Label: t.Get("work here"),
					Short: t.Get("work here"),
					Help:  t.Get("Use this as your location"),
					Run:   func() tea.Cmd { return chooseLocation(site, toLocation(p)) },
				},
			},
		}
	}
}

// chooseLocation makes p the working location and goes back.
func chooseLocation(site *session.Site, p session.Location) tea.Cmd {
	return panel.WorkAt(site, p, tui.Toast(site.T().Get("Working at %s", p.String())), tui.Back())
}
