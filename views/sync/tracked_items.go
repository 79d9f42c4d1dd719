package sync

import (
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/views/dock"
)

// trackedItems is what an operation says of the goods besides how many they are:
// of which lot, and which pieces. An adjustment cannot say it.
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
		_ = json.Unmarshal(w.Body, &g) // what cannot be read says nothing
	}
	return g
}

// namesIncoming and goes tell whether goods that came in, or went out, are named.
func (g *trackedItems) namesIncoming() bool {
	return g.LotID != (api.ID{}) || g.LotCode != "" || len(g.Serials) > 0
}

func (g *trackedItems) namesOutgoing() bool {
	return g.LotID != (api.ID{}) || len(g.SerialIDs)+len(g.SerialNumbers) > 0
}

// trackedReplacement is the operation that records goods by their lot and pieces, as an
// adjustment by so much in a state would without them; nil where they say
// neither, or the service has no such operation.
func trackedReplacement(site *dock.Site, w *api.Work, by api.AdjustStockInput) (*api.ReplaceWorkInput, error) {
	g, n := trackedItemsOf(w), by.QuantityDelta
	switch {
	case n > 0 && by.InventoryState == api.Available && g.namesIncoming() && site.Supports(api.ReceiveStock.Spec):
		return replaceWith(api.ReceiveStock, &api.ReceiveStockInput{ProductID: by.ProductID, LocationID: by.LocationID, OwnerID: by.OwnerID, ChannelID: by.ChannelID,
			Quantity: &n, Reason: by.Reason, ReferenceType: by.ReferenceType, ReferenceID: by.ReferenceID, LotID: g.LotID, LotCode: g.LotCode,
			BatchCode: g.BatchCode, ExpiresAt: g.ExpiresAt, LotMetadata: g.LotMetadata, Serials: g.Serials})
	case n < 0 && by.InventoryState != api.OnHand && g.namesOutgoing() && site.Supports(api.WriteOffStock.Spec):
		n = -n
		return replaceWith(api.WriteOffStock, &api.WriteOffStockInput{ProductID: by.ProductID, LocationID: by.LocationID, OwnerID: by.OwnerID, ChannelID: by.ChannelID,
			Quantity: &n, InventoryState: api.GoodsState(by.InventoryState), Reason: by.Reason, ReferenceType: by.ReferenceType, ReferenceID: by.ReferenceID,
			LotID: g.LotID, SerialIDs: g.SerialIDs, SerialNumbers: g.SerialNumbers})
	}
	return nil, nil
}

func replaceWith[I, O any](op api.Operation[I, O], in *I) (*api.ReplaceWorkInput, error) {
	path, _, body, err := op.Encode(in)
	return &api.ReplaceWorkInput{Operation: op.ID, Target: path, Body: body}, err
}

// describe says of which lot and pieces the goods are that a record names.
func (g *trackedItems) describe(t *i18n.Translator, w *api.Work) string {
	words := ""
	if w.Goods.Lot != "" {
		words += ", " + t.Get("lot %s", w.Goods.Lot)
	}
	if len(w.Goods.Serials) > 0 {
		words += ", " + t.Get("serials %s", strings.Join(w.Goods.Serials, " "))
	}
	return words
}
