package poll

import (
	"bytes"
	"cmp"
	"maps"
	"slices"

	"bincard/server/api"
)

// A stockKey identifies a balance. A zero owner or channel matches any.
type stockKey struct{ product, location, owner, channel api.ID }

func stockKeyOf(m *api.MovementRow) stockKey {
	return stockKey{m.ProductID, m.LocationID, m.OwnerID, m.ChannelID}
}

// sortedKeys returns the keys of a map in a fixed order, so that failures are
// reproducible.
func sortedKeys[V any](of map[stockKey]V) []stockKey {
	return slices.SortedFunc(maps.Keys(of), func(a, b stockKey) int {
		return cmp.Or(compareIDs(a.product, b.product), compareIDs(a.location, b.location), compareIDs(a.owner, b.owner), compareIDs(a.channel, b.channel))
	})
}

func compareIDs(a, b api.ID) int { return bytes.Compare(a[:], b[:]) }

// matches reports whether two stock keys may be the same.
func (s stockKey) matches(x stockKey) bool {
	alike := func(a, b api.ID) bool { return a == b || a == (api.ID{}) || b == (api.ID{}) }
	return s.product == x.product && s.location == x.location && alike(s.owner, x.owner) && alike(s.channel, x.channel)
}

// A documentKinds is a set of kinds of documents.
type documentKinds byte

const (
	inboundDocuments documentKinds = 1 << iota
	transferDocuments
	reservationDocuments
	outboundDocuments
)

// documentKindsOf returns the set with one kind of stock document, empty for others.
func documentKindsOf(kind api.DocumentKind) documentKinds {
	switch kind {
	case api.DocInbound:
		return inboundDocuments
	case api.DocTransfer:
		return transferDocuments
	case api.DocReservation:
		return reservationDocuments
	case api.DocOutbound:
		return outboundDocuments
	}
	return 0
}
