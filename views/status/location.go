package status

import (
	"context"
	"slices"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/views/session"
)

// The pauses between two attempts at a service that cannot be reached.
const (
	minRetry = time.Second
	maxRetry = 5 * time.Second
)

// ResolveWithRetry resolves, as Resolve does, until the service answers or ctx ends.
func (m *Monitor) ResolveWithRetry(ctx context.Context, site *session.Site, code string) (found bool) {
	for pause := minRetry; ; pause = min(2*pause, maxRetry) {
		found, answered := m.resolve(ctx, site, code)
		m.mu.Lock()
		answered = answered && m.silentSince.IsZero()
		m.mu.Unlock()
		if found || answered {
			return found
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return false
		}
	}
}

// Resolve reads the key's access and sets the site's location: the location of the
// key, else the initial one. It reports whether it set one: if it is false, the operator
// chooses. A service that supports neither can still be used.
func (m *Monitor) Resolve(ctx context.Context, site *session.Site, code string) (found bool) {
	found, _ = m.resolve(ctx, site, code)
	return found
}

// resolve is Resolve. answered is false if the key's access is unknown because the service did
// not answer: it has the location of the key, so no other one is set without it.
func (m *Monitor) resolve(ctx context.Context, site *session.Site, code string) (found, answered bool) {
	access, err := session.Call(ctx, site, api.GetAccess, api.GetAccessInput{})
	switch {
	case isSilent(err):
		return false, false
	case err == nil:
		m.mu.Lock()
		m.status.Company = access.Organization.Name
		m.status.Environment = strings.ToUpper(string(access.Environment))
		m.status.Live = access.Environment == api.Live
		m.mu.Unlock()
		if access.LocationID != nil {
			if place, ok := boundLocation(ctx, site, *access.LocationID); ok && place != site.Location() {
				site.SetLocation(place)
				return true, true
			}
		}
	}

	if site.Location().IsSet() {
		return false, true
	}

	place, ok := InitialLocation(ctx, site, code)
	if !ok || site.Location().IsSet() {
		return false, true
	}

	site.SetLocation(place)

	return true, true
}

// boundLocation returns the location of a key that may work at one location only.
func boundLocation(ctx context.Context, site *session.Site, id api.ID) (session.Location, bool) {
	places, err := site.Locations(ctx)
	if err != nil {
		return session.Location{}, false
	}

	i := slices.IndexFunc(places, func(p session.Location) bool { return p.ID == id })
	if i < 0 {
		return session.Location{}, false
	}

	return places[i], true
}

// InitialLocation returns the location with a code, else the only one where this terminal
// works.
func InitialLocation(ctx context.Context, site *session.Site, code string) (session.Location, bool) {
	places, err := site.Locations(ctx)
	if err != nil {
		return session.Location{}, false
	}
	if st, err := site.FetchSyncStatus(ctx); err == nil && len(st.Locations) > 0 {
		places = slices.DeleteFunc(places,
			func(p session.Location) bool { return !slices.Contains(st.Locations, p.Code) })
	}
	for _, p := range places {
		if strings.EqualFold(p.Code, code) || len(places) == 1 {
			return p, true
		}
	}

	return session.Location{}, false
}
