package intake

import (
	"context"

	"bincard/server/api"
)

// loadPlaces reads the locations, owners and channels that the kind of table needs.
func (c *checker) loadPlaces() (err error) {
	if c.Kind == Products {
		return nil
	}

	k := &c.catalogue
	if k.locations, err = c.places(api.ListLocations); err != nil || c.Kind == Locations || c.Kind == Shelves {
		return err
	}
	if k.owners, err = c.places(api.ListOwners); err != nil {
		return err
	}

	k.channels, err = c.places(api.ListChannels)

	return err
}

func (c *checker) places(op api.Operation[api.ListPlacesInput, api.List[api.Place]]) (*places, error) {
	out := &places{map[string]*api.Place{}, map[string]*api.Place{}}
	err := readAll(c.ctx, c.svc, op, func(cursor string) api.ListPlacesInput {
		return api.ListPlacesInput{Page: api.Page{Limit: pageLimit(), Cursor: cursor}}
	}, func(p api.Place) {
		out.byCode[foldName(p.Code)] = &p
		if _, duplicate := out.byName[foldName(p.Name)]; duplicate {
			out.byName[foldName(p.Name)] = nil
		} else {
			out.byName[foldName(p.Name)] = &p
		}
	})

	return out, err
}

// readAll reads all pages of a list.
func readAll[I, T any](
	ctx context.Context,
	svc api.Service,
	op api.Operation[I, api.List[T]],
	input func(cursor string) I,
	take func(T),
) error {
	for cursor := ""; ; {
		list, err := op.Call(ctx, svc, input(cursor))
		if err != nil {
			return err
		}
		for _, x := range list.Items {
			take(x)
		}
		if list.NextCursor == nil {
			return nil
		}

		cursor = *list.NextCursor
	}
}

func pageLimit() *int64 { n := int64(100); return &n }
