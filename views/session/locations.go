package session

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"bincard/server/api"
	"bincard/views/names"
)

// A Location is a location of the organization.
type Location struct {
	ID         api.ID
	Code, Name string
}

// LocationOf returns the location of an embedded reference; zero for nil.
func LocationOf(ref *api.PlaceRef) Location {
	if ref == nil {
		return Location{}
	}
	return Location{ID: ref.ID, Code: ref.Code, Name: ref.Name}
}

// LocationAt returns the location with an ID, with the code and name of an embedded
// reference.
func LocationAt(id api.ID, ref *api.PlaceRef) Location {
	p := LocationOf(ref)
	p.ID = id
	if p.Code == "" && p.IsSet() {
		p.Code = names.ShortID(id)
	}
	return p
}

func LocationOfPlace(p *api.Place) Location { return Location{ID: p.ID, Code: p.Code, Name: p.Name} }

// IsSet reports whether the location is not zero.
func (l Location) IsSet() bool { return l.ID != api.NoID }

// String returns the code and the name: "WH-1 Main warehouse".
func (l Location) String() string {
	if l.Name == "" || l.Name == l.Code {
		return l.Code
	}
	return l.Code + " " + l.Name
}

// FindLocation returns the location with a code, ignoring case.
func (s *Site) FindLocation(ctx context.Context, code string) (Location, error) {
	locations, err := s.Locations(ctx)
	if err != nil {
		return Location{}, err
	}
	for _, l := range locations {
		if strings.EqualFold(l.Code, code) {
			return l, nil
		}
	}

	return Location{}, s.T().NewError("There is no location %s. Check the code, or press esc and choose a location.",
		code)
}

// Locations returns the locations, sorted by code. If the service cannot list them, it
// returns those that stock and documents name.
func (s *Site) Locations(ctx context.Context) ([]Location, error) {
	rows, _, err := fetchPages(func(page api.Page) (api.List[api.Place], error) {
		return Call(ctx, s, api.ListLocations, api.ListPlacesInput{Page: page})
	})
	var out []Location
	add := func(p Location) {
		if p.IsSet() && !slices.ContainsFunc(out, func(x Location) bool { return x.ID == p.ID }) {
			out = append(out, p)
		}
	}
	if err == nil {
		for _, r := range rows {
			add(LocationOfPlace(&r))
		}
	}

	if IsUnsupported(err) {
		var snap []api.SnapshotRow
		snap, _, err = snapshot(ctx, s)
		for _, r := range snap {
			add(Location{ID: r.LocationID, Code: r.LocationCode, Name: r.LocationName})
		}

		inbounds, _, inboundErr := s.Inbounds(ctx, Location{})
		for _, in := range inbounds {
			add(LocationOf(in.Location))
		}

		transfers, _, transferErr := transfers(ctx, s, api.ListTransfersInput{})
		for _, t := range transfers {
			add(LocationOf(t.SourceLocation))
			add(LocationOf(t.DestinationLocation))
		}
		if len(out) > 0 {
			err = nil
		} else if err == nil {
			err = errors.Join(inboundErr, transferErr)
		}
	}

	slices.SortFunc(out, func(a, b Location) int { return cmp.Compare(a.Code, b.Code) })

	return out, err
}
