package locations

import (
	"cmp"
	"context"
	"net/url"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/google/uuid"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/entry"
	"bincard/views/listscreen"
	"bincard/views/session"
	"bincard/views/submit"
)

// correctAction opens the form that corrects the selected location.
func correctAction(site *session.Site, s *listscreen.Screen) tui.Action {
	t := site.T()

	return tui.Action{
		ID:       "locations.correct",
		Key:      "ctrl+e",
		Label:    t.Get("correct"),
		Help:     t.Get("Correct its name or type"),
		NoFooter: true,
		Disabled: func() string { return cmp.Or(s.EmptyReason(), site.Denied(api.ChangeLocation.Spec)) },
		Run: func() tea.Cmd {
			p, _ := listscreen.Selected[api.Place](s)
			return tui.Open("locations/correct?" + correctValues(&p).Encode())
		},
	}
}

// correctValues are the parameters of the form's route: the values that were read.
func correctValues(p *api.Place) url.Values {
	return url.Values{"id": {p.ID.String()}, "code": {p.Code}, "name": {p.Name}, "type": {p.Type},
		"version": {strconv.FormatInt(p.CurrentVersion(), 10)}}
}

// Correct returns the factory of the form that corrects a location.
func Correct(site *session.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		t, read := env.T, env.Route.Query
		code := widget.Clean(read.Get("code"))

		return entry.Screen(site, entry.Config{
			Title:       t.Get("Locations › %s › correct", code),
			Short:       t.Get("correct %s", code),
			Prompt:      t.Get("Correct what is wrong. The code stays."),
			Fields:      func() []widget.Field { return fields(t)[1:] },
			StartValues: func(f *widget.Form, _ bool) { entry.FillRead(t, f, read) },
			Name:        func(map[string]string) string { return t.Get("location %s", code) },
			Needs:       []tui.Need{{Permission: tui.MayCreateProducts}},
			BuildStep: func(_ context.Context, v map[string]string) (submit.Step, error) {
				if v["name"] == read.Get("name") && v["type"] == read.Get("type") {
					return submit.Step{}, t.NewError("Nothing is different yet. Change a value, or press esc.")
				}
				return correctStep(t, read, v)
			},
			RouteScan: func(*widget.Form, count.Label) (field, value string, err error) {
				return "", "", t.NewError("Nothing is scanned here. Type the values, or press esc.")
			},
			Reread: func(ctx context.Context, entered map[string]string) (string, error) {
				p, err := find(ctx, site, read.Get("code"))
				return "locations/correct?" + entry.WithEntered(correctValues(&p), read, entered).Encode(), err
			},
			FieldOf:         fieldOf,
			ConflictActions: func(*api.Error) []tui.Action { return nil },
			Created: func(res *api.Response) entry.Created {
				return entry.Created{Text: t.Get("%s is corrected", res.Output.(*api.Place).Code), Route: "locations"}
			},
		})(env)
	}
}

// correctStep builds the request, with what differs from what was read.
func correctStep(t *i18n.Translator, read url.Values, v map[string]string) (submit.Step, error) {
	id, _ := uuid.Parse(read.Get("id"))
	in := api.ChangeLocationInput{LocationID: id}
	if v["name"] != read.Get("name") {
		in.Name = v["name"]
	}
	if v["type"] != read.Get("type") {
		in.Type = api.LocationType(v["type"])
	}

	step, err := submit.NewStep(api.ChangeLocation, in, t.Get("correct %s", read.Get("code")))
	step.IfMatch, _ = strconv.ParseInt(read.Get("version"), 10, 64)

	return step, err
}

// find finds a location by its code.
func find(ctx context.Context, site *session.Site, code string) (api.Place, error) {
	found, err := session.Call(ctx, site, api.ListLocations, api.ListPlacesInput{Code: code})
	if err != nil {
		return api.Place{}, err
	}
	if len(found.Items) == 0 {
		return api.Place{}, site.T().NewError("There is no location %s.", widget.Clean(code))
	}
	return found.Items[0], nil
}

// CorrectJob corrects the location that the job's Ref names without a screen. An empty name or
// type stays.
func CorrectJob(ctx context.Context, job *submit.Job, name, typ string) (submit.JobResult, error) {
	return job.Run(ctx, func(ctx context.Context) (*submit.Submission, error) {
		t := job.Site.T()
		p, err := find(ctx, job.Site, job.Ref)
		if err != nil {
			return nil, err
		}

		entered := map[string]string{"name": cmp.Or(name, p.Name), "type": cmp.Or(typ, p.Type)}
		if entered["name"] == p.Name && entered["type"] == p.Type {
			return &submit.Submission{Toast: t.Get("%s has these values already. Nothing was changed.", p.Code)}, nil
		}

		step, err := correctStep(t, correctValues(&p), entered)

		return &submit.Submission{Steps: []submit.Step{step}, Toast: t.Get("%s is corrected", p.Code)}, err
	}, nil)
}
