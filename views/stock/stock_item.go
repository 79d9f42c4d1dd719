package stock

import (
	"context"
	"strings"

	"bincard/server/api"
	"bincard/tui/scan"
	"bincard/views/dock"

	"github.com/google/uuid"
)

// A stockItem is what is worked on: goods at a place, as the books have them.
type stockItem struct {
	item     dock.Item
	location dock.Location
	balance  api.Balance // zero quantities where there never was any
}

// findStock reads the subject that a route names: SKU@LOCATION, a SKU here, or the id
// of a balance. A zero subject has no goods yet.
func findStock(ctx context.Context, site *dock.Site, text string) (stockItem, error) {
	if id, err := uuid.Parse(text); err == nil && len(text) == 36 {
		return stockOfBalance(ctx, site, id)
	}
	s := stockItem{location: site.Location()}
	sku, code := text, ""
	if at := strings.LastIndex(text, "@"); at > 0 {
		sku, code = text[:at], text[at+1:]
	}
	if code != "" && !strings.EqualFold(code, s.location.Code) {
		place, err := site.FindLocation(ctx, code)
		if err != nil {
			return s, err
		}
		s.location = place
	}
	if sku == "" {
		return s, nil
	}
	goods, err := site.FindItem(ctx, dock.Label{Codes: []string{sku}, Scan: scan.Scan{Text: sku}})
	if err != nil {
		return s, err
	}
	s.item = *goods
	return s, s.load(ctx, site)
}

func stockOfBalance(ctx context.Context, site *dock.Site, id api.ID) (stockItem, error) {
	b, err := dock.Call(ctx, site, api.GetBalance, api.GetBalanceInput{BalanceID: id})
	if dock.IsUnsupported(err) {
		var out api.Explanation
		out, err = dock.Call(ctx, site, api.ExplainBalance, api.ExplainBalanceInput{BalanceID: id})
		b = out.Balance
	}
	if err != nil {
		return stockItem{}, err
	}
	goods, err := site.Item(ctx, b.ProductID, b.Product)
	return stockItem{item: goods, location: dock.LocationOf(b.Location), balance: b}, err
}

// load reads the balance of the goods at the place anew: that of the owner and
// channel it had, else the company's own.
func (s *stockItem) load(ctx context.Context, site *dock.Site) error {
	if s.item.ID == (api.ID{}) || !s.location.IsSet() {
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
			old.OwnerID == (api.ID{}) && site.IsDefaultStock(b.OwnerID, b.ChannelID) {
			s.balance = b
			break
		}
	}
	return nil
}

// ownerAndChannel are the owner and the channel that a write names: none for the
// company's own stock.
func (s *stockItem) ownerAndChannel() (owner, channel api.ID) {
	return s.balance.OwnerID, s.balance.ChannelID
}

// lotHolding is what the balance holds of a lot; nothing where the service cannot say.
func (s *stockItem) lotHolding(ctx context.Context, site *dock.Site, lot string) (*api.LotHolding, *api.Lot, error) {
	lots, err := dock.Call(ctx, site, api.ListLots, api.ListLotsInput{ProductID: s.item.ID, LotCode: lot})
	if dock.IsUnsupported(err) {
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

// findHolding is what one balance holds of a lot.
func findHolding(ctx context.Context, site *dock.Site, lot, balance api.ID) (*api.LotHolding, error) {
	one := int64(1)
	trace, err := dock.Call(ctx, site, api.TraceLot, api.TraceLotInput{LotID: lot, Limit: &one})
	if err != nil {
		return nil, err
	}
	for _, h := range trace.Holdings {
		if h.BalanceID == balance {
			return &h, nil
		}
	}
	return &api.LotHolding{}, nil
}
