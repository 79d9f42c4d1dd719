package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/pflag"

	"bincard/cmd/bincard/cli"
	"bincard/server/api"
)

// A queryFilter selects the rows of a report. Empty texts select everything.
type queryFilter struct {
	From, To, AsOf                string // days or instants
	SKU, Location, Owner, Channel string // names or IDs
	Operation, State, Status      string
}

// AddFlags adds the flags that both reports have.
func (f *queryFilter) AddFlags(flags *pflag.FlagSet) {
	flags.StringVar(&f.From, "from", "", "only from this day or instant")
	flags.StringVar(&f.To, "to", "", "only before this day or instant")
	flags.StringVar(&f.SKU, "sku", "", "only this product")
	flags.StringVar(&f.Location, "location", "", "only this location")
	flags.StringVar(&f.Owner, "owner", "", "only this owner")
	flags.StringVar(&f.Channel, "channel", "", "only this channel")
	flags.StringVar(&f.Operation, "operation", "", "only movements of this operation, or balances that have one")
	flags.StringVar(&f.State, "state", "", "only this inventory state")
	flags.StringVar(&f.Status, "status", "", "for snapshot: inStock or outOfStock")
}

// A movementQuery is the parsed form of a queryFilter, as the input of both reports.
type movementQuery struct {
	api.ReportMovementsInput
	status api.StockStatus
	asOf   *time.Time
}

// Snapshot returns the query as input of the snapshot report.
func (q *movementQuery) Snapshot(cursor string) api.ReportSnapshotInput {
	return api.ReportSnapshotInput{CreatedFrom: q.CreatedFrom, CreatedTo: q.CreatedTo, StockFilter: q.StockFilter,
		Status: q.status, Operation: q.Operation, InventoryState: q.InventoryState,
		AsOf: q.asOf, Limit: q.Limit, Cursor: cursor}
}

// Parse parses everything except names. Its error says what is wrong with a flag of the
// command line.
func (f *queryFilter) Parse() (*movementQuery, error) {
	many := int64(500)
	q := &movementQuery{status: api.StockStatus(f.Status), ReportMovementsInput: api.ReportMovementsInput{Limit: &many,
		Operation: api.MovementOperation(f.Operation), InventoryState: api.State(f.State)}}
	for _, v := range []struct {
		flag, text string
		known      []string
	}{
		{"operation", f.Operation, q.Operation.Values()}, {"state", f.State, q.InventoryState.Values()}, {"status", f.Status, q.status.Values()},
	} {
		if v.text != "" && !slices.Contains(v.known, v.text) {
			return nil, fmt.Errorf("--%s must be one of %s, not %q", v.flag, strings.Join(v.known, ", "), v.text)
		}
	}

	for _, d := range []struct {
		flag, text string
		to         **time.Time
	}{{"from", f.From, &q.CreatedFrom}, {"to", f.To, &q.CreatedTo}, {"as-of", f.AsOf, &q.asOf}} {
		t, err := cli.ParseTime(d.flag, d.text, d.flag == "as-of")
		if err != nil {
			return nil, err
		}
		*d.to = t
	}

	return q, nil
}

// Resolve finds the IDs of the names and sets them in q.
func (f *queryFilter) Resolve(ctx context.Context, svc api.Service, q *movementQuery) error {
	var err error
	q.ProductID, err = resolveName("product", f.SKU, func() (ids []api.ID, err error) {
		list, err := api.ListProducts.Call(ctx, svc, api.ListProductsInput{SKU: f.SKU})
		for _, p := range list.Items {
			ids = append(ids, p.ID)
		}
		return ids, err
	})

	for _, p := range []struct {
		kind, text string
		op         api.Operation[api.ListPlacesInput, api.List[api.Place]]
		to         *api.ID
	}{{"location", f.Location, api.ListLocations, &q.LocationID}, {"owner", f.Owner, api.ListOwners, &q.OwnerID},
		{"channel", f.Channel, api.ListChannels, &q.ChannelID}} {
		if err != nil {
			return err
		}

		*p.to, err = resolveName(p.kind, p.text, func() (ids []api.ID, err error) {
			list, err := p.op.Call(ctx, svc, api.ListPlacesInput{Code: p.text})
			for _, x := range list.Items {
				ids = append(ids, x.ID)
			}
			return ids, err
		})
	}

	return err
}

// resolveName returns text if it is an ID, else the first ID that find returns.
func resolveName(kind, text string, find func() ([]api.ID, error)) (api.ID, error) {
	if text == "" {
		return api.NoID, nil
	}
	if id, err := uuid.Parse(text); err == nil {
		return id, nil
	}

	ids, err := find()
	if err != nil {
		return api.NoID, err
	}
	if len(ids) == 0 {
		return api.NoID, fmt.Errorf("there is no %s %s", kind, text)
	}

	return ids[0], nil
}
