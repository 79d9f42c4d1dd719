package offline

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

// A movementChain is the movements of one state of a balance, each beginning
// at the quantity at which the one before it ended.
type movementChain struct {
	rows   []*api.MovementRow
	broken bool
}

// newMovementChain sorts movements of one state by time and, at equal times,
// so that each continues the one before. Otherwise it preserves the given
// order, which is likely to be right but is not guaranteed by any list.
func newMovementChain(rows []*api.MovementRow) (c movementChain) {
	slices.SortStableFunc(rows, func(a, b *api.MovementRow) int { return a.CreatedAt.Compare(b.CreatedAt) })
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && rows[n].CreatedAt.Equal(rows[0].CreatedAt) {
			n++
		}
		tied := slices.Clone(rows[:n])
		rows = rows[n:]
		for len(tied) > 0 {
			i := c.nextIndex(tied)
			c.broken = c.broken || len(c.rows) > 0 && c.rows[len(c.rows)-1].BalanceAfter != tied[i].BalanceBefore
			c.rows = append(c.rows, tied[i])
			tied = slices.Delete(tied, i, i+1)
		}
	}
	return c
}

// nextIndex returns the index of the movement that continues the chain. For
// the first one, that is a movement that no other leads to.
func (c *movementChain) nextIndex(tied []*api.MovementRow) int {
	follows := func(m *api.MovementRow) bool {
		if len(c.rows) > 0 {
			return m.BalanceBefore == c.rows[len(c.rows)-1].BalanceAfter
		}
		return !slices.ContainsFunc(tied, func(x *api.MovementRow) bool { return x != m && x.BalanceAfter == m.BalanceBefore })
	}
	return max(0, slices.IndexFunc(tied, follows))
}

// advance returns the quantity at the end of the chain if the quantity was q
// at some point of it; false if it was at none.
func (c *movementChain) advance(q int64) (int64, bool) {
	if c.broken {
		return q, false
	}
	if len(c.rows) == 0 {
		return q, true
	}
	fits := c.rows[0].BalanceBefore == q || slices.ContainsFunc(c.rows, func(m *api.MovementRow) bool { return m.BalanceAfter == q })
	if !fits {
		return q, false
	}
	return c.rows[len(c.rows)-1].BalanceAfter, true
}

// rollForward applies movements to a balance; false if some do not continue
// it.
func rollForward(row api.SnapshotRow, moves []*api.MovementRow) (api.SnapshotRow, bool) {
	by := map[api.State][]*api.MovementRow{}
	for _, m := range moves {
		by[m.InventoryState] = append(by[m.InventoryState], m)
		if m.CreatedAt.After(row.UpdatedAt) {
			row.UpdatedAt = m.CreatedAt
		}
	}
	fits := true
	for state, list := range by {
		now := row.Of(state)
		c := newMovementChain(list)
		q, ok := c.advance(now)
		fits = fits && ok
		row.Add(state, q-now)
	}
	return row, fits
}
