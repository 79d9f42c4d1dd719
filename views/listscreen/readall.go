package listscreen

import "bincard/server/api"

// ReadLimit is how many rows of a list are read that is not sorted by a column.
const ReadLimit = 500

// ReadAll reads a list page by page to its end or to atMost rows; more reports whether rows
// are left. read reads one page.
func ReadAll[T any](atMost int, read func(page api.Page) (api.List[T], error)) (rows []T, more bool, err error) {
	limit := int64(100)
	page := api.Page{Limit: &limit}
	for {
		list, err := read(page)
		if err != nil {
			return nil, false, err
		}
		if rows = append(rows, list.Items...); list.NextCursor == nil || len(rows) >= atMost {
			return rows, list.NextCursor != nil, nil
		}
		page.Cursor = *list.NextCursor
	}
}
