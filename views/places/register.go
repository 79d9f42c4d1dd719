package places

import (
	"net/url"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/dock"
)

// Register adds the screens of locations. A service that keeps none by itself
// says so, and they do not open.
func Register(r *tui.Registry, site *dock.Site) {
	denied := func(tui.Env) string { return Denied(site) }
	r.AddEntry(tui.Entry{Pattern: "places", Label: i18n.Text("Locations"), Factory: List(site), Denied: denied})
	r.AddEntry(tui.Entry{Pattern: "places/new", Label: i18n.Text("Create a location"), Factory: New(site), Denied: denied})
}

// Denied returns why no place can be made or listed here, or "".
func Denied(site *dock.Site) string {
	if !site.Supports(api.CreateLocation.Spec) || !site.Supports(api.ListLocations.Spec) {
		return site.T().Get("Locations come from another system in this service. Choose yours with F6 on the home screen.")
	}
	return ""
}

// NewRoute is the route of the form, with the code that the place shall have;
// "" for an empty form.
func NewRoute(code string) string {
	if code == "" {
		return "places/new"
	}
	return "places/new?code=" + url.QueryEscape(code)
}

// toLocation is a location as a place to stand at.
func toLocation(p *api.Place) dock.Location {
	return dock.Location{ID: p.ID, Code: p.Code, Name: p.Name}
}
