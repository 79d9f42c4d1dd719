package reservations

import (
	"cmp"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/names"
	"bincard/views/session"
)

func sku(r *api.Reservation) string { return names.ProductSKU(r.Product, r.ProductID) }

func name(r *api.Reservation) string { return names.ProductName(r.Product) }

// actor returns the name of the person or key that made the reservation.
func actor(r *api.Reservation) string {
	if r.CreatedBy != nil && r.CreatedBy.Label != "" {
		return r.CreatedBy.Label
	}
	return r.Actor.Label
}

// remaining returns the quantity still reserved.
func remaining(r *api.Reservation) int64 { return r.Quantity - r.FulfilledQuantity }

// shortStatus names a status that is not pending in at most 8 cells.
func shortStatus(t *i18n.Translator, status api.ReservationStatus) string {
	switch status {
	case api.ReservationCommitted:
		return t.GetC("commit.", "short")
	case api.ReservationReleased:
		return t.GetC("released", "short")
	case api.ReservationExpired:
		return t.GetC("expired", "short")
	case api.ReservationCancelled:
		return t.GetC("canceled", "short")
	case api.ReservationPending:
	}

	return t.Get(statuses[string(status)])
}

// columns returns the columns of the list for a size.
func columns(env tui.Env, size tui.Size) []widget.Column[*api.Reservation] {
	t := env.T
	type col = widget.Column[*api.Reservation]
	now := env.Now
	left := col{
		Title: t.Get("left"),
		Width: 11,
		Sort:  "expires",
		Time:  func(r *api.Reservation) *time.Time { return &r.ExpiresAt },
		Cell: func(r *api.Reservation) string {
			switch statusAt(r, now()) {
			case api.ReservationPending:
				return glyph(r, now()) + " " + widget.Right(TimeLeft(t, r.ExpiresAt.Sub(now())), 9)
			case api.ReservationCommitted:
				return glyph(r, now()) + " " + t.Get(statuses["committed"])
			}

			return "  " + t.Get(statuses[string(statusAt(r, now()))])
		},
		Warn:  func(r *api.Reservation) bool { return endsSoon(r, now()) },
		Muted: func(r *api.Reservation) bool { return statusAt(r, now()) != api.ReservationPending },
	}

	quantity := col{Title: t.Get("held"), Width: 7, Sort: "held", Number: remaining}
	skuColumn := col{Title: t.Get("sku"), Sort: "sku", Cell: sku}
	if size.Small() {
		skuColumn.Title = t.Get("product")
	}

	switch size.Class {
	case tui.Narrow:
		left.Width = 8
		left.Cell = func(r *api.Reservation) string {
			if statusAt(r, now()) == api.ReservationPending {
				return widget.Right(TimeLeft(t, r.ExpiresAt.Sub(now())), 8)
			}
			return shortStatus(t, statusAt(r, now()))
		}

		return []col{skuColumn, left}

	case tui.Short:
		return []col{skuColumn, quantity, left}
	}

	skuColumn.Width = 10
	end := col{
		Title: t.GetC("expires", "reservations"),
		Width: 16,
		Rank:  3,
		Cell:  func(r *api.Reservation) string { return expiryText(t, r, now()) },
	}

	if size.Class == tui.Standard {
		end.Width = 100 // no room; the remaining time is shown anyway
	}

	return []col{
		{Title: t.Get("reservation"), Width: 14, Sort: "document", Cell: names.Reservation},
		left,
		quantity,
		skuColumn,
		{
			Title: t.Get("product"),
			Rank:  2,
			Sort:  "product",
			Cell:  func(r *api.Reservation) string { return cmp.Or(name(r), sku(r)) },
		},
		end,
		{Title: t.Get("by"), Width: 12, Rank: 4, Sort: "by", Cell: actor},
		{
			Title: t.Get("at"),
			Width: 6,
			Rank:  5,
			Cell:  func(r *api.Reservation) string { return session.LocationOf(r.Location).Code },
		},
	}
}
