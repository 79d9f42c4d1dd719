package session

import (
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
	if p.ID = id; p.Code == "" && p.IsSet() {
		p.Code = names.ShortID(id)
	}
	return p
}

func LocationOfPlace(p *api.Place) Location { return Location{ID: p.ID, Code: p.Code, Name: p.Name} }

// IsSet reports whether the location is not zero.
func (l Location) IsSet() bool { return l.ID != api.ID{} }

// String returns the code and the name: "WH-1 Main warehouse".
func (l Location) String() string {
	if l.Name == "" || l.Name == l.Code {
		return l.Code
	}
	return l.Code + " " + l.Name
}
