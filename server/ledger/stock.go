package ledger

import (
	"bincard/server/api"
)

func bindStock(b map[string]binding) {
	writes(b, api.AdjustStock, (*change).adjustStock, showStock)
	writes(b, api.MoveStock, (*change).moveStock, showStock)
}

func (c *change) adjustStock(in *api.AdjustStockInput) error {
	if _, err := c.product("productId", in.ProductID); err != nil {
		return err
	}
	at, err := c.at(in.ProductID, in.LocationID, in.OwnerID, in.ChannelID)
	if err != nil {
		return err
	}
	if err := c.matchBalance(at); err != nil {
		return err
	}
	c.rec.Reason, c.rec.Metadata = in.Reason, in.Metadata
	c.rec.ReferenceType, c.rec.ReferenceID = in.ReferenceType, in.ReferenceID
	state := in.InventoryState.Index()
	if in.QuantityDelta > 0 {
		return c.post(adjusting(state, +1), at, whole(in.QuantityDelta), nil)
	}
	from := state
	if state == onHand {
		from = available
	}
	parts := whole(-in.QuantityDelta)
	if state != incoming {
		if parts, err = c.choose(at, from, -in.QuantityDelta, wish{}); err != nil {
			return err
		}
	}
	return c.post(adjusting(state, -1), at, parts, nil)
}

func (c *change) moveStock(in *api.MoveStockInput) error {
	p, err := c.product("productId", in.ProductID)
	if err != nil {
		return err
	}
	at, err := c.at(in.ProductID, in.LocationID, in.OwnerID, in.ChannelID)
	if err != nil {
		return err
	}
	if err := c.matchBalance(at); err != nil {
		return err
	}
	if err := c.convert(p, in); err != nil {
		return err
	}
	c.rec.Reason, c.rec.Metadata = in.Reason, in.Metadata
	c.rec.ReferenceType, c.rec.ReferenceID = in.ReferenceType, in.ReferenceID
	source, destination := api.State(in.SourceState).Index(), api.State(in.DestinationState).Index()
	parts, err := c.movable(p, at, in, source)
	if err != nil {
		return err
	}
	if err := c.post(moving(source, destination), at, parts, nil); err != nil {
		return err
	}
	for _, part := range parts {
		for _, s := range part.Pieces {
			if err := c.alter(s, func(s *piece) { s.State = pool(destination) }); err != nil {
				return err
			}
		}
	}
	return nil
}

// movable is the stock that a move between states takes.
func (c *change) movable(p *product, at place, in *api.MoveStockInput, source int) ([]portion, error) {
	named, err := c.named(p, in.SerialIDs, in.SerialNumbers)
	if err != nil {
		return nil, err
	}
	if n := int64(len(named)); (n > 0 || p.Tracking == api.TrackSerial) && n != in.Quantity {
		return nil, countMismatch(n, in.Quantity)
	}
	if in.LotID != (api.ID{}) {
		if _, err := c.lotOf(p, in.LotID); err != nil {
			return nil, err
		}
	}
	for _, s := range named {
		if s.place() != at || s.Status != api.InStock || s.Holder != (api.ID{}) || s.State != pool(source) {
			return nil, c.unavailable(s, "in stock here, "+api.States[source].Title())
		}
		if in.LotID != (api.ID{}) && s.LotID != in.LotID {
			return nil, api.Fail(api.LotMismatch, api.Details{"serialNumber": s.SerialNumber, "lotId": s.LotID, "requested": in.LotID},
				"Piece %s is of another lot than the one named.", s.SerialNumber)
		}
	}
	if len(named) > 0 {
		return byLot(named), nil
	}
	return c.choose(at, source, in.Quantity, wish{lot: in.LotID, fefo: in.LotStrategy == api.FEFO})
}

// pool is the state a piece counts in: reserved and committed stock is not
// told apart from available piece by piece.
func pool(state int) int {
	if state == reserved || state == committed {
		return available
	}
	return state
}

// convert holds that a quantity given in a unit is the quantity in base units.
func (c *change) convert(p *product, in *api.MoveStockInput) error {
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
			"%d %s of %s at %d each are not the quantity %d.", *in.UnitQuantity, in.UnitCode, p.SKU, factor, in.Quantity)
	}
	c.rec.UnitCode, c.rec.UnitQuantity, c.rec.BaseUnitCode = in.UnitCode, *in.UnitQuantity, p.BaseUnitCode
	return nil
}

// matchBalance holds the version of the balance that the caller may name.
func (c *change) matchBalance(at place) error {
	if c.req.IfMatch == "" {
		return nil
	}
	b, err := c.balance(at)
	if err != nil {
		return err
	}
	return c.match(b.Version)
}

func showStock(rd *reading, rec *record) (*api.StockResult, error) {
	out := &api.StockResult{}
	var err error
	if out.Balance, err = rd.show(rec, 0); err != nil {
		return nil, err
	}
	out.Movements, err = rd.movements(rec)
	return out, err
}
