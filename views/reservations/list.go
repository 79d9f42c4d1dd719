package reservations

import (
	"context"
	"fmt"
	"net/url"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/listscreen"
	"bincard/views/names"
	"bincard/views/session"

	tea "github.com/charmbracelet/bubbletea"
)

// List returns the factory of the list of reservations, due first.
func List(site *session.Site) tui.Factory {
	return listscreen.New(site, func(s *listscreen.Screen) listscreen.Kind[*api.Reservation] {
		t, shown := s.T, api.ReservationPending // the status to list, or "" for all

		return listscreen.Kind[*api.Reservation]{
			Texts: func() listscreen.Texts { return texts(t, shown) },
			Key:   func(r *api.Reservation) string { return r.ID.String() },
			Load: func() listscreen.Loader[*api.Reservation] {
				status, now := shown, s.Now()
				return listscreen.Load(func(ctx context.Context) ([]api.Reservation, bool, error) {
					rows, more, err := site.Reservations(ctx, site.Location(), status)
					sortByDue(rows, now)
					return rows, more, err
				})
			},
			Columns: func(size tui.Size) []widget.Column[*api.Reservation] { return columns(s.Env, size) },
			Open: tui.Action{
				ID:    "reservations.open",
				Label: t.GetC("open", "verb"),
				Help:  t.Get("Open the selected reservation"),
			},
			OpenRow: func(r *api.Reservation) tea.Cmd { return tui.Open(tui.Path("reservations", r.ID.String())) },
			FilterText: func(r *api.Reservation) string {
				return names.Reservation(r) + " " + sku(r) + " " + name(r) + " " + actor(r)
			},
			Detail: func(r *api.Reservation) string { return listscreen.JoinParts(name(r), names.Reservation(r)) },
			Actions: func() []tui.Action {
				next, label := nextStatus(t, shown)

				return []tui.Action{
					{
						ID:       "reservations.new",
						Key:      "f3",
						Label:    t.Get("reserve"),
						Short:    t.Get("new"),
						Help:     t.Get("Reserve stock for a customer or order"),
						Disabled: func() string { return site.Denied(api.CreateReservation.Spec) },
						Run:      tui.Opens("reservations/new"),
					},
					{
						ID:    "reservations.show",
						Key:   "f4",
						Label: label,
						Help:  t.Get("Show pending, committed, or all reservations"),
						Run: func() tea.Cmd {
							shown = next
							return s.Reload()
						},
					},
				}
			},
			AtLocation: true,
			Find:       finder(site, s.Env),
			Tick:       func() tea.Cmd { return nil }, // for the remaining times
		}
	})
}

// texts returns the texts of the list of the reservations with a status.
func texts(t *i18n.Translator, shown api.ReservationStatus) listscreen.Texts {
	out := listscreen.Texts{
		Title:         t.Get("Reservations"),
		Question:      t.Get("Scan an item, or choose a reservation"),
		ShortQuestion: t.Get("scan or choose"),
	}
	switch shown {
	case api.ReservationCommitted:
		out.Noun, out.Empty = t.Get("committed"), t.Get("No committed reservations here. F4 shows all.")
	case "":
		out.Empty = t.Get("No reservations here yet. F3 creates one.")
	default:
		out.Noun = t.Get("pending")
		out.Empty = t.Get("Nothing is reserved here. F3 reserves stock; F4 shows committed; F6 changes the location.")
	}

	return out
}

// nextStatus returns the status to list after another one, and its name.
func nextStatus(t *i18n.Translator, shown api.ReservationStatus) (next api.ReservationStatus, label string) {
	switch shown {
	case api.ReservationPending:
		return api.ReservationCommitted, t.Get("committed")
	case api.ReservationCommitted:
		return "", t.Get("all")
	}

	return api.ReservationPending, t.Get("pending")
}

// finder says which reservation a scan means.
func finder(site *session.Site, env tui.Env) *listscreen.Find[*api.Reservation] {
	t := env.T

	return &listscreen.Find[*api.Reservation]{Name: names.Reservation, SKU: sku,
		Product:  func(r *api.Reservation) api.ID { return r.ProductID },
		Question: t.Get("Which reservation?"),
		Line: func(r *api.Reservation) string {
			return fmt.Sprintf("%s  %s  %s  %s", names.Reservation(r), sku(r), t.Count(remaining(r)),
				expiryText(t, r, env.Now()))
		},
		NotFound: func(p *api.Product) tea.Cmd {
			return tui.Fail(
				t.NewError("No reservations of %s (%s) here.", p.SKU, p.Name),
				tui.Action{ID: "reservations.reserve", Key: "f3", Label: t.Get("reserve it"),
					Disabled: func() string { return site.Denied(api.CreateReservation.Spec) },
					Run:      tui.Opens("reservations/new?sku=" + url.QueryEscape(p.SKU))},
			)
		}}
}
