package session

import (
	"context"

	"bincard/server/api"
	"bincard/tui/theme"
)

// maxBadgedWork limits how much work, oldest first, is read for the badges.
const maxBadgedWork = 200

// syncBadges holds the documents and balances with unsynced work.
type syncBadges struct {
	counts    workCounts
	documents map[api.ID]string // glyph by document
	balances  map[[2]api.ID]bool
}

// workCounts are the counts of a sync status that change with the work.
type workCounts struct{ waiting, sent, refused, held int64 }

func workCountsOf(st *api.Sync) workCounts {
	return workCounts{st.Waiting, st.Sent, st.Refused, st.Held}
}

// loadBadges reloads the badges if the counts of the work have changed. If that fails,
// the old badges stay.
func (s *Site) loadBadges(ctx context.Context, st *api.Sync) {
	now := workCountsOf(st)
	s.mu.Lock()
	same := s.badges != nil && s.badges.counts == now
	s.mu.Unlock()
	if same {
		return
	}
	fresh := &syncBadges{counts: now, documents: map[api.ID]string{}, balances: map[[2]api.ID]bool{}}
	if now != (workCounts{}) {
		limit := int64(maxBadgedWork)
		page, err := CallNode(ctx, s, api.ListWork, api.ListWorkInput{Limit: &limit})
		if err != nil {
			return
		}
		for i := range page.Items {
			fresh.add(&page.Items[i])
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.badges = fresh
}

func (b *syncBadges) add(w *api.Work) {
	g := &w.Goods
	undecided := w.State == api.WorkRefused || w.State == api.WorkHeld
	if g.Document != (api.ID{}) {
		if undecided {
			b.documents[g.Document] = theme.GlyphRefused
		} else if b.documents[g.Document] == "" {
			b.documents[g.Document] = theme.GlyphPending
		}
	}
	if g.ProductID != (api.ID{}) && !undecided { // rejected work does not change the stock shown
		b.balances[[2]api.ID{g.ProductID, g.LocationID}] = true
	}
}

// SyncBadge returns the glyph for a document with unsynced work, followed by a space,
// or "" if there is none. The glyph shows whether the work is pending or needs a
// decision.
func (s *Site) SyncBadge(document api.ID) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.badges == nil || s.badges.documents[document] == "" {
		return ""
	}
	return s.badges.documents[document] + " "
}

// HasUnsyncedStock reports whether unsynced work changes the shown stock of a product
// at a location.
func (s *Site) HasUnsyncedStock(product, location api.ID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.badges != nil && s.badges.balances[[2]api.ID{product, location}]
}
