package dock

import (
	"context"

	"bincard/server/api"
	"bincard/tui/theme"
)

// mostMarked is of how much work, the oldest first, the screens are marked.
const mostMarked = 200

// marks tell what rests on work that is not in the service.
type marks struct {
	of     backlog
	papers map[api.ID]string // the glyph by document
	stocks map[[2]api.ID]bool
}

// backlog is what of a node's standing changes with its work.
type backlog struct{ waiting, sent, refused, held int64 }

func countsOf(st *api.Sync) backlog { return backlog{st.Waiting, st.Sent, st.Refused, st.Held} }

// mark reads what rests on work that is not in the service, when that may have
// changed. What cannot be read keeps the marks of before.
func (s *Site) mark(ctx context.Context, st *api.Sync) {
	now := countsOf(st)
	s.mu.Lock()
	same := s.marks != nil && s.marks.of == now
	s.mu.Unlock()
	if same {
		return
	}
	fresh := &marks{of: now, papers: map[api.ID]string{}, stocks: map[[2]api.ID]bool{}}
	if now != (backlog{}) {
		limit := int64(mostMarked)
		page, err := AskNode(ctx, s, api.ListWork, api.ListWorkInput{Limit: &limit})
		if err != nil {
			return
		}
		for i := range page.Items {
			fresh.add(&page.Items[i])
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.marks = fresh
}

func (m *marks) add(w *api.Work) {
	g := &w.Goods
	decide := w.State == api.WorkRefused || w.State == api.WorkHeld
	if g.Document != noID {
		if decide {
			m.papers[g.Document] = theme.GlyphRefused
		} else if m.papers[g.Document] == "" {
			m.papers[g.Document] = theme.GlyphPending
		}
	}
	if g.ProductID != noID && !decide { // what is to be decided does not show
		m.stocks[[2]api.ID{g.ProductID, g.LocationID}] = true
	}
}

// Mark is the glyph, with a space, of a document that work is about which is not
// in the service: one that waits, or one that a person must decide about. It is
// "" for others.
func (s *Site) Mark(document api.ID) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.marks == nil || s.marks.papers[document] == "" {
		return ""
	}
	return s.marks.papers[document] + " "
}

// Unconfirmed tells whether work that is not in the service changes what shows
// of a product at a place.
func (s *Site) Unconfirmed(product, location api.ID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.marks != nil && s.marks.stocks[[2]api.ID{product, location}]
}
