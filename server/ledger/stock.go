package ledger

import (
	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/stored"
)

func bindStock(b map[string]binding) {
	writes(b, api.AdjustStock, (*writeTx).adjustStock, showStock)
	writes(b, api.MoveStock, (*writeTx).moveStock, showStock)
}

func (c *writeTx) adjustStock(in *api.AdjustStockInput) error {
	if _, err := c.Product("productId", in.ProductID); err != nil {
		return err
	}
	at, err := c.StockKeyOf(in.ProductID, in.LocationID, in.OwnerID, in.ChannelID)
	if err != nil {
		return err
	}
	if err := c.matchBalance(at); err != nil {
		return err
	}
	c.entry.Reason, c.entry.Metadata = in.Reason, in.Metadata
	c.entry.ReferenceType, c.entry.ReferenceID = in.ReferenceType, in.ReferenceID
	state := in.InventoryState.Index()
	if in.QuantityDelta > 0 {
		return c.post(adjustRule(state, +1), at, withoutLot(in.QuantityDelta), nil)
	}
	from := state
	if state == onHand {
		from = available
	}
	parts := withoutLot(-in.QuantityDelta)
	if state != incoming {
		if parts, err = c.pickLots(at, from, -in.QuantityDelta, lotPolicy{}); err != nil {
			return err
		}
	}
	return c.post(adjustRule(state, -1), at, parts, nil)
}

func (c *writeTx) moveStock(in *api.MoveStockInput) error {
	p, err := c.Product("productId", in.ProductID)
	if err != nil {
		return err
	}
	at, err := c.StockKeyOf(in.ProductID, in.LocationID, in.OwnerID, in.ChannelID)
	if err != nil {
		return err
	}
	if err := c.matchBalance(at); err != nil {
		return err
	}
	if err := c.checkUnitQuantity(p, in); err != nil {
		return err
	}
	c.entry.Reason, c.entry.Metadata = in.Reason, in.Metadata
	c.entry.ReferenceType, c.entry.ReferenceID = in.ReferenceType, in.ReferenceID
	source, destination := api.State(in.SourceState).Index(), api.State(in.DestinationState).Index()
	parts, err := c.movableLots(p, at, in, source)
	if err != nil {
		return err
	}
	if err := c.post(moveRule(source, destination), at, parts, nil); err != nil {
		return err
	}
	for _, part := range parts {
		for _, s := range part.Serials {
			if err := c.updateSerial(s, func(s *stored.Serial) { s.State = serialState(destination) }); err != nil {
				return err
			}
		}
	}
	return nil
}

// movableLots returns the stock for a move between states.
func (c *writeTx) movableLots(p *stored.Product, at stored.StockKey, in *api.MoveStockInput, source int) ([]lotQuantity, error) {
	named, err := c.namedSerials(p, in.SerialIDs, in.SerialNumbers)
	if err != nil {
		return nil, err
	}
	if n := int64(len(named)); (n > 0 || p.Tracking == api.TrackSerial) && n != in.Quantity {
		return nil, countMismatch(n, in.Quantity)
	}
	if in.LotID != (api.ID{}) {
		if _, err := c.LotOf(p, in.LotID); err != nil {
			return nil, err
		}
	}
	for _, s := range named {
		if s.StockKey() != at || s.Status != api.InStock || s.Holder != (api.ID{}) || s.State != serialState(source) {
			return nil, c.serialUnavailable(s, api.Textf("in stock here, %v", api.States[source].Title()))
		}
		if in.LotID != (api.ID{}) && s.LotID != in.LotID {
			return nil, api.Fail(api.LotMismatch, api.Details{"serialNumber": s.SerialNumber, "lotId": s.LotID, "requested": in.LotID},
				"Serial %s belongs to another lot.", s.SerialNumber)
		}
	}
	if len(named) > 0 {
		return groupByLot(named), nil
	}
	return c.pickLots(at, source, in.Quantity, lotPolicy{lot: in.LotID, fefo: in.LotStrategy == api.FEFO})
}

// serialState returns the state that a serial counts in: for serials, reserved and
// committed count as available.
func serialState(state int) int {
	if state == reserved || state == committed {
		return available
	}
	return state
}

// checkUnitQuantity checks that the quantity in units equals the quantity in base units.
func (c *writeTx) checkUnitQuantity(p *stored.Product, in *api.MoveStockInput) error {
	if in.UnitQuantity == nil {
		return nil
	}
	factor := int64(0)
	if in.UnitCode == p.BaseUnitCode {
		factor = 1
	}
	for _, u := range p.Units {
		if u.UnitCode == in.UnitCode {
			factor = u.Factor
		}
	}
	if factor == 0 {
		return api.Fail(api.UnitConversionMismatch, api.Details{"unitCode": in.UnitCode, "units": p.Units, "baseUnitCode": p.BaseUnitCode},
			"%s has no unit %q.", p.SKU, in.UnitCode)
	}
	if *in.UnitQuantity > api.MaxQuantity/factor || *in.UnitQuantity*factor != in.Quantity {
		return api.Fail(api.UnitConversionMismatch,
			api.Details{"unitCode": in.UnitCode, "unitQuantity": *in.UnitQuantity, "factor": factor, "quantity": in.Quantity},
			"%d %s of %s at %d each do not equal the quantity %d.", *in.UnitQuantity, in.UnitCode, p.SKU, factor, in.Quantity)
	}
	c.entry.UnitCode, c.entry.UnitQuantity, c.entry.BaseUnitCode = in.UnitCode, *in.UnitQuantity, p.BaseUnitCode
	return nil
}

// matchBalance checks the balance version that the caller expects, if any.
func (c *writeTx) matchBalance(at stored.StockKey) error {
	if c.req.IfMatch == "" {
		return nil
	}
	b, err := c.balance(at)
	if err != nil {
		return err
	}
	return c.checkVersion(b.Version)
}

func showStock(tx *stored.Tx, e *journal.Entry) (*api.StockResult, error) {
	out := &api.StockResult{}
	var err error
	if out.Balance, err = tx.ShowBalance(e, 0); err != nil {
		return nil, err
	}
	out.Movements, err = tx.Movements(e)
	return out, err
}
