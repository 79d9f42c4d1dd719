package api

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"bincard/server/api/role"
)

// A Scope is a permission of an API key.
type Scope string

const (
	InventoryRead     Scope = "inventory:read"
	InventoryWrite    Scope = "inventory:write"
	TransfersRead     Scope = "transfers:read"
	TransfersWrite    Scope = "transfers:write"
	ReservationsRead  Scope = "reservations:read"
	ReservationsWrite Scope = "reservations:write"
	ReportsRead       Scope = "reports:read"
	// Admin is the permission to manage keys.
	Admin Scope = "admin"
)

// Scopes are all scopes that operations require.
var Scopes = []Scope{
	InventoryRead,
	InventoryWrite,
	TransfersRead,
	TransfersWrite,
	ReservationsRead,
	ReservationsWrite,
	ReportsRead,
}

// Values lists the scopes.
func (Scope) Values() []string { return append(toStrings(Scopes), string(Admin)) }

// A Caller is who makes a request: the organization, environment, actor and scopes.
// The server derives it from the API key; a terminal on an embedded ledger sets
// its own.
type Caller struct {
	Organization ID
	Environment  Environment
	Actor        Actor
	Scopes       []Scope
	// KeyID and KeyLabel identify the API key, if one was used.
	KeyID    ID
	KeyLabel string
	// ExpiresAt is when the key expires; zero means never.
	ExpiresAt time.Time
	// LocationID limits the caller to one location, whose code is LocationCode; zero means
	// no limit. See Request.CheckLocation.
	LocationID   ID
	LocationCode string
	// Role limits what the caller may do without an operator's Proof; "" does not.
	Role Role
}

// May reports whether the caller has scope s.
func (c *Caller) May(s Scope) bool {
	for _, x := range c.Scopes {
		if x == s {
			return true
		}
	}

	return false
}

// An Organization is a tenant of the service, with its default owner and channel.
type Organization struct {
	ID               ID     `json:"id"`
	Name             string `json:"name"`
	DefaultOwnerID   ID     `json:"defaultOwnerId"`
	DefaultChannelID ID     `json:"defaultChannelId"`
}

// Access describes the caller: its organization, identity, scopes, plan and usage.
type Access struct {
	Organization Organization `json:"organization"`
	Environment  Environment  `json:"environment"`
	Actor        Actor        `json:"actor"`
	Scopes       []Scope      `json:"scopes"`
	KeyID        ID           `json:"keyId,omitzero"`
	KeyLabel     string       `json:"keyLabel,omitzero"`
	// LocationID is the one location the key is limited to; nil if it is not limited.
	LocationID *ID `json:"locationId,omitzero"`
	// LocationCode is the code of the location the key is limited to (extension).
	LocationCode string `json:"locationCode,omitzero"`
	// Role is the role the key is bound to, if it is bound to one (extension).
	Role Role `json:"role,omitzero"`
	Plan Plan `json:"plan"`
	// Limits are the plan's limits (extension).
	Limits Limits `json:"limits,omitzero"`
	// Usage is the usage that counts against the limits (extension).
	Usage Usage `json:"usage,omitzero"`
	// Rules are the organization's rules in this environment (extension).
	Rules Rules `json:"rules,omitzero"`
	// Head is the newest entry of the journal (extension). A node has none.
	Head *Head `json:"head,omitzero"`
}

// LimitedTo adds the location and the role that the caller is limited to.
func (a *Access) LimitedTo(c *Caller) {
	a.Role = c.Role
	if c.LocationID != NoID {
		a.LocationID, a.LocationCode = &c.LocationID, c.LocationCode
	}
}

// Rules are the settings of an organization in one environment.
type Rules struct {
	// OverReceiptPercent is the allowed over-receipt on an inbound, in percent of the expected quantity.
	OverReceiptPercent int64 `json:"overReceiptPercent"`
	// CountLimitPieces is the limit of a count's difference in pieces. A difference is large if it exceeds both limits. Terminals decide on a limit that is missing.
	CountLimitPieces *int64 `json:"countLimitPieces,omitzero"`
	// CountLimitPercent is the limit of a count's difference in percent of the recorded quantity.
	CountLimitPercent *int64 `json:"countLimitPercent,omitzero"`
	// RequireLot makes terminals and jobs reject goods tracked by lot that leave without naming it.
	RequireLot bool `json:"requireLot,omitzero"`
	// ShelfCheck makes terminals ask for a scan of the shelf before they count what leaves it.
	ShelfCheck bool `json:"shelfCheck,omitzero"`
	// Reasons are the reasons to choose from on terminals, up to 200, instead of the terminals' own.
	Reasons []Reason `json:"reasons,omitzero"`
	// Worker are the rules of the role worker, by action: allow, approve or a limit. An action that is missing has the default rule.
	Worker role.Rules `json:"worker,omitzero"`
}

