// Package stock changes stock without a document: adjust, move between states, receive,
// return, issue, reconcile, and take apart or assemble kits.
package stock

import (
	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/posting"
	"bincard/server/ledger/internal/stored"
)

func Adjust(c *posting.Tx, in *api.AdjustStockInput) error {
	if _, err := c.Product("productId", in.ProductID); err != nil {
		return err
	}
	at, err := c.StockKeyOf(in.ProductID, in.LocationID, in.OwnerID, in.ChannelID)
	if err != nil {
		return err
	}
	if err := c.MatchBalance(at); err != nil {
		return err
	}
	c.Entry.Reason, c.Entry.Metadata = in.Reason, in.Metadata
	c.Entry.ReferenceType, c.Entry.ReferenceID = in.ReferenceType, in.ReferenceID
	state := in.InventoryState.Index()
	if in.QuantityDelta > 0 {
		return c.Post(posting.AdjustRule(state, +1), at, posting.WithoutLot(in.QuantityDelta), nil)
	}
	from := state
	if state == stored.OnHand {
		from = stored.Available
	}
	parts := posting.WithoutLot(-in.QuantityDelta)
	if state != stored.Incoming {
		if parts, err = c.PickLots(at, from, -in.QuantityDelta, posting.LotPolicy{}); err != nil {
			return err
		}
	}
	return c.Post(posting.AdjustRule(state, -1), at, parts, nil)
}

func Move(c *posting.Tx, in *api.MoveStockInput) error {
	p, err := c.Product("productId", in.ProductID)
	if err != nil {
		return err
	}
	at, err := c.StockKeyOf(in.ProductID, in.LocationID, in.OwnerID, in.ChannelID)
	if err != nil {
		return err
	}
	if err := c.MatchBalance(at); err != nil {
		return err
	}
	if err := checkUnitQuantity(c, p, in); err != nil {
		return err
	}
	c.Entry.Reason, c.Entry.Metadata = in.Reason, in.Metadata
	c.Entry.ReferenceType, c.Entry.ReferenceID = in.ReferenceType, in.ReferenceID
	source, destination := api.State(in.SourceState).Index(), api.State(in.DestinationState).Index()
	parts, err := movableLots(c, p, at, in, source)
	if err != nil {
		return err
	}
	if err := c.Post(posting.MoveRule(source, destination), at, parts, nil); err != nil {
		return err
	}
	for _, part := range parts {
		for _, s := range part.Serials {
			if err := c.UpdateSerial(s, func(s *stored.Serial) { s.State = posting.SerialState(destination) }); err != nil {
				return err
			}
		}
	}
	return nil
}

// movableLots returns the stock for a move between states.
func movableLots(c *posting.Tx, p *stored.Product, at stored.StockKey, in *api.MoveStockInput, source int) ([]posting.LotQuantity, error) {
	named, err := c.NamedSerials(p, in.SerialIDs, in.SerialNumbers)
	if err != nil {
		return nil, err
	}
	if n := int64(len(named)); (n > 0 || p.Tracking == api.TrackSerial) && n != in.Quantity {
		return nil, posting.CountMismatch(n, in.Quantity)
	}
	if in.LotID != (api.ID{}) {
		if _, err := c.LotOf(p, in.LotID); err != nil {
			return nil, err
		}
	}
	for _, s := range named {
		if s.StockKey() != at || s.Status != api.InStock || s.Holder != (api.ID{}) || s.State != posting.SerialState(source) {
			return nil, c.SerialUnavailable(s, "in stock here, "+api.States[source].Title())
		}
		if in.LotID != (api.ID{}) && s.LotID != in.LotID {
			return nil, api.Fail(api.LotMismatch, api.Details{"serialNumber": s.SerialNumber, "lotId": s.LotID, "requested": in.LotID},
				"Serial %s belongs to another lot.", s.SerialNumber)
		}
	}
	if len(named) > 0 {
		return posting.GroupByLot(named), nil
	}
	return c.PickLots(at, source, in.Quantity, posting.LotPolicy{Lot: in.LotID, FEFO: in.LotStrategy == api.FEFO})
}

// checkUnitQuantity checks that the quantity in units equals the quantity in base units.
func checkUnitQuantity(c *posting.Tx, p *stored.Product, in *api.MoveStockInput) error {
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
	c.Entry.UnitCode, c.Entry.UnitQuantity, c.Entry.BaseUnitCode = in.UnitCode, *in.UnitQuantity, p.BaseUnitCode
	return nil
}

func Show(tx *stored.Tx, e *journal.Entry) (*api.StockResult, error) {
	out := &api.StockResult{}
	var err error
	if out.Balance, err = tx.ShowBalance(e, 0); err != nil {
		return nil, err
	}
	out.Movements, err = tx.Movements(e)
	return out, err
}
