package session

import (
	"slices"
	"sync"

	"bincard/server/api"
	"bincard/tui"
)

// access is what the service has reported about the caller.
type access struct {
	mu     sync.Mutex
	caller *api.Access // nil until the service has reported it
}

func (a *access) setAccess(caller *api.Access) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.caller = caller
}

// hasScope reports whether the caller has a scope. It does until the service has
// reported the scopes.
func (a *access) hasScope(scope api.Scope) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.caller == nil || slices.Contains(a.caller.Scopes, scope)
}

// Rules returns the organization's rules; they are zero until the service has reported
// them.
func (a *access) Rules() api.Rules {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.caller == nil {
		return api.Rules{}
	}
	return a.caller.Rules
}

// organization returns the organization; it is zero until the service has reported it.
func (a *access) organization() api.ID {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.caller == nil {
		return api.NoID
	}
	return a.caller.Organization.ID
}

// IsDefaultStock reports whether writes that name no owner and channel change the
// stock of this owner and channel.
func (a *access) IsDefaultStock(owner, channel api.ID) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.caller == nil {
		return true
	}
	org := &a.caller.Organization
	return (owner == api.NoID || owner == org.DefaultOwnerID) &&
		(channel == api.NoID || channel == org.DefaultChannelID)
}

// BalanceRoute returns the route of a job on a balance: SKU@LOCATION for default
// stock, else by balance ID.
func (a *access) BalanceRoute(job string, b *api.Balance) string {
	if b.Product != nil && b.Location != nil && a.IsDefaultStock(b.OwnerID, b.ChannelID) {
		return tui.Path(job, b.Product.SKU+"@"+b.Location.Code)
	}
	return tui.Path(job, b.ID.String())
}
