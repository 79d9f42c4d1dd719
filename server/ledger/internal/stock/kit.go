package stock

import (
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/posting"
	"bincard/server/ledger/internal/stored"
)

// A composition is the components of a kit at the time of a write. It is stored in
// the metadata of the movements, because the product may change.
type composition struct {
	kit   *stored.Product
	n     int64
	parts []compositionPart
}

// A compositionPart is a component of a composition.
type compositionPart struct {
	ProductID api.ID `json:"productId"`
	SKU       string `json:"sku"`
	Quantity  int64  `json:"quantity"` // for one kit
	product   *stored.Product
}

// compositionOf reads the composition of n kits.
func compositionOf(c *posting.Tx, id api.ID, n int64) (*composition, error) {
	p, err := c.Product("productId", id)
	if err != nil {
		return nil, err
	}
	if len(p.Components) == 0 {
		return nil, api.Fail(api.ProductNotComposed, api.Details{"productId": p.ID, "sku": p.SKU},
			"%s has no components. Choose a kit or bundle.", p.SKU)
	}

	out := &composition{kit: p, n: n}
	for _, x := range p.Components {
		part, err := c.Product("productId", x.ProductID)
		if err != nil {
			return nil, err
		}

		if part.Tracking == api.TrackSerial {
			return nil, api.Fail(
				api.SerialCountMismatch,
				api.Details{"productId": part.ID, "sku": part.SKU, "kit": p.SKU},
				"%s contains %s, which is serialized, and this operation cannot specify serials. Adjust or write off %s and receive the units by serial number instead.",
				p.SKU,
				part.SKU,
				p.SKU,
			)
		}

		if x.Quantity > api.MaxQuantity/n {
			return nil, api.Fail(
				api.QuantityTooLarge,
				api.Details{"sku": part.SKU, "requested": n, "perKit": x.Quantity},
				"%d times %d of %s exceeds the maximum quantity. Use a smaller quantity.",
				n,
				x.Quantity,
				part.SKU,
			)
		}

		out.parts = append(out.parts, compositionPart{part.ID, part.SKU, x.Quantity, part})
	}

	return out, nil
}

// metadataFor adds the composition to the caller's metadata: all components for
// the kit, one for a component.
func (k *composition) metadataFor(own api.Metadata, parts []compositionPart) (api.Metadata, error) {
	all := map[string]jsontext.Value{} // raw, to preserve large numbers
	if own != nil {
		if err := json.Unmarshal(own, &all); err != nil {
			return nil, err
		}
	}

	if _, taken := all["composition"]; taken {
		var p api.Problems
		p.Add("metadata.composition", "reserved", "is reserved for the composition used; choose another name")
		return nil, p.Err()
	}

	used, err := json.Marshal(
		map[string]any{"productId": k.kit.ID, "sku": k.kit.SKU, "quantity": k.n, "components": parts},
		json.Deterministic(true))
	if err != nil {
		return nil, err
	}

	all["composition"] = used

	return json.Marshal(all, json.Deterministic(true))
}

// Disassemble disassembles kits. The components go to the named lots, and the rest to none.
func Disassemble(c *posting.Tx, in *api.DisassembleInput) error {
	k, at, err := beginKitChange(c, in.StockKey, in.Quantity, in.Reference, in.Reason, in.Metadata)
	if err != nil {
		return err
	}

	named, err := c.NamedSerials(k.kit, api.SerialChoice{SerialIDs: in.SerialIDs, SerialNumbers: in.SerialNumbers})
	if err != nil {
		return err
	}
	if _, err := requestedQuantity(c, k.kit, &in.Quantity, len(named),
		api.UnitInput{UnitCode: in.UnitCode, UnitQuantity: in.UnitQuantity}); err != nil {
		return err
	}

	parts, err := selectIssue(c, k.kit, at, in.Quantity, named,
		issueSelection{state: stored.Available, lots: api.LotChoice{LotID: in.LotID}})
	if err != nil {
		return err
	}

	lots, err := k.componentLots(c, in.ComponentLots)
	if err != nil {
		return err
	}

	note, err := k.metadataFor(in.Metadata, k.parts)
	if err != nil {
		return err
	}
	if err := c.Post(posting.KitDisassemble, at, parts, note); err != nil {
		return err
	}
	if err := c.UpdateSerials(parts,
		func(s *stored.Serial) { s.Status, s.Holder = api.Consumed, api.NoID }); err != nil {
		return err
	}

	return eachComponent(
		c,
		k,
		at,
		in.Metadata,
		func(x compositionPart, componentKey stored.StockKey, note api.Metadata) error {
			parts := lots[x.ProductID]
			if rest := x.Quantity*k.n - posting.Total(parts); rest > 0 {
				parts = append(parts, posting.LotQuantity{Quantity: rest})
			}

			return c.Post(posting.KitDisassembleComponent, componentKey, parts, note)
		},
	)
}

