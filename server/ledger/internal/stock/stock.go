// Package stock changes stock without a document: adjust, move between states, receive,
// return, issue, reconcile, and take apart or assemble kits.
package stock

import (
	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/posting"
	"bincard/server/ledger/internal/stored"
)

// begin starts a stock change: it returns the full stock key, checks the balance
// version, and makes the balance the first one in the response.
func begin(
	c *posting.Tx,
	in api.StockKey,
	ref api.Reference,
	reason string,
	metadata api.Metadata,
) (stored.StockKey, error) {
	at, err := c.RequestedKey(in)
	if err != nil {
		return at, err
	}
	c.Entry.Reason, c.Entry.Metadata = reason, metadata
	c.Entry.ReferenceType, c.Entry.ReferenceID = ref.ReferenceType, ref.ReferenceID
	_, err = c.BalanceAt(at)
	return at, err
}

// Adjust changes one state by a signed quantity.
func Adjust(c *posting.Tx, in *api.AdjustStockInput) error {
	if _, err := c.Product("productId", in.ProductID); err != nil {
		return err
	}

	at, err := begin(c, in.StockKey, in.Reference, in.Reason, in.Metadata)
	if err != nil {
		return err
	}

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

// Move moves stock between two states.
func Move(c *posting.Tx, in *api.MoveStockInput) error {
	p, err := c.Product("productId", in.ProductID)
	if err != nil {
		return err
	}

	at, err := begin(c, in.StockKey, in.Reference, in.Reason, in.Metadata)
	if err != nil {
		return err
	}
	if err := checkUnits(c, p, in.UnitInput, in.Quantity); err != nil {
		return err
	}

	source, destination := api.State(in.SourceState).Index(), api.State(in.DestinationState).Index()
	parts, err := movableLots(c, p, at, in, source)
	if err != nil {
		return err
	}
	if err := c.Post(posting.MoveRule(source, destination), at, parts, nil); err != nil {
		return err
	}

	return c.UpdateSerials(parts, func(s *stored.Serial) { s.State = posting.SerialState(destination) })
}

// movableLots returns the stock for a move between states.
func movableLots(
	c *posting.Tx,
	p *stored.Product,
	at stored.StockKey,
	in *api.MoveStockInput,
	source int,
) ([]posting.LotQuantity, error) {
	named, err := c.NamedSerials(p, in.SerialChoice)
	if err != nil {
		return nil, err
	}
	if err := posting.CheckSerialCount(p, len(named), in.Quantity); err != nil {
		return nil, err
	}
	if in.LotID != api.NoID {
		if _, err := c.LotOf(p, in.LotID); err != nil {
			return nil, err
		}
	}

	for _, s := range named {
		if s.StockKey() != at || s.Status != api.InStock || s.Holder != api.NoID ||
			s.State != posting.SerialState(source) {
			return nil, c.SerialUnavailable(s, api.Textf("in stock here, %v", api.States[source].Title()))
		}
		if in.LotID != api.NoID && s.LotID != in.LotID {
			return nil, api.Fail(api.LotMismatch,
				api.Details{"serialNumber": s.SerialNumber, "lotId": s.LotID, "requested": in.LotID},
				"Serial %s belongs to another lot.", s.SerialNumber)
		}
	}

	if len(named) > 0 {
		return posting.GroupByLot(named), nil
	}

	return c.PickLots(at, source, in.Quantity, posting.LotPolicy{Lot: in.LotID, FEFO: in.LotStrategy == api.FEFO})
}

// requestedQuantity returns the quantity of a stock change: as given, or the number of
// serials. Serials, quantity and units must agree.
func requestedQuantity(
	c *posting.Tx,
	p *stored.Product,
	quantity *int64,
	serials int,
	units api.UnitInput,
) (int64, error) {
	q := int64(serials)
	if quantity != nil {
		q = *quantity
	}
	if err := posting.CheckSerialCount(p, serials, q); err != nil {
		return 0, err
	}
	return q, checkUnits(c, p, units, q)
}

// checkUnits checks that the quantity in units equals the quantity in base units.
func checkUnits(c *posting.Tx, p *stored.Product, in api.UnitInput, q int64) error {
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
		return api.Fail(api.UnitConversionMismatch,
			api.Details{"unitCode": in.UnitCode, "units": p.Units, "baseUnitCode": p.BaseUnitCode},
			"%s has no unit %q.", p.SKU, in.UnitCode)
	}

	if *in.UnitQuantity > api.MaxQuantity/factor || *in.UnitQuantity*factor != q {
		return api.Fail(api.UnitConversionMismatch,
			api.Details{"unitCode": in.UnitCode, "unitQuantity": *in.UnitQuantity, "factor": factor, "quantity": q},
			"%d %s of %s at %d each do not equal the quantity %d.", *in.UnitQuantity, in.UnitCode, p.SKU, factor, q)
	}

	c.Entry.UnitCode, c.Entry.UnitQuantity, c.Entry.BaseUnitCode = in.UnitCode, *in.UnitQuantity, p.BaseUnitCode

	return nil
}

// Show renders the response of a stock change.
func Show(tx *stored.Tx, e *journal.Entry) (*api.StockResult, error) {
	out := &api.StockResult{}
	var err error
	if out.Balance, err = tx.ShowBalance(e, 0); err != nil {
		return nil, err
	}
	out.Movements, err = tx.Movements(e)
	return out, err
}
