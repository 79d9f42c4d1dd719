package locations

import (
	"net/url"

	"bincard/server/api"
	"bincard/views/session"
)

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
