package audit

import (
	"bincard/server/api"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
)

// checkJournalBalances checks each stored balance against the journal.
func (v *verification) checkJournalBalances() error {
	for _, a := range v.sorted() {
		if a.key == nil || a.row == nil {
			v.reportBalanceFault(a, -1, "incomplete: stock key present: %t, quantities present: %t", a.key != nil,
				a.row != nil)
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

func (v *verification) checkQuantities(a *journalBalance) {
	b := a.row
	for state := range b.Q {
		if b.Q[state] != a.sum[state] {
			v.reportBalanceFault(a, state, "balance is %d, but its movements sum to %d", b.Q[state], a.sum[state])
		}
		if b.Q[state] < 0 {
			v.reportBalanceFault(a, state, "negative: %d", b.Q[state])
		}
		if b.HeldByDocuments[state] != a.heldByDocuments[state] {
			v.reportBalanceFault(a, state, "balance has %d held by open documents, but they hold %d",
				b.HeldByDocuments[state], a.heldByDocuments[state])
		}
		if a.heldByDocuments[state] > b.Q[state] {
			v.reportBalanceFault(a, state, "open documents hold %d, but the quantity is %d", a.heldByDocuments[state],
				b.Q[state])
		}
	}

	if !quantitiesAddUp(&b.Q) {
		v.reportBalanceFault(a, stored.OnHand, "on hand is %d, but its states sum to %d", b.Q[stored.OnHand],
			onHandSum(&b.Q))
	}
}

func quantitiesAddUp(q *[8]int64) bool { return q[stored.OnHand] == onHandSum(q) }

// checkHistoryFields checks the fields of a balance about its history.
func (v *verification) checkHistoryFields(a *journalBalance) {
	b := a.row
	if b.Version != a.version {
		v.reportBalanceFault(a, -1, "version is %d, but the last journal entry left %d", b.Version, a.version)
	}
	if b.Records != a.records || b.Last != a.last {
		v.reportBalanceFault(a, -1, "has %d journal entries, the last is %d; the journal has %d, the last is %d",
			b.Records, b.Last, a.records, a.last)
	}
	if b.Operations != a.operations {
		v.reportBalanceFault(a, -1, "operations are %b, but its movements have %b", b.Operations, a.operations)
	}
	if b.Counted != 0 && uint64(b.Counted) != a.counted { // 0 in rows of older versions
		v.reportBalanceFault(a, -1, "last count is journal entry %d, but the journal has %d", b.Counted, a.counted)
	}
	if n := len(b.Recent); n >= stored.MaxRecent {
		v.reportBalanceFault(a, -1, "row has %d history entries; the maximum is %d", n, stored.MaxRecent-1)
	}
	if n := a.entries + int64(len(b.Recent)); n != a.records {
		v.reportBalanceFault(a, -1, "history has %d entries, but %d journal entries moved it", n, a.records)
	}
	if len(a.lots) > 0 && !b.HasLots {
		v.reportBalanceFault(a, -1, "has stock in lots, but is not marked as such")
	}
}

// checkStockKey checks that the ids of a stock key exist, and the balance's serials.
func (v *verification) checkStockKey(a *journalBalance) error {
	p, err := stored.Products.Shared(v.Reader, a.key.Product[:])
	if err != nil {
		return nil // already reported with the products table
	}
	if p == nil {
		v.reportBalanceFault(a, -1, "product is missing")
		return nil
	}

	for _, x := range []struct {
		t    *store.Table[stored.Place]
		kind string
		id   api.ID
	}{{stored.Locations, "location", a.key.Location}, {stored.Owners, "owner", a.key.Owner}, {stored.Channels, "channel", a.key.Channel}} {
		if data, err := v.Reader.Get(x.t.Name, x.id[:]); err != nil {
			return err
		} else if data == nil {
			v.reportBalanceFault(a, -1, "%s %s is missing", x.kind, x.id)
		}
	}

	v.checkCounts(a, p)

	return nil
}

// checkCounts checks the serial counts of a balance. For a serial-tracked product they
// must match by state and by lot.
func (v *verification) checkCounts(a *journalBalance, p *stored.Product) {
	var count int64
	for _, n := range a.serials {
		count += n
	}

	b := a.row
	if b.Serials != count {
		v.reportBalanceFault(a, stored.OnHand, "balance has %d serials on hand, but %d are", b.Serials, count)
	}
	if count > b.Q[stored.OnHand] {
		v.reportBalanceFault(a, stored.OnHand, "on hand is %d, but %d serials are on hand", b.Q[stored.OnHand], count)
	}
	if p.Tracking != api.TrackSerial {
		return
	}

	want := b.Q
	want[stored.Available] += want[stored.Reserved] + want[stored.Committed]
	for _, state := range []int{stored.Available, stored.Damaged, stored.QualityControl, stored.SafetyStock} {
		if a.serials[state] != want[state] {
			v.reportBalanceFault(a, state, "serial count is %d, but the quantity is %d", a.serials[state], want[state])
		}
	}

	for lot, n := range a.serialsByLot {
		if q := a.lots[lot]; q == nil || q[stored.OnHand] != n {
			v.reportBalanceFault(a, stored.OnHand, "%d serials are of lot %s, but the movements disagree", n,
				v.lotCode(lot))
		}
	}
}

// checkHistory counts the history rows. checkHistoryEntry has checked that each entry
// has its row; the counts show whether there are others.
func (v *verification) checkHistory() error {
	return v.Reader.Scan(stored.HistoryTable, store.Range{}, func(key, _ []byte) error {
		if len(key) != 24 {
			v.reportFault("history", "entry %x does not name a balance and counter", key)
			return nil
		}
		v.journalBalance(api.ID(key[:16])).entries++
		return nil
	})
}

// checkLotBalances checks the lot balances against the movements.
func (v *verification) checkLotBalances() error {
	seen := map[stored.LotBalanceKey]bool{}
	err := verifyTable(v, stored.LotBalances, func(b *stored.LotBalance) {
		a := v.journalBalance(b.Balance)
		seen[b.LotBalanceKey] = true
		q := a.lots[b.Lot]
		if q == nil {
			q = new([8]int64)
		}

		for state := range b.Q {
			if b.Q[state] != q[state] {
				v.reportBalanceFault(a, state, "lot %s is %d, but its movements sum to %d", v.lotCode(b.Lot),
					b.Q[state], q[state])
			}
		}
	})
	if err != nil {
		return err
	}

	for _, a := range v.sorted() {
		for lot, q := range a.lots {
			if *q != ([8]int64{}) && !seen[stored.LotBalanceKey{Balance: a.id, Lot: lot}] {
				v.reportBalanceFault(a, -1, "lot %s is missing, but its movements leave %d on hand and %d Incoming",
					v.lotCode(lot), q[stored.OnHand], q[stored.Incoming])
			}
			if data, err := v.Reader.Get(stored.Lots.Name, lot[:]); err != nil {
				return err
			} else if data == nil {
				v.reportBalanceFault(a, -1, "lot %s does not exist", lot)
			}
		}
	}

	return nil
}
