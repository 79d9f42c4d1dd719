package alerts

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"bincard/server/api"
	"bincard/views/session"
)

// ExpireSoon is the number of days within which a lot is said to expire soon.
const ExpireSoon = 30

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
func ExpiringLots(
	ctx context.Context,
	site *session.Site,
	at session.Location,
	days int,
	now time.Time,
	pages int,
) (rows []ExpiringLot, more bool, err error) {
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

func (h *holdings) load(ctx context.Context, site *session.Site, pages int) error {
	limit := int64(1000)
	in := api.SnapshotInput{Limit: &limit}
	for n := 1; ; n++ {
		page, err := session.Call(ctx, site, api.GetSnapshot, in)
		if session.IsUnsupported(err) {
			return fmt.Errorf("%w%s", ErrUnsupported,
				site.T().Get("This service does not report stock by lot, so expirations are unknown."))
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
		return cmp.Or(a.ExpiresAt.Compare(b.ExpiresAt), cmp.Compare(a.SKU, b.SKU), cmp.Compare(a.Lot, b.Lot),
			cmp.Compare(a.Location, b.Location), cmp.Compare(a.Owner, b.Owner))
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

		e := ExpiringLot{
			Lot:        lot.LotCode,
			LotID:      lot.ID,
			ExpiresAt:  *lot.ExpiresAt,
			LocationID: b.LocationID,
			OnHand:     holding.OnHand,
			Available:  holding.Available,
		}

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
