package dock

import (
	"context"

	"bincard/server/api"
	"bincard/tui/theme"
)

// maxBadgedWork is of how much work, the oldest first, the screens are marked.
const maxBadgedWork = 200

// syncBadges tell what rests on work that is not in the service.
type syncBadges struct {
	counts    workCounts
	documents map[api.ID]string // the glyph by document
	balances  map[[2]api.ID]bool
}

// workCounts is what of a node's standing changes with its work.
type workCounts struct{ waiting, sent, refused, held int64 }

func workCountsOf(st *api.Sync) workCounts {
	return workCounts{st.Waiting, st.Sent, st.Refused, st.Held}
}

// loadBadges reads what rests on work that is not in the service, when that may have
// changed. What cannot be read keeps the marks of before.
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

func (m *syncBadges) add(w *api.Work) {
	g := &w.Goods
	decide := w.State == api.WorkRefused || w.State == api.WorkHeld
	if g.Document != noID {
		if decide {
			m.documents[g.Document] = theme.GlyphRefused
		} else if m.documents[g.Document] == "" {
			m.documents[g.Document] = theme.GlyphPending
		}
	}
	if g.ProductID != noID && !decide { // what is to be decided does not show
		m.balances[[2]api.ID{g.ProductID, g.LocationID}] = true
	}
}

// SyncBadge is the glyph, with a space, of a document that work is about which is not
// in the service: one that waits, or one that a person must decide about. It is
// "" for others.
func (s *Site) SyncBadge(document api.ID) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.badges == nil || s.badges.documents[document] == "" {
		return ""
	}
	return s.badges.documents[document] + " "
}

// HasUnsyncedStock tells whether work that is not in the service changes what shows
// of a product at a place.
func (s *Site) HasUnsyncedStock(product, location api.ID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.badges != nil && s.badges.balances[[2]api.ID{product, location}]
}
