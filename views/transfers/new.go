package transfers

import (
	"context"
	"strconv"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/names"
	"bincard/views/panel"
	"bincard/views/session"
	"bincard/views/submit"
)

// New returns the factory of the form for a new transfer from here.
func New(site *session.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		here := site.Location()
		if !here.IsSet() {
			return nil, env.T.NewError("Choose the source location first (F6), then plan the transfer.")
		}

		ids := map[string]api.ID{}

		return panel.NewForm(site, panel.NewDocumentForm{
			Title:    env.T.Get("Ship › new"),
			Document: env.T.Get("new transfer"),
			Prompt:   env.T.Get("A transfer from %s to another location", here),
			Fields: func(ctx context.Context) ([]widget.Field, error) {
				locations, err := site.Locations(ctx)
				if err != nil {
					return nil, err
				}

				var options []string
				for _, p := range locations {
					if p.ID != here.ID {
						options = append(options, p.String())
						ids[p.String()] = p.ID
					}
				}

				if len(options) == 0 {
					return nil, env.T.NewError("There is no other location to ship to. Have one added first.")
				}

				return []widget.Field{
					{
						Name:     "product",
						Label:    env.T.Get("Product"),
						Required: true,
						Hint:     env.T.Get("scan or type SKU"),
					},
					{
						Name:     "quantity",
						Label:    env.T.Get("Quantity"),
						Kind:     widget.NumberField,
						Required: true,
						Hint:     env.T.Get("pieces"),
						Check:    panel.CheckPositive(env.T),
					},
					{
						Name:     "to",
						Label:    env.T.GetC("To", "transfers"),
						Kind:     widget.ChoiceField,
						Options:  options,
						Required: true,
					},
					{Name: "reference", Label: env.T.Get("Reference"), Hint: env.T.Get("TR-311")},
				}, nil
			},
			BuildStep: func(v map[string]string, item count.Item) (submit.Step, error) {
				n, _ := strconv.ParseInt(v["quantity"], 10, 64)
				in := api.CreateTransferInput{
					ProductID:             item.ID,
					SourceLocationID:      here.ID,
					DestinationLocationID: ids[v["to"]],
					Quantity:              n,
					Reference:             api.Reference{ReferenceID: v["reference"]},
				}

				if in.ReferenceID != "" {
					in.ReferenceType = "transfer_order"
				}

				return submit.NewStep(api.CreateTransfer, in, env.T.Get("plan a transfer of %s", item.SKU))
			},
			Created: func(res *api.Response) (string, string) {
				t := res.Output.(*api.TransferResult).Transfer
				route := tui.Path("ship", t.ID.String())
				return route, env.T.Get("Transfer %s planned: %s", names.Transfer(&t), env.T.Count(t.Quantity))
			},
		})(env)
	}
}
