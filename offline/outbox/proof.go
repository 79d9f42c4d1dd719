package outbox

import (
	"slices"
	"strings"

	"bincard/server/api"
)

// Proves reports whether a response is the answer to a write, and not that to
// another one: a cache or a proxy may mix them up. The key of each movement
// must be the request's, unless the service returns none, and the response must
// concern what the request does. Answers to operations that move stock have
// movements. If keyed, the service returns all keys.
func Proves(req *api.Request, res *api.Response, keyed bool) bool {
	if res == nil {
		return false
	}

	moves := res.Movements()
	for i := range moves {
		if key := moves[i].IdempotencyKey; key != req.IdempotencyKey && (keyed || key != "") {
			return false
		}
	}

	if id := req.DocumentID(); id != api.NoID {
		return res.DocumentID() == id && (len(moves) > 0 || !req.Spec.MovesDocument())
	}
	if stock, ok := req.StockKey(); ok && len(moves) > 0 {
		return slices.ContainsFunc(moves, func(m api.Movement) bool {
			return concerns(stock, m.ProductID, m.LocationID)
		})
	}

	return provesWithoutMovements(req, res)
}

func concerns(stock api.StockKey, product, location api.ID) bool {
	return product == stock.ProductID && location == stock.LocationID
}

// provesWithoutMovements compares what a response without movements has in
// common with its request.
func provesWithoutMovements(req *api.Request, res *api.Response) bool {
	var id api.ID
	var name string
	switch out := res.Output.(type) {
	case *api.StockResult: // only a count without a difference moves nothing
		in, ok := req.Input.(*api.ReconcileStockInput)
		return ok && concerns(in.StockKey, out.Balance.ProductID, out.Balance.LocationID)
	case *api.DisassembleResult:
		return false
	case *api.Product:
		id, name = out.ID, out.SKU
	case *api.Place:
		id, name = out.ID, out.Code
	case *api.Lot:
		id = out.ID
	case *api.AllocateOutboundsResult:
		in, ok := req.Input.(*api.AllocateOutboundsInput)
		return ok && out.ProductID == in.ProductID && out.LocationID == in.LocationID
	default:
		return res.DocumentID() != api.NoID
	}

	switch in := req.Input.(type) {
	case *api.CreateProductInput:
		return name == strings.TrimSpace(in.SKU)
	case *api.CreateLocationInput:
		return name == strings.TrimSpace(in.Code)
	case *api.CreatePlaceInput:
		return name == strings.TrimSpace(in.Code)
	}

	target, _, _, err := req.Spec.Encode(req.Input)

	return err == nil && strings.Contains(target, id.String())
}
