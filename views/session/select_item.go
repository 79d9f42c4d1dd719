package session

import (
	"sync"

	"bincard/server/api"
)

// selection is the item whose line a document selects when it opens.
type selection struct {
	mu    sync.Mutex
	route string
	item  api.ID
}

// SelectItem makes the document with the route select the line of an item when it opens
// next.
func (s *selection) SelectItem(route string, item api.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.route, s.item = route, item
}

// TakeSelectedItem returns the item to select in the document with the route, once; zero
// for none.
func (s *selection) TakeSelectedItem(route string) api.ID {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.route != route {
		return api.NoID
	}
	item := s.item
	s.route, s.item = "", api.NoID
	return item
}
