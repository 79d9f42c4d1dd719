package inbounds

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

// New returns the factory of the form for a new delivery.
func New(site *session.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		if !site.Location().IsSet() {
			return nil, env.T.NewError("Choose the receiving location first (F6), then add the delivery.")
		}

		zone := env.Now().Location()

		return panel.NewForm(
			site,
			panel.NewDocumentForm{Title: env.T.Get("Receive › new"), Document: env.T.Get("new delivery"),
				Prompt: env.T.Get("A delivery to %s: enter the product and quantity", site.Location()),
				Fields: func(context.Context) ([]widget.Field, error) {
					fields := []widget.Field{
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
						{Name: "reference", Label: env.T.Get("Reference"), Hint: env.T.Get("PO-2026-118")},
						{Name: "supplier", Label: env.T.Get("Supplier")},
						{
							Name:  "due",
							Label: env.T.Get("Expected"),
							Kind:  widget.DateField,
							Clock: true,
							Hint:  "2027-03-31 14:00",
						},
					}

					for _, detail := range new(api.InboundDetails).Details() {
						label := panel.Title(names.Detail(env.T, detail.Name))
						fields = append(fields, widget.Field{Name: detail.Name, Label: label})
					}

					return fields, nil
				},
				BuildStep: func(v map[string]string, item count.Item) (submit.Step, error) {
					n, _ := strconv.ParseInt(v["quantity"], 10, 64)
					in := api.CreateInboundInput{
						StockKey:         api.StockKey{ProductID: item.ID, LocationID: site.Location().ID},
						ExpectedQuantity: n,
						Reference:        api.Reference{ReferenceID: v["reference"]},
						SupplierName:     v["supplier"],
					}

					for _, detail := range in.Details() {
						*detail.Text = v[detail.Name]
					}
					if in.ReferenceID != "" {
						in.ReferenceType = "purchase_order"
					}

					var err error
					in.ExpectedAt, in.Metadata, err = panel.ParseDue(v["due"], zone)
					if err != nil {
						return submit.Step{}, err
					}

					return submit.NewStep(api.CreateInbound, in, env.T.Get("add a delivery of %s", item.SKU))
				},
				Created: func(res *api.Response) (string, string) {
					in := res.Output.(*api.InboundResult).Inbound
					route := tui.Path("receive", in.ID.String())
					return route, env.T.Get(
						"Delivery %s added: %s",
						names.Inbound(&in),
						env.T.Count(in.ExpectedQuantity),
					)
				},
			},
		)(
			env,
		)
	}
}
