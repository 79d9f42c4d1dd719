package reports

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"bincard/server/api"
	"bincard/views/balances/catalogue"
	"bincard/views/dock"
)

// ids are what a filter names by code.
type ids struct{ product, place, owner, channel api.ID }

// find asks the service for what the filter names by code.
func (f filter) find(ctx context.Context, site *dock.Site) (out ids, err error) {
	if f.SKU != "" {
		thing, err := catalogue.Find(ctx, site, f.SKU)
		if err != nil {
			return out, err
		}
		if thing.Product == nil {
			return out, fmt.Errorf(notProduct, f.SKU)
		}
		out.product = thing.Product.ID
	}
	if f.Place != "" {
		thing, err := catalogue.Find(ctx, site, f.Place)
		if err != nil {
			return out, err
		}
		if thing.Location == nil {
			return out, fmt.Errorf(notPlace, f.Place)
		}
		out.place = thing.Location.ID
	}
	if out.owner, err = party(ctx, site, api.ListOwners, f.Owner, notOwner); err != nil {
		return out, err
	}
	out.channel, err = party(ctx, site, api.ListChannels, f.Channel, notChannel)
	return out, err
}

// party finds an owner or a channel by its code.
func party(ctx context.Context, site *dock.Site, op api.Operation[api.ListPlacesInput, api.List[api.Place]], code, none string) (api.ID, error) {
	if code == "" {
		return api.ID{}, nil
	}
	list, err := dock.Ask(ctx, site, op, api.ListPlacesInput{Code: strings.TrimSpace(code)})
	switch {
	case dock.Missing(err):
		return api.ID{}, errors.New(noOwners)
	case err != nil:
		return api.ID{}, err
	case len(list.Items) == 0:
		return api.ID{}, fmt.Errorf(none, code)
	}
	return list.Items[0].ID, nil
}
