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
		place := site.Location()
		code := env.Route.Query.Get("at")
		if code == "" && !place.IsSet() {
			return nil, errors.New(noPlace)
		}
		if code == "" {
			code = place.Code
		}
		return dock.NewForm(site, dock.NewDocumentForm{Title: nameReservationsNew, Prompt: fmt.Sprintf(askNew, code),
			Fields: func(ctx context.Context) ([]widget.Field, error) {
				if !strings.EqualFold(code, place.Code) {
					p, err := site.FindLocation(ctx, code)
					if err != nil {
						return nil, err
					}
					place = p
				}
				return []widget.Field{
					{Name: "product", Label: fieldProduct, Required: true, Hint: hintScanItOrType},
					{Name: "quantity", Label: fieldQuantity, Kind: widget.NumberField, Required: true, Hint: hintPieces, Check: dock.CheckPositive},
					{Name: "span", Label: fieldHowLong, Hint: hintHOrMinDays, Check: func(text string) error {
						_, err := parseExpiry(text, env.Now())
						return err
					}},
					{Name: "reference", Label: fieldFor, Hint: hintWeb},
				}, nil
			},
			ItemNote: func(ctx context.Context, goods dock.Item) (string, error) {
				rows, err := site.Balances(ctx, goods.ID, place.ID)
				if err != nil {
					return "", err
				}
				var n int64
				for _, b := range rows {
					if site.IsDefaultStock(b.OwnerID, b.ChannelID) {
						n += b.Available
					}
				}
				return fmt.Sprintf(available, widget.Count(n)), nil
			},
			BuildStep: func(v map[string]string, goods dock.Item) (dock.Step, error) {
				n, _ := strconv.ParseInt(v["quantity"], 10, 64)
				end, err := parseExpiry(v["span"], env.Now())
				if err != nil {
					return dock.Step{}, err
				}
				in := api.CreateReservationInput{ProductID: goods.ID, LocationID: place.ID, Quantity: n, ExpiresAt: &end, ReferenceID: v["reference"]}
				if in.ReferenceID != "" {
					in.ReferenceType = "reservation"
				}
				return dock.NewStep(api.CreateReservation, in, fmt.Sprintf(saidReserve, widget.Count(n), goods.SKU))
			},
			Created: func(res *api.Response) (string, string) {
				r := res.Output.(*api.ReservationResult).Reservation
				return tui.Path("reservations", r.ID.String()), fmt.Sprintf(reserved, widget.Count(r.Quantity), sku(&r), expiryText(&r, env.Now()))
			},
		})(env)
	}
}
