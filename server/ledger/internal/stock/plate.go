package stock

import (
	"github.com/go-json-experiment/json"

	"bincard/server/api"
	"bincard/server/ledger/internal/posting"
	"bincard/server/ledger/internal/stored"
)

// RegisterPlate registers what is on a plate. Its movements change nothing.
func RegisterPlate(c *posting.Tx, in *api.RegisterPlateInput) error {
	existing, err := stored.Plates.Get(c.Reader, []byte(in.SSCC))
	if err != nil {
		return err
	}
	if existing != nil {
		if left, _ := existing.Left(); left > 0 {
			return api.Fail(api.AlreadyExists, api.Details{"resource": "plate", "sscc": in.SSCC, "left": left},
				"Pallet %s has %d pieces left. Use another number.", in.SSCC, left)
		}
	}

	for _, l := range in.Lines {
		p, err := c.Product("lines.productId", l.ProductID)
		if err != nil {
			return err
		}

		lot, err := c.ReceiveLot(p, api.NewLot{LotCode: l.LotCode})
		if err != nil {
			return err
		}

		at, err := c.RequestedKey(api.StockKey{ProductID: l.ProductID, LocationID: in.LocationID})
		if err != nil {
			return err
		}

		if err := c.CheckOnHand(at, lot, l.Quantity); err != nil {
			return err
		}

		note, err := json.Marshal(stored.PlateNote{SSCC: in.SSCC, Quantity: l.Quantity})
		if err == nil {
			err = c.Post(posting.PlateTrace, at, []posting.LotQuantity{{Lot: lot}}, note)
		}
		if err != nil {
			return err
		}
	}

	return nil
}
