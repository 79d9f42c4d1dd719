package watchlist

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/theme"
	"bincard/tui/widget"
	"bincard/views/dock"
	"bincard/views/export"
	"bincard/views/listscreen"
)

// cacheTime is how long the lots are cached.
const cacheTime = 2 * time.Minute

// An ExpiringLot is the stock of a lot with an expiry date at one location.
type ExpiringLot struct {
	SKU        string    `json:"productSku"`
	Name       string    `json:"productName"`
	Lot        string    `json:"lotCode"`
	LotID      api.ID    `json:"lotId"`
	ExpiresAt  time.Time `json:"expiresAt"`
	Location   string    `json:"locationCode"`
	LocationID api.ID    `json:"locationId"`
	Owner      string    `json:"ownerCode"`
	OnHand     int64     `json:"onHand"`
	Available  int64     `json:"available"`
}

// DaysLeft returns the days until the lot expires, negative after that.
func (e ExpiringLot) DaysLeft(now time.Time) int {
	y, m, d := e.ExpiresAt.UTC().Date()
	end := time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	y, m, d = now.Date()
	return int(end.Sub(time.Date(y, m, d, 0, 0, 0, 0, time.UTC)) / (24 * time.Hour))
}

// ExpiringLots returns the lots in stock at a location (anywhere for the zero
// location) that expire within days or have expired, the first to expire first. 0
// days means any time. It reads at most pages pages of the snapshot of all locations
// (0 for all); more reports whether there were more.
func ExpiringLots(ctx context.Context, site *dock.Site, at dock.Location, days int, now time.Time, pages int) (rows []ExpiringLot, more bool, err error) {
	cached, err := site.Cached("expiring", cacheTime, now, func() (any, error) {
		h := holdings{lots: map[api.ID]api.Lot{}}
		return &h, h.load(ctx, site, pages)
	})
	if err != nil {
		return nil, false, err
	}
	h := cached.(*holdings)
	for _, e := range h.rows {
		if (!at.IsSet() || e.LocationID == at.ID) && (days == 0 || e.DaysLeft(now) <= days) {
			rows = append(rows, e)
		}
	}
	return rows, h.more, nil
}

// holdings is the stock of all lots with an expiry date, the first to expire first.
type holdings struct {
	lots map[api.ID]api.Lot
	rows []ExpiringLot
	more bool
}

func (h *holdings) load(ctx context.Context, site *dock.Site, pages int) error {
	limit := int64(1000)
	in := api.SnapshotInput{Limit: &limit}
	for n := 1; ; n++ {
		page, err := dock.Call(ctx, site, api.GetSnapshot, in)
		if dock.IsUnsupported(err) {
			return fmt.Errorf("%w%s", ErrUnsupported, site.T().Get("This service does not report stock by lot, so expirations are unknown."))
		}
		if err != nil {
			return err
		}
		for _, doc := range page.Documents {
			if doc.Kind != api.DocLot {
				continue
			}
			var lot api.Lot
			if err := json.Unmarshal(doc.Data, &lot); err != nil {
				return fmt.Errorf("lot %s: %w", doc.ID, err)
			}
			if lot.ExpiresAt != nil {
				h.lots[doc.ID] = lot
			}
		}
		for i := range page.Balances {
			h.add(&page.Balances[i])
		}
		h.more = page.NextCursor != nil
		if !h.more || n == pages {
			break
		}
		in.Cursor = *page.NextCursor
	}
	slices.SortFunc(h.rows, func(a, b ExpiringLot) int {
		return cmp.Or(a.ExpiresAt.Compare(b.ExpiresAt), cmp.Compare(a.SKU, b.SKU), cmp.Compare(a.Lot, b.Lot), cmp.Compare(a.Location, b.Location), cmp.Compare(a.Owner, b.Owner))
	})
	return nil
}

// add adds the lots with an expiry date of a balance.
func (h *holdings) add(s *api.Stock) {
	b := &s.Balance
	for i := range s.Lots {
		holding := &s.Lots[i]
		lot, ok := h.lots[holding.LotID]
		if !ok || holding.OnHand == 0 {
			continue
		}
		e := ExpiringLot{Lot: lot.LotCode, LotID: lot.ID, ExpiresAt: *lot.ExpiresAt, LocationID: b.LocationID, OnHand: holding.OnHand, Available: holding.Available}
		if b.Product != nil {
			e.SKU, e.Name = b.Product.SKU, b.Product.Name
		}
		if b.Location != nil {
			e.Location = b.Location.Code
		}
		if b.Owner != nil {
			e.Owner = b.Owner.Code
		}
		h.rows = append(h.rows, e)
	}
}

