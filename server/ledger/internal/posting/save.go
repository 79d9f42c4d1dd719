package posting

import (
	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/stored"
)

// Save writes the staged changes and the journal entry.
func (c *Tx) Save() error {
	if err := c.saveBalances(); err != nil {
		return err
	}
	if err := c.saveSerials(); err != nil {
		return err
	}
	if err := c.SavePlates(c.Writer, &c.Entry, c.plateShort); err != nil {
		return err
	}

	usage, err := account.ReadUsage(c.Reader)
	if err != nil {
		return err
	}
	if err := c.chain(usage); err != nil {
		return err
	}
	if err := stored.SaveTraces(c.Writer, &c.Entry); err != nil {
		return err
	}
	if err := journal.Entries.Insert(c.Writer, &c.Entry); err != nil {
		return err
	}
	if err := stored.SaveKey(c.Writer, &c.Entry); err != nil {
		return err
	}
	if err := stored.SaveBitmaps(c.Tx, c.Writer, &c.Entry); err != nil {
		return err
	}

	return c.saveUsage(usage)
}

// chain adds the hash of the entry before it, unless the write is local: the chain of a
// replica is the service's.
func (c *Tx) chain(usage *account.UsageRow) (err error) {
	if c.Local {
		return nil
	}

	last, previous := c.Entry.Seq-1, usage.HeadHash
	if usage.HeadSeq != last || len(previous) != len(journal.Hash{}) {
		var hash journal.Hash
		hash, err = c.HashAt(last)
		previous = hash[:]
	}

	c.Entry.Previous = previous

	return err
}

// saveBalances writes the touched balances and their history.
func (c *Tx) saveBalances() error {
	c.Entry.Balances = make([]journal.BalanceAfter, len(c.touched))
	moved := make([]bool, len(c.touched))
	for i := range c.Entry.Movements {
		moved[c.Entry.Movements[i].Balance] = true
	}

	for i, b := range c.touched {
		if err := c.checkSerialCounts(b); err != nil {
			return err
		}
		if b.Changed {
			b.Version++
			b.Updated = c.Now
		}
		if b.IsNew {
			if err := stored.BalanceKeys.Insert(c.Writer, b.Key); err != nil {
				return err
			}
		}

		if moved[i] {
			if err := c.SaveHistory(c.Writer, &c.Entry, b); err != nil {
				return err
			}
		}

		if b.Changed {
			if err := stored.Balances.Put(c.Writer, b); err != nil {
				return err
			}
		}

		c.Entry.Balances[i] = journal.BalanceAfter{Balance: b.ID, Version: b.Version, Q: b.Q}
	}

	return c.saveLotBalances()
}

// checkSerialCounts checks that a balance has no more serials on hand than stock, and
// exactly as many for a serial-tracked product.
func (c *Tx) checkSerialCounts(b *stored.Balance) error {
	if !b.Changed {
		return nil
	}

	p, err := c.SharedProduct(b.Key.Product)
	if err != nil || p == nil {
		return err
	}

	if b.Serials > b.Q[stored.OnHand] || p.Tracking == api.TrackSerial && b.Serials != b.Q[stored.OnHand] {
		advice := api.Text("Specify one serial number per unit.")
		if spec := c.Request.Spec; spec != nil && spec.Direction == api.DirectionEither {
			advice = api.Text("Receive or write off the units by serial number instead.")
		}
		return api.Fail(api.SerialCountMismatch,
			c.withBalance(b, api.Details{"serials": b.Serials, "onHand": b.Q[stored.OnHand]}),
			"%v: this would leave %d on hand, but %d with a serial number. %v", c.DescribeStockKey(b.Key.StockKey),
			b.Q[stored.OnHand], b.Serials, advice)
	}

	return nil
}

// saveLotBalances writes the lot balances of the write and deletes empty ones.
func (c *Tx) saveLotBalances() error {
	for _, b := range c.lotBalances {
		var err error
		if b.Q == ([8]int64{}) {
			err = stored.LotBalances.Delete(c.Writer, stored.Join(b.Balance[:], b.Lot[:]))
		} else {
			err = stored.LotBalances.Put(c.Writer, b)
		}

		if err != nil {
			return err
		}
	}

	return nil
}

// saveSerials writes the serials of the write, also to the journal entry.
func (c *Tx) saveSerials() error {
	for _, s := range c.serials {
		if err := stored.Serials.Put(c.Writer, s); err != nil {
			return err
		}
		c.Entry.Serials = append(c.Entry.Serials, s.Serial)
	}

	return nil
}

// plateShort returns the error of taking more from a plate than is on it.
func (c *Tx) plateShort(p *stored.Plate, l api.PlateLine, requested int64) error {
	_, code := c.PlaceRef(stored.Locations, p.LocationID).NameAndCode()
	return api.Fail(api.InsufficientStock, api.Details{"sscc": p.SSCC, "current": l.Left, "requested": requested},
		"Pallet %s has %d of %d left at %s, %d requested. Count what is on it, and leave out its number.", p.SSCC,
		l.Left, l.Quantity, code, requested)
}

// saveUsage counts the write and sets the sequence number and the hash to the write's.
func (c *Tx) saveUsage(t *account.UsageRow) error {
	if c.Local { // local writes do not count
		t = &account.UsageRow{}
		t.StartMonth(account.MonthOf(c.Entry.At))
	} else {
		t.Add(c.Entry.Spec, c.Entry.At, c.Products)
		hash, err := c.HashAt(c.Entry.Seq)
		if err != nil {
			return err
		}
		t.HeadSeq, t.HeadHash = c.Entry.Seq, hash[:]
	}

	t.Seq, t.At = c.Entry.Seq, c.Entry.At

	return t.Put(c.Writer)
}
