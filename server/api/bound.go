package api

import (
	"context"
	"slices"
)

// BoundAt returns at which of a document's locations a caller that is limited to one may do
// the operation. A transfer is received and closed at its destination, which comes last; all
// else changes its source.
func (s *Spec) BoundAt(locations []ID) []ID {
	switch {
	case s.Document != DocTransfer || len(locations) < 2:
		return locations
	case s.AtDestination:
		return locations[1:]
	}

	return locations[:1]
}

// CheckLocation returns an error if the caller is limited to one location and the request
// belongs elsewhere; see Elsewhere. codeOf returns the code of a location. Reads are not
// limited here: a shipper needs to see the destination.
func (r *Request) CheckLocation(
	ctx context.Context,
	documentAt func(context.Context, DocumentKind, ID) ([]ID, error),
	codeOf func(context.Context, ID) string,
) error {
	if r.Spec.AllLocations && r.Caller.LocationID != (ID{}) {
		return r.Caller.LocationError(Text("This applies to all locations. Use a key that is not bound to one."))
	}
	at, err := r.Elsewhere(ctx, documentAt)
	if err != nil || at == (ID{}) {
		return err
	}
	return r.Caller.LocationError(Textf("This must be done at %s.", codeOf(ctx, at)))
}

// Elsewhere returns where a write belongs if the caller is limited to another location, else
// zero. It belongs to the locations that it names, or else to those of its document, which
// documentAt returns.
func (r *Request) Elsewhere(
	ctx context.Context,
	documentAt func(context.Context, DocumentKind, ID) ([]ID, error),
) (at ID, err error) {
	if r.Caller.LocationID == (ID{}) || !r.Spec.Writes() {
		return at, nil
	}

	all := r.Locations()
	if id := r.DocumentID(); id != (ID{}) {
		if all, err = documentAt(ctx, r.Spec.Document, id); err != nil {
			return at, err
		}
	}

	if all = r.Spec.BoundAt(all); len(all) == 0 || slices.Contains(all, r.Caller.LocationID) {
		return at, nil
	}

	return all[0], nil
}

// LocationError returns the error of a caller that is limited to another location.
func (c *Caller) LocationError(what string) error {
	return Fail(LocationNotAllowed, Details{"location": c.LocationCode}, "This key (%s) works only at %s. %v",
		c.KeyLabel, c.LocationCode, Text(what))
}
