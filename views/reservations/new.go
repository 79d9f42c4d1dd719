package reservations

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/dock"
)

// New makes the form that reserves stock; "?sku=" fills the product, "?at=" is
// the code of another place than the one where the terminal stands.
func New(site *dock.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		place := site.Place()
		code := env.Route.Query.Get("at")
		if code == "" && !place.Chosen() {
			return nil, errors.New(noPlace)
		}
		if code == "" {
			code = place.Code
		}
		return dock.Make(site, dock.Making{Title: nameReservationsNew, Ask: fmt.Sprintf(askNew, code),
			Fields: func(ctx context.Context) ([]widget.Field, error) {
				if !strings.EqualFold(code, place.Code) {
					p, err := site.FindPlace(ctx, code)
					if err != nil {
						return nil, err
					}
					place = p
				}
				return []widget.Field{
					{Name: "product", Label: fieldProduct, Required: true, Hint: hintScanItOrType},
					{Name: "quantity", Label: fieldQuantity, Kind: widget.NumberField, Required: true, Hint: hintPieces, Check: dock.Positive},
					{Name: "span", Label: fieldHowLong, Hint: hintHOrMinDays, Check: func(text string) error {
						_, err := until(text, env.Now())
						return err
					}},
					{Name: "reference", Label: fieldFor, Hint: hintWeb},
				}, nil
			},
			About: func(ctx context.Context, goods dock.Goods) (string, error) {
				rows, err := site.Balances(ctx, goods.ID, place.ID)
				if err != nil {
					return "", err
				}
				var n int64
				for _, b := range rows {
					if site.Usual(b.OwnerID, b.ChannelID) {
						n += b.Available
					}
				}
				return fmt.Sprintf(available, widget.Count(n)), nil
			},
			Step: func(v map[string]string, goods dock.Goods) (dock.Step, error) {
				n, _ := strconv.ParseInt(v["quantity"], 10, 64)
				end, err := until(v["span"], env.Now())
				if err != nil {
					return dock.Step{}, err
				}
				in := api.CreateReservationInput{ProductID: goods.ID, LocationID: place.ID, Quantity: n, ExpiresAt: &end, ReferenceID: v["reference"]}
				if in.ReferenceID != "" {
					in.ReferenceType = "reservation"
				}
				return dock.NewStep(api.CreateReservation, in, fmt.Sprintf(saidReserve, widget.Count(n), goods.SKU))
			},
			Made: func(res *api.Response) (string, string) {
				r := res.Output.(*api.ReservationResult).Reservation
				return tui.Path("reservations", r.ID.String()), fmt.Sprintf(reserved, widget.Count(r.Quantity), sku(&r), ends(&r, env.Now()))
			},
		})(env)
	}
}