// A Reason is one of an organization's reasons for a change of stock.
type Reason struct {
	// Code is the reason that is recorded and reported.
	Code string `json:"code"`
	// Texts are the words that terminals show for it, by language, such as en or de.
	Texts map[string]string `json:"texts,omitzero"`
	// Uses are the questions that offer it; none means all of them.
	Uses []ReasonUse `json:"uses,omitzero"`
}

// A ReasonUse is a question for a reason.
type ReasonUse string

const (
	// CountReason is why a balance is set to a count.
	CountReason ReasonUse = "count"
	// RemoveReason is why stock is removed.
	RemoveReason ReasonUse = "remove"
	// AddReason is why stock is added.
	AddReason ReasonUse = "add"
	// DamageReason is why stock becomes damaged.
	DamageReason ReasonUse = "damage"
	// ReleaseReason is why stock becomes available.
	ReleaseReason ReasonUse = "release"
	// HoldReason is why stock is held back.
	HoldReason ReasonUse = "hold"
	// AssembleReason is why a kit is assembled.
	AssembleReason ReasonUse = "assemble"
	// DisassembleReason is why a kit is disassembled.
	DisassembleReason ReasonUse = "disassemble"
	// UnlinkReason is why a barcode is unlinked.
	UnlinkReason ReasonUse = "unlink"
	// ReturnReason is why stock comes back.
	ReturnReason ReasonUse = "return"
)

// ReasonUses are all uses.
var ReasonUses = []ReasonUse{CountReason, RemoveReason, AddReason, DamageReason, ReleaseReason, HoldReason,
	AssembleReason, DisassembleReason, UnlinkReason, ReturnReason}

// The highest rules.
const (
	MaxOverReceiptPercent = 100
	MaxCountLimitPieces   = 1_000_000_000
	MaxCountLimitPercent  = 100
	MaxReasons            = 200
)

// Equal reports whether the rules are the same.
func (r *Rules) Equal(x *Rules) bool {
	return r.OverReceiptPercent == x.OverReceiptPercent && r.RequireLot == x.RequireLot &&
		r.ShelfCheck == x.ShelfCheck && maps.Equal(r.Worker, x.Worker) &&
		equal(r.CountLimitPieces, x.CountLimitPieces) &&
		equal(r.CountLimitPercent, x.CountLimitPercent) &&
		slices.EqualFunc(r.Reasons, x.Reasons, func(a, b Reason) bool {
			return a.Code == b.Code && maps.Equal(a.Texts, b.Texts) && slices.Equal(a.Uses, b.Uses)
		})
}

func equal(a, b *int64) bool { return a == b || a != nil && b != nil && *a == *b }

// Receivable returns the total that may be received for an expected quantity,
// rounded down.
func (r *Rules) Receivable(expected int64) int64 {
	return expected + expected/100*r.OverReceiptPercent + expected%100*r.OverReceiptPercent/100
}

// A Plan identifies the plan of an organization.
type Plan struct {
	Code    string `json:"code"`
	Version int64  `json:"version"`
}

// GetAccessInput has no parameters.
type GetAccessInput struct{}

// GetAccess returns the caller's organization, identity, scopes, plan and usage.
var GetAccess = operation[GetAccessInput, Access](Spec{
	ID: "getAccess", Method: "GET", Path: "/access", Scope: InventoryRead,
	Discovery: true,
	Summary:   "Get the caller's access, plan and usage", Extension: true})

// ActorType is the type of an actor.
type ActorType string

const (
	User      ActorType = "user"
	APIKey    ActorType = "api_key"
	SystemJob ActorType = "system"
)

// Values lists the actor types.
func (ActorType) Values() []string {
	return []string{string(User), string(APIKey), string(SystemJob)}
}

