package reports

import (
	"context"

	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/export"
	"bincard/views/listsort"
	"bincard/views/session"
)

// kind holds what differs between reports.
type kind[T any] struct {
	route, title, noun string
	shortTitle         string // for small screens; title if empty
	start              filter // of a route without one; see startFilter
	days               int    // default period of a route with a filter
	balances           bool   // the report lists balances: the filter has stock status and time
	keepRows           bool   // loaded rows never change
	key                func(row T) string
	columns            func(env tui.Env, size tui.Size, rows []T) []widget.Column[T]
	// fetch returns a page of the filtered rows.
	fetch         func(ctx context.Context, site *session.Site, f filter, ids resolvedIDs, env tui.Env, cursor string) ([]T, *string, error)
	open          func(f filter, row T) string          // the route that explains a row
	documentRoute func(row T) (route, operation string) // document of a row; nil if rows have none
	detail        func(env tui.Env, row T, size tui.Size) string
	summary       func(env tui.Env, row T, size tui.Size) string // the selected row in one line of a small screen; nil for none
	cells         func(row T) []string                           // for the clipboard
	exportColumns []export.Column[T]
	parts         []grouping[T] // groupings of the totals
	chart         *chart[T]     // nil for none
	orders        []listsort.Order[T]
	inOrder       func(a, b *T) int // the default order; nil for that of the service
}
