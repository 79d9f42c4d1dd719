package reports

import (
	"context"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/export"
	"bincard/views/listscreen"
	"bincard/views/session"
)

// The rows of the reports.
type (
	movementRow = api.MovementRow
	snapshotRow = api.SnapshotRow
)

// kind holds what differs between reports.
type kind struct {
	route, title, noun string
	shortTitle         string // for small screens; title if empty
	start              filter // of a route without one; see startFilter
	days               int    // default period of a route with a filter
	balances           bool   // the report lists balances: the filter has stock status and time
	keepRows           bool   // loaded rows never change
	key                func(row any) string
	columns            func(env tui.Env, size tui.Size, rows []any) []widget.Column[any]
	fetch              fetcher[any]
	open               func(f filter, row any) string          // the route that explains a row
	documentRoute      func(row any) (route, operation string) // document of a row; nil if rows have none
	detail             func(env tui.Env, row any, size tui.Size) string
	summary            func(env tui.Env, row any, size tui.Size) string // the selected row in one line of a small screen; nil for none
	cells              func(row any) []string                           // for the clipboard
	// source returns what the pages of a Fetch export.
	source  func(fetch listscreen.Fetch[any]) export.Source
	parts   []grouping         // groupings of the totals
	chart   *chart             // nil for none
	inOrder func(a, b any) int // the default order; nil for that of the service
}

// A fetcher returns a page of the filtered rows.
type fetcher[R any] func(ctx context.Context, site *session.Site, f filter, stock api.StockFilter, env tui.Env, cursor string) ([]R, *string, error)

// fetching returns a fetcher of pointers to the rows of another.
func fetching[E any](fetch fetcher[E]) fetcher[any] {
	return func(ctx context.Context, site *session.Site, f filter, stock api.StockFilter, env tui.Env, cursor string) ([]any, *string, error) {
		rows, next, err := fetch(ctx, site, f, stock, env, cursor)
		return widget.Boxed(widget.Pointers(rows)), next, err
	}
}

// exporting returns the source of kinds of rows with these columns.
func exporting[E any](columns []export.Column[E]) func(fetch listscreen.Fetch[any]) export.Source {
	return func(fetch listscreen.Fetch[any]) export.Source {
		return export.FromPages(columns, func(ctx context.Context, cursor string) ([]E, *string, error) {
			rows, next, err := fetch(ctx, cursor)
			return widget.Values[E](rows), next, err
		})
	}
}
