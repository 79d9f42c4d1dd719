package ledger

import (
	"bincard/server/api"
	"bincard/server/store"
)

// checkAccounts holds what is stored of each balance against its account.
func (v *verification) checkAccounts() error {
	for _, a := range v.sorted() {
		if a.key == nil || a.row == nil {
			v.reportBalanceFault(a, -1, "incomplete: stock key present: %t, quantities present: %t", a.key != nil, a.row != nil)
			continue
		}
		v.checkQuantities(a)
		v.checkHistoryFields(a)
		if err := v.checkStockKey(a); err != nil {
			return err
		}
	}
	return nil
}

func (v *verification) checkQuantities(a *account) {
	b := a.row
	for state := range b.Q {
		if b.Q[state] != a.sum[state] {
			v.reportBalanceFault(a, state, "balance is %d, but its movements sum to %d", b.Q[state], a.sum[state])
		}
		if b.Q[state] < 0 {
			v.reportBalanceFault(a, state, "negative: %d", b.Q[state])
		}
		if b.HeldByDocuments[state] != a.heldByDocuments[state] {
			v.reportBalanceFault(a, state, "balance has %d held by open documents, but they hold %d", b.HeldByDocuments[state], a.heldByDocuments[state])
		}
		if a.heldByDocuments[state] > b.Q[state] {
			v.reportBalanceFault(a, state, "open documents hold %d, but the quantity is %d", a.heldByDocuments[state], b.Q[state])
		}
	}
	if !quantitiesAddUp(&b.Q) {
		v.reportBalanceFault(a, onHand, "on hand is %d, but its states sum to %d", b.Q[onHand], onHandSum(&b.Q))
	}
}

func quantitiesAddUp(q *[8]int64) bool { return q[onHand] == onHandSum(q) }

// checkHistoryFields holds what a balance says of its history.
func (v *verification) checkHistoryFields(a *account) {
	b := a.row
	if b.Version != a.version {
		v.reportBalanceFault(a, -1, "version is %d, but the last journal entry left %d", b.Version, a.version)
	}
	if b.Records != a.records || b.Last != a.last {
		v.reportBalanceFault(a, -1, "has %d journal entries, the last is %d; the journal has %d, the last is %d", b.Records, b.Last, a.records, a.last)
	}
	if b.Operations != a.operations {
		v.reportBalanceFault(a, -1, "operations are %b, but its movements have %b", b.Operations, a.operations)
	}
	if n := len(b.Recent); n >= maxRecent {
		v.reportBalanceFault(a, -1, "row has %d history entries; the maximum is %d", n, maxRecent-1)
	}
	if n := a.entries + int64(len(b.Recent)); n != a.records {
		v.reportBalanceFault(a, -1, "history has %d entries, but %d journal entries moved it", n, a.records)
	}
	if len(a.lots) > 0 && !b.HasLots {
		v.reportBalanceFault(a, -1, "holds lots but is not marked so")
	}
}

// checkStockKey holds that what a balance is of is there, and its pieces.
func (v *verification) checkStockKey(a *account) error {
	p, err := products.Shared(v.r, a.key.Product[:])
	if err != nil {
		return nil // told already, by the product's own table
	}
	if p == nil {
		v.reportBalanceFault(a, -1, "product is missing")
		return nil
	}
	for _, x := range []struct {
		t    *store.Table[placeRow]
		kind string
		id   api.ID
	}{{locations, "location", a.key.Location}, {owners, "owner", a.key.Owner}, {channels, "channel", a.key.Channel}} {
		if data, err := v.r.Get(x.t.Name, x.id[:]); err != nil {
			return err
		} else if data == nil {
			v.reportBalanceFault(a, -1, "%s %s is missing", x.kind, x.id)
		}
	}
	v.checkCounts(a, p)
	return nil
}

// checkCounts holds the pieces of a balance. Of a product kept by serial each
// piece on hand is one, in its state and in its lot.
func (v *verification) checkCounts(a *account, p *product) {
	var pieces int64
	for _, n := range a.serials {
		pieces += n
	}
	b := a.row
	if b.Serials != pieces {
		v.reportBalanceFault(a, onHand, "balance has %d serials on hand, but %d are", b.Serials, pieces)
	}
	if pieces > b.Q[onHand] {
		v.reportBalanceFault(a, onHand, "on hand is %d, but %d serials are on hand", b.Q[onHand], pieces)
	}
	if p.Tracking != api.TrackSerial {
		return
	}
	want := b.Q
	want[available] += want[reserved] + want[committed]
	for _, state := range []int{available, damaged, qualityControl, safetyStock} {
		if a.serials[state] != want[state] {
			v.reportBalanceFault(a, state, "serial count is %d, but the quantity is %d", a.serials[state], want[state])
		}
	}
	for lot, n := range a.serialsByLot {
		if q := a.lots[lot]; q == nil || q[onHand] != n {
			v.reportBalanceFault(a, onHand, "%d serials are of lot %s, but the movements disagree", n, v.lotCode(lot))
		}
	}
}

// checkHistory holds that the history has no entry without a record; that each
// record has its entry is known by then.
func (v *verification) checkHistory() error {
	return v.r.Scan(historyTable, store.Range{}, func(key, _ []byte) error {
		if len(key) != 24 {
			v.reportFault("history", "entry %x does not name a balance and counter", key)
			return nil
		}
		v.account(api.ID(key[:16])).entries++
		return nil
	})
}

// checkLotBalances holds the stock by lot against what the movements say.
func (v *verification) checkLotBalances() error {
	seen := map[lotBalanceKey]bool{}
	err := verifyTable(v, lotBalances, func(b *lotBalance) {
		a := v.account(b.Balance)
		seen[b.lotBalanceKey] = true
		q := a.lots[b.Lot]
		if q == nil {
			q = new([8]int64)
		}
		for state := range b.Q {
			if b.Q[state] != q[state] {
				v.reportBalanceFault(a, state, "lot %s is %d, but its movements sum to %d", v.lotCode(b.Lot), b.Q[state], q[state])
			}
		}
	})
	if err != nil {
		return err
	}
	for _, a := range v.sorted() {
		for lot, q := range a.lots {
			if *q != ([8]int64{}) && !seen[lotBalanceKey{a.id, lot}] {
				v.reportBalanceFault(a, -1, "lot %s is missing, but its movements leave %d on hand and %d incoming", v.lotCode(lot), q[onHand], q[incoming])
			}
			if data, err := v.r.Get(lots.Name, lot[:]); err != nil {
				return err
			} else if data == nil {
				v.reportBalanceFault(a, -1, "lot %s does not exist", lot)
			}
		}
	}
	return nil
}
