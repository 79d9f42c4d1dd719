package stock

import (
	"context"
	"strings"

	"bincard/server/api"
	"bincard/tui/scan"
	"bincard/views/count"
	"bincard/views/session"

	"github.com/google/uuid"
)

// A stockItem is an item at a location, with its recorded balance.
type stockItem struct {
	item     count.Item
	location session.Location
	balance  api.Balance // zero quantities if never stocked
}

// findStock returns the stock that text names: SKU@LOCATION, a SKU at the operator's
// location, or a balance ID. The item is zero if text names none.
func findStock(ctx context.Context, site *session.Site, text string) (stockItem, error) {
	if id, err := uuid.Parse(text); err == nil && len(text) == 36 {
		return stockOfBalance(ctx, site, id)
	}

	s := stockItem{location: site.Location()}
	sku, code := text, ""
	if at := strings.LastIndex(text, "@"); at > 0 {
		sku, code = text[:at], text[at+1:]
	}

	if code != "" && !strings.EqualFold(code, s.location.Code) {
		location, err := site.FindLocation(ctx, code)
		if err != nil {
			return s, err
		}
		s.location = location
	}

	if sku == "" {
		return s, nil
	}

	item, err := site.FindItem(ctx, count.Label{Codes: []string{sku}, Scan: scan.Scan{Text: sku}})
	if err != nil {
		return s, err
	}

	s.item = *item

	return s, s.load(ctx, site)
}

func stockOfBalance(ctx context.Context, site *session.Site, id api.ID) (stockItem, error) {
	b, err := session.Call(ctx, site, api.GetBalance, api.GetBalanceInput{BalanceID: id})
	if session.IsUnsupported(err) {
		var out api.Explanation
		out, err = session.Call(ctx, site, api.ExplainBalance, api.ExplainBalanceInput{BalanceID: id})
		b = out.Balance
	}

	if err != nil {
		return stockItem{}, err
	}

	item, err := site.Item(ctx, b.ProductID, b.Product)

	return stockItem{item: item, location: session.LocationOf(b.Location), balance: b}, err
}

// load reloads the balance of the item at the location: that of the same owner and
// channel, else the default one.
func (s *stockItem) load(ctx context.Context, site *session.Site) error {
	if s.item.ID == api.NoID || !s.location.IsSet() {
		return nil
	}

	rows, err := site.Balances(ctx, s.item.ID, s.location.ID)
	if err != nil {
		return err
	}

	old := s.balance
	s.balance = api.Balance{OwnerID: old.OwnerID, ChannelID: old.ChannelID}
	for _, b := range rows {
		if old.OwnerID == b.OwnerID && old.ChannelID == b.ChannelID ||
			old.OwnerID == api.NoID && site.IsDefaultStock(b.OwnerID, b.ChannelID) {
			s.balance = b
			break
		}
	}

	return nil
}

// assumedLots names the lots that the ledger takes q available pieces from without a lot:
// stock without a lot, then what expires first. It is empty if they are unknown.
func (s *stockItem) assumedLots(ctx context.Context, site *session.Site, q int64) (names []string) {
	list, err := session.Call(ctx, site, api.ListPickableStock, api.ListPickableStockInput{
		ProductID:  s.item.ID,
		LocationID: s.location.ID,
		OwnerID:    s.balance.OwnerID,
		ChannelID:  s.balance.ChannelID,
	})
	if err != nil {
		return nil
	}

	lots := list.Items
	take := func(name string, n int64) {
		if q > 0 && n > 0 {
			names = append(names, name)
			q -= n
		}
	}

	if len(lots) > 0 && lots[0].LotID == api.NoID {
		take(site.T().Get("stock without a lot"), lots[0].AvailableQuantity)
		lots = lots[1:]
	}

	take(site.T().Get("expired lots"), s.balance.Available-list.AvailableQuantity)
	for _, l := range lots {
		take(l.LotCode, l.AvailableQuantity)
	}

	return names
}

// stockKey returns the stock that a write changes: of the owner and channel of the balance,
// or the default ones if they are zero.
func (s *stockItem) stockKey() api.StockKey {
	return api.StockKey{
		ProductID:  s.item.ID,
		LocationID: s.location.ID,
		OwnerID:    s.balance.OwnerID,
		ChannelID:  s.balance.ChannelID,
	}
}

// lotHolding returns the lot with a code and what the balance holds of it. The lot is
// nil if there is none; both are nil if the service cannot list lots.
func (s *stockItem) lotHolding(ctx context.Context, site *session.Site, lot string) (*api.LotHolding, *api.Lot, error) {
	lots, err := session.Call(ctx, site, api.ListLots, api.ListLotsInput{ProductID: s.item.ID, LotCode: lot})
	if session.IsUnsupported(err) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}

	for _, l := range lots.Items {
		if l.LotCode != lot {
			continue
		}
		h, err := findHolding(ctx, site, l.ID, s.balance.ID)
		return h, &l, err
	}

	return &api.LotHolding{}, nil, nil
}

// findHolding returns what a balance holds of a lot.
func findHolding(ctx context.Context, site *session.Site, lot, balance api.ID) (*api.LotHolding, error) {
	one := int64(1)
	in := api.TraceLotInput{LotID: lot, HistoryPage: api.HistoryPage{Limit: &one}}
	for {
		trace, err := session.Call(ctx, site, api.TraceLot, in)
		if err != nil {
			return nil, err
		}
		for _, h := range trace.Holdings {
			if h.BalanceID == balance {
				return &h, nil
			}
		}

		if trace.NextHoldingsCursor == nil {
			return &api.LotHolding{}, nil
		}

		in.HoldingsCursor = *trace.NextHoldingsCursor
	}
}
