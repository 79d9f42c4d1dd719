package session

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"bincard/server/api"
)

// A Due is what documents are ordered by.
type Due struct {
	At        *time.Time // nil if the document has no due date
	Created   time.Time
	Reference string
	ID        api.ID
}

// Compare orders documents by their due date, then by reference and ID. Those without a due
// date come last, the oldest first.
func (d Due) Compare(other Due) int {
	same := func() int {
		return cmp.Or(strings.Compare(d.Reference, other.Reference), slices.Compare(d.ID[:], other.ID[:]))
	}
	switch {
	case d.At != nil && other.At != nil:
		return cmp.Or(d.At.Compare(*other.At), same())
	case d.At != nil:
		return -1
	case other.At != nil:
		return 1
	}

	return cmp.Or(d.Created.Compare(other.Created), same())
}
