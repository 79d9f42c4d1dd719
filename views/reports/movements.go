package reports

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/export"
	"bincard/views/listscreen"
	"bincard/views/names"
	"bincard/views/session"
	"bincard/views/stocktext"
)

// pageSize is the maximum number of rows per request.
const pageSize = 500

// Movements returns the factory of the report of all movements, newest first.
func Movements(site *session.Site) tui.Factory {
	return newFactory(site, func(env tui.Env) kind {
		t := env.T
		return kind{
			route:    "movements",
			title:    t.Get("Movements"),
			noun:     t.Get("movements"),
			start:    filter{Days: 1},
			days:     7,
			keepRows: true,
			key:      widget.BoxedFunc(func(r *movementRow) string { return r.ID.String() }),
			columns:  movementColumns,
			summary:  movementSummary,
			fetch:    fetching(fetchMovements),
			open: func(_ filter, row any) string {
				r := row.(*movementRow)
				return tui.Path("explain", r.ProductSKU+"@"+r.LocationCode)
			},
			documentRoute: func(row any) (string, string) {
				r := row.(*movementRow)
				return stocktext.DocumentRoute(r.Operation, r.ReferenceType,
					r.ReferenceID), names.Operation(t, r.Operation)
			},
			detail: movementDetail,
			cells:  widget.BoxedFunc(func(r *movementRow) []string { return movementCells(t, r) }),
			source: exporting(export.MovementColumns),
			parts:  movementParts(env),
			chart:  &chart{timeOf: func(row any) time.Time { return row.(*movementRow).CreatedAt }},
		}
	})
}

func fetchMovements(
	ctx context.Context,
	site *session.Site,
	f filter,
	stock api.StockFilter,
	env tui.Env,
	cursor string,
) ([]movementRow, *string, error) {
	limit := int64(pageSize)
	in := api.ReportMovementsInput{
		StockFilter:    stock,
		Operation:      api.MovementOperation(f.Operation),
		InventoryState: api.State(f.State),
		Limit:          &limit,
		Cursor:         cursor,
	}

	var err error
	if in.CreatedFrom, in.CreatedTo, err = f.period(site.T(), env.Now()); err != nil {
		return nil, nil, err
	}

	for {
		page, err := session.Call(ctx, site, api.ReportMovements, in)
		rows := slices.DeleteFunc(page.Items, func(r movementRow) bool { return !f.matches(site.T(), &r) })
		if err != nil || len(rows) > 0 || page.NextCursor == nil {
			return rows, page.NextCursor, err
		}
		in.Cursor = *page.NextCursor
	}
}

// matches reports whether a movement is of the person, document, lot and serial of the
// filter, which the service does not select by.
func (f filter) matches(t *i18n.Translator, r *movementRow) bool {
	has := func(part string, texts ...string) bool {
		return strings.Contains(strings.ToLower(strings.Join(texts, "\n")), strings.ToLower(part))
	}
	is := func(text string) func(string) bool {
		return func(other string) bool { return strings.EqualFold(text, other) }
	}

	return has(f.Person, r.Operator, r.ApprovedBy, r.ActorLabel) &&
		has(f.Document, movementReason(t, r), r.ReferenceID, r.Reason) &&
		(f.Lot == "" || is(f.Lot)(r.LotCode)) && (f.Serial == "" || slices.ContainsFunc(r.SerialNumbers, is(f.Serial)))
}

