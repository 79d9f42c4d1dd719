// Package edge runs a service for the terminals of one site. It wraps a node, so the
// terminals keep working while the central service cannot be reached, and their
// operations are synced later.
//
// Each terminal has a device key, which the edge issues and which may be bound to one
// location. Only the edge has a key of the central service.
package edge

import (
	"context"
	"sync"
	"sync/atomic"

	"bincard/offline"
	"bincard/server/api"
	"bincard/server/ledger"
)

// ByEdge is the CommittedBy of a Response to a write that the service has not
// confirmed.
const ByEdge = "edge"

var _ api.Service = (*Service)(nil)

// operations returns the IDs of the operations that the edge supports: those of a node,
// and those of a service except its ServiceOnly ones. If the service has the documented
// operations only, so does the edge.
func (s *Service) operations() (ids []string) {
	for _, spec := range api.Operations() {
		if !spec.ServiceOnly && (spec.Discovery || s.node.Supports(spec)) {
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
	local := *req
	if local.Caller == nil {
		local.Caller = &s.self
	}
	if req.Spec.ServiceOnly {
		return nil, api.Fail(api.NotImplemented, api.Details{"operation": req.Spec.ID},
			"An edge does not support this (%v). Use the service.", req.Spec.Summary)
	}

	if is := s.access.Load().Role; is != local.Caller.Role { // as last read, also where the node began without it
		caller := *local.Caller
		caller.Role = is
		local.Caller = &caller
	}
	if local.Caller.KeyID != s.self.KeyID {
		local.Device = local.Caller.KeyLabel
		if local.Operator == "" && req.Spec.Writes() {
			local.Operator = local.Caller.KeyLabel // the service does not know the device keys
		}
		if local.Caller.LocationID != api.NoID {
			if err := s.checkLocation(ctx, &local); err != nil {
				return nil, err
			}
		}
	}

	switch in := local.Input.(type) {
	case *api.GetAccessInput:
		return &api.Response{Output: s.accessOf(local.Caller)}, nil
	case *api.CapabilitiesInput:
		return &api.Response{
			Output: &api.Capabilities{
				Service:    "bincard edge",
				Version:    "v1",
				Operations: s.operations(),
				MaxWait:    api.MaxWait,
			},
		}, nil

	case *api.ListPresenceInput: // of this site, also while the service cannot be reached
		out, err := s.terminals.Exchange(local.Caller, in, s.node.Now())
		return &api.Response{Output: out}, err
	case *api.SyncInput:
		return s.syncStatus(ctx, &local)
	case *api.ListWorkInput:
		if device := boundDevice(local.Caller); device != "" {
			filtered := *in
			filtered.Device = device
			local.Input = &filtered
		}
	}

	res, err := s.node.Do(ctx, &local)
	if err == nil && res.CommittedBy == offline.ByNode {
		res.CommittedBy = ByEdge
	}

	return res, err
}

// accessOf returns the access of a caller at the edge.
func (s *Service) accessOf(c *api.Caller) *api.Access {
	out := *s.access.Load()
	out.Actor, out.Scopes, out.KeyID, out.KeyLabel = c.Actor, c.Scopes, c.KeyID, c.KeyLabel
	out.LimitedTo(c)
	return &out
}

// syncStatus returns the sync status. A device bound to a location sees its
// own work only.
func (s *Service) syncStatus(ctx context.Context, req *api.Request) (*api.Response, error) {
	device := boundDevice(req.Caller)
	if device == "" || req.Spec.ID == api.ExportWork.Spec.ID {
		return s.node.Do(ctx, req)
	}
	if req.Spec.ID == api.TrySync.Spec.ID {
		s.node.Resume()
	}
	return &api.Response{Output: s.node.SyncForDevice(device)}, nil
}

// boundDevice returns the label of a device that is bound to a location, and
// so may see and resolve its own work only; empty for others.
func boundDevice(c *api.Caller) string {
	if c.LocationID == api.NoID {
		return ""
	}
	return c.KeyLabel
}

// A Service is the api.Service that an edge provides to its terminals.
type Service struct {
	node *offline.Node
	self api.Caller
	// access is the edge's access at the service, as last read.
	access    atomic.Pointer[api.Access]
	terminals ledger.Terminals

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
