package reports

import (
	"context"
	"fmt"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/theme"
	"bincard/tui/widget"
	"bincard/views/balances"
	"bincard/views/dock"
)

// pageSize is how many rows are asked for at once: as many as there may be.
const pageSize = 500

// Movements makes the factory of the report of all movements, newest first.
func Movements(site *dock.Site) tui.Factory {
	return open(site, kind[api.MovementRow]{
		route: "movements", title: "Movements", noun: "movements", days: 7,
		key:     func(r api.MovementRow) string { return r.ID.String() },
		columns: movementColumns, fetch: fetchMovements,
		open:   func(r api.MovementRow) string { return tui.Path("explain", r.ProductSKU+"@"+r.LocationCode) },
		detail: movementDetail, cells: movementCells,
		chart: &chart[api.MovementRow]{at: func(r api.MovementRow) time.Time { return r.CreatedAt }},
	})
}

func fetchMovements(ctx context.Context, site *dock.Site, f filter, of ids, env tui.Env, cursor string) ([]api.MovementRow, *string, error) {
	limit := int64(pageSize)
	in := api.ReportMovementsInput{ProductID: of.product, LocationID: of.place, Operation: api.MovementOperation(f.Operation),
		InventoryState: api.State(f.State), Limit: &limit, Cursor: cursor}
	var err error
	if in.CreatedFrom, in.CreatedTo, err = f.period(env.Now()); err != nil {
		return nil, nil, err
	}
	page, err := dock.Ask(ctx, site, api.ReportMovements, in)
	return page.Items, page.NextCursor, err
}

func movementColumns(env tui.Env, size tui.Size, rows []api.MovementRow) []widget.Column[api.MovementRow] {
	type col = widget.Column[api.MovementRow]
	digits := 7
	for i := range rows {
		if n := rows[i].BalanceAfter; n > 99_999 {
			digits = max(digits, widget.Width(widget.Change(n)))
		}
	}
	when := col{Title: "when", Width: 16, Rank: 3, Cell: func(r api.MovementRow) string { return widget.When(r.CreatedAt, env.Now()) }}
	op := col{Title: "operation", Width: 17, Rank: 2, Cell: func(r api.MovementRow) string { return strings.ReplaceAll(string(r.Operation), "_", " ") }}
	sku := col{Title: "product", Width: 10, Cell: func(r api.MovementRow) string { return r.ProductSKU }}
	state := col{Title: "state", Width: 9, Rank: 4, Cell: func(r api.MovementRow) string { return balances.Short(r.InventoryState) }}
	change := col{Title: "change", Width: digits, Right: true, Cell: func(r api.MovementRow) string { return widget.Change(r.Quantity) },
		Style: func(r api.MovementRow, t theme.Theme, text string) string {
			if r.Quantity < 0 {
				return t.Warning.Render(text)
			}
			return t.Accent.Render(text)
		}}
	after := col{Title: "after", Width: digits, Right: true, Rank: 1, Cell: func(r api.MovementRow) string { return widget.Count(r.BalanceAfter) }}
	place := col{Title: "place", Width: 6, Rank: 5, Cell: func(r api.MovementRow) string { return r.LocationCode }}
	switch size.Class {
	case tui.Wrist:
		sku.Width = 0
		return []col{sku, change}
	case tui.Strip:
		sku.Width = 0
		return []col{sku, state, change, after}
	case tui.Desk:
		return []col{when, op, sku, state, change, after, place}
	}
	name := col{Title: "name", Width: 18, Rank: 9, Cell: func(r api.MovementRow) string { return r.ProductName }}
	before := col{Title: "before", Width: digits, Right: true, Rank: 6, Cell: func(r api.MovementRow) string { return widget.Count(r.BalanceBefore) }}
	why := col{Title: "why", Width: 0, Rank: 7, Cell: movementWhy}
	who := col{Title: "who", Width: 8, Rank: 8, Cell: func(r api.MovementRow) string { return r.ActorLabel }}
	if size.Class == tui.Wall {
		state.Cell = func(r api.MovementRow) string { return r.InventoryState.Title() }
		op.Width, state.Width, who.Width = 34, 15, 20
	}
	return []col{when, op, sku, name, place, state, change, before, after, why, who}
}

// movementWhy is what a movement refers to, and the reason.
func movementWhy(r api.MovementRow) string {
	ref := r.ReferenceID
	if len(ref) == 36 && strings.Count(ref, "-") == 4 {
		ref = strings.TrimSpace(r.ReferenceType + " " + strings.ToUpper(ref[:8]))
	}
	switch {
	case r.Reason == "" || r.Reason == ref:
		return ref
	case ref == "":
		return r.Reason
	}
	return ref + ": " + r.Reason
}

func movementDetail(r api.MovementRow) string {
	parts := []string{r.ProductName, movementWhy(r)}
	if r.ActorLabel != "" {
		parts = append(parts, "by "+r.ActorLabel)
	}
	if r.UnitCode != "" && r.UnitQuantity != 0 {
		parts = append(parts, widget.Count(r.UnitQuantity)+" "+r.UnitCode)
	}
	parts = append(parts, fmt.Sprintf("owner %s", r.OwnerName))
	return strings.Join(compact(parts), " · ")
}

func compact(parts []string) []string {
	var out []string
	for _, p := range parts {
		if strings.TrimSpace(p) != "" {
			out = append(out, p)
		}
	}
	return out
}

func movementCells(r api.MovementRow) []string {
	return []string{r.CreatedAt.Format(time.RFC3339), string(r.Operation), r.ProductSKU, r.LocationCode, string(r.InventoryState),
		fmt.Sprint(r.Quantity), fmt.Sprint(r.BalanceBefore), fmt.Sprint(r.BalanceAfter), movementWhy(r), r.ActorLabel}
}
