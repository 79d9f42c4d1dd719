package transfers

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/dock"
)

// New makes the screen that plans a transfer from here to another place.
func New(site *dock.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		here := site.Location()
		if !here.IsSet() {
			return nil, errors.New(noPlace)
		}
		ids := map[string]api.ID{}
		return dock.NewForm(site, dock.NewDocumentForm{Title: titleNew, Prompt: fmt.Sprintf(askNew, here),
			Fields: func(ctx context.Context) ([]widget.Field, error) {
				places, err := site.Locations(ctx)
				if err != nil {
					return nil, err
				}
				var options []string
				for _, p := range places {
					if p.ID != here.ID {
						options = append(options, p.String())
						ids[p.String()] = p.ID
					}
				}
				if len(options) == 0 {
					return nil, errors.New(noOtherPlace)
				}
				return []widget.Field{
					{Name: "product", Label: fieldProduct, Required: true, Hint: hintProduct},
					{Name: "quantity", Label: fieldQuantity, Kind: widget.NumberField, Required: true, Hint: hintQuantity, Check: dock.CheckPositive},
					{Name: "to", Label: fieldTo, Kind: widget.ChoiceField, Options: options, Required: true},
					{Name: "reference", Label: fieldReference, Hint: hintTr},
				}, nil
			},
			BuildStep: func(v map[string]string, goods dock.Item) (dock.Step, error) {
				n, _ := strconv.ParseInt(v["quantity"], 10, 64)
				in := api.CreateTransferInput{ProductID: goods.ID, SourceLocationID: here.ID, DestinationLocationID: ids[v["to"]],
					Quantity: n, ReferenceID: v["reference"]}
				if in.ReferenceID != "" {
					in.ReferenceType = "transfer_order"
				}
				return dock.NewStep(api.CreateTransfer, in, fmt.Sprintf(stepPlan, goods.SKU))
			},
			Created: func(res *api.Response) (string, string) {
				t := res.Output.(*api.TransferResult).Transfer
				return tui.Path("ship", t.ID.String()), fmt.Sprintf(plannedWords, dock.TransferName(&t), widget.Count(t.Quantity))
			},
		})(env)
	}
}
