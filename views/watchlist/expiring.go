package watchlist

import (
	"context"
	"time"

	"bincard/server/api"
	"bincard/tui"
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
	return listscreen.New(site, func(screen *listscreen.Screen) listscreen.Kind[*expiringLot] {
		t, s := screen.T, newScope(screen, "expiring", alerts.ExpireSoon)
		site.Invalidate("expiring") // who opens the list looks for what was just received

		return listscreen.Kind[*expiringLot]{
			Texts: func() listscreen.Texts {
				return listscreen.Texts{
					Title:         s.title(t.Get("Expiring lots")),
					ShortTitle:    t.Get("Expiring"),
					Question:      t.Get("Earliest expiration first"),
					ShortQuestion: t.Get("first to expire"),
					Noun:          t.Get("lots"),
					Empty: t.Get("No lot in stock expires %s %s. Press F4 to look further ahead.", s.withinText(),
						s.anywhereText()),
				}
			},
			Key: func(e *expiringLot) string { return e.LotID.String() + e.LocationID.String() + e.Owner },
			Load: func() listscreen.Loader[*expiringLot] {
				at, days, now := s.location(), s.days, s.Env.Now()
				return listscreen.Load(func(ctx context.Context) ([]expiringLot, bool, error) {
					return alerts.ExpiringLots(ctx, site, at, days, now, 0)
				})
			},
			Columns: func(size tui.Size) []widget.Column[*expiringLot] {
				return expiringColumns(s.Env, size, s.location())
			},
			Open: tui.Action{
				ID:    "expiring.open",
				Label: t.Get("trace"),
				Help:  t.Get("Show where the lot came from, where it is and where it went"),
			},
			OpenRow:    func(e *expiringLot) tea.Cmd { return tui.Open(tui.Path("trace", e.LotID.String())) },
			FilterText: func(e *expiringLot) string { return e.SKU + " " + e.Name + " " + e.Lot + " " + e.Location },
			Detail:     func(e *expiringLot) string { return listscreen.JoinParts(e.SKU, e.Name, e.Location) },
			Actions:    func() []tui.Action { return s.actions() },
			Scan:       s.Resolve,
			Export:     listscreen.NewExport(t.Get("expiring lots"), expiringExport),
		}
	})
}

func expiringColumns(env tui.Env, size tui.Size, at session.Location) []widget.Column[*expiringLot] {
	type col = widget.Column[*expiringLot]
	now := env.Now()
	left := col{
		Title: env.T.Get("left"),
		Width: 11,
		Right: true,
		Sort:  "expires",
		Time:  func(e *expiringLot) *time.Time { return &e.ExpiresAt },
		Cell: func(e *expiringLot) string {
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
		},
		Style: func(e *expiringLot, t widget.Theme, text string) string {
			switch n := e.DaysLeft(now); {
			case n < 0:
				return t.Error.Render(text)
			case n <= 7:
				return t.Warning.Render(text)
			}

			return text
		},
	}

	sku := col{
		Title: env.T.Get("product"),
		Width: 10,
		Rank:  1,
		Sort:  "product",
		Cell:  func(e *expiringLot) string { return e.SKU },
	}

	lot := col{Title: env.T.Get("lot"), Width: 12, Sort: "lot", Cell: func(e *expiringLot) string { return e.Lot }}
	number := func(title string, rank int, of func(*expiringLot) int64) col {
		return col{Title: title, Width: max(9, widget.Width(title)), Rank: rank, Number: of}
	}
	available := number(names.ShortState(env.T, api.Available), 3, func(e *expiringLot) int64 { return e.Available })
	available.Sort = "available"
	if size.Small() {
		lot.Width, left.Width = 0, 9
		text := left.Cell
		left.Cell = func(e *expiringLot) string {
			if n := e.DaysLeft(now); n < 0 {
				return "! " + env.T.GetC("%d days", "left", n)
			}
			return text(e)
		}

		return []col{sku, lot, left}
	}

	cols := []col{
		{
			Title: env.T.Get("expires"),
			Width: 10,
			Rank:  2,
			Cell:  func(e *expiringLot) string { return env.T.Date(e.ExpiresAt.UTC()) },
		},
		left,
		lot,
		sku,
		{Title: env.T.Get("name"), Rank: 7, Sort: "name", Cell: func(e *expiringLot) string { return e.Name }},
	}

	if !at.IsSet() {
		cols = append(cols, col{
			Title: env.T.Get("location"),
			Width: 8,
			Rank:  4,
			Cell:  func(e *expiringLot) string { return e.Location },
		})
	}

	return append(cols, number(names.ShortState(env.T, api.OnHand), 6, func(e *expiringLot) int64 { return e.OnHand }),
		available)
}

var expiringExport = []export.Column[expiringLot]{
	export.Time("expiresAt", func(e *expiringLot) time.Time { return e.ExpiresAt }),
	export.Text("lotCode", func(e *expiringLot) string { return e.Lot }),
	export.Text("productSku", func(e *expiringLot) string { return e.SKU }),
	export.Text("productName", func(e *expiringLot) string { return e.Name }),
	export.Text("locationCode", func(e *expiringLot) string { return e.Location }),
	export.Text("ownerCode", func(e *expiringLot) string { return e.Owner }),
	export.Quantity("onHand", func(e *expiringLot) int64 { return e.OnHand }),
	export.Quantity("available", func(e *expiringLot) int64 { return e.Available }),
	export.Literal("lotId", func(e *expiringLot) string { return e.LotID.String() }),
}