// An Actor is who made a change: a person, an API key or the service.
type Actor struct {
	Type  ActorType `json:"type"`
	ID    string    `json:"id,omitzero"`
	Label string    `json:"label"`
}

// approved stands between the operator and the supervisor who approved the work in the text
// that earlier versions recorded as the operator.
const approved = ", approved by "

// OperatorText returns the operator and the supervisor, if one approved, as the text of
// earlier versions.
func OperatorText(operator, supervisor string) string {
	if supervisor == "" {
		return operator
	}
	return operator + approved + supervisor
}

// People returns the operator and the supervisor, if one approved, of a text of earlier
// versions.
func People(text string) (operator, supervisor string) {
	operator, supervisor, _ = strings.Cut(text, approved)
	if operator == "" || strings.EqualFold(operator, supervisor) || claimsApproval(supervisor) {
		return Unconfirmed(text), ""
	}
	return operator, supervisor
}

// Unconfirmed returns the text of an operator that claims an approval as one that does not.
func Unconfirmed(text string) string {
	return strings.ReplaceAll(text, approved, ", approval not confirmed: ")
}

func claimsApproval(text string) bool {
	return strings.Contains(strings.ToLower(strings.Join(strings.Fields(text), " ")), "approved by")
}

// CheckPeople checks the operator and who approved the write, which is another person. An
// approval has its own field: a name must not read like one.
func (r *Request) CheckPeople() error {
	var p Problems
	if claimsApproval(r.Operator) {
		p.Add("X-Operator", "header", "must be a name without \"approved by\": an approval is sent as X-Approved-By")
	}
	if s := r.ApprovedBy; s != "" && (r.Operator == "" || strings.EqualFold(s, r.Operator) || claimsApproval(s)) {
		p.Add("X-Approved-By", "header", "must be the name of another person than X-Operator, which it needs")
	}
	return p.Err()
}

// BoundAt returns at which of a document's locations a caller that is limited to one may do
// the operation. A transfer is received and closed at its destination, which comes last; all
// else changes its source.
func (s *Spec) BoundAt(locations []ID) []ID {
	switch {
	case s.Document != DocTransfer || len(locations) < 2:
		return locations
	case s.AtDestination:
		return locations[1:]
	}

	return locations[:1]
}

// CheckLocation returns an error if the caller is limited to one location and the request
// belongs elsewhere; see Elsewhere. codeOf returns the code of a location. Reads are not
// limited here: a shipper needs to see the destination.
func (r *Request) CheckLocation(
	ctx context.Context,
	documentAt func(context.Context, DocumentKind, ID) ([]ID, error),
	codeOf func(context.Context, ID) string,
) error {
	if r.Spec.AllLocations && r.Caller.LocationID != NoID {
		return r.Caller.LocationError(Text("This applies to all locations. Use a key that is not bound to one."))
	}
	if in, ok := r.Input.(*AllocateOutboundsInput); ok && in.LocationID == NoID && r.Caller.LocationID != NoID {
		return r.Caller.LocationError(Text("Name that location as locationId."))
	}

	at, err := r.Elsewhere(ctx, documentAt)
	if err != nil || at == NoID {
		return err
	}
	return r.Caller.LocationError(Textf("This must be done at %s.", codeOf(ctx, at)))
}

// Elsewhere returns where a write belongs if the caller is limited to another location, else
// zero. It belongs to the locations that it names, or else to those of its document, which
// documentAt returns.
func (r *Request) Elsewhere(
	ctx context.Context,
	documentAt func(context.Context, DocumentKind, ID) ([]ID, error),
) (at ID, err error) {
	if r.Caller.LocationID == NoID || !r.Spec.Writes() {
		return at, nil
	}

	all := r.Locations()
	if id := r.DocumentID(); id != NoID {
		if all, err = documentAt(ctx, r.Spec.Document, id); err != nil {
			return at, err
		}
	}

	if all = r.Spec.BoundAt(all); len(all) == 0 || slices.Contains(all, r.Caller.LocationID) {
		return at, nil
	}

	return all[0], nil
}

// LocationError returns the error of a caller that is limited to another location.
func (c *Caller) LocationError(what string) error {
	return Fail(LocationNotAllowed, Details{"location": c.LocationCode}, "This key (%s) works only at %s. %v",
		c.KeyLabel, c.LocationCode, Text(what))
}
