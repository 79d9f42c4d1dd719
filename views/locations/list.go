package locations

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/label"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/labels"
	"bincard/views/listscreen"
	"bincard/views/names"
	"bincard/views/panel"
	"bincard/views/session"
)

// List returns the factory of the list of locations, sorted by code.
func List(site *session.Site) tui.Factory {
	return listscreen.New(site, func(s *listscreen.Screen) listscreen.Kind[*api.Place] {
		t, selected := s.T, false

		return listscreen.Kind[*api.Place]{
			Texts: func() listscreen.Texts { return texts(t, site.Location(), s.Len()) },
			Key:   func(p *api.Place) string { return p.ID.String() },
			Load: listscreen.Fixed(
				listscreen.Load(func(ctx context.Context) ([]api.Place, bool, error) { return load(ctx, site) }),
			),
			Columns: func(size tui.Size) []widget.Column[*api.Place] { return columns(t, site.Location().ID, size) },
			Open: tui.Action{
				ID:    "locations.work",
				Label: t.Get("work here"),
				Help:  t.Get("Use this as your location"),
			},
			OpenRow: func(p *api.Place) tea.Cmd { return chooseLocation(site, toLocation(p)) },

			FilterText: func(p *api.Place) string { return p.Code + " " + p.Name + " " + p.Type },
			Detail:     func(p *api.Place) string { return p.Name },
			Actions: func() []tui.Action {
				return append(
					[]tui.Action{s.NewAction("locations", t.Get("Create a location")), correctAction(site, s)},
					labels.PrintActions(site, func() (labels.Request, string) {
						p, _ := listscreen.Selected[api.Place](s)
						return labels.Request{Kind: label.KindLocation, Subject: p.Code}, s.EmptyReason()
					})...)
			},
			Scan: func(ctx context.Context, r count.Label) (func() tea.Cmd, error) { return lookUp(ctx, site, r) },
			Loaded: func() {
				if !selected {
					selected = true
					s.List.Select(site.Location().ID.String())
				}
			},
			Speech: func(out *tui.Speech) {
				s.List.Columns = s.List.Columns[1:] // without the mark of the working location
				if here := site.Location(); here.IsSet() {
					out.Facts = append([]string{t.Get("you work at %s", here.Code)}, out.Facts...)
				}
			},
		}
	})
}

// texts returns the texts of n locations for an operator who works at here.
func texts(t *i18n.Translator, here session.Location, n int) listscreen.Texts {
	out := listscreen.Texts{
		Title:         t.Get("Locations"),
		Question:      t.Get("Where do you work? Scan the location, or choose it"),
		ShortQuestion: t.Get("scan or choose"),
		Noun:          t.Get("locations"),
		Empty:         t.Get("No locations yet. Press F3 to create one."),
	}

	if here.IsSet() {
		out.Question = t.Get("You work at %s. Scan or choose another location.", here.Code)
	}
	if n == 1 {
		out.Noun = t.Get("location")
	}

	return out
}

func load(ctx context.Context, site *session.Site) (rows []api.Place, more bool, err error) {
	rows, more, err = listscreen.ReadAll(listscreen.ReadLimit, func(page api.Page) (api.List[api.Place], error) {
		return session.Call(ctx, site, api.ListLocations, api.ListPlacesInput{Page: page})
	})
	if session.IsUnsupported(err) {
		err = site.T().NewError(
			"Locations come from another system in this service. Choose yours with F6 on the home screen.")
	}

	slices.SortStableFunc(rows,
		func(a, b api.Place) int { return cmp.Compare(strings.ToLower(a.Code), strings.ToLower(b.Code)) })

	return rows, more, err
}

// columns returns the columns of the list for a size; small screens have no type.
func columns(t *i18n.Translator, here api.ID, size tui.Size) []widget.Column[*api.Place] {
	columns := []widget.Column[*api.Place]{
		{Title: "", Width: 1, Cell: func(p *api.Place) string {
			if p.ID == here {
				return widget.GlyphOK
			}
			return ""
		}},
		{Title: t.Get("code"), Width: 10, Sort: "code", Cell: func(p *api.Place) string { return p.Code }},
		{Title: t.Get("name"), Rank: 1, Sort: "name", Cell: func(p *api.Place) string { return p.Name }},
		{
			Title: t.Get("type"),
			Width: 10,
			Rank:  2,
			Sort:  "type",
			Cell:  func(p *api.Place) string { return names.LocationType(t, p.Type) },
		},
	}

	if size.Small() {
		return columns[:3]
	}

	return columns
}

// lookUp selects the scanned location, or offers to create one.
func lookUp(ctx context.Context, site *session.Site, r count.Label) (open func() tea.Cmd, err error) {
	var destinations []session.Destination
	matches, err := site.Lookup(ctx, r.Codes...)
	if err == nil && (len(matches) > 0 || r.HasNoCode() || r.Problem != "") {
		destinations, err = site.Resolve(ctx, r)
	}

	return func() tea.Cmd {
		switch {
		case len(destinations) == 1 && destinations[0].Route == "":
			return chooseLocation(site, destinations[0].Location)
		case len(destinations) > 0:
			return panel.Navigate(site, destinations)
		}

		t, code := site.T(), widget.Clean(r.Name())

		return tui.Fail(t.NewError("Unknown code %s. Press F3 to create a location with it.", code), tui.Action{
			ID:    "locations.new",
			Key:   "f3",
			Label: t.Get("create location with it"),
			Short: t.Get("create"),
			Run:   tui.Opens(newRoute(code)),
		})
	}, err
}

// Denied returns why locations cannot be created or listed, or "".
func Denied(site *session.Site) string {
	if !site.Supports(api.CreateLocation.Spec) || !site.Supports(api.ListLocations.Spec) {
		return site.T().Get(
			"Locations come from another system in this service. Choose yours with F6 on the home screen.")
	}
	return ""
}

// newRoute returns the route of the form with the code filled in.
func newRoute(code string) string { return "locations/new?code=" + url.QueryEscape(code) }

// toLocation converts a location of the API.
func toLocation(p *api.Place) session.Location {
	return session.Location{ID: p.ID, Code: p.Code, Name: p.Name}
}
