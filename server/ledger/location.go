package ledger

import (
	"cmp"
	"context"
	"slices"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
)

// checkLocation returns an error if the caller is limited to one location and the write
// belongs at another.
func (w *write) checkLocation(ctx context.Context, tx *stored.Tx) error {
	documentAt := func(ctx context.Context, kind api.DocumentKind, id api.ID) ([]api.ID, error) {
		doc, err := api.ReadDocument(ctx, txService{w.l, tx}, kind, id)
		if err != nil {
			return nil, err
		}
		return api.LocationsOf(doc), nil
	}

	codeOf := func(_ context.Context, id api.ID) string {
		_, code := tx.PlaceRef(stored.Locations, id).NameAndCode()
		return cmp.Or(code, id.String())
	}

	return w.req.CheckLocation(ctx, documentAt, codeOf)
}

// A txService has the reads of a ledger in a transaction.
type txService struct {
	l  *Ledger
	tx *stored.Tx
}

func (s txService) Do(_ context.Context, req *api.Request) (*api.Response, error) {
	b, _ := s.l.binding(req.Spec.ID)
	out, err := b.read(s.tx, req.Input)
	return &api.Response{Output: out}, err
}

// limitRead returns the read of a caller that is limited to one location, which gets the
// reports and the changes of that location alone.
func limitRead(req *api.Request) (*api.Request, error) {
	c, limited := req.Caller, *req
	var at *api.ID
	var filter *api.LocationsFilter
	switch in := req.Input.(type) {
	case *api.ReportMovementsInput:
		own := *in
		limited.Input, at = &own, &own.LocationID
	case *api.ReportSnapshotInput:
		own := *in
		limited.Input, at = &own, &own.LocationID
	case *api.ListChangesInput:
		own := *in
		limited.Input, filter = &own, &own.LocationsFilter
	case *api.SnapshotInput:
		own := *in
		limited.Input, filter = &own, &own.LocationsFilter
	default:
		return req, nil
	}

	isOther := func(id api.ID) bool { return id != c.LocationID }
	switch {
	case at != nil && (*at == api.NoID || !isOther(*at)):
		*at = c.LocationID
	case filter != nil && !slices.ContainsFunc(filter.LocationIDs(), isOther):
		*filter = api.FilterLocations([]api.ID{c.LocationID})
	default:
		return nil, c.LocationError(api.Text("Omit the other locations, or use a key that is not bound to one."))
	}

	return &limited, nil
}

// locate fills in the id of the location that a new key is limited to.
func (l *Ledger) locate(ctx context.Context, in *account.KeyInput) error {
	if in.Location == "" {
		return nil
	}

	p := store.Partition{Organization: in.Organization, Environment: string(in.Environment)}

	return l.store.View(ctx, p, func(r store.Reader) error {
		code := in.Location
		found, err := stored.ListPlaces(stored.Locations)(&stored.Tx{Reader: r, Partition: p},
			&api.ListPlacesInput{Code: code})
		if err != nil {
			return err
		}
		if len(found.Items) == 0 {
			return api.Fail(api.NotFound, api.Details{"resource": "location"},
				"There is no location %q in the environment %s. Check the code.", code, string(in.Environment))
		}

		in.LocationID, in.Location = found.Items[0].ID, found.Items[0].Code

		return nil
	})
}
