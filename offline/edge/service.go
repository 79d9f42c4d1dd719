package edge

import (
	"sync"
	"sync/atomic"

	"bincard/offline"
	"bincard/server/api"
)

// A Service is the api.Service that an edge provides to its terminals.
type Service struct {
	node *offline.Node
	self api.Caller
	// access is the edge's access at the service, as last read.
	access atomic.Pointer[api.Access]

	mu      sync.Mutex
	located map[api.ID][]api.ID // the locations of documents
}

// New returns a Service over a node. self is the edge's own caller, which has full
// access; access is the edge's access at the service.
func New(node *offline.Node, self api.Caller, access api.Access) *Service {
	s := &Service{node: node, self: self}
	s.access.Store(&access)
	return s
}

// SetAccess updates the edge's access at the service.
func (s *Service) SetAccess(access api.Access) { s.access.Store(&access) }
