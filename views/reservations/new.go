package reservations

import (
	"context"
	"strconv"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/panel"
	"bincard/views/session"
	"bincard/views/submit"
)

// New returns the factory of the form for a new reservation. The query parameter sku
// fills in the product; at is the code of a location other than the working
// location.
func New(site *session.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		location := site.Location()
		code := env.Route.Query.Get("at")
		if code == "" && !location.IsSet() {
			return nil, env.T.NewError("No location chosen. Choose one (F6), then reserve.")
		}
		if code == "" {
			code = location.Code
		}

		return panel.NewForm(site, panel.NewDocumentForm{
			Title:    env.T.Get("Reservations › new"),
			Document: env.T.Get("new reservation"),
			Short:    env.T.GetC("Reserve", "menu"),
			Prompt:   env.T.Get("Reserve at %s for a limited time", code),
			Fields: func(ctx context.Context) ([]widget.Field, error) {
				if !strings.EqualFold(code, location.Code) {
					p, err := site.FindLocation(ctx, code)
					if err != nil {
						return nil, err
					}
					location = p
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
						Hint:     env.T.GetC("units", "reservations"),
						Check:    panel.CheckPositive(env.T),
					},
					{
						Name:  "span",
						Label: env.T.GetC("Expires", "reservations"),
						Hint:  env.T.Get("2 h, 3 days, or 2026-12-24"),
						Check: func(text string) error {
							_, err := parseExpiry(env.T, text, env.Now())
							return err
						},
					},
					{Name: "reference", Label: env.T.Get("For"), Hint: env.T.Get("web 99812")},
				}, nil
			},
			ItemNote: func(ctx context.Context, item count.Item) (string, error) {
				rows, err := site.Balances(ctx, item.ID, location.ID)
				if err != nil {
					return "", err
				}

				var n int64
				for _, b := range rows {
					if site.IsDefaultStock(b.OwnerID, b.ChannelID) {
						n += b.Available
					}
				}

				return env.T.Get("%s available here", env.T.Count(n)), nil
			},
			BuildStep: func(v map[string]string, item count.Item) (submit.Step, error) {
				n, _ := strconv.ParseInt(v["quantity"], 10, 64)
				end, err := parseExpiry(env.T, v["span"], env.Now())
				if err != nil {
					return submit.Step{}, err
				}

				in := api.CreateReservationInput{
					StockKey:  api.StockKey{ProductID: item.ID, LocationID: location.ID},
					Quantity:  n,
					ExpiresAt: &end,
					Reference: api.Reference{ReferenceID: v["reference"]},
				}

				if in.ReferenceID != "" {
					in.ReferenceType = "reservation"
				}

				return submit.NewStep(api.CreateReservation, in,
					env.T.Get("reserve %s %s", env.T.Count(n), item.SKU))
			},
			Created: func(res *api.Response) (string, string) {
				r := res.Output.(*api.ReservationResult).Reservation
				return tui.Path("reservations", r.ID.String()), env.T.Get("%s %s reserved until %s",
					env.T.Count(r.Quantity), sku(&r), expiryText(env.T, &r, env.Now()))
			},
		})(env)
	}
}
