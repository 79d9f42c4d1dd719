package document

import (
	"slices"
	"strings"

	"bincard/server/api"
	"bincard/server/ledger/internal/posting"
	"bincard/server/ledger/internal/stored"
)

// addInTransit adds shipped stock to what is in transit.
func addInTransit(t *stored.Transfer, parts []posting.LotQuantity) {
	for _, part := range parts {
		i := slices.IndexFunc(t.Transit, func(x stored.InTransit) bool { return x.Lot == part.Lot })
		if i < 0 {
			t.Transit = append(t.Transit, stored.InTransit{Lot: part.Lot})
			i = len(t.Transit) - 1
		}

		t.Transit[i].Quantity += part.Quantity
		for _, s := range part.Serials {
			t.Transit[i].Serials = append(t.Transit[i].Serials, s.ID)
		}
	}
}

// pendingOf returns how much of a lot is in transit; none is an error.
func pendingOf(c *posting.Tx, doc *stored.Transfer, p *stored.Product, lot api.ID) (int64, error) {
	for _, x := range doc.Transit {
		if x.Lot == lot {
			return x.Quantity, nil
		}
	}

	l, err := c.LotOf(p, lot)
	if err != nil {
		return 0, err
	}

	var inTransitLots []api.ID
	var codes []string
	for _, x := range doc.Transit {
		if x.Lot != api.NoID {
			inTransitLots, codes = append(inTransitLots, x.Lot), append(codes, posting.LotCode(c.Tx, x.Lot))
		}
	}

	return 0, api.Fail(
		api.LotMismatch,
		api.Details{
			"lotId":             lot,
			"lotCode":           l.LotCode,
			"inTransit":         inTransitLots,
			"inTransitLotCodes": strings.Join(codes, ", "),
		},
		"Lot %s is not in transit. Check the label, or omit the lot to receive what was shipped.",
		l.LotCode,
	)
}

// takeInTransit takes q of what is in transit: the named serials, or the named lot, or
// stock without a lot first and then by earliest expiry.
func takeInTransit(
	c *posting.Tx,
	doc *stored.Transfer,
	q int64,
	lot api.ID,
	named []*stored.Serial,
) ([]posting.LotQuantity, error) {
	if len(named) > 0 {
		return takeSerialsInTransit(c, doc, lot, named)
	}
	if err := sortInTransit(c, doc.Transit); err != nil {
		return nil, err
	}

	var out []posting.LotQuantity
	for i := range doc.Transit {
		x := &doc.Transit[i]
		n := min(q, x.Quantity)
		if n == 0 || lot != api.NoID && x.Lot != lot {
			continue
		}

		part := posting.LotQuantity{Lot: x.Lot, Quantity: n}
		// Stock without serial numbers goes first.
		count := max(0, n-(x.Quantity-int64(len(x.Serials))))
		for _, id := range x.Serials[:count] {
			s, err := c.Serial(id)
			if err != nil {
				return nil, err
			}
			part.Serials = append(part.Serials, s)
		}

		x.Serials = x.Serials[count:]
		x.Quantity -= n
		q -= n
		out = append(out, part)
	}

	doc.Transit = slices.DeleteFunc(doc.Transit, func(x stored.InTransit) bool { return x.Quantity == 0 })

	return out, nil
}

// takeAllInTransit takes everything that is in transit, for a response with the balance
// of at, even if that does not change.
func takeAllInTransit(c *posting.Tx, doc *stored.Transfer, at stored.StockKey) ([]posting.LotQuantity, error) {
	if err := c.MatchBalance(at); err != nil {
		return nil, err
	}
	if _, err := c.BalanceAt(at); err != nil {
		return nil, err
	}
	return takeInTransit(c, doc, doc.PendingReceiveQuantity, api.NoID, nil)
}

func takeSerialsInTransit(
	c *posting.Tx,
	doc *stored.Transfer,
	lot api.ID,
	named []*stored.Serial,
) ([]posting.LotQuantity, error) {
	for _, s := range named {
		if !s.Away || s.Holder != doc.ID {
			return nil, c.SerialUnavailable(s, "in transit on this transfer")
		}
		if lot != api.NoID && s.LotID != lot {
			return nil, posting.OtherLot(s, lot, "Omit the lot, or choose another serial.")
		}

		for i := range doc.Transit {
			x := &doc.Transit[i]
			if at := slices.Index(x.Serials, s.ID); at >= 0 {
				x.Serials = slices.Delete(x.Serials, at, at+1)
				x.Quantity--
			}
		}
	}

	doc.Transit = slices.DeleteFunc(doc.Transit, func(x stored.InTransit) bool { return x.Quantity == 0 })

	return posting.GroupByLot(named), nil
}

// sortInTransit orders what is in transit: stock without a lot first, then by earliest
// expiry.
func sortInTransit(c *posting.Tx, list []stored.InTransit) error {
	lotOf := map[api.ID]*stored.Lot{}
	for _, x := range list {
		l, err := stored.Lots.Shared(c.Reader, x.Lot[:])
		if err != nil {
			return err
		}
		lotOf[x.Lot] = l
	}

	slices.SortStableFunc(list, func(a, b stored.InTransit) int {
		switch la, lb := lotOf[a.Lot], lotOf[b.Lot]; {
		case la == nil && lb == nil:
			return 0
		case la == nil:
			return -1
		case lb == nil:
			return 1
		default:
			return stored.ByExpiry(la, lb)
		}
	})

	return nil
}
