package outbox

import (
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui/i18n"
)

// recordText describes work that the service recorded: "adjust +5 × OAT-1L at WH-1, Ben,
// Scanner 3, 10:04".
func recordText(t *i18n.Translator, r *api.WorkRecord, now time.Time) string {
	w := api.Work{Operation: r.Operation, Operator: r.Operator, Device: r.Device}
	if w.Device == "" && w.Operator == "" {
		w.Device = r.KeyLabel
	}

	others := 0
	for i := range r.Stock {
		x := &r.Stock[i]
		same := x.ProductID == w.Stock.ProductID && x.LocationID == w.Stock.LocationID
		switch {
		case i == 0 || same && x.InventoryState == api.OnHand:
			q := x.Quantity
			if r.Operation != api.AdjustStock.ID && q < 0 {
				q = -q
			}

			w.Stock = api.WorkStock{
				ProductID:  x.ProductID,
				SKU:        x.SKU,
				LocationID: x.LocationID,
				Location:   x.Location,
				Quantity:   &q,
			}

		case !same && (x.ProductID != r.Stock[i-1].ProductID || x.LocationID != r.Stock[i-1].LocationID):
			others++
		}
	}

	parts := []string{workTitle(t, &w)}
	if others > 0 {
		parts = append(parts, t.Get("%s more", t.Count(int64(others))))
	}
	if who := actor(t, &w); who != "" {
		parts = append(parts, who)
	}

	at := r.OccurredAt
	if at.IsZero() {
		at = r.At
	}

	return strings.Join(append(parts, t.When(at, now)), ", ")
}
