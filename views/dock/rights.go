package dock

import (
	"slices"

	"bincard/server/api"
	"bincard/tui"
)

// setAccess keeps what the service says of the caller: its rights, and whose stock
// a write that names nobody is about.
func (s *Site) setAccess(a *api.Access) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.access = a
}

// Rules are how the organization works here, as far as the service has said.
func (s *Site) Rules() api.Rules {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.access == nil {
		return api.Rules{}
	}
	return s.access.Rules
}

// Denied tells why the operation cannot be done from here at all, or "": the
// service does not have it, or the key lacks the right. As long as the service
// has not said who the caller is, nothing is denied.
func (s *Site) Denied(spec *api.Spec) string {
	if !s.Supports(spec) {
		return (&UnsupportedError{Spec: spec, t: s.T()}).Error()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.access == nil || slices.Contains(s.access.Scopes, spec.Scope) {
		return ""
	}
	return s.T().Get("This terminal has no permission to do that (%s).", spec.Scope)
}

// MissingRights tells why the key of this terminal may not do all of some operations,
// or "". What the service does not have at all is no matter of rights.
func (s *Site) MissingRights(specs ...*api.Spec) string {
	for _, spec := range specs {
		if why := s.Denied(spec); why != "" && s.Supports(spec) {
			return why
		}
	}
	return ""
}

// IsDefaultStock tells whether stock of this owner in this channel is what a write that
// names neither is about.
func (s *Site) IsDefaultStock(owner, channel api.ID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.access == nil {
		return true
	}
	org := &s.access.Organization
	return (owner == noID || owner == org.DefaultOwnerID) && (channel == noID || channel == org.DefaultChannelID)
}

// BalanceRoute is the route of a job on a balance, as people write it where it is the
// company's own stock, else by the balance's id.
func (s *Site) BalanceRoute(job string, b *api.Balance) string {
	if b.Product != nil && b.Location != nil && s.IsDefaultStock(b.OwnerID, b.ChannelID) {
		return tui.Path(job, b.Product.SKU+"@"+b.Location.Code)
	}
	return tui.Path(job, b.ID.String())
}

// Entry registers a screen that works by an operation: where that cannot be
// done from here the screen does not open, and says why.
func (s *Site) Entry(pattern, label string, f tui.Factory, spec *api.Spec) tui.Entry {
	return tui.Entry{Pattern: pattern, Label: label, Factory: f, Denied: func(tui.Env) string { return s.Denied(spec) }}
}
