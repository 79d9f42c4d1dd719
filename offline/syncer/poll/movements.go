package poll

import (
	"context"

	"bincard/server/api"
	"bincard/server/ledger/replica"
)

func (p *Syncer) readMovements() {
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
func (p *Syncer) readUnexplained(ctx context.Context) error {
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
