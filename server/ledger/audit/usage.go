package audit

import (
	"errors"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
	"bincard/server/store/wire"
)

// checkUsage checks the usage counters against the journal and the products.
func (v *verification) checkUsage() error {
	t, err := account.ReadUsage(v.Reader)
	if errors.Is(err, wire.ErrTruncated) {
		return nil // already reported with the counter
	}
	if err != nil {
		return err
	}
	if t.Seq > 0 && t.Billable != v.billed[t.Month] {
		v.reportFault("usage", "counter has %d billable operations in %s; the journal has %d", t.Billable, t.Month,
			v.billed[t.Month])
	}

	active := int64(0)
	err = v.Reader.Scan(stored.Products.Name, store.Range{}, func(_, data []byte) error {
		p := new(stored.Product)
		if stored.Products.Codec.Decode(data, p) == nil && p.Status == api.Active {
			active++
		}
		return nil
	})
	if err == nil && active != t.Products {
		v.reportFault("usage", "counter has %d active products; there are %d", t.Products, active)
	}
	if err != nil {
		return err
	}

	return verifyTable(v, account.Plans, nil)
}
