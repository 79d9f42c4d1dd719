package stock

import (
	"bincard/server/api"
	"bincard/server/ledger/internal/posting"
	"bincard/server/ledger/internal/stored"
)

// An issueSelection says which stock a direct issue takes.
type issueSelection struct {
	state   int
	lot     api.ID
	fefo    bool
	fresh   bool
	numbers []string
	ids     []api.ID
}

func stateOf(s api.OnHandState) int {
	if s == "" {
		return stored.Available
	}
	return api.State(s).Index()
}

// WriteOff writes off stock, including expired lots.
func WriteOff(c *posting.Tx, in *api.WriteOffStockInput) error {
	x := issueSelection{state: stateOf(in.InventoryState), lot: in.LotID, fefo: in.LotStrategy == api.FEFO,
		numbers: in.SerialNumbers, ids: in.SerialIDs}
	n := annotation{in.Reason, in.ReferenceType, in.ReferenceID, in.Metadata}
	return issue(c, stored.StockKey{Product: in.ProductID, Location: in.LocationID, Owner: in.OwnerID, Channel: in.ChannelID}, n, in.Quantity, in.UnitCode, in.UnitQuantity, x, api.OpWriteOff, api.WrittenOff)
}

// issue takes stock out of one state and out of on hand.
func issue(c *posting.Tx, at stored.StockKey, n annotation, quantity *int64, unitCode string, unitQuantity *int64, x issueSelection, op api.MovementOperation, status api.SerialStatus) error {
	p, err := c.Product("productId", at.Product)
	if err != nil {
		return err
	}
	if at, err = beginDirect(c, at, n); err != nil {
		return err
	}
	named, err := c.NamedSerials(p, x.ids, x.numbers)
	if err != nil {
		return err
	}
	q, err := requestedQuantity(c, p, quantity, len(named), unitCode, unitQuantity)
	if err != nil {
		return err
	}
	parts, err := selectIssue(c, p, at, q, named, x)
	if err != nil {
		return err
	}
	if err := c.Post(posting.IssueRule(op, x.state, true), at, parts, nil); err != nil {
		return err
	}
	return c.UpdateSerials(parts, func(s *stored.Serial) { s.Status, s.Holder = status, api.ID{} })
}

// selectIssue returns the stock to issue: the named serials, or as x selects.
func selectIssue(c *posting.Tx, p *stored.Product, at stored.StockKey, q int64, named []*stored.Serial, x issueSelection) ([]posting.LotQuantity, error) {
	if x.lot != (api.ID{}) {
		if _, err := c.LotOf(p, x.lot); err != nil {
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
		if parts, err = c.PickLots(at, x.state, q, posting.LotPolicy{Lot: x.lot, FEFO: x.fefo, SkipExpired: x.fresh}); err != nil {
			return nil, err
		}
	}
	for _, part := range parts {
		if !x.fresh || part.Lot == (api.ID{}) {
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
	case s.StockKey() != at || s.Status != api.InStock || s.Holder != (api.ID{}) || s.State != posting.SerialState(x.state):
		return c.SerialUnavailable(s, "in stock at "+posting.LocationCode(c.Tx, at.Location)+", "+api.States[x.state].Title())
	case x.lot != (api.ID{}) && s.LotID != x.lot:
		return api.Fail(api.LotMismatch, api.Details{"serialNumber": s.SerialNumber, "lotId": s.LotID, "requested": x.lot},
			"Serial %s belongs to another lot. Name its lot, or choose another serial.", s.SerialNumber)
	case x.state == stored.Committed && s.LotID != (api.ID{}):
		return api.Fail(api.StateBackedByDocuments, api.Details{"serialNumber": s.SerialNumber, "lotId": s.LotID},
			"Serial %s belongs to a lot whose committed stock is held by an outbound or reservation. Fulfill that document.", s.SerialNumber)
	}
	return nil
}
