package api

import (
	"slices"
	"strings"

	"github.com/google/uuid"
)

// MaxFilterLocations is the maximum number of locations of a LocationsFilter.
const MaxFilterLocations = 100

// A LocationsFilter limits what a replica reads to the stock of some locations: their
// balances, lots and serials, and the documents with stock there, which includes transfers
// with one end there. Products, locations, owners and channels are not limited.
type LocationsFilter struct {
	Locations string `json:"-" query:"locations" maxLength:"3699" doc:"comma-separated ids of up to 100 locations: only their stock and documents, and all products"`
}

// FilterLocations returns the filter of some locations, no filter for none.
func FilterLocations(ids []ID) LocationsFilter {
	text := make([]string, len(ids))
	for i, id := range ids {
		text[i] = id.String()
	}
	return LocationsFilter{strings.Join(text, ",")}
}

// LocationIDs returns the locations of a valid filter, nil if it has none.
func (f LocationsFilter) LocationIDs() (ids []ID) {
	if f.Locations == "" {
		return nil
	}
	for text := range strings.SplitSeq(f.Locations, ",") {
		id, _ := uuid.Parse(text)
		ids = append(ids, id)
	}
	return ids
}

func (f LocationsFilter) check(p *Problems) {
	ids := f.LocationIDs()
	if slices.Contains(ids, ID{}) || len(ids) > MaxFilterLocations {
		p.Add("locations", "ids", "must be up to %d ids, separated by commas", MaxFilterLocations)
	}
}

func (in *ListChangesInput) validate(p *Problems) { in.check(p) }

func (in *SnapshotInput) validate(p *Problems) { in.check(p) }
