package offline

import (
	"bytes"
	"cmp"
	"maps"
	"slices"

	"bincard/server/api"
)

// A stockKey is what a balance is of. Without an owner or a channel it is any.
type stockKey struct{ product, location, owner, channel api.ID }

func stockKeyOf(m *api.MovementRow) stockKey {
	return stockKey{m.ProductID, m.LocationID, m.OwnerID, m.ChannelID}
}

// sortedKeys are the spots of a map, always in the same order, so that what goes
// wrong once goes wrong again.
func sortedKeys[V any](of map[stockKey]V) []stockKey {
	return slices.SortedFunc(maps.Keys(of), func(a, b stockKey) int {
		return cmp.Or(compareIDs(a.product, b.product), compareIDs(a.location, b.location), compareIDs(a.owner, b.owner), compareIDs(a.channel, b.channel))
	})
}

func compareIDs(a, b api.ID) int { return bytes.Compare(a[:], b[:]) }

// matches tells whether two spots may be the same.
func (s stockKey) matches(x stockKey) bool {
	alike := func(a, b api.ID) bool { return a == b || a == (api.ID{}) || b == (api.ID{}) }
	return s.product == x.product && s.location == x.location && alike(s.owner, x.owner) && alike(s.channel, x.channel)
}

// documentKinds is a set of kinds of documents.
type documentKinds byte

const (
	inboundDocuments documentKinds = 1 << iota
	transferDocuments
	reservationDocuments
	outboundDocuments
)

// documentKindsOf is the set of one kind, empty for no kind.
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

// A movementChain is the movements of one state of a balance, each beginning where the
// one before it ended.
type movementChain struct {
	rows   []*api.MovementRow
	broken bool
}

// newMovementChain puts movements of one state in order: by their instants and, within
// one, by where they begin and end. As they come is how they are likely to be;
// no list promises it.
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

// nextIndex is which of those of one instant follows: the one that begins where the
// chain is, or at its beginning the one that no other leads to.
func (c *movementChain) nextIndex(tied []*api.MovementRow) int {
	follows := func(m *api.MovementRow) bool {
		if len(c.rows) > 0 {
			return m.BalanceBefore == c.rows[len(c.rows)-1].BalanceAfter
		}
		return !slices.ContainsFunc(tied, func(x *api.MovementRow) bool { return x != m && x.BalanceAfter == m.BalanceBefore })
	}
	return max(0, slices.IndexFunc(tied, follows))
}

// advance is what the state comes to where it stood at q when the chain was on
// its way; false where it does not fit in.
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

// rollForward is a balance brought forward by its movements; false where some do
// not follow on what it is.
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
