package paging

import (
	"fmt"

	"bincard/tui/theme"
)

// Text returns the number of rows, or the status while loading or after an error.
func (p *Pages[T]) Text() string {
	if p.err != nil || p.loading {
		return p.Status(theme.Plain(), 400)
	}
	more := ""
	if !p.Complete() {
		more = "+"
	}
	return fmt.Sprintf("%s%s %s", p.env.T.Count(int64(p.List.Len())), more, p.Noun)
}