// componentLots returns what goes to each named lot, by product.
func (k *composition) componentLots(
	c *posting.Tx, named []api.ComponentLot,
) (map[api.ID][]posting.LotQuantity, error) {
	out := map[api.ID][]posting.LotQuantity{}
	for _, x := range named {
		lot, err := stored.Find(c.Tx.Reader, stored.Lots, "lot", x.LotID)
		if err != nil {
			return nil, err
		}

		var most int64
		for _, part := range k.parts {
			if part.ProductID == lot.ProductID {
				most = part.Quantity*k.n - posting.Total(out[part.ProductID])
			}
		}
		if x.Quantity > most {
			return nil, api.Fail(api.LotMismatch,
				api.Details{"lotId": x.LotID, "lotCode": lot.LotCode, "available": most, "requested": x.Quantity},
				"%d × %s contain %d more of lot %s, not %d. Name at most what they contain.",
				k.n, k.kit.SKU, most, lot.LotCode, x.Quantity)
		}

		out[lot.ProductID] = append(out[lot.ProductID], posting.LotQuantity{Lot: x.LotID, Quantity: x.Quantity})
	}

	return out, nil
}

// Assemble assembles kits. It takes components without a lot first, then by
// earliest expiry; it skips expired lots.
func Assemble(c *posting.Tx, in *api.AssembleInput) error {
	k, at, err := beginKitChange(c, in.StockKey, in.Quantity, in.Reference, in.Reason, in.Metadata)
	if err != nil {
		return err
	}
	if _, err := c.ActiveProduct("productId", in.ProductID); err != nil {
		return err
	}
	if _, err := requestedQuantity(c, k.kit, &in.Quantity, len(in.Serials), in.UnitInput); err != nil {
		return err
	}

	err = eachComponent(
		c,
		k,
		at,
		in.Metadata,
		func(x compositionPart, componentKey stored.StockKey, note api.Metadata) error {
			parts, err := selectIssue(c, x.product, componentKey, x.Quantity*k.n, nil,
				issueSelection{state: stored.Available, fresh: true})
			if err != nil {
				return err
			}
			if err := c.Post(posting.KitAssembleComponent, componentKey, parts, note); err != nil {
				return err
			}

			return c.UpdateSerials(parts, func(s *stored.Serial) { s.Status, s.Holder = api.Consumed, api.NoID })
		},
	)
	if err != nil {
		return err
	}

	lot, err := c.ReceiveLot(k.kit, in.NewLot)
	if err != nil {
		return err
	}

	serials, err := c.NewSerials(k.kit, at, lot, in.Serials)
	if err != nil {
		return err
	}

	note, err := k.metadataFor(in.Metadata, k.parts)
	if err != nil {
		return err
	}

	return c.Post(posting.KitAssemble, at, []posting.LotQuantity{{Lot: lot, Quantity: in.Quantity, Serials: serials}},
		note)
}

// beginKitChange returns the composition of n kits, and their stock key.
func beginKitChange(
	c *posting.Tx,
	in api.StockKey,
	n int64,
	ref api.Reference,
	reason string,
	metadata api.Metadata,
) (*composition, stored.StockKey, error) {
	k, err := compositionOf(c, in.ProductID, n)
	if err != nil {
		return nil, stored.StockKey{}, err
	}
	at, err := begin(c, in, ref, reason, metadata)
	return k, at, err
}

// eachComponent calls do for each component, with its stock key at the kit's location.
func eachComponent(
	c *posting.Tx,
	k *composition,
	at stored.StockKey,
	own api.Metadata,
	do func(x compositionPart, componentKey stored.StockKey, note api.Metadata) error,
) error {
	for i, x := range k.parts {
		note, err := k.metadataFor(own, k.parts[i:i+1])
		if err != nil {
			return err
		}

		componentKey := at
		componentKey.Product = x.ProductID
		if err := do(x, componentKey, note); err != nil {
			return err
		}
	}

	return nil
}

// ShowKit renders the response of a kit operation.
func ShowKit(tx *stored.Tx, e *journal.Entry) (*api.DisassembleResult, error) {
	all, err := tx.ShowBalances(e)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, api.Internal(fmt.Errorf("journal entry %d of a kit has no balance", e.Seq))
	}

	out := &api.DisassembleResult{Balance: all[0], ComponentBalances: all[1:]}
	out.Movements, err = tx.Movements(e)

	return out, err
}
