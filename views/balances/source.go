package balances

import (
	"context"
	"slices"
	"sync"

	"bincard/server/api"
	"bincard/views/listscreen"
	"bincard/views/session"
)

// entry is a movement in the list.
type entry struct {
	movement api.Movement
	first    bool // of its journal entry
	repeated bool // same operation as the row above
}

// pageSize is the number of movements per request.
const pageSize = 200

// source reads the explanation of a balance page by page. Its methods run outside
// the update loop.
type source struct {
	site *session.Site
	id   api.ID

	mu           sync.Mutex
	explanation  *api.Explanation
	unpaged      bool  // the service has no pages: all movements come at once, oldest first
	startedAt    int64 // version of the balance at the first page
	balanceMoved bool  // a later page had another version
}

// balanceChanged reports whether the balance changed between two pages.
func (s *source) balanceChanged() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.balanceMoved
}

// last returns the last explanation with the movements of its page.
func (s *source) last() *api.Explanation {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.explanation
}

func (s *source) isUnpaged() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.unpaged
}

// fetch returns a function that loads pages in the given order, even if the service
// supports neither order nor pages.
func (s *source) fetch(order api.Order) listscreen.Fetch[entry] {
	return func(ctx context.Context, cursor string) ([]entry, *string, error) {
		out, err := s.fetchPage(ctx, order, cursor)
		if err != nil {
			return nil, nil, err
		}
		if out.NextCursor == nil && cursor == "" && order == api.NewestFirst &&
			(s.isUnpaged() || oldestFirst(out.Movements)) {
			slices.Reverse(out.Movements)
		}
		if order == api.NewestFirst {
			orderWithinEntries(out.Movements)
		}

		entries := make([]entry, len(out.Movements))
		for i := range out.Movements {
			entries[i] = entry{movement: out.Movements[i]}
		}

		s.mu.Lock()
		s.explanation = &out
		if cursor == "" {
			s.startedAt, s.balanceMoved = out.Balance.Version, false
		}

		s.balanceMoved = s.balanceMoved || out.Balance.Version != s.startedAt
		s.mu.Unlock()

		return entries, out.NextCursor, nil
	}
}

// fetchPage requests a page, or what comes without a page size if the service has none.
func (s *source) fetchPage(ctx context.Context, order api.Order, cursor string) (api.Explanation, error) {
	limit := int64(pageSize)
	in := api.ExplainBalanceInput{
		BalanceID:   s.id,
		HistoryPage: api.HistoryPage{Limit: &limit, Cursor: cursor, Order: order},
	}
	if !s.isUnpaged() {
		out, err := session.Call(ctx, s.site, api.ExplainBalance, in)
		if !api.HasCode(err, api.ValidationError) || cursor != "" {
			return out, err
		}
	}

	out, err := session.Call(ctx, s.site, api.ExplainBalance,
		api.ExplainBalanceInput{BalanceID: s.id, HistoryPage: api.HistoryPage{Cursor: cursor}})
	if err == nil {
		s.mu.Lock()
		s.unpaged = true
		s.mu.Unlock()
	}

	return out, err
}

// oldestFirst reports whether movements are in ascending order. If their times are
// equal it compares balances: each balance after is the next balance before.
func oldestFirst(movements []api.Movement) bool {
	if len(movements) < 2 {
		return false
	}

	first, last := movements[0], movements[len(movements)-1]
	if !first.CreatedAt.Equal(last.CreatedAt) {
		return first.CreatedAt.Before(last.CreatedAt)
	}

	seen := map[api.State]api.Movement{}
	for _, m := range movements {
		before, ok := seen[m.InventoryState]
		if ok && before.BalanceAfter != m.BalanceBefore {
			return false
		}
		if ok && before.BalanceBefore != m.BalanceAfter {
			return true
		}
		seen[m.InventoryState] = m
	}

	return false
}

// orderWithinEntries reverses the movements within each journal entry, so that a receipt
// reads from incoming to available.
func orderWithinEntries(movements []api.Movement) {
	for i := 0; i < len(movements); {
		end := i + 1
		for end < len(movements) && sameEntry(&movements[i], &movements[end]) {
			end++
		}
		slices.Reverse(movements[i:end])
		i = end
	}
}

func sameEntry(a, b *api.Movement) bool {
	return a.CreatedAt.Equal(b.CreatedAt) && a.IdempotencyKey == b.IdempotencyKey &&
		a.ReferenceID == b.ReferenceID && a.Actor == b.Actor
}
