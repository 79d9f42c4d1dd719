package stock

import (
	"bincard/server/api"
	"bincard/server/ledger/internal/posting"
	"bincard/server/ledger/internal/stored"
)

// An issueSelection says which stock an issue takes.
type issueSelection struct {
	state int
	lots  api.LotChoice
	fresh bool // never from an expired lot
}

// WriteOff writes off stock, including expired lots.
func WriteOff(c *posting.Tx, in *api.WriteOffStockInput) error {
	return issue(c, in, api.OpWriteOff, api.WrittenOff, false)
}

// issue takes stock out of one state and out of on hand.
func issue(
	c *posting.Tx,
	in *api.WriteOffStockInput,
	op api.MovementOperation,
	status api.SerialStatus,
	fresh bool,
) error {
	p, err := c.Product("productId", in.ProductID)
	if err != nil {
		return err
	}

	at, err := begin(c, in.StockKey, in.Reference, in.Reason, in.Metadata)
	if err != nil {
		return err
	}

	named, err := c.NamedSerials(p, in.SerialChoice)
	if err != nil {
		return err
	}

	q, err := requestedQuantity(c, p, in.Quantity, len(named), in.UnitInput)
	if err != nil {
		return err
	}

	x := issueSelection{state: stored.Available, lots: in.LotChoice, fresh: fresh}
	if in.InventoryState != "" {
		x.state = api.State(in.InventoryState).Index()
	}

	parts, err := selectIssue(c, p, at, q, named, x)
	if err != nil {
		return err
	}
	if err := c.Post(posting.IssueRule(op, x.state, true), at, parts, nil); err != nil {
		return err
	}

	return c.UpdateSerials(parts, func(s *stored.Serial) { s.Status, s.Holder = status, api.NoID })
}

// selectIssue returns the stock to issue: the named serials, or as x selects.
func selectIssue(
	c *posting.Tx,
	p *stored.Product,
	at stored.StockKey,
	q int64,
	named []*stored.Serial,
	x issueSelection,
) ([]posting.LotQuantity, error) {
	if x.lots.LotID != api.NoID {
		if _, err := c.LotOf(p, x.lots.LotID); err != nil {
			return nil, err
		}
	}

	for _, s := range named {
		if err := checkIssuable(c, s, at, x); err != nil {
			return nil, err
		}
	}

	parts := posting.GroupByLot(named)
	switch {
	case len(named) > 0:
	case x.state == stored.Committed:
		// Only documents commit stock of a lot.
		parts = posting.WithoutLot(q)
	default:
		var err error
		parts, err = c.PickLots(at, x.state, q,
			posting.LotPolicy{Lot: x.lots.LotID, FEFO: x.lots.LotStrategy == api.FEFO, SkipExpired: x.fresh})
		if err != nil {
			return nil, err
		}
	}

	for _, part := range parts {
		if !x.fresh || part.Lot == api.NoID {
			continue
		}
		if err := c.CheckLotUsable(p, at, part.Lot, part.Quantity); err != nil {
			return nil, err
		}
	}

	if len(named) > 0 || x.state != stored.Available {
		return parts, nil
	}

	return parts, c.AddOldestSerials(at, parts)
}

// checkIssuable checks that a serial can be issued directly.
func checkIssuable(c *posting.Tx, s *stored.Serial, at stored.StockKey, x issueSelection) error {
	switch {
	case s.StockKey() != at || s.Status != api.InStock || s.Holder != api.NoID || s.State != posting.SerialState(x.state):
		return c.SerialUnavailable(s,
			api.Textf("in stock at %s, %v", posting.LocationCode(c.Tx, at.Location), api.States[x.state].Title()))
	case x.lots.LotID != api.NoID && s.LotID != x.lots.LotID:
		return posting.OtherLot(s, x.lots.LotID, "Specify its lot, or choose another serial.")
	case x.state == stored.Committed && s.LotID != api.NoID:
		return api.Fail(
			api.StateBackedByDocuments,
			api.Details{"serialNumber": s.SerialNumber, "lotId": s.LotID},
			"Serial %s belongs to a lot whose committed stock is held by an outbound or reservation. Fulfill that document.",
			s.SerialNumber,
		)
	}

	return nil
}
