package catalog

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"bincard/server/api"
	"bincard/views/session"

	"github.com/google/uuid"
)

// pageSize is the maximum number of rows per report page.
const pageSize = 500

// Snapshot returns a page of the snapshot report. If the key may not read reports it
// lists the balances instead.
func Snapshot(ctx context.Context, site *session.Site, in api.ReportSnapshotInput) (api.List[api.SnapshotRow], error) {
	out, err := session.Call(ctx, site, api.ReportSnapshot, in)
	if !api.HasCode(err, api.InsufficientScope) && !api.HasCode(err, api.PlanLimitExceeded) {
		return out, err
	}

	limit := int64(100)
	list, second := session.Call(ctx, site, api.ListBalances,
		api.ListBalancesInput{StockFilter: in.StockFilter, Page: api.Page{Limit: &limit, Cursor: in.Cursor}})
	if second != nil {
		return out, err
	}

	rows := make([]api.SnapshotRow, 0, len(list.Items))
	for i := range list.Items {
		if row := list.Items[i].SnapshotRow(); in.Status == "" || (in.Status == api.StockIn) == (row.OnHand > 0) {
			rows = append(rows, row)
		}
	}

	return api.List[api.SnapshotRow]{Items: rows, NextCursor: list.NextCursor}, nil
}

// InStock counts the balances with stock on hand at a location, or everywhere if at is
// zero. It stops after a page of the report; more reports whether there are others.
func InStock(ctx context.Context, site *session.Site, at session.Location) (n int, more bool, err error) {
	err = eachRow(
		ctx,
		site,
		api.ReportSnapshotInput{StockFilter: api.StockFilter{LocationID: at.ID}, Status: api.StockIn},
		func(*api.SnapshotRow) bool {
			more = n == pageSize
			if !more {
				n++
			}
			return !more
		},
	)

	return n, more, err
}

// Expired returns how much of what is available of a balance has expired. The ledger counts it
// as available, and no document takes it. It is 0 if the service does not say.
func Expired(ctx context.Context, site *session.Site, b api.SnapshotRow) int64 {
	if b.Available == 0 || !site.Supports(api.ListPickableStock.Spec) {
		return 0
	}

	limit := int64(1)
	list, err := session.Call(ctx, site, api.ListPickableStock, api.ListPickableStockInput{ProductID: b.ProductID,
		LocationID: b.LocationID, OwnerID: b.OwnerID, ChannelID: b.ChannelID, Limit: &limit})
	if err != nil {
		return 0
	}

	return max(0, b.Available-list.AvailableQuantity)
}

// eachRow visits the balances that match in until visit returns false.
func eachRow(
	ctx context.Context,
	site *session.Site,
	in api.ReportSnapshotInput,
	visit func(*api.SnapshotRow) (more bool),
) error {
	limit := int64(pageSize)
	in.Limit = &limit
	for {
		page, err := Snapshot(ctx, site, in)
		if err != nil {
			return err
		}
		for i := range page.Items {
			if !visit(&page.Items[i]) {
				return nil
			}
		}

		if page.NextCursor == nil {
			return nil
		}

		in.Cursor = *page.NextCursor
	}
}

// ErrNeverStocked marks the error for a product and a location without a balance. It has
// no text of its own.
var ErrNeverStocked = errors.New("")

// Balances returns the balance with the ID in text, or the balances of
// "SKU@LOCATION", which may have several owners and channels.
func Balances(ctx context.Context, site *session.Site, text string) ([]api.SnapshotRow, error) {
	t := site.T()

	if id, err := uuid.Parse(text); err == nil {
		return []api.SnapshotRow{{ID: id}}, nil
	}

	at := strings.LastIndex(text, "@")
	if at <= 0 || at == len(text)-1 {
		return nil, t.NewError("%q is not a balance. Write SKU@LOCATION, like OAT-1L@WH-1.", text)
	}

	sku, location := text[:at], text[at+1:]
	var in api.ReportSnapshotInput
	list, err := session.Call(ctx, site, api.ListProducts, api.ListProductsInput{SKU: sku})
	switch {
	case err == nil && len(list.Items) > 0:
		in.ProductID = list.Items[0].ID
	case err == nil:
		return nil, t.NewError("Product %s not found. Search for it in Stock.", sku)
	case !session.IsUnsupported(err):
		return nil, err
	}

	var rows []api.SnapshotRow
	err = eachRow(ctx, site, in, func(r *api.SnapshotRow) bool {
		if strings.EqualFold(r.ProductSKU, sku) && strings.EqualFold(r.LocationCode, location) {
			rows = append(rows, *r)
		}
		return true
	})
	if err == nil && len(rows) == 0 {
		err = fmt.Errorf("%w%s", ErrNeverStocked, t.Get("%s was never stocked at %s.", sku, location))
	}

	return rows, err
}

// Route returns the route that explains a balance.
func Route(r *api.SnapshotRow) string { return "explain/" + r.ID.String() }
