package poll

import (
	"bytes"
	"cmp"
	"maps"
	"slices"

	"bincard/server/api"
)

func stockKeyOf(m *api.MovementRow) api.StockKey {
	return api.StockKey{ProductID: m.ProductID, LocationID: m.LocationID, OwnerID: m.OwnerID, ChannelID: m.ChannelID}
}

// sortedKeys returns the keys of a map in a fixed order, so that failures are
// reproducible.
func sortedKeys[V any](of map[api.StockKey]V) []api.StockKey {
	return slices.SortedFunc(maps.Keys(of), func(a, b api.StockKey) int {
		return cmp.Or(compareIDs(a.ProductID, b.ProductID), compareIDs(a.LocationID, b.LocationID), compareIDs(a.OwnerID, b.OwnerID), compareIDs(a.ChannelID, b.ChannelID))
	})
}

func compareIDs(a, b api.ID) int { return bytes.Compare(a[:], b[:]) }

// sameStock reports whether two stock keys may be the same: a zero owner or
// channel matches any.
func sameStock(a, b api.StockKey) bool {
	alike := func(a, b api.ID) bool { return a == b || a == (api.ID{}) || b == (api.ID{}) }
	return a.ProductID == b.ProductID && a.LocationID == b.LocationID && alike(a.OwnerID, b.OwnerID) && alike(a.ChannelID, b.ChannelID)
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
