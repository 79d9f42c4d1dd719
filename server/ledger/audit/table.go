package audit

import (
	"bytes"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
)

// verifyTable reads all rows of a table, calls fn for each valid one, and checks that
// the indexes have exactly their entries.
func verifyTable[T any](v *verification, t *store.Table[T], fn func(*T)) error {
	want := make([]int, len(t.Indexes))
	err := v.Reader.Scan(t.Name, store.Range{}, func(key, data []byte) error {
		row := new(T)
		if err := t.Codec.Decode(data, row); err != nil {
			v.reportFault(t.Name, "row %x cannot be read: %v", key, err)
			return nil
		}
		if !bytes.Equal(t.Key(row), key) {
			v.reportFault(t.Name, "row %x has key %x", key, t.Key(row))
		}

		for i := range t.Indexes {
			for _, k := range t.Indexes[i].Keys(row) {
				want[i]++
				entry, err := v.Reader.Get(t.Name+"."+t.Indexes[i].Name, stored.Join(k, key))
				if err != nil {
					return err
				}
				if primary, err := store.Primary(stored.Join(k, key), entry); err != nil || !bytes.Equal(primary, key) {
					v.reportFault(t.Name, "row %x is missing from index %s", key, t.Indexes[i].Name)
				}
			}
		}

		if fn != nil {
			fn(row)
		}

		return nil
	})
	if err != nil {
		return err
	}
	for i := range t.Indexes {
		if err := v.checkIndex(t.Name, t.Indexes[i].Name, want[i]); err != nil {
			return err
		}
	}

	return nil
}

// checkIndex checks that each entry of an index leads to a row, and that there are want
// entries.
func (v *verification) checkIndex(table, index string, want int) error {
	found := 0
	err := v.Reader.Scan(table+"."+index, store.Range{}, func(key, value []byte) error {
		found++
		primary, err := store.Primary(key, value)
		if err != nil {
			v.reportFault(table, "entry %x of index %s points nowhere: %v", key, index, err)
			return nil
		}

		row, err := v.Reader.Get(table, primary)
		if err == nil && row == nil {
			v.reportFault(table, "index %s points to row %x, which is missing", index, primary)
		}

		return err
	})
	if err == nil && found != want {
		v.reportFault(table, "index %s has %d entries; the rows require %d", index, found, want)
	}

	return err
}

// checkCatalog verifies the tables of the catalog and the rules.
func (v *verification) checkCatalog() error {
	for _, t := range []*store.Table[stored.Place]{stored.Locations, stored.Owners, stored.Channels} {
		if err := verifyTable(v, t,
			func(p *stored.Place) { v.checkRecorded(t.Name+" "+p.Code, p.ID, &p.Place, p.Sum) }); err != nil {
			return err
		}
	}

	err := verifyTable(v, stored.Products,
		func(p *stored.Product) { v.checkRecorded("product "+p.SKU, p.ID, &p.Product, account.Checksum{}) })
	if err != nil {
		return err
	}
	err = verifyTable(v, stored.Operators,
		func(o *stored.Operator) { v.checkRecorded("operator "+o.Name, o.ID, &o.Operator, account.Checksum{}) })
	if err != nil {
		return err
	}
	if err := verifyTable(v, account.Own, nil); err != nil {
		return err
	}
	if err := verifyTable(v, stored.Rules, nil); err != nil {
		return err
	}
	if err := verifyTable(v, stored.Plates, nil); err != nil {
		return err
	}

	return verifyTable(v, stored.Lots, func(l *stored.Lot) {
		if data, err := v.Reader.Get(stored.Products.Name, l.ProductID[:]); err == nil && data == nil {
			v.reportFault("lot "+l.LotCode, "product %s is missing", l.ProductID)
		}
	})
}

// checkSerials counts the serials on hand.
func (v *verification) checkSerials() error {
	return verifyTable(v, stored.Serials, func(s *stored.Serial) {
		if s.State < 0 || s.State >= len(api.States) {
			v.reportFault("serial "+s.SerialNumber, "has invalid state %d", s.State)
			return
		}
		if !s.OnHand() {
			return
		}

		a := v.journalBalance(stored.BalanceID(v.Partition, s.StockKey()))
		a.serials[s.State]++
		if s.LotID != api.NoID {
			if a.serialsByLot == nil {
				a.serialsByLot = map[api.ID]int64{}
			}
			a.serialsByLot[s.LotID]++
		}
	})
}
