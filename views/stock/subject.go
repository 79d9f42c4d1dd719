package stock

import (
	"context"
	"strings"

	"bincard/server/api"
	"bincard/tui/scan"
	"bincard/views/dock"

	"github.com/google/uuid"
)

// A subject is what is worked on: goods at a place, as the books have them.
type subject struct {
	goods   dock.Goods
	place   dock.Place
	balance api.Balance // zero quantities where there never was any
}

// named reads the subject that a route names: SKU@PLACE, a SKU here, or the id
// of a balance. A zero subject has no goods yet.
func named(ctx context.Context, site *dock.Site, text string) (subject, error) {
	if id, err := uuid.Parse(text); err == nil && len(text) == 36 {
		return ofBalance(ctx, site, id)
	}
	s := subject{place: site.Place()}
	sku, code := text, ""
	if at := strings.LastIndex(text, "@"); at > 0 {
		sku, code = text[:at], text[at+1:]
	}
	if code != "" && !strings.EqualFold(code, s.place.Code) {
		place, err := site.FindPlace(ctx, code)
		if err != nil {
			return s, err
		}
		s.place = place
	}
	if sku == "" {
		return s, nil
	}
	goods, err := site.FindGoods(ctx, dock.Reading{Codes: []string{sku}, Scan: scan.Scan{Text: sku}})
	if err != nil {
		return s, err
	}
	s.goods = *goods
	return s, s.read(ctx, site)
}

func ofBalance(ctx context.Context, site *dock.Site, id api.ID) (subject, error) {
	b, err := dock.Ask(ctx, site, api.GetBalance, api.GetBalanceInput{BalanceID: id})
	if dock.Missing(err) {
		var out api.Explanation
		out, err = dock.Ask(ctx, site, api.ExplainBalance, api.ExplainBalanceInput{BalanceID: id})
		b = out.Balance
	}
	if err != nil {
		return subject{}, err
	}
	goods, err := site.Goods(ctx, b.ProductID, b.Product)
	return subject{goods: goods, place: dock.PlaceOf(b.Location), balance: b}, err
}

// read reads the balance of the goods at the place anew: that of the owner and
// channel it had, else the company's own.
func (s *subject) read(ctx context.Context, site *dock.Site) error {
	if s.goods.ID == (api.ID{}) || !s.place.Chosen() {
		return nil
	}
	rows, err := site.Balances(ctx, s.goods.ID, s.place.ID)
	if err != nil {
		return err
	}
	old := s.balance
	s.balance = api.Balance{OwnerID: old.OwnerID, ChannelID: old.ChannelID}
	for _, b := range rows {
		if old.OwnerID == b.OwnerID && old.ChannelID == b.ChannelID ||
			old.OwnerID == (api.ID{}) && site.Usual(b.OwnerID, b.ChannelID) {
			s.balance = b
			break
		}
	}
	return nil
}

// whose are the owner and the channel that a write names: none for the
// company's own stock.
func (s *subject) whose() (owner, channel api.ID) { return s.balance.OwnerID, s.balance.ChannelID }

// held is what the balance holds of a lot; nothing where the service cannot say.
func (s *subject) held(ctx context.Context, site *dock.Site, lot string) (*api.LotHolding, *api.Lot, error) {
	lots, err := dock.Ask(ctx, site, api.ListLots, api.ListLotsInput{ProductID: s.goods.ID, LotCode: lot})
	if dock.Missing(err) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	for _, l := range lots.Items {
		if l.LotCode != lot {
			continue
		}
		h, err := holding(ctx, site, l.ID, s.balance.ID)
		return h, &l, err
	}
	return &api.LotHolding{}, nil, nil
}

// holding is what one balance holds of a lot.
func holding(ctx context.Context, site *dock.Site, lot, balance api.ID) (*api.LotHolding, error) {
	one := int64(1)
	trace, err := dock.Ask(ctx, site, api.TraceLot, api.TraceLotInput{LotID: lot, Limit: &one})
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