// movementParts returns the groupings of movements. Quantities are totaled for a
// single state, the one of the filter or on hand, because each piece moves in
// several.
func movementParts(env tui.Env) []grouping {
	t := env.T
	by := func(name func(r *movementRow) string) rowAdder {
		return func(f filter, x any, note noter) {
			r, q := x.(*movementRow), int64(0)
			if counted := api.State(f.State); r.InventoryState == counted ||
				counted == "" && r.InventoryState == api.OnHand {
				q = r.Quantity
			}
			note(name(r), true, q)
		}
	}
	day := func(name string) time.Time {
		at, _ := time.ParseInLocation(time.DateOnly, name, env.Now().Location()) // addRow wrote it
		return at
	}

	person := func(r *movementRow) string { return cmp.Or(r.Operator, r.ActorLabel) }

	return []grouping{
		{
			title:       t.Get("by operation"),
			header:      "operation",
			column:      t.Get("operation"),
			addRow:      by(func(r *movementRow) string { return string(r.Operation) }),
			displayName: func(name string) string { return names.Operation(t, api.MovementOperation(name)) },
			shortName: func(name string, width int) string {
				return names.OperationIn(t, api.MovementOperation(name), width)
			},
			member: "operation",
		},
		byState(t, func(_ filter, x any, note noter) {
			r := x.(*movementRow)
			note(string(r.InventoryState), true, r.Quantity)
		}),
		{
			title:  t.Get("by day"),
			header: "day",
			column: t.GetC("day", "column"),
			order:  func(a, b flow) int { return strings.Compare(b.Name, a.Name) },
			addRow: by(func(r *movementRow) string {
				return r.CreatedAt.In(env.Now().Location()).Format(time.DateOnly)
			}),
			displayName: func(name string) string { return t.Weekday(day(name)) + " " + t.Day(day(name), env.Now()) },
			shortName:   func(name string, _ int) string { return t.Day(day(name), env.Now()) },
			filterBy:    func(f filter, name string) filter { return f.forDay(day(name)) },
		},
		byLocation(t, by(func(r *movementRow) string { return r.LocationCode })),
		byProduct(t, by(func(r *movementRow) string { return r.ProductSKU })),
		{
			title:  t.Get("by person"),
			header: "who",
			column: t.GetC("person", "column"),
			addRow: by(person),
			member: "person",
		},
		{
			title:  t.Get("by hour"),
			header: "hour",
			column: t.Get("hour"),
			order:  func(a, b flow) int { return strings.Compare(b.Name, a.Name) },
			addRow: by(func(r *movementRow) string {
				return r.CreatedAt.In(env.Now().Location()).Format("2006-01-02 15:00 ") + person(r)
			}),
			displayName: func(name string) string { return t.Day(day(name[:10]), env.Now()) + name[10:] },
			shortName:   func(name string, _ int) string { return name[len("2006-01-02 "):] },
			filterBy: func(f filter, name string) filter {
				f = f.forDay(day(name[:10]))
				f.Person = name[len("2006-01-02 15:00 "):]
				return f
			},
		},
		{
			title:       t.Get("by reason"),
			header:      "reason",
			column:      t.Get("reason"),
			addRow:      by(func(r *movementRow) string { return r.Reason }),
			displayName: func(name string) string { return cmp.Or(names.Reason(t, name), "–") },
			member:      "document",
		},
	}
}

