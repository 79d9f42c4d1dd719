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
		if !site.Location().IsSet() {
			return nil, errors.New(noPlace)
		}
		zone := env.Now().Location()
		return dock.NewForm(site, dock.NewDocumentForm{Title: titleNew,
			Prompt: fmt.Sprintf(askNew, site.Location()),
			Fields: func(context.Context) ([]widget.Field, error) {
				return []widget.Field{
					{Name: "product", Label: fieldProduct, Required: true, Hint: hintProduct},
					{Name: "quantity", Label: fieldQuantity, Kind: widget.NumberField, Required: true, Hint: hintQuantity, Check: dock.CheckPositive},
					{Name: "reference", Label: fieldReference, Hint: hintPo},
					{Name: "supplier", Label: fieldSupplier},
					{Name: "due", Label: fieldDue, Kind: widget.DateField, Hint: "2027-03-31"},
				}, nil
			},
			BuildStep: func(v map[string]string, goods dock.Item) (dock.Step, error) {
				n, _ := strconv.ParseInt(v["quantity"], 10, 64)
				in := api.CreateInboundInput{ProductID: goods.ID, LocationID: site.Location().ID, ExpectedQuantity: n,
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
			Created: func(res *api.Response) (string, string) {
				in := res.Output.(*api.InboundResult).Inbound
				return tui.Path("receive", in.ID.String()), fmt.Sprintf(announcedWords, dock.InboundName(&in), widget.Count(in.ExpectedQuantity))
			},
		})(env)
	}
}
