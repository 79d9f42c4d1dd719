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
	"bincard/tui/theme"
	"bincard/tui/widget"
	"bincard/views/dock"
	"bincard/views/export"
)

// remembered is how long what was read of all lots is good enough.
const remembered = 2 * time.Minute

// An Ending is what one place holds of a lot that has an end.
type Ending struct {
	SKU       string    `json:"productSku"`
	Name      string    `json:"productName"`
	Lot       string    `json:"lotCode"`
	LotID     api.ID    `json:"lotId"`
	Ends      time.Time `json:"expiresAt"`
	Place     string    `json:"locationCode"`
	PlaceID   api.ID    `json:"locationId"`
	Owner     string    `json:"ownerCode"`
	OnHand    int64     `json:"onHand"`
	Available int64     `json:"available"`
}

// Left are the days until the lot ends, less than 0 where it has ended.
func (e Ending) Left(now time.Time) int {
	y, m, d := e.Ends.UTC().Date()
	end := time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	y, m, d = now.Date()
	return int(end.Sub(time.Date(y, m, d, 0, 0, 0, 0, time.UTC)) / (24 * time.Hour))
}

// Endings are the lots in stock at a place (everywhere for the zero place) that
// end within some days or have ended, the first to end first: the order in which
// they are to go. 0 days are all that ever end. Pages of what all places hold
// are read, at most so many (0 is all); more tells that there were more.
func Endings(ctx context.Context, site *dock.Site, at dock.Place, days int, now time.Time, pages int) (rows []Ending, more bool, err error) {
	held, err := site.Remember("expiring", remembered, now, func() (any, error) {
		h := holdings{lots: map[api.ID]api.Lot{}}
		return &h, h.read(ctx, site, pages)
	})
	if err != nil {
		return nil, false, err
	}
	h := held.(*holdings)
	for _, e := range h.rows {
		if (!at.Chosen() || e.PlaceID == at.ID) && (days == 0 || e.Left(now) <= days) {
			rows = append(rows, e)
		}
	}
	return rows, h.more, nil
}

// holdings are what all places hold of lots with an end, the first to end first.
type holdings struct {
	lots map[api.ID]api.Lot
	rows []Ending
	more bool
}

func (h *holdings) read(ctx context.Context, site *dock.Site, pages int) error {
	limit := int64(1000)
	in := api.SnapshotInput{Limit: &limit}
	for n := 1; ; n++ {
		page, err := dock.Ask(ctx, site, api.GetSnapshot, in)
		if dock.Missing(err) {
			return fmt.Errorf("%w%s", ErrUntold, noLots)
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
	slices.SortFunc(h.rows, func(a, b Ending) int {
		return cmp.Or(a.Ends.Compare(b.Ends), cmp.Compare(a.SKU, b.SKU), cmp.Compare(a.Lot, b.Lot), cmp.Compare(a.Place, b.Place), cmp.Compare(a.Owner, b.Owner))
	})
	return nil
}

// add notes what a balance holds of lots that end.
func (h *holdings) add(s *api.Stock) {
	b := &s.Balance
	for i := range s.Lots {
		held := &s.Lots[i]
		lot, ends := h.lots[held.LotID]
		if !ends || held.OnHand == 0 {
			continue
		}
		e := Ending{Lot: lot.LotCode, LotID: lot.ID, Ends: *lot.ExpiresAt, PlaceID: b.LocationID, OnHand: held.OnHand, Available: held.Available}
		if b.Product != nil {
			e.SKU, e.Name = b.Product.SKU, b.Product.Name
		}
		if b.Location != nil {
			e.Place = b.Location.Code
		}
		if b.Owner != nil {
			e.Owner = b.Owner.Code
		}
		h.rows = append(h.rows, e)
	}
}

// Expiring makes the factory of the list of lots that end.
func Expiring(site *dock.Site) tui.Factory {
	return list(site, kind[Ending]{
		route: "expiring", title: saidLotsThatEnd, noun: nounLots, ask: askExpiring, short: shortEnds, open: labelTrace, help: helpTrace, days: 30,
		load: func(ctx context.Context, site *dock.Site, at dock.Place, days int, now time.Time) ([]Ending, bool, error) {
			return Endings(ctx, site, at, days, now, 0)
		},
		key:     func(e Ending) string { return e.LotID.String() + e.PlaceID.String() + e.Owner },
		text:    func(e Ending) string { return e.SKU + " " + e.Name + " " + e.Lot + " " + e.Place },
		aside:   func(e Ending) string { return dock.Joined(e.SKU, e.Name, e.Place) },
		columns: endingColumns, sheet: endingSheet,
		opens: func(e Ending, _ dock.Place) string { return tui.Path("trace", e.LotID.String()) },
		empty: func(at dock.Place, days int) string { return fmt.Sprintf(emptyExpiring, ahead(days), where(at)) },
	})
}

func endingColumns(env tui.Env, size tui.Size, at dock.Place) []widget.Column[Ending] {
	type col = widget.Column[Ending]
	now := env.Now()
	left := col{Title: columnLeft, Width: 9, Right: true, Cell: func(e Ending) string {
		switch n := e.Left(now); {
		case n < 0:
			return fmt.Sprintf(saidAgo, -n)
		case n == 0:
			return saidToday
		case n == 1:
			return "tomorrow"
		default:
			return fmt.Sprintf(optionDays, n)
		}
	}, Style: func(e Ending, t theme.Theme, text string) string {
		switch n := e.Left(now); {
		case n < 0:
			return t.Error.Render(text)
		case n <= 7:
			return t.Warning.Render(text)
		}
		return text
	}}
	sku := col{Title: columnProduct, Width: 10, Rank: 1, Cell: func(e Ending) string { return e.SKU }}
	lot := col{Title: columnLot, Width: 12, Cell: func(e Ending) string { return e.Lot }}
	number := func(title string, rank int, of func(Ending) int64) col {
		return col{Title: title, Width: 9, Right: true, Rank: rank, Cell: func(e Ending) string { return widget.Count(of(e)) }}
	}
	available := number("available", 3, func(e Ending) int64 { return e.Available })
	if size.Small() {
		lot.Width = 0
		return []col{sku, lot, left}
	}
	cols := []col{{Title: columnEnds, Width: 10, Rank: 2, Cell: func(e Ending) string { return e.Ends.UTC().Format(time.DateOnly) }}, left, lot, sku,
		{Title: columnName, Rank: 7, Cell: func(e Ending) string { return e.Name }}}
	if !at.Chosen() {
		cols = append(cols, col{Title: columnPlace, Width: 6, Rank: 4, Cell: func(e Ending) string { return e.Place }})
	}
	return append(cols, number(saidOnHand, 6, func(e Ending) int64 { return e.OnHand }), available)
}

var endingSheet = []export.Column[Ending]{
	{Name: "expiresAt", Plain: true, Of: func(e *Ending) string { return e.Ends.Format(time.RFC3339) }},
	{Name: "lotCode", Of: func(e *Ending) string { return e.Lot }}, {Name: "productSku", Of: func(e *Ending) string { return e.SKU }},
	{Name: "productName", Of: func(e *Ending) string { return e.Name }}, {Name: "locationCode", Of: func(e *Ending) string { return e.Place }},
	{Name: "ownerCode", Of: func(e *Ending) string { return e.Owner }},
	number("onHand", func(e *Ending) int64 { return e.OnHand }), number("available", func(e *Ending) int64 { return e.Available }),
	{Name: "lotId", Plain: true, Of: func(e *Ending) string { return e.LotID.String() }},
}
