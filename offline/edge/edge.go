// Package edge is a site's own service: a node that the terminals of the site
// work at, each with a key that the edge gave it, while the edge alone has the
// organization's. It goes on where the service cannot be reached, and hands on
// what was done there.
package edge

import (
	"context"
	"sync/atomic"

	"bincard/offline"
	"bincard/server/api"
)

// ByEdge is the CommittedBy of a Response to a write that the service has not
// confirmed.
const ByEdge = "edge"

// A Service is the api.Service that an edge offers its terminals.
type Service struct {
	node *offline.Node
	self api.Caller
	// access is who the edge is to the service, as that last said.
	access atomic.Pointer[api.Access]
}

var _ api.Service = (*Service)(nil)

// New returns the service over a node. own is the edge's caller, who has full
// access; access is the edge's access at the service.
func New(node *offline.Node, own api.Caller, access api.Access) *Service {
	s := &Service{node: node, self: own}
	s.access.Store(&access)
	return s
}

// SetAccess updates the edge's access at the service.
func (s *Service) SetAccess(access api.Access) { s.access.Store(&access) }

// operations returns the ids of the operations that the edge supports: those
// of a service except upstreamOnlyOps, and those of a node. If the service has
// the documented operations only, so does the edge.
func (s *Service) operations() (ids []string) {
	for _, spec := range api.Operations() {
		if !spec.ServiceOnly && (spec.Discovery || !spec.Extension || !s.node.Polled()) {
			ids = append(ids, spec.ID)
		}
	}
	for _, spec := range api.NodeOperations() {
		ids = append(ids, spec.ID)
	}
	return ids
}

// Do performs an operation for a device, or for the edge itself.
func (s *Service) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	mine := *req
	if mine.Caller == nil {
		mine.Caller = &s.self
	}
	if req.Spec.ServiceOnly {
		return nil, api.Fail(api.NotImplemented, api.Details{"operation": req.Spec.ID},
			"An edge does not support this (%s). Use the service.", req.Spec.Summary)
	}
	if mine.Caller.KeyID != s.self.KeyID {
		if mine.Operator == "" && req.Spec.Writes() {
			mine.Operator = mine.Caller.KeyLabel // the service hears of who did it by this alone
		}
		if mine.Caller.LocationID != (api.ID{}) {
			if err := s.checkLocation(ctx, &mine); err != nil {
				return nil, err
			}
		}
	}
	switch in := mine.Input.(type) {
	case *api.GetAccessInput:
		return &api.Response{Output: s.accessOf(mine.Caller)}, nil
	case *api.CapabilitiesInput:
		return &api.Response{Output: &api.Capabilities{Service: "bincard edge", Version: "v1", Operations: s.operations(), MaxWait: api.MaxWait}}, nil
	case *api.SyncInput:
		return s.syncStatus(ctx, &mine)
	case *api.ListWorkInput:
		if device := boundDevice(mine.Caller); device != "" {
			narrow := *in
			narrow.Device = device
			mine.Input = &narrow
		}
	}
	res, err := s.node.Do(ctx, &mine)
	if err == nil && res.CommittedBy == offline.ByNode {
		res.CommittedBy = ByEdge
	}
	return res, err
}

// accessOf returns the access of a caller at the edge.
func (s *Service) accessOf(c *api.Caller) *api.Access {
	out := *s.access.Load()
	out.Actor, out.Scopes, out.KeyID, out.KeyLabel = c.Actor, c.Scopes, c.KeyID, c.KeyLabel
	if c.LocationID != (api.ID{}) {
		out.LocationID = &c.LocationID
	}
	return &out
}

// syncStatus returns the sync status. A device bound to a location sees its
// own work only.
func (s *Service) syncStatus(ctx context.Context, req *api.Request) (*api.Response, error) {
	device := boundDevice(req.Caller)
	if device == "" || req.Spec.ID == api.ExportWork.ID {
		return s.node.Do(ctx, req)
	}
	if req.Spec.ID == api.TrySync.ID {
		s.node.Resume()
	}
	return &api.Response{Output: s.node.SyncForDevice(device)}, nil
}

// boundDevice returns the label of a device that is bound to a location, and
// so may see and resolve its own work only; empty for others.
func boundDevice(c *api.Caller) string {
	if c.LocationID == (api.ID{}) {
		return ""
	}
	return c.KeyLabel
}