// Expiring returns the factory of the list of expiring lots.
func Expiring(site *dock.Site) tui.Factory {
	return list(site, func(t *i18n.Translator) kind[ExpiringLot] {
		return kind[ExpiringLot]{
			route: "expiring", title: t.Get("Expiring lots"), noun: t.Get("lots"), question: t.Get("Earliest expiration first"), shortQuestion: t.Get("first to expire"), open: t.Get("trace"), help: t.Get("Show where the lot came from, where it is and where it went"), days: 30,
			load: func(ctx context.Context, at dock.Location, days int, now time.Time) ([]ExpiringLot, bool, error) {
				return ExpiringLots(ctx, site, at, days, now, 0)
			},
			key:     func(e ExpiringLot) string { return e.LotID.String() + e.LocationID.String() + e.Owner },
			text:    func(e ExpiringLot) string { return e.SKU + " " + e.Name + " " + e.Lot + " " + e.Location },
			detail:  func(e ExpiringLot) string { return listscreen.JoinParts(e.SKU, e.Name, e.Location) },
			columns: expiringColumns, exportColumns: expiringExport,
			rowRoute: func(e ExpiringLot, _ dock.Location) string { return tui.Path("trace", e.LotID.String()) },
			empty: func(at dock.Location, days int) string {
				return t.Get("No lot in stock expires %s, %s. Press F4 to look further ahead.", withinText(t, days), locationText(t, at))
			},
		}
	})
}

func expiringColumns(env tui.Env, size tui.Size, at dock.Location) []widget.Column[ExpiringLot] {
	type col = widget.Column[ExpiringLot]
	now := env.Now()
	left := col{Title: env.T.Get("left"), Width: 9, Right: true, Cell: func(e ExpiringLot) string {
		switch n := e.DaysLeft(now); {
		case n < 0:
			return env.T.Get("! %d d ago", -n)
		case n == 0:
			return env.T.Get("! today")
		case n == 1:
			return env.T.Get("tomorrow")
		default:
			return env.T.GetC("%d days", "watchlist", n)
		}
	}, Style: func(e ExpiringLot, t theme.Theme, text string) string {
		switch n := e.DaysLeft(now); {
		case n < 0:
			return t.Error.Render(text)
		case n <= 7:
			return t.Warning.Render(text)
		}
		return text
	}}
	sku := col{Title: env.T.Get("product"), Width: 10, Rank: 1, Cell: func(e ExpiringLot) string { return e.SKU }}
	lot := col{Title: env.T.Get("lot"), Width: 12, Cell: func(e ExpiringLot) string { return e.Lot }}
	number := func(title string, rank int, of func(ExpiringLot) int64) col {
		return col{Title: title, Width: max(9, widget.Width(title)), Right: true, Rank: rank, Cell: func(e ExpiringLot) string { return env.T.Count(of(e)) }}
	}
	available := number(dock.StateText(env.T, api.Available), 3, func(e ExpiringLot) int64 { return e.Available })
	if size.Small() {
		lot.Width = 0
		return []col{sku, lot, left}
	}
	cols := []col{{Title: env.T.Get("expires"), Width: 10, Rank: 2, Cell: func(e ExpiringLot) string { return e.ExpiresAt.UTC().Format(time.DateOnly) }}, left, lot, sku,
		{Title: env.T.Get("name"), Rank: 7, Cell: func(e ExpiringLot) string { return e.Name }}}
	if !at.IsSet() {
		cols = append(cols, col{Title: env.T.Get("location"), Width: 8, Rank: 4, Cell: func(e ExpiringLot) string { return e.Location }})
	}
	return append(cols, number(dock.StateText(env.T, api.OnHand), 6, func(e ExpiringLot) int64 { return e.OnHand }), available)
}

var expiringExport = []export.Column[ExpiringLot]{
	{Name: "expiresAt", Literal: true, Value: func(e *ExpiringLot) string { return e.ExpiresAt.Format(time.RFC3339) }},
	{Name: "lotCode", Value: func(e *ExpiringLot) string { return e.Lot }}, {Name: "productSku", Value: func(e *ExpiringLot) string { return e.SKU }},
	{Name: "productName", Value: func(e *ExpiringLot) string { return e.Name }}, {Name: "locationCode", Value: func(e *ExpiringLot) string { return e.Location }},
	{Name: "ownerCode", Value: func(e *ExpiringLot) string { return e.Owner }},
	numberColumn("onHand", func(e *ExpiringLot) int64 { return e.OnHand }), numberColumn("available", func(e *ExpiringLot) int64 { return e.Available }),
	{Name: "lotId", Literal: true, Value: func(e *ExpiringLot) string { return e.LotID.String() }},
}
