package reports

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/catalog"
	"bincard/views/export"
	"bincard/views/listscreen"
	"bincard/views/names"
	"bincard/views/session"
)

// Snapshot returns the factory of the report of all balances.
func Snapshot(site *session.Site) tui.Factory {
	return newFactory(site, func(env tui.Env) kind {
		t := env.T
		return kind{
			route:      "snapshot",
			title:      t.Get("Snapshot"),
			shortTitle: t.GetC("Snapshot", "short title"),
			noun:       t.Get("balances"),
			start:      filter{Status: string(api.StockIn)},
			balances:   true,
			key:        widget.BoxedFunc(func(r *snapshotRow) string { return r.ID.String() }),
			columns:    snapshotColumns,
			fetch:      fetching(fetchSnapshot),
			open: func(f filter, row any) string {
				r := row.(*snapshotRow)
				if f.AsOf == "" {
					return catalog.Route(r)
				}
				return catalog.Route(r) + "?" + url.Values{"asOf": {f.AsOf}, "onHand": {fmt.Sprint(r.OnHand)}}.Encode()
			},
			summary: balanceSummary,
			detail: func(_ tui.Env, row any, size tui.Size) string {
				r := row.(*snapshotRow)
				if size.Class == tui.Narrow {
					return listscreen.JoinParts(t.Get("on hand %s", t.Count(r.OnHand)),
						t.Get("available %s", t.Count(r.Available)), r.ProductName, r.LocationName)
				}
				return listscreen.JoinParts(r.ProductName, r.LocationName, t.Get("owner %s", r.OwnerName),
					t.Get("channel %s", r.ChannelName))
			},
			cells: widget.BoxedFunc(func(r *snapshotRow) []string {
				out := []string{r.ProductSKU, r.ProductName, r.LocationCode, r.OwnerCode, r.ChannelCode}
				for _, s := range api.States {
					out = append(out, fmt.Sprint(r.Of(s)))
				}
				return out
			}),
			source:  exporting(export.BalanceColumns),
			parts:   balanceParts(t),
			inOrder: bySKU,
		}
	})
}

// balanceSummary names the quantity of a balance in one line; a narrow screen has more lines
// for it.
func balanceSummary(env tui.Env, row any, size tui.Size) string {
	r := row.(*snapshotRow)
	if size.Class == tui.Narrow {
		return ""
	}
	return listscreen.JoinParts(env.T.Get("on hand %s", env.T.Count(r.OnHand)),
		env.T.Get("available %s", env.T.Count(r.Available)), r.ProductName)
}

// balanceParts returns the groupings of balances.
func balanceParts(t *i18n.Translator) []grouping {
	by := func(name func(r *snapshotRow) string) rowAdder {
		return func(f filter, x any, note noter) {
			r := x.(*snapshotRow)
			note(name(r), true, r.Of(cmp.Or(api.State(f.State), api.OnHand)))
		}
	}

	return []grouping{
		byState(t, func(_ filter, x any, note noter) {
			r := x.(*snapshotRow)
			for _, s := range api.States {
				note(string(s), r.Of(s) != 0, r.Of(s))
			}
		}),
		byLocation(t, by(func(r *snapshotRow) string { return r.LocationCode })),
		byProduct(t, by(func(r *snapshotRow) string { return r.ProductSKU })),
		{
			title:  t.Get("by owner"),
			header: "owner",
			column: t.Get("owner"),
			addRow: by(func(r *snapshotRow) string { return r.OwnerCode }),
			member: "owner",
		},
	}
}

func fetchSnapshot(
	ctx context.Context,
	site *session.Site,
	f filter,
	stock api.StockFilter,
	env tui.Env,
	cursor string,
) ([]snapshotRow, *string, error) {
	limit := int64(pageSize)
	in := api.ReportSnapshotInput{
		StockFilter:    stock,
		Operation:      api.MovementOperation(f.Operation),
		InventoryState: api.State(f.State),
		Status:         api.StockStatus(f.Status),
		Limit:          &limit,
		Cursor:         cursor,
	}

	var err error
	if in.CreatedFrom, in.CreatedTo, err = f.period(site.T(), env.Now()); err != nil {
		return nil, nil, err
	}
	if in.AsOf, err = f.asOf(site.T(), env.Now()); err != nil {
		return nil, nil, err
	}

	page, err := session.Call(ctx, site, api.ReportSnapshot, in)

	return page.Items, page.NextCursor, err
}

func snapshotColumns(env tui.Env, size tui.Size, rows []any) []widget.Column[any] {
	type col = widget.Column[*snapshotRow]
	digits := 6
	most := int64(0)
	for _, row := range rows {
		r := row.(*snapshotRow)
		most = max(most, r.OnHand, r.Incoming)
	}

	digits = max(digits, widget.Width(env.T.Count(most)))
	number := func(s api.State, title string, rank int) col {
		return col{
			Title:  title,
			Width:  max(digits, widget.Width(title)),
			Rank:   rank,
			Sort:   string(s),
			Number: func(r *snapshotRow) int64 { return r.Of(s) },
			Muted:  func(r *snapshotRow) bool { return r.Of(s) == 0 },
		}
	}

	sku := col{
		Title: env.T.Get("product"),
		Width: 10,
		Sort:  "product",
		Cell:  func(r *snapshotRow) string { return r.ProductSKU },
	}

	location := col{
		Title: env.T.Get("loc"),
		Width: 6,
		Rank:  1,
		Sort:  "location",
		Cell:  func(r *snapshotRow) string { return r.LocationCode },
	}

	if size.Small() {
		sku.Width = 0
		return widget.BoxedColumns([]col{sku, location, number(api.OnHand, env.T.Get("hand"), 0)}, env.T.Count)
	}

	changed := col{
		Title: env.T.Get("changed"),
		Width: 16,
		Rank:  9,
		Sort:  "changed",
		Cell:  func(r *snapshotRow) string { return env.T.When(r.UpdatedAt, env.Now()) },
		Time:  func(r *snapshotRow) *time.Time { return &r.UpdatedAt },
	}

	cols := []col{
		sku,
		location,
		number(api.OnHand, env.T.Get("on hand"), 0),
		number(api.Available, names.ShortState(env.T, api.Available), 2),
		number(api.Reserved, names.ShortState(env.T, api.Reserved), 3),
		number(api.Committed, names.ShortState(env.T, api.Committed), 4),
		number(api.Incoming, names.ShortState(env.T, api.Incoming), 5),
		number(api.Damaged, names.ShortState(env.T, api.Damaged), 6),
		number(api.QualityControl, names.ShortState(env.T, api.QualityControl), 7),
		number(api.SafetyStock, names.ShortState(env.T, api.SafetyStock), 8),
		changed,
	}

	if size.Class == tui.Wall {
		name := col{Title: env.T.Get("name"), Cell: func(r *snapshotRow) string { return r.ProductName }}
		owner := col{
			Title: env.T.Get("owner"),
			Width: 16,
			Rank:  10,
			Cell:  func(r *snapshotRow) string { return r.OwnerName },
		}

		cols = append([]col{sku, name, owner}, cols[1:]...)
	}

	return widget.BoxedColumns(cols, env.T.Count)
}
