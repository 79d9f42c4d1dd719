package offline

import (
	"slices"
	"strings"

	"bincard/server/api"
)

// locations are those that a node is limited to, sorted; none means all. Its replica has
// the stock and documents of these alone. Work at others is rejected, and others are read
// at the service.
type locations []api.PlaceRef

// sortLocations returns the locations sorted, so that equal limits are the same.
func sortLocations(list []api.PlaceRef) locations {
	byID := func(a, b api.PlaceRef) int { return slices.Compare(a.ID[:], b.ID[:]) }
	sorted := slices.SortedFunc(slices.Values(list), byID)
	return slices.CompactFunc(sorted, func(a, b api.PlaceRef) bool { return a.ID == b.ID })
}

// ids returns the ids, nil for all locations.
func (l locations) ids() (ids []api.ID) {
	for _, at := range l {
		ids = append(ids, at.ID)
	}
	return ids
}

// has reports whether the node has the data of a location.
func (l locations) has(id api.ID) bool {
	return len(l) == 0 || slices.ContainsFunc(l, func(at api.PlaceRef) bool { return at.ID == id })
}

// codes returns the codes, nil for all locations.
func (l locations) codes() (codes []string) {
	for _, at := range l {
		codes = append(codes, at.Code)
	}
	slices.Sort(codes)
	return codes
}

// String names the locations in a sentence.
func (l locations) String() string { return strings.Join(l.codes(), ", ") }
