package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"bincard/server/api"
)

// A filter holds the filters of both reports.
type filter struct {
	api.ReportMovementsInput
	status api.StockStatus
	asOf   *time.Time
}

// snapshot returns the filter as input of the snapshot report.
func (x *filter) snapshot(cursor string) api.ReportSnapshotInput {
	return api.ReportSnapshotInput{CreatedFrom: x.CreatedFrom, CreatedTo: x.CreatedTo, StockFilter: x.StockFilter, Status: x.status, Operation: x.Operation, InventoryState: x.InventoryState,
		AsOf: x.asOf, Limit: x.Limit, Cursor: cursor}
}

// filters returns the filter that the flags describe, with names resolved to IDs.
func (e *exportRun) filters(ctx context.Context, svc api.Service) (*filter, error) {
	many := int64(500)
	x := &filter{status: api.StockStatus(e.status), ReportMovementsInput: api.ReportMovementsInput{Limit: &many,
		Operation: api.MovementOperation(e.operation), InventoryState: api.State(e.state)}}
	for _, v := range []struct {
		flag, text string
		known      []string
	}{
		{"operation", e.operation, x.Operation.Values()}, {"state", e.state, x.InventoryState.Values()}, {"status", e.status, x.status.Values()},
	} {
		if v.text != "" && !slices.Contains(v.known, v.text) {
			return nil, usageErrorf("--%s must be one of %s, not %q", v.flag, strings.Join(v.known, ", "), v.text)
		}
	}
	for _, d := range []struct {
		flag, text string
		to         **time.Time
	}{{"from", e.from, &x.CreatedFrom}, {"to", e.to, &x.CreatedTo}, {"as-of", e.asOf, &x.asOf}} {
		t, err := parseTime(d.flag, d.text)
		if err != nil {
			return nil, err
		}
		*d.to = t
	}
	return x, e.resolveNames(ctx, svc, x)
}

// resolveNames replaces SKUs and codes with IDs.
func (e *exportRun) resolveNames(ctx context.Context, svc api.Service, x *filter) error {
	var err error
	x.ProductID, err = resolveName("product", e.sku, func() (ids []api.ID, err error) {
		list, err := api.ListProducts.Call(ctx, svc, api.ListProductsInput{SKU: e.sku})
		for _, p := range list.Items {
			ids = append(ids, p.ID)
		}
		return ids, err
	})
	for _, p := range []struct {
		kind, text string
		op         api.Operation[api.ListPlacesInput, api.List[api.Place]]
		to         *api.ID
	}{{"location", e.location, api.ListLocations, &x.LocationID}, {"owner", e.owner, api.ListOwners, &x.OwnerID},
		{"channel", e.channel, api.ListChannels, &x.ChannelID}} {
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
		return api.ID{}, nil
	}
	if id, err := uuid.Parse(text); err == nil {
		return id, nil
	}
	ids, err := find()
	if err != nil {
		return api.ID{}, err
	}
	if len(ids) == 0 {
		return api.ID{}, fmt.Errorf("there is no %s %s", kind, text)
	}
	return ids[0], nil
}

// parseTime parses a day or an instant; nil for an empty text.
func parseTime(flag, text string) (*time.Time, error) {
	if text == "" {
		return nil, nil
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339Nano} {
		if t, err := time.Parse(layout, text); err == nil {
			return &t, nil
		}
	}
	return nil, usageErrorf("--%s must be a day like 2026-03-31 or an instant like 2026-03-31T14:00:00Z, not %q", flag, text)
}
