package inbounds

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

// New returns the factory of the form for a new delivery.
func New(site *session.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		t := env.T
		if !site.Location().IsSet() {
			return nil, t.NewError("Choose the receiving location first (F6), then add the delivery.")
		}

		zone := env.Now().Location()

		return panel.NewForm(
			site,
			panel.NewDocumentForm{Title: t.Get("Receive › new"), Document: t.Get("new delivery"),
				Prompt:        t.Get("A delivery to %s: enter the product and quantity", site.Location()),
				Unit:          t.Get("pieces"),
				ReferenceType: "purchase_order",
				Fields: func(context.Context) ([]widget.Field, error) {
					fields := []widget.Field{
						{Name: "reference", Label: t.Get("Reference"), Hint: t.Get("PO-2026-118")},
						{Name: "supplier", Label: t.Get("Supplier")},
						{
							Name:  "due",
							Label: t.Get("Due"),
							Kind:  widget.DateField,
							Clock: true,
							Now:   env.Now(),
						},
					}

					for _, detail := range new(api.InboundDetails).Details() {
						label := panel.Title(names.Detail(t, detail.Name))
						fields = append(fields, widget.Field{Name: detail.Name, Label: label})
					}

					return fields, nil
				},
				BuildStep: func(v panel.DocumentValues) (submit.Step, error) {
					in := api.CreateInboundInput{
						StockKey:         api.StockKey{ProductID: v.Item.ID, LocationID: site.Location().ID},
						ExpectedQuantity: v.Quantity,
						Reference:        v.Reference,
						SupplierName:     v.Texts["supplier"],
					}

					for _, detail := range in.Details() {
						*detail.Text = v.Texts[detail.Name]
					}

					var err error
					in.ExpectedAt, in.Metadata, err = panel.ParseDue(v.Texts["due"], zone)
					if err != nil {
						return submit.Step{}, err
					}

					return submit.NewStep(api.CreateInbound, in, t.Get("add a delivery of %s", v.Item.SKU))
				},
				Created: func(res *api.Response) (string, string) {
					in := res.Output.(*api.InboundResult).Inbound
					route := tui.Path("receive", in.ID.String())
					return route, t.Get(
						"Delivery %s added: %s",
						names.Inbound(&in),
						t.Count(in.ExpectedQuantity),
					)
				},
			},
		)(
			env,
		)
	}
}
