package transfers

import (
	"context"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/names"
	"bincard/views/panel"
	"bincard/views/session"
	"bincard/views/submit"
)

// New returns the factory of the form for a new transfer from here.
func New(site *session.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		t := env.T
		here := site.Location()
		if !here.IsSet() {
			return nil, t.NewError("Choose the source location first (F6), then plan the transfer.")
		}

		ids := map[string]api.ID{}

		return panel.NewForm(site, panel.NewDocumentForm{
			Title:         t.Get("Ship › new"),
			Document:      t.Get("new transfer"),
			Prompt:        t.Get("A transfer from %s to another location", here),
			Unit:          t.Get("pieces"),
			ReferenceType: "transfer_order",
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
					return nil, t.NewError("There is no other location to ship to. Ask your supervisor to add one.")
				}

				return []widget.Field{
					{
						Name:     "to",
						Label:    t.GetC("To", "transfers"),
						Kind:     widget.ChoiceField,
						Options:  options,
						Required: true,
					},
					{Name: "reference", Label: t.Get("Reference"), Hint: t.Get("TR-311")},
				}, nil
			},
			BuildStep: func(v panel.DocumentValues) (submit.Step, error) {
				in := api.CreateTransferInput{
					ProductID:             v.Item.ID,
					SourceLocationID:      here.ID,
					DestinationLocationID: ids[v.Texts["to"]],
					Quantity:              v.Quantity,
					Reference:             v.Reference,
				}

				return submit.NewStep(api.CreateTransfer, in, t.Get("plan a transfer of %s", v.Item.SKU))
			},
			Created: func(res *api.Response) (string, string) {
				x := res.Output.(*api.TransferResult).Transfer
				route := tui.Path("ship", x.ID.String())
				return route, t.Get("Transfer %s planned: %s", names.Transfer(&x), t.Count(x.Quantity))
			},
		})(env)
	}
}
