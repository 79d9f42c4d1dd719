package watchlist

import (
	"context"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/theme"
	"bincard/tui/widget"
	"bincard/views/alerts"
	"bincard/views/export"
	"bincard/views/listscreen"
	"bincard/views/names"
	"bincard/views/session"

	tea "github.com/charmbracelet/bubbletea"
)

// Expiring returns the factory of the list of expiring lots.
func Expiring(site *session.Site) tui.Factory {
	return listscreen.New(site, func(screen *listscreen.Screen) listscreen.Kind[*alerts.ExpiringLot] {
		t, s := screen.T(), newScope(screen, "expiring", alerts.ExpireSoon)
		site.Invalidate("expiring") // who opens the list looks for what was just received

		return listscreen.Kind[*alerts.ExpiringLot]{
			Texts: func() listscreen.Texts {
				return listscreen.Texts{Title: s.title(t.Get("Expiring lots")), ShortTitle: t.Get("Expiring"), Question: t.Get("Earliest expiration first"), ShortQuestion: t.Get("first to expire"), Noun: t.Get("lots"),
					Empty: t.Get("No lot in stock expires %s, %s. Press F4 to look further ahead.", s.withinText(), s.locationText())}
			},
			Key: func(e *alerts.ExpiringLot) string { return e.LotID.String() + e.LocationID.String() + e.Owner },
			Load: func() listscreen.Loader[*alerts.ExpiringLot] {
				at, days, now := s.location(), s.days, s.Env.Now()
				return listscreen.Load(func(ctx context.Context) ([]alerts.ExpiringLot, bool, error) {
					return alerts.ExpiringLots(ctx, site, at, days, now, 0)
				})
			},
			Columns: func(size tui.Size) []widget.Column[*alerts.ExpiringLot] {
				return expiringColumns(s.Env, size, s.location())
			},
			Open:       tui.Action{ID: "expiring.open", Label: t.Get("trace"), Help: t.Get("Show where the lot came from, where it is and where it went")},
			OpenRow:    func(e *alerts.ExpiringLot) tea.Cmd { return tui.Open(tui.Path("trace", e.LotID.String())) },
			FilterText: func(e *alerts.ExpiringLot) string { return e.SKU + " " + e.Name + " " + e.Lot + " " + e.Location },
			Detail:     func(e *alerts.ExpiringLot) string { return listscreen.JoinParts(e.SKU, e.Name, e.Location) },
			Actions:    func() []tui.Action { return s.actions() },
			Scan:       s.Resolve,
			Export:     listscreen.NewExport(t.Get("expiring lots"), expiringExport),
		}
	})
}

func expiringColumns(env tui.Env, size tui.Size, at session.Location) []widget.Column[*alerts.ExpiringLot] {
	type col = widget.Column[*alerts.ExpiringLot]
	now := env.Now()
	left := col{Title: env.T.Get("left"), Width: 11, Right: true, Sort: "expires", Time: func(e *alerts.ExpiringLot) *time.Time { return &e.ExpiresAt }, Cell: func(e *alerts.ExpiringLot) string {
		switch n := e.DaysLeft(now); {
		case n < 0:
			return env.T.Get("! %d d ago", -n)
		case n == 0:
			return env.T.Get("! today")
		case n == 1:
			return env.T.Get("tomorrow")
		default:
			return env.T.GetC("%d days", "left", n)
		}
	}, Style: func(e *alerts.ExpiringLot, t theme.Theme, text string) string {
		switch n := e.DaysLeft(now); {
		case n < 0:
			return t.Error.Render(text)
		case n <= 7:
			return t.Warning.Render(text)
		}
		return text
	}}
	sku := col{Title: env.T.Get("product"), Width: 10, Rank: 1, Sort: "product", Cell: func(e *alerts.ExpiringLot) string { return e.SKU }}
	lot := col{Title: env.T.Get("lot"), Width: 12, Sort: "lot", Cell: func(e *alerts.ExpiringLot) string { return e.Lot }}
	number := func(title string, rank int, of func(*alerts.ExpiringLot) int64) col {
		return col{Title: title, Width: max(9, widget.Width(title)), Rank: rank, Number: of}
	}
	available := number(names.State(env.T, api.Available), 3, func(e *alerts.ExpiringLot) int64 { return e.Available })
	available.Sort = "available"
	if size.Small() {
		lot.Width, left.Width = 0, 9
		text := left.Cell
		left.Cell = func(e *alerts.ExpiringLot) string {
			if n := e.DaysLeft(now); n < 0 {
				return "! " + env.T.GetC("%d days", "left", n)
			}
			return text(e)
		}
		return []col{sku, lot, left}
	}
	cols := []col{{Title: env.T.Get("expires"), Width: 10, Rank: 2, Cell: func(e *alerts.ExpiringLot) string { return e.ExpiresAt.UTC().Format(time.DateOnly) }}, left, lot, sku,
		{Title: env.T.Get("name"), Rank: 7, Sort: "name", Cell: func(e *alerts.ExpiringLot) string { return e.Name }}}
	if !at.IsSet() {
		cols = append(cols, col{Title: env.T.Get("location"), Width: 8, Rank: 4, Cell: func(e *alerts.ExpiringLot) string { return e.Location }})
	}
	return append(cols, number(names.State(env.T, api.OnHand), 6, func(e *alerts.ExpiringLot) int64 { return e.OnHand }), available)
}

var expiringExport = []export.Column[alerts.ExpiringLot]{
	{Name: "expiresAt", Literal: true, Value: func(e *alerts.ExpiringLot) string { return e.ExpiresAt.Format(time.RFC3339) }},
	{Name: "lotCode", Value: func(e *alerts.ExpiringLot) string { return e.Lot }}, {Name: "productSku", Value: func(e *alerts.ExpiringLot) string { return e.SKU }},
	{Name: "productName", Value: func(e *alerts.ExpiringLot) string { return e.Name }}, {Name: "locationCode", Value: func(e *alerts.ExpiringLot) string { return e.Location }},
	{Name: "ownerCode", Value: func(e *alerts.ExpiringLot) string { return e.Owner }},
	numberColumn("onHand", func(e *alerts.ExpiringLot) int64 { return e.OnHand }), numberColumn("available", func(e *alerts.ExpiringLot) int64 { return e.Available }),
	{Name: "lotId", Literal: true, Value: func(e *alerts.ExpiringLot) string { return e.LotID.String() }},
}
