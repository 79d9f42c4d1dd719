package reports

import (
	"context"
	"strings"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/views/catalog"
	"bincard/views/session"
)

// resolve looks up the codes in the filter.
func (f filter) resolve(ctx context.Context, site *session.Site) (out api.StockFilter, err error) {
	t := site.T()

	if f.SKU != "" {
		match, err := catalog.Find(ctx, site, f.SKU)
		if err != nil {
			return out, err
		}
		if match.Product == nil {
			return out, t.NewError("%s is not a product. Change the filter (F3).", f.SKU)
		}
		out.ProductID = match.Product.ID
	}

	if here := site.Location(); here.IsSet() && f.Location == here.Code {
		out.LocationID = here.ID
	} else if f.Location != "" {
		match, err := catalog.Find(ctx, site, f.Location)
		if err != nil {
			return out, err
		}
		if match.Location == nil {
			return out, t.NewError("%s is not a location. Change the filter (F3).", f.Location)
		}
		out.LocationID = match.Location.ID
	}

	if out.OwnerID, err = findParty(ctx, site, api.ListOwners, f.Owner,
		i18n.Text("Owner %s not found. Change the filter (F3).")); err != nil {
		return out, err
	}

	out.ChannelID, err = findParty(ctx, site, api.ListChannels, f.Channel,
		i18n.Text("Channel %s not found. Change the filter (F3)."))

	return out, err
}

// findParty finds an owner or channel by code.
func findParty(
	ctx context.Context,
	site *session.Site,
	op api.Operation[api.ListPlacesInput, api.List[api.Place]],
	code, none string,
) (api.ID, error) {
	if code == "" {
		return api.NoID, nil
	}

	list, err := session.Call(ctx, site, op, api.ListPlacesInput{Code: strings.TrimSpace(code)})
	switch {
	case session.IsUnsupported(err):
		return api.NoID, site.T().NewError(
			"This service does not list owners and channels, so their codes cannot be filtered. Change the filter (F3).",
		)
	case err != nil:
		return api.NoID, err
	case len(list.Items) == 0:
		return api.NoID, site.T().NewError(none, code)
	}

	return list.Items[0].ID, nil
}