func movementColumns(env tui.Env, size tui.Size, rows []any) []widget.Column[any] {
	type col = widget.Column[*movementRow]
	digits := 7
	most := int64(0)
	for _, row := range rows {
		most = max(most, row.(*movementRow).BalanceAfter)
	}

	digits = max(digits, widget.Width(env.T.Change(most)))
	when := col{
		Title: env.T.Get("when"),
		Width: 16,
		Rank:  3,
		Sort:  "when",
		Cell:  func(r *movementRow) string { return env.T.When(r.CreatedAt, env.Now()) },
		Time:  func(r *movementRow) *time.Time { return &r.CreatedAt },
	}

	operationWidth := 17
	op := col{
		Title: env.T.Get("operation"),
		Width: operationWidth,
		Rank:  2,
		Sort:  "operation",
		Cell:  func(r *movementRow) string { return names.OperationIn(env.T, r.Operation, operationWidth) },
	}

	sku := col{
		Title: env.T.Get("product"),
		Width: 10,
		Sort:  "product",
		Cell:  func(r *movementRow) string { return r.ProductSKU },
	}

	state := col{
		Title: env.T.Get("state"),
		Width: stocktext.StateWidth(env.T),
		Rank:  4,
		Cell:  func(r *movementRow) string { return names.ShortState(env.T, r.InventoryState) },
	}

	change := col{
		Title:  env.T.Get("change"),
		Width:  digits,
		Right:  true,
		Sort:   "change",
		Number: func(r *movementRow) int64 { return r.Quantity },
		Cell:   func(r *movementRow) string { return env.T.Change(r.Quantity) },
		Style: func(r *movementRow, t widget.Theme, text string) string {
			if r.Quantity < 0 {
				return t.Warning.Render(text)
			}
			return t.Accent.Render(text)
		},
	}

	after := col{
		Title:  env.T.Get("after"),
		Width:  digits,
		Rank:   1,
		Sort:   "after",
		Number: func(r *movementRow) int64 { return r.BalanceAfter },
	}

	location := col{
		Title: env.T.Get("location"),
		Width: 8,
		Rank:  5,
		Sort:  "location",
		Cell:  func(r *movementRow) string { return r.LocationCode },
	}

	switch size.Class {
	case tui.Narrow:
		sku.Width = 0
		return widget.BoxedColumns([]col{sku, change}, env.T.Count)
	case tui.Short:
		sku.Width = 0
		return widget.BoxedColumns([]col{sku, state, change, after}, env.T.Count)
	case tui.Standard:
		return widget.BoxedColumns([]col{when, op, sku, state, change, after, location}, env.T.Count)
	}

	name := col{
		Title: env.T.Get("name"),
		Width: 18,
		Rank:  9,
		Cell:  func(r *movementRow) string { return r.ProductName },
	}

	before := col{
		Title:  env.T.Get("before"),
		Width:  digits,
		Rank:   6,
		Number: func(r *movementRow) int64 { return r.BalanceBefore },
	}

	why := col{
		Title: env.T.Get("why"),
		Width: 0,
		Rank:  7,
		Cell:  func(r *movementRow) string { return movementReason(env.T, r) },
	}

	who := col{
		Title: env.T.Get("who"),
		Width: 8,
		Rank:  8,
		Sort:  "who",
		Cell:  func(r *movementRow) string { return stocktext.RowActor(env.T, r) },
	}

	if size.Class == tui.Wall {
		state.Cell = func(r *movementRow) string { return names.State(env.T, r.InventoryState) }
		operationWidth, state.Width, who.Width = 34, 15, 20
		op.Width = operationWidth
	}

	return widget.BoxedColumns([]col{when, op, sku, name, location, state, change, before, after, why, who},
		env.T.Count)
}

// movementReason returns the reference of the movement, and its reason if it has
// one.
func movementReason(t *i18n.Translator, r *movementRow) string {
	return stocktext.Reason(t, r.ReferenceType, r.ReferenceID, r.Reason)
}

// movementSummary describes a movement in one line: on a narrow screen, which has more lines
// for the rest, only the operation.
func movementSummary(env tui.Env, row any, size tui.Size) string {
	t, r := env.T, row.(*movementRow)
	if size.Class == tui.Narrow {
		return names.Operation(t, r.Operation)
	}
	return listscreen.JoinParts(names.OperationIn(t, r.Operation, 0), t.When(r.CreatedAt, env.Now()),
		stocktext.RowActor(t, r), movementReason(t, r), r.LocationCode)
}

// movementDetail returns what the columns of a size do not say.
func movementDetail(env tui.Env, row any, size tui.Size) string {
	r := row.(*movementRow)
	t, unit, who, lot, happened := env.T, "", stocktext.RowActor(env.T, r), "", ""
	if !r.OccurredAt.IsZero() {
		happened = t.Get("happened %s", t.When(r.OccurredAt, env.Now()))
	}
	if r.LotCode != "" {
		lot = t.Get("lot %s", r.LotCode)
	}
	if r.UnitCode != "" && r.UnitQuantity != 0 {
		unit = t.Count(r.UnitQuantity) + " " + names.Unit(t, r.UnitCode)
	}
	if size.Class == tui.Narrow {
		return listscreen.JoinParts(t.When(r.CreatedAt, env.Now()), happened, who,
			names.ShortState(t, r.InventoryState), r.LocationCode, movementReason(t, r), lot, unit)
	}
	if who != "" {
		who = t.Get("by %s", who)
	}

	return listscreen.JoinParts(r.ProductName, happened, movementReason(t, r), who, lot, unit,
		t.Get("owner %s", r.OwnerName))
}

func movementCells(t *i18n.Translator, r *movementRow) []string {
	return []string{
		r.CreatedAt.Format(time.RFC3339),
		string(r.Operation),
		r.ProductSKU,
		r.LocationCode,
		string(r.InventoryState),
		fmt.Sprint(r.Quantity),
		fmt.Sprint(r.BalanceBefore),
		fmt.Sprint(r.BalanceAfter),
		movementReason(t, r),
		stocktext.RowActor(t, r),
		r.LotCode,
	}
}
