package lots

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/listscreen"
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

// compositionOf returns the composition in the metadata of a movement, or zero if none.
func compositionOf(m *api.Movement) composition {
	var metadata struct {
		Composition composition `json:"composition"`
	}
	_ = json.Unmarshal(m.Metadata, &metadata)
	return metadata.Composition
}

// addKits follows movements of a lot, oldest first: into kits, to where these are and went,
// and from kits back to their components. If something cannot be known, a party says so.
func (s *source) addKits(ctx context.Context, all *totals, movements []api.Movement) {
	histories := map[api.ID][]api.Movement{} // of kits
	for i := range movements {
		m := &movements[i]
		if m.InventoryState != api.OnHand {
			continue
		}

		var err error
		switch m.Operation {
		case api.OpAssembleComponent:
			err = s.addKitsBuilt(ctx, all, m, histories)
		case api.OpAssembleOutput:
			err = s.addComponents(ctx, all, m)
		}

		if err != nil {
			p := Party{
				item:     s.site.T().Get("incomplete"),
				Document: compositionOf(m).SKU,
				Party:    submit.UserMessage(s.site.T(), err),
			}
			all.from, all.out = append(all.from, p), append(all.out, p)
		}
	}
}

// addKitsBuilt adds where the kits are and went that a movement of a component built.
func (s *source) addKitsBuilt(
	ctx context.Context,
	all *totals,
	m *api.Movement,
	histories map[api.ID][]api.Movement,
) (err error) {
	kit := compositionOf(m)
	history, read := histories[kit.ID]
	if !read {
		history, err = s.history(ctx, api.StockFilter{ProductID: kit.ID}, api.ExplainBalanceInput{})
		histories[kit.ID] = history
	}
	for i := range history {
		if built := &history[i]; built.Operation == api.OpAssembleOutput && sameEntry(m, built) {
			addKit(s.site.T(), all, kit.SKU, built, history)
		}
	}

	return err
}

// addComponents adds the components of the kits that a movement built.
func (s *source) addComponents(ctx context.Context, all *totals, m *api.Movement) error {
	from := m.CreatedAt
	if !m.OccurredAt.IsZero() {
		from = m.OccurredAt
	}

	to := from.Add(time.Second)
	for _, c := range compositionOf(m).Components {
		history, err := s.history(ctx, api.StockFilter{ProductID: c.ID, LocationID: m.LocationID},
			api.ExplainBalanceInput{OccurredFrom: &from, OccurredTo: &to})
		for i := range history {
			part := &history[i]
			if part.Operation != api.OpAssembleComponent || part.InventoryState != api.OnHand || !sameEntry(m, part) {
				continue
			}

			p := partyOf(s.site.T(), part, -part.Quantity)
			p.item, p.kits = c.SKU, 0
			if part.Lot != nil {
				p.Document, p.Route = part.Lot.LotCode, tui.Path("trace", part.LotID.String())
			}

			all.from = append(all.from, p)
		}

		if err != nil {
			return err
		}
	}

	return nil
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
	here.Quantity = sum.stock()
	for _, p := range append(totalsOf(t, since).out, here) {
		p.item = here.item
		all.out = append(all.out, p)
	}
}

// maxHistory is how many movements of a kit or component are read, and maxBalances how many
// balances.
const maxHistory, maxBalances = 10_000, 1000

// history returns the movements of the balances of a filter that in selects, oldest first for
// each balance. If there are too many, it returns the first ones and an error.
func (s *source) history(
	ctx context.Context,
	of api.StockFilter,
	in api.ExplainBalanceInput,
) (list []api.Movement, err error) {
	t := s.site.T()
	balances, more, err := listscreen.ReadAll(maxBalances, func(page api.Page) (api.List[api.Balance], error) {
		return session.Call(ctx, s.site, api.ListBalances, api.ListBalancesInput{StockFilter: of, Page: page})
	})
	if more {
		err = t.NewError("More than %s balances", t.Count(maxBalances))
	}

	for i := range balances {
		in.BalanceID, in.Cursor = balances[i].ID, ""
		for {
			e, failed := session.Call(ctx, s.site, api.ExplainBalance, in)
			if failed != nil {
				return list, failed
			}

			list = append(list, e.Movements...)
			if len(list) > maxHistory {
				return list, t.NewError("More than %s movements", t.Count(maxHistory))
			}
			if e.NextCursor == nil {
				break
			}

			in.Cursor = *e.NextCursor
		}
	}

	return list, err
}
