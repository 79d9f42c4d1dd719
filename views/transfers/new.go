package transfers

import (
	"context"
	"errors"
	"strconv"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/dock"
)

// New makes the screen that plans a transfer from here to another place.
func New(site *dock.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		here := site.Place()
		if !here.Chosen() {
			return nil, errors.New(noPlace)
		}
		ids := map[string]api.ID{}
		return dock.Make(site, dock.Making{Title: "Ship › new", Ask: "A transfer from " + here.String() + " to another place",
			Fields: func(ctx context.Context) ([]widget.Field, error) {
				places, err := site.Places(ctx)
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
					{Name: "product", Label: "Product", Required: true, Hint: "scan it, or type the SKU"},
					{Name: "quantity", Label: "Quantity", Kind: widget.NumberField, Required: true, Hint: "pieces", Check: dock.Positive},
					{Name: "to", Label: "To", Kind: widget.ChoiceField, Options: options, Required: true},
					{Name: "reference", Label: "Reference", Hint: "TR-311"},
				}, nil
			},
			Step: func(v map[string]string, goods dock.Goods) (dock.Step, error) {
				n, _ := strconv.ParseInt(v["quantity"], 10, 64)
				in := api.CreateTransferInput{ProductID: goods.ID, SourceLocationID: here.ID, DestinationLocationID: ids[v["to"]],
					Quantity: n, ReferenceID: v["reference"]}
				if in.ReferenceID != "" {
					in.ReferenceType = "transfer_order"
				}
				return dock.NewStep(api.CreateTransfer, in, "plan a transfer of "+goods.SKU)
			},
			Made: func(res *api.Response) (string, string) {
				t := res.Output.(*api.TransferResult).Transfer
				return tui.Path("ship", t.ID.String()), dock.TransferName(&t) + " is planned: " + widget.Count(t.Quantity)
			},
		})(env)
	}
}
