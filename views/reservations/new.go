package reservations

import (
	"context"
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
		t := env.T
		location := site.Location()
		code := env.Route.Query.Get("at")
		if code == "" && !location.IsSet() {
			return nil, t.NewError("No location chosen. Choose one (F6), then reserve.")
		}
		if code == "" {
			code = location.Code
		}

		return panel.NewForm(site, panel.NewDocumentForm{
			Title:         t.Get("Reservations › new"),
			Document:      t.Get("new reservation"),
			Short:         t.GetC("Reserve", "menu"),
			Prompt:        t.Get("Reserve at %s for a limited time", code),
			Unit:          t.GetC("units", "reservations"),
			ReferenceType: "reservation",
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
						Name:  "span",
						Label: t.GetC("Expires", "reservations"),
						Hint:  t.Get("2 h, 3 days, or %s", t.DateExample(false)),
						Check: func(text string) error {
							_, err := parseExpiry(t, text, env.Now())
							return err
						},
					},
					{Name: "reference", Label: t.Get("For whom"), Hint: t.Get("web 99812")},
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

				return t.Get("%s available here", t.Count(n)), nil
			},
			BuildStep: func(v panel.DocumentValues) (submit.Step, error) {
				end, err := parseExpiry(t, v.Texts["span"], env.Now())
				if err != nil {
					return submit.Step{}, err
				}

				in := api.CreateReservationInput{
					StockKey:  api.StockKey{ProductID: v.Item.ID, LocationID: location.ID},
					Quantity:  v.Quantity,
					ExpiresAt: &end,
					Reference: v.Reference,
				}

				return submit.NewStep(api.CreateReservation, in,
					t.Get("reserve %s %s", t.Count(v.Quantity), v.Item.SKU))
			},
			Created: func(res *api.Response) (string, string) {
				r := res.Output.(*api.ReservationResult).Reservation
				return tui.Path("reservations", r.ID.String()), t.Get("%s %s reserved until %s",
					t.Count(r.Quantity), sku(&r), expiryText(t, &r, env.Now()))
			},
		})(env)
	}
}
