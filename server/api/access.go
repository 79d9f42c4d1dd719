package api

// A Scope is a right that a key can carry.
type Scope string

const (
	InventoryRead     Scope = "inventory:read"
	InventoryWrite    Scope = "inventory:write"
	TransfersRead     Scope = "transfers:read"
	TransfersWrite    Scope = "transfers:write"
	ReservationsRead  Scope = "reservations:read"
	ReservationsWrite Scope = "reservations:write"
	ReportsRead       Scope = "reports:read"
	// Admin is the right to manage keys.
	Admin Scope = "admin"
)

// Scopes are all the rights that the operations of the interface need.
var Scopes = []Scope{InventoryRead, InventoryWrite, TransfersRead, TransfersWrite, ReservationsRead, ReservationsWrite, ReportsRead}

// Values lists the scopes.
func (Scope) Values() []string { return append(toStrings(Scopes), string(Admin)) }

// A Caller is who calls, for which organization and environment, with which rights.
// The server finds it from the key; a terminal on an embedded ledger is one itself.
type Caller struct {
	Organization ID
	Environment  Environment
	Actor        Actor
	Scopes       []Scope
	// KeyID and KeyLabel are of the API key, where one was used.
	KeyID    ID
	KeyLabel string
	// LocationID is the only location where the key may work; empty where it may
	// anywhere. An edge gives such keys out.
	LocationID ID
}

// May tells whether the caller has the right s.
func (c *Caller) May(s Scope) bool {
	for _, x := range c.Scopes {
		if x == s {
			return true
		}
	}
	return false
}

// An Organization is a tenant of the service, with its defaults.
type Organization struct {
	ID               ID     `json:"id"`
	Name             string `json:"name"`
	DefaultOwnerID   ID     `json:"defaultOwnerId"`
	DefaultChannelID ID     `json:"defaultChannelId"`
}

// Access tells a caller who it is and what it may do.
type Access struct {
	Organization Organization `json:"organization"`
	Environment  Environment  `json:"environment"`
	Actor        Actor        `json:"actor"`
	Scopes       []Scope      `json:"scopes"`
	KeyID        ID           `json:"keyId,omitzero"`
	KeyLabel     string       `json:"keyLabel,omitzero"`
	// LocationID is the only location where the key may work; nil where it may anywhere.
	LocationID *ID  `json:"locationId,omitzero"`
	Plan       Plan `json:"plan"`
	// Limits and Usage are of the plan; they are extensions.
	Limits Limits `json:"limits,omitzero"`
	Usage  Usage  `json:"usage,omitzero"`
	// Rules are of the organization in this environment; they are an extension.
	Rules Rules `json:"rules,omitzero"`
}

// Rules are how an organization works in one environment, where that is for it to say.
type Rules struct {
	// OverReceiptPercent is by how much more than expected may be received on an inbound.
	OverReceiptPercent int64 `json:"overReceiptPercent"`
}

// MaxOverReceiptPercent is the most that may be allowed to be received beyond what was expected.
const MaxOverReceiptPercent = 100

// Receivable is how much in all may be received where so much is expected,
// rounded down.
func (r *Rules) Receivable(expected int64) int64 {
	return expected + expected/100*r.OverReceiptPercent + expected%100*r.OverReceiptPercent/100
}

// A Plan names what an organization may use.
type Plan struct {
	Code    string `json:"code"`
	Version int64  `json:"version"`
}

// GetAccessInput asks nothing more.
type GetAccessInput struct{}

// GetAccess answers who the caller is.
var GetAccess = operation[GetAccessInput, Access](Spec{
	ID: "getAccess", Method: "GET", Path: "/access", Scope: InventoryRead,
	Summary: "Tell who the caller is and what it may do", Extension: true})
