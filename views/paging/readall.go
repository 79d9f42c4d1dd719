package paging

import "bincard/server/api"

// maxRows is how many rows ReadAll reads.
const maxRows = 500

// ReadAll reads a list page by page to its end or to maxRows; more reports whether rows
// are left. page reads one page, the first one for an empty cursor.
func ReadAll[T any](page func(limit *int64, cursor string) (api.List[T], error)) (rows []T, more bool, err error) {
	limit, cursor := int64(100), ""
	for {
		list, err := page(&limit, cursor)
		if err != nil {
			return nil, false, err
		}
		if rows = append(rows, list.Items...); list.NextCursor == nil || len(rows) >= maxRows {
			return rows, list.NextCursor != nil, nil
		}
		cursor = *list.NextCursor
	}
}
