package locations

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/theme"
	"bincard/tui/widget"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

// List returns the factory of the list of locations.
func List(site *dock.Site) tui.Factory {
	return func(tui.Env) (tui.Screen, error) { return &list{site: site}, nil }
}

// list is the screen of the locations, sorted by code.
type list struct {
	site    *dock.Site
	env     tui.Env
	panel   dock.ListPanel[api.Place]
	finding bool
}

// foundMsg is the result of looking up a scan; both lists are empty if the code is
// unknown.
type foundMsg struct {
	label        dock.Label
	destinations []dock.Destination
	err          error
}

func (s *list) Init(env tui.Env) tea.Cmd {
	t := env.T

	s.env = env
	s.panel = dock.ListPanel[api.Place]{Question: t.Get("Where do you work? Scan the location, or choose it"), ShortQuestion: t.Get("scan or choose"), Noun: t.Get("locations"),
		Detail: func(p api.Place) string { return p.Name }, Load: s.load, FilterText: func(p api.Place) string { return p.Code + " " + p.Name + " " + p.Type }}
	s.panel.List = widget.NewList(func(p api.Place) string { return p.ID.String() }, s.columns(false)...)
	s.panel.List.EmptyText = t.Get("No locations yet. Press F3 to create one.")
	return s.panel.Init(env)
}

func (s *list) load(ctx context.Context) (rows []api.Place, more bool, err error) {
	limit := int64(100)
	in := api.ListPlacesInput{Page: api.Page{Limit: &limit}}
	for {
		page, err := dock.Call(ctx, s.site, api.ListLocations, in)
		if dock.IsUnsupported(err) {
			return nil, false, errors.New(s.site.T().Get("Locations come from another system in this service. Choose yours with F6 on the home screen."))
		}
		if err != nil {
			return nil, false, err
		}
		rows = append(rows, page.Items...)
		if more = page.NextCursor != nil; !more || len(rows) >= 500 {
			break
		}
		in.Cursor = *page.NextCursor
	}
	slices.SortStableFunc(rows, func(a, b api.Place) int { return cmp.Compare(strings.ToLower(a.Code), strings.ToLower(b.Code)) })
	return rows, more, nil
}

// columns returns the columns of the locations; small screens have no type.
func (s *list) columns(small bool) []widget.Column[api.Place] {
	t := s.site.T()

	columns := []widget.Column[api.Place]{
		{Title: "", Width: 1, Cell: func(p api.Place) string {
			if p.ID == s.site.Location().ID {
				return theme.GlyphOK
			}
			return ""
		}},
		{Title: t.Get("code"), Width: 10, Cell: func(p api.Place) string { return p.Code }},
		{Title: t.Get("name"), Rank: 1, Cell: func(p api.Place) string { return p.Name }},
		{Title: t.Get("type"), Width: 10, Rank: 2, Cell: func(p api.Place) string { return dock.LocationTypeText(t, p.Type) }},
	}
	if small {
		return columns[:3]
	}
	return columns
}

func (s *list) Title() string                { return s.site.T().Get("Locations") }
func (s *list) AcceptsKey(k tea.KeyMsg) bool { return s.panel.AcceptsKey(k) }
func (s *list) Refresh() tea.Cmd             { return s.panel.Reload() }
func (s *list) Busy() bool                   { return s.finding }

func (s *list) View(size tui.Size) string {
	if s.panel.Noun = s.site.T().Get("locations"); len(s.panel.Rows()) == 1 {
		s.panel.Noun = s.site.T().Get("location")
	}
	s.panel.List.Columns = s.columns(size.Small())
	s.panel.Question = s.site.T().Get("Where do you work? Scan the location, or choose it")
	if here := s.site.Location(); here.IsSet() {
		s.panel.Question = s.site.T().Get("You work at %s. Scan another location, or choose it", here.Code)
	}
	return s.panel.View(size)
}

// OnScan selects the scanned location, or offers to create one.
func (s *list) OnScan(x scan.Scan) tea.Cmd {
	s.finding = true
	r := dock.ParseLabel(s.site.T(), x)
	return s.env.Do(func(ctx context.Context) tea.Msg {
		m := foundMsg{label: r}
		matches, err := s.site.Lookup(ctx, r.Codes...)
		switch {
		case err != nil:
			m.err = err
		case len(matches) > 0 || r.HasNoCode() || r.Problem != "":
			m.destinations, m.err = s.site.Resolve(ctx, r)
		}
		return m
	})
}

func (s *list) lookupAnswered(m foundMsg) tea.Cmd {
	t := s.site.T()

	switch {
	case m.err != nil:
		return tui.Fail(errors.New(dock.UserMessage(t, m.err)))
	case len(m.destinations) == 1 && m.destinations[0].Route == "":
		return chooseLocation(s.site, m.destinations[0].Location)
	case len(m.destinations) > 0:
		return dock.Navigate(s.site, m.destinations)
	}
	code := widget.Clean(m.label.Name())
	return tui.Fail(errors.New(t.Get("Unknown code %s. Press F3 to create a location with it.", code)),
		tui.Action{ID: "places.new", Keys: []string{"f3"}, Label: t.Get("create location with it"), Short: t.Get("create"),
			Run: func() tea.Cmd { return tui.Open(NewRoute(code)) }})
}

func (s *list) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	if found, ok := msg.(foundMsg); ok {
		s.finding = false
		return s, s.lookupAnswered(found)
	}
	first := !s.panel.Loaded()
	cmd, _ := s.panel.Update(msg)
	if first && s.panel.Loaded() {
		s.panel.List.Select(s.site.Location().ID.String())
	}
	return s, cmd
}

func (s *list) Actions() []tui.Action {
	t := s.site.T()

	actions := []tui.Action{
		{ID: "places.work", Keys: []string{"enter"}, Label: t.Get("work here"), Help: t.Get("Use this as your location"), Disabled: func() string {
			if s.panel.List.Len() == 0 {
				return t.Get("The list is empty")
			}
			return ""
		}, Run: func() tea.Cmd {
			p, _ := s.panel.Selected()
			return chooseLocation(s.site, toLocation(&p))
		}},
		{ID: "places.new", Keys: []string{"f3"}, Label: t.Get("new"), Help: t.Get("Create a location"),
			Run: func() tea.Cmd { return tui.Open("places/new") }},
	}
	return append(actions, s.panel.Actions()...)
}
