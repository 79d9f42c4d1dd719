package session

import (
	"bincard/server/api"
	"bincard/tui"
)

// Denied returns why the operation cannot be done from here, or "": the service does
// not support it, or the key lacks the scope. Scopes are checked once the service has
// reported them.
func (s *Site) Denied(spec *api.Spec) string {
	if !s.Supports(spec) {
		return (&UnsupportedError{Spec: spec, t: s.T()}).Error()
	}
	if s.hasScope(spec.Scope) {
		return ""
	}
	return s.T().Get("This terminal has no permission to do that (%s).", spec.Scope)
}

// MissingRights returns why the key may not perform one of the operations, or "". It
// ignores operations that the service does not support.
func (s *Site) MissingRights(specs ...*api.Spec) string {
	for _, spec := range specs {
		if why := s.Denied(spec); why != "" && s.Supports(spec) {
			return why
		}
	}
	return ""
}

// BalanceRoute returns the route of a job on a balance: SKU@LOCATION for default
// stock, else by balance ID.
func (s *Site) BalanceRoute(job string, b *api.Balance) string {
	if b.Product != nil && b.Location != nil && s.IsDefaultStock(b.OwnerID, b.ChannelID) {
		return tui.Path(job, b.Product.SKU+"@"+b.Location.Code)
	}
	return tui.Path(job, b.ID.String())
}

// Entry returns the registry entry of a screen that needs an operation. If the
// operation is denied, the screen does not open and says why.
func (s *Site) Entry(pattern, label string, f tui.Factory, spec *api.Spec) tui.Entry {
	return tui.Entry{Pattern: pattern, Label: label, Factory: f, Denied: func(tui.Env) string { return s.Denied(spec) }}
}
