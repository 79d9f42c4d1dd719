package operators

import (
	"cmp"
	"context"
	"strconv"

	"github.com/google/uuid"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/entry"
	"bincard/views/names"
	"bincard/views/session"
	"bincard/views/submit"
)

// Edit is the form of an operator: of the one in the route, or else of a new one.
func Edit(site *session.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		t, read := env.T, env.Route.Query
		title := t.Get("operator %s", cmp.Or(widget.Clean(read.Get("name")), t.Get("new")))

		return entry.Screen(site, entry.Config{
			Title:  title,
			Short:  title,
			Prompt: t.Get("Scan the badge, type a PIN, or both"),
			Fields: func() []widget.Field {
				return []widget.Field{
					{Name: "name", Label: t.Get("Name"), Required: true},
					{Name: "role", Label: t.Get("Role"), Kind: widget.ChoiceField,
						Options: names.Texts(t, api.Worker.Values(), roleText), Values: api.Worker.Values()},
					{Name: "badge", Label: t.Get("Badge"), Secret: true},
					{Name: "pin", Label: t.Get("PIN"), Secret: true},
				}
			},
			StartValues: func(f *widget.Form, _ bool) {
				if read.Has("id") {
					entry.FillRead(t, f, read)
				}
			},
			Name:  func(map[string]string) string { return title },
			Needs: manage,
			BuildStep: func(_ context.Context, v map[string]string) (submit.Step, error) {
				in := api.CreateOperatorInput{Name: v["name"], Role: api.Role(v["role"])}
				in.Badge, in.PIN = site.PublicKeys(v["badge"], v["pin"])
				if !read.Has("id") {
					return submit.NewStep(api.CreateOperator, in, title)
				}

				id, _ := uuid.Parse(read.Get("id"))
				step, err := submit.NewStep(api.ChangeOperator, api.ChangeOperatorInput{OperatorID: id, Name: in.Name,
					Role: in.Role, Badge: in.Badge, PIN: in.PIN, Removed: new(bool)}, title)
				step.IfMatch, _ = strconv.ParseInt(read.Get("version"), 10, 64)

				return step, err
			},
			RouteScan: func(_ *widget.Form, r count.Label) (field, value string, err error) {
				return "badge", r.Name(), nil
			},
			FieldOf:         func(path string) string { return path },
			ConflictActions: func(*api.Error) []tui.Action { return nil },
			Created: func(res *api.Response) entry.Created {
				return entry.Created{Text: t.Get("%s is saved", res.Output.(*api.Operator).Name), Route: "operators"}
			},
		})(env)
	}
}
