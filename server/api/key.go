package api

import "time"

// A Credential is what is known of an API key.
type Credential struct {
	ID             ID          `json:"id"`
	OrganizationID ID          `json:"organizationId"`
	Environment    Environment `json:"environment"`
	// Hint is the secret as it may be shown, like bc_live_ab12cd34….
	Hint      string     `json:"hint"`
	Label     string     `json:"label"`
	Scopes    []Scope    `json:"scopes"`
	CreatedAt time.Time  `json:"createdAt"`
	ExpiresAt *time.Time `json:"expiresAt,omitzero"`
	RevokedAt *time.Time `json:"revokedAt,omitzero"`
	// LastUsedAt is right to the hour after a restart, exact before.
	LastUsedAt *time.Time `json:"lastUsedAt,omitzero"`
}

// KeyResult answers a new key. Secret is there in the first answer alone: it is
// kept nowhere, so a replay comes without it. Whoever lost it revokes the key.
type KeyResult struct {
	Key    Credential `json:"key"`
	Secret string     `json:"secret,omitzero"`
}

// CreateKeyInput asks for a key in the caller's own environment with some of
// the caller's own scopes.
type CreateKeyInput struct {
	Label     string     `json:"label,omitzero" required:"true" doc:"what the key is for"`
	Scopes    []Scope    `json:"scopes,omitzero" required:"true" maxItems:"20" doc:"some of the scopes that the caller has"`
	ExpiresAt *time.Time `json:"expiresAt,omitzero" doc:"when it ends; never when omitted"`
}

// ListKeysInput pages through the keys.
type ListKeysInput struct {
	Limit  *int64 `json:"-" query:"limit" minimum:"1" maximum:"100" default:"25" doc:"page size"`
	Cursor string `json:"-" query:"cursor" doc:"key id cursor from the previous page"`
}

// KeyIDInput names one key.
type KeyIDInput struct {
	KeyID ID `json:"-" path:"keyId"`
}

var (
	// CreateKey makes a key and shows its secret this once.
	CreateKey = operation[CreateKeyInput, KeyResult](Spec{
		ID: "createKey", Method: "POST", Path: "/keys", Scope: Admin, Status: 201,
		Summary: "Create an API key and show its secret once", Extension: true})
	// ListKeys answers the keys of the environment, newest first, revoked ones too.
	ListKeys = operation[ListKeysInput, List[Credential]](Spec{
		ID: "listKeys", Method: "GET", Path: "/keys", Scope: Admin,
		Summary: "List API keys", Extension: true})
	// RevokeKey ends a key at once, in the middle of what it waits for too.
	RevokeKey = operation[KeyIDInput, Credential](Spec{
		ID: "revokeKey", Method: "POST", Path: "/keys/{keyId}/revoke", Scope: Admin,
		Summary: "Revoke an API key at once", Extension: true})
)
