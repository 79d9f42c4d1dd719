package syncer

import (
	"context"
	"slices"

	"bincard/server/api"
	"bincard/server/ledger/replica"
)

func (p *poll) readMovements() {
	r := p.cycle
	readList(p, api.ReportMovements, func(cursor string, bare bool) api.ReportMovementsInput {
		r.markAsked(cursor, &r.movementsUpTo)
		return api.ReportMovementsInput{CreatedFrom: r.since(), Limit: pageSize(reportPage, bare), Cursor: cursor}
	}, func(_ context.Context, rows []api.MovementRow) error {
		for i := range rows {
			m := &rows[i]
			if r.seen[m.ID] {
				continue
			}

			r.seen[m.ID] = true
			r.pass = append(r.pass, m)
			p.observeTime(m.CreatedAt)
			r.movementsUpTo = later(r.movementsUpTo, m.CreatedAt)
			if !p.knownMovements[m.ID] {
				r.touched[stockKeyOf(m)] = true
				r.dirty[stockKeyOf(m)] |= documentKindsOf(m.Operation.Document())
			}
		}

		return nil
	})
}

// readUnexplained reads the balances that the movements do not lead to.
func (p *poll) readUnexplained(ctx context.Context) error {
	r := p.cycle

	return p.readReplica(ctx, func(replica *replica.Tx) error {
		moving := r.byStockKey()
		for _, at := range sortedKeys(moving) {
			moves := moving[at]
			if r.balances[at] != nil {
				continue
			}

			row, err := replica.BalanceRow(at.ProductID, at.LocationID, at.OwnerID, at.ChannelID)
			if err != nil {
				return err
			}
			if row != nil {
				if _, fits := rollForward(*row, moves); fits {
					continue
				}
			}

			readBalances(p, at, func(row *api.SnapshotRow) {
				r.balances[api.StockKey{ProductID: row.ProductID, LocationID: row.LocationID, OwnerID: row.OwnerID, ChannelID: row.ChannelID}] = row
			})
		}

		return nil
	})
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
		return !slices.ContainsFunc(tied,
			func(x *api.MovementRow) bool { return x != m && x.BalanceAfter == m.BalanceBefore })
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

	fits := c.rows[0].BalanceBefore == q ||
		slices.ContainsFunc(c.rows, func(m *api.MovementRow) bool { return m.BalanceAfter == q })
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
