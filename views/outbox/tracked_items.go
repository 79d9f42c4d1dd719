package outbox

import (
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/views/session"

	"github.com/go-json-experiment/json"
)

// trackedItems are the lot and the serials that an operation names. An adjustment
// cannot name them.
type trackedItems struct {
	LotID         api.ID            `json:"lotId"`
	LotCode       string            `json:"lotCode"`
	BatchCode     string            `json:"batchCode"`
	ExpiresAt     *time.Time        `json:"expiresAt"`
	LotMetadata   api.Metadata      `json:"lotMetadata"`
	Serials       []api.SerialInput `json:"serials"`
	SerialIDs     []api.ID          `json:"serialIds"`
	SerialNumbers []string          `json:"serialNumbers"`
}

func trackedItemsOf(w *api.Work) (g trackedItems) {
	if len(w.Body) > 0 {
		_ = json.Unmarshal(w.Body, &g) // an unreadable body names none
	}
	return g
}

// namesIncoming reports whether a lot or serials are named that can be received.
func (g *trackedItems) namesIncoming() bool {
	return g.LotID != api.NoID || g.LotCode != "" || len(g.Serials) > 0
}

// namesOutgoing reports whether a lot or serials are named that can be written off.
func (g *trackedItems) namesOutgoing() bool {
	return g.LotID != api.NoID || len(g.SerialIDs)+len(g.SerialNumbers) > 0
}

// trackedReplacement returns the receipt or write-off that records the adjustment with
// the lot and serials of w. It returns nil if w names none or the service does not
// support the operation.
func trackedReplacement(
	site *session.Site,
	w *api.Work,
	adjustment api.AdjustStockInput,
) (*api.ReplaceWorkInput, error) {
	g, n := trackedItemsOf(w), adjustment.QuantityDelta
	switch {
	case n > 0 && adjustment.InventoryState == api.Available && g.namesIncoming() && site.Supports(api.ReceiveStock.Spec):
		return replaceWith(api.ReceiveStock, &api.ReceiveStockInput{
			StockKey:  adjustment.StockKey,
			Quantity:  &n,
			Reason:    adjustment.Reason,
			Reference: adjustment.Reference,
			NewLot: api.NewLot{
				LotID:       g.LotID,
				LotCode:     g.LotCode,
				BatchCode:   g.BatchCode,
				ExpiresAt:   g.ExpiresAt,
				LotMetadata: g.LotMetadata,
			},
			Serials: g.Serials,
		})

	case n < 0 && adjustment.InventoryState != api.OnHand && g.namesOutgoing() && site.Supports(api.WriteOffStock.Spec):
		n = -n

		return replaceWith(api.WriteOffStock, &api.WriteOffStockInput{
			StockKey:       adjustment.StockKey,
			Quantity:       &n,
			InventoryState: api.OnHandState(adjustment.InventoryState),
			Reason:         adjustment.Reason,
			Reference:      adjustment.Reference,
			LotChoice: api.LotChoice{
				LotID: g.LotID,
			},
			SerialChoice: api.SerialChoice{SerialIDs: g.SerialIDs, SerialNumbers: g.SerialNumbers},
		})
	}

	return nil, nil
}

func replaceWith[I, O any](op api.Operation[I, O], in *I) (*api.ReplaceWorkInput, error) {
	path, _, body, err := op.Spec.Encode(in)
	return &api.ReplaceWorkInput{Operation: op.Spec.ID, Target: path, Body: body}, err
}

// describe lists the lot and the serials of w.
func (g *trackedItems) describe(t *i18n.Translator, w *api.Work) string {
	text := ""
	if w.Stock.Lot != "" {
		text += ", " + t.Get("lot %s", w.Stock.Lot)
	}
	if len(w.Stock.Serials) > 0 {
		text += ", " + t.Get("serials %s", strings.Join(w.Stock.Serials, " "))
	}
	return text
}
