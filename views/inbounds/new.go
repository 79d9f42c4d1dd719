package inbounds

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/dock"
)

// New makes the screen that announces a delivery.
func New(site *dock.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		if !site.Place().Chosen() {
			return nil, errors.New(noPlace)
		}
		zone := env.Now().Location()
		return dock.Make(site, dock.Making{Title: titleNew,
			Ask: fmt.Sprintf(askNew, site.Place()),
			Fields: func(context.Context) ([]widget.Field, error) {
				return []widget.Field{
					{Name: "product", Label: fieldProduct, Required: true, Hint: hintProduct},
					{Name: "quantity", Label: fieldQuantity, Kind: widget.NumberField, Required: true, Hint: hintQuantity, Check: dock.Positive},
					{Name: "reference", Label: fieldReference, Hint: hintPo},
					{Name: "supplier", Label: fieldSupplier},
					{Name: "due", Label: fieldDue, Kind: widget.DateField, Hint: "2027-03-31"},
				}, nil
			},
			Step: func(v map[string]string, goods dock.Goods) (dock.Step, error) {
				n, _ := strconv.ParseInt(v["quantity"], 10, 64)
				in := api.CreateInboundInput{ProductID: goods.ID, LocationID: site.Place().ID, ExpectedQuantity: n,
					ReferenceID: v["reference"], SupplierName: v["supplier"]}
				if in.ReferenceID != "" {
					in.ReferenceType = "purchase_order"
				}
				if day, err := time.ParseInLocation(time.DateOnly, v["due"], zone); err == nil {
					end := day.Add(24*time.Hour - time.Minute)
					in.ExpectedAt = &end
				}
				return dock.NewStep(api.CreateInbound, in, fmt.Sprintf(stepAnnounce, goods.SKU))
			},
			Made: func(res *api.Response) (string, string) {
				in := res.Output.(*api.InboundResult).Inbound
				return tui.Path("receive", in.ID.String()), fmt.Sprintf(announcedWords, dock.InboundName(&in), widget.Count(in.ExpectedQuantity))
			},
		})(env)
	}
}
