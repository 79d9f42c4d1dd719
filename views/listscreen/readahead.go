package listscreen

import "context"

// SortLimit is how many rows of a report or list are read so that they can be sorted.
const SortLimit = 5000

// ReadAhead returns a Fetch whose first page has all rows, if there are at most limit.
func ReadAhead[T any](fetch Fetch[T], limit int) Fetch[T] {
	return func(ctx context.Context, cursor string) (items []T, next *string, err error) {
		items, next, err = fetch(ctx, cursor)
		for cursor == "" && err == nil && next != nil && len(items) < limit {
			var more []T
			before := *next
			more, next, err = fetch(ctx, before)
			items = append(items, more...)
			if next != nil && *next == before {
				break
			}
		}

		return items, next, err
	}
}
