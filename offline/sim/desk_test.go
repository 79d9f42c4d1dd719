package sim_test

import (
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/offline/outbox"
	"bincard/server/api"
)

// desk settles what the service refused, some of it or all.
func (s *site) desk(all bool) {
	w := s.w
	items := s.node.Items()
	for i, it := range items {
		if s.node == nil || it.State != outbox.Refused && it.State != outbox.Held || !all && w.rng.IntN(2) == 0 {
			continue
		}
		if it.State == outbox.Held {
			w.met(heldForAPerson)
		}
		if s.needed(it.Key, items[i+1:]) {
			w.met(refusedWithNeed)
		}
		var err error
		if !all && w.rng.IntN(2) == 0 {
			w.met(triedAgain)
			err = s.node.Retry(w.ctx, it.Key, "Ada")
		} else {
			w.met(dropped)
			err = s.node.Drop(w.ctx, it.Key, "Ada", "settled by hand")
		}
		w.note("%s settles %s, which is %s: %v", s.name, it.Key[:8], it.State, err)
		if err != nil && !s.spoiled(err) && !s.disk.full && !s.disk.sick {
			require.NoError(w.t, err)
		}
	}
}

// needed tells whether something waits for what an operation would have made.
func (s *site) needed(key string, later []outbox.Item) bool {
	id := s.made[key]
	return id != "" && slices.ContainsFunc(later, func(it outbox.Item) bool {
		return it.State == outbox.Captured && strings.Contains(it.Target, id)
	})
}

// crowd has two sites without a connection take in the same goods.
func (w *world) crowd() {
	var at []*site
	for _, s := range w.nodes {
		if s.node != nil && s.node.Ready() && !s.idle && (len(at) == 0 || at[0].tenant == s.tenant) {
			at = append(at, s)
		}
	}
	if len(at) < 2 {
		return
	}
	list, err := api.ListInbounds.Call(w.ctx, api.As(at[0].node, at[0].caller(), ""), api.ListInboundsInput{})
	if err != nil {
		return
	}
	for _, in := range list.Items {
		q := in.Pending()
		if q <= 0 || in.ProductID == at[0].tenant.goods[2].ID {
			continue
		}
		w.met(oneInbound)
		for _, s := range at[:2] {
			s.offline = true
			w.later(time.Duration(w.rng.IntN(600))*time.Second, func() {
				if s.node != nil {
					s.guard(func() { s.tenant.hand(s).receive(in.ID, in.ProductID, q) })
				}
			})
		}
		return
	}
}
