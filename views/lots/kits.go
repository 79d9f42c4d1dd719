package lots

import (
	"context"
	"encoding/json"
	"math"
	"net/url"
	"slices"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/paging"
	"bincard/views/session"
	"bincard/views/submit"
)

// A product is a kit or a component of a composition.
type product struct {
	ID  api.ID `json:"productId"`
	SKU string `json:"sku"`
}

// A composition is the kit that a movement built or took apart, with its components.
type composition struct {
	product
	Quantity   int64     `json:"quantity"`
	Components []product `json:"components"`
}

// compositionOf returns the composition in the metadata of a movement, zero if none.
func compositionOf(m *api.Movement) composition {
	var metadata struct {
		Composition composition `json:"composition"`
	}
	_ = json.Unmarshal(m.Metadata, &metadata)
	return metadata.Composition
}

// addKits follows movements of a lot, oldest first: into kits, to where these are and went,
// and from kits back to their components. A party says if something cannot be known.
func (s *source) addKits(ctx context.Context, all *totals, movements []api.Movement) {
	t := s.site.T()
	histories := map[api.ID][]api.Movement{}
	for i := range movements {
		m := &movements[i]
		kit, err := compositionOf(m), error(nil)
		switch {
		case m.InventoryState != api.OnHand:
		case m.Operation == api.OpAssembleComponent:
			history, read := histories[kit.ID]
			if !read {
				history, err = s.history(ctx, api.StockFilter{ProductID: kit.ID}, api.ExplainBalanceInput{})
				histories[kit.ID] = history
			}
			for j := range history {
				if built := &history[j]; built.Operation == api.OpAssembleOutput && sameEntry(m, built) {
					addKit(t, all, kit.SKU, built, history)
				}
			}
		case m.Operation == api.OpAssembleOutput:
			from := m.CreatedAt
			if !m.OccurredAt.IsZero() {
				from = m.OccurredAt
			}
			to := from.Add(time.Second)
			for _, c := range kit.Components {
				var history []api.Movement
				history, err = s.history(ctx, api.StockFilter{ProductID: c.ID, LocationID: m.LocationID}, api.ExplainBalanceInput{OccurredFrom: &from, OccurredTo: &to})
				for j := range history {
					part := &history[j]
					if part.Operation != api.OpAssembleComponent || part.InventoryState != api.OnHand || !sameEntry(m, part) {
						continue
					}
					p := partyOf(t, part, -part.Quantity)
					p.item, p.kits = c.SKU, 0
					if part.Lot != nil {
						p.Document, p.Route = part.Lot.LotCode, tui.Path("trace", part.LotID.String())
					}
					all.from = append(all.from, p)
				}
			}
		}
		if err != nil {
			p := Party{item: t.Get("incomplete"), Document: kit.SKU, Party: submit.UserMessage(t, err)}
			all.from, all.out = append(all.from, p), append(all.out, p)
		}
	}
}

// addKit adds where the kits of built's lot are, and where they went since then. Kits without
// a lot may be others.
func addKit(t *i18n.Translator, all *totals, sku string, built *api.Movement, history []api.Movement) {
	here := Party{item: t.Get("maybe %s", sku), Party: t.Get("here or in transit"), Op: "stock",
		At: built.CreatedAt, Route: "stock?sku=" + url.QueryEscape(sku)}
	if built.Lot != nil {
		here.item, here.Route = sku+" "+built.Lot.LotCode, tui.Path("trace", built.LotID.String())
	}
	if slices.ContainsFunc(all.out, func(p Party) bool { return p.item == here.item }) {
		return
	}
	var ever, since []api.Movement
	for i := range history {
		if m := &history[i]; m.LotID == built.LotID {
			ever = append(ever, *m)
			if !m.CreatedAt.Before(built.CreatedAt) {
				since = append(since, *m)
			}
		}
	}
	sum := totalsOf(t, ever)
	here.Quantity = sum.quantityIn - sum.quantityOut - sum.takenApart - sum.lost
	for _, p := range append(totalsOf(t, since).out, here) {
		p.item = here.item
		all.out = append(all.out, p)
	}
}

// history returns the movements of balances that in filters, oldest first for each balance.
func (s *source) history(ctx context.Context, of api.StockFilter, in api.ExplainBalanceInput) (list []api.Movement, err error) {
	balances, _, err := paging.ReadAll(math.MaxInt, func(page api.Page) (api.List[api.Balance], error) {
		return session.Call(ctx, s.site, api.ListBalances, api.ListBalancesInput{StockFilter: of, Page: page})
	})
	for i := range balances {
		in.BalanceID = balances[i].ID
		first := ""
		for next := &first; next != nil && err == nil; {
			in.Cursor = *next
			var e api.Explanation
			e, err = session.Call(ctx, s.site, api.ExplainBalance, in)
			list, next = append(list, e.Movements...), e.NextCursor
		}
	}
	return list, err
}
