package account

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"

	"bincard/server/api"
	"bincard/server/store"
)

// An APIKey describes an API key without its secret, which is shown only once.
type APIKey struct {
	ID           api.ID          `json:"id"`
	Organization api.ID          `json:"organizationId"`
	Environment  api.Environment `json:"environment"`
	// Hint is the masked secret, like bc_live_ab12cd34….
	Hint   string      `json:"hint"`
	Label  string      `json:"label"`
	Scopes []api.Scope `json:"scopes"`
	// LocationID is the only location where the key may be used, and Location its code; both
	// are zero if it may be used anywhere.
	LocationID api.ID `json:"locationId,omitzero"`
	Location   string `json:"location,omitzero"`
	// Role is the role that the key is bound to; "" if it is bound to none.
	Role      api.Role  `json:"role,omitzero"`
	CreatedAt time.Time `json:"createdAt"`
	// CreatedBy is the key that created it, or nil if none did.
	CreatedBy *api.ID    `json:"createdByKeyId,omitzero"`
	ExpiresAt *time.Time `json:"expiresAt,omitzero"`
	RevokedAt *time.Time `json:"revokedAt,omitzero"`
	// LastUsedAt is exact, except after a restart: then it may be an hour too old.
	LastUsedAt *time.Time `json:"lastUsedAt,omitzero"`
}

// A KeyRow is the stored form of an APIKey, in the system's partition.
type KeyRow struct {
	APIKey
	store.Unknown
	Public string `json:"public"`
	Digest []byte `json:"digest"`
	// Sum is the checksum of what is fixed, for keys without a journal entry.
	Sum Checksum `json:"sum,omitzero"`
}

// Keys has the keys of all organizations, in the system's partition.
var Keys = store.NewTable(store.Table[KeyRow]{
	Name:  "apikeys",
	Key:   func(k *KeyRow) []byte { return k.ID[:] },
	Codec: store.JSON[KeyRow](),
	Indexes: []store.Index[KeyRow]{
		{Name: "public", Keys: func(k *KeyRow) [][]byte { return [][]byte{[]byte(k.Public)} }},
		{Name: "organization", Keys: func(k *KeyRow) [][]byte {
			return [][]byte{binary.BigEndian.AppendUint64(k.Organization[:], uint64(k.CreatedAt.UnixMilli()))}
		}},
	},
})

// KeyInput describes a new key.
type KeyInput struct {
	Organization api.ID
	Environment  api.Environment
	Scopes       []api.Scope
	// Label is the name shown for the key; "API key" if empty.
	Label string
	// Location is the code of the only location where the key may be used, empty for all, and
	// LocationID its id, which the ledger finds.
	Location   string `json:",omitzero"`
	LocationID api.ID `json:"-"`
	// Role limits what the key may do without an operator's proof; "" does not.
	Role api.Role `json:",omitzero"`
	// ExpiresAt is when the key expires; nil means never.
	ExpiresAt *time.Time
	// CreatedBy is the key that creates it, or nil if none does.
	CreatedBy *api.ID
}

// Check checks the input at the time of the creation.
func (in *KeyInput) Check(now time.Time) error {
	var p api.Problems
	if !slices.Contains(in.Environment.Values(), string(in.Environment)) {
		p.Add("environment", "enum", "must be live or test, is %q", in.Environment)
	}
	if len(in.Scopes) == 0 {
		p.Add("scopes", "required", "must have at least one of %v", strings.Join(api.Scope("").Values(), ", "))
	}
	for i, s := range in.Scopes {
		if !slices.Contains(s.Values(), string(s)) {
			p.Add(fmt.Sprintf("scopes[%d]", i), "enum", "must be one of %s, is %q", strings.Join(s.Values(), ", "), s)
		}
	}

	if in.Role != "" && !slices.Contains(in.Role.Values(), string(in.Role)) {
		p.Add("role", "enum", "must be one of %s, is %q", strings.Join(in.Role.Values(), ", "), in.Role)
	}
	if (in.Location != "" || in.Role != "") && slices.Contains(in.Scopes, api.Admin) {
		p.Add("scopes", "exclusive", "must not have admin if the key is bound to a location or a role")
	}
	if utf8.RuneCountInString(in.Label) > 255 {
		p.Add("label", "maxLength", "must have at most 255 characters")
	}

	p.CheckName("label", in.Label)
	if in.ExpiresAt != nil && !in.ExpiresAt.After(now) {
		p.Add("expiresAt", "future", "must be in the future, is %s", in.ExpiresAt.Format(time.RFC3339))
	}

	return p.Err()
}

// Row returns the row of a key created with the input.
func (in *KeyInput) Row(id api.ID, secret string, at time.Time) *KeyRow {
	public, _, _ := ParseSecret(secret)
	digest := digestOf(secret, in.LocationID, in.Role)

	return &KeyRow{
		Public: public,
		Digest: digest[:],
		APIKey: APIKey{ID: id, Organization: in.Organization, Environment: in.Environment,
			Hint: MaskKey(secret), Label: in.Label, Scopes: slices.Compact(slices.Sorted(slices.Values(in.Scopes))),
			LocationID: in.LocationID, Location: in.Location, Role: in.Role, CreatedAt: at,
			CreatedBy: in.CreatedBy,
			ExpiresAt: in.ExpiresAt},
	}
}

// digestOf returns the stored digest of a secret. That of a key with a location or a
// role includes it: an earlier version, which would allow the key everything, then rejects it.
func digestOf(secret string, location api.ID, role api.Role) [sha256.Size]byte {
	// A slice of constant capacity stays on the stack.
	digest := sha256.Sum256(append(make([]byte, 0, secretLength), secret...))
	if location != api.NoID {
		digest = sha256.Sum256(append(digest[:], location[:]...))
	}
	if role != "" {
		digest = sha256.Sum256(append(digest[:], role...))
	}
	return digest
}

// Credential returns the key as the API shows it.
func (k *APIKey) Credential() api.Credential {
	return api.Credential{
		ID:             k.ID,
		OrganizationID: k.Organization,
		Environment:    k.Environment,
		Hint:           k.Hint,
		Label:          k.Label,
		Scopes:         k.Scopes,
		LocationID:     k.LocationID,
		Role:           k.Role,
		CreatedAt:      k.CreatedAt,
		CreatedByKeyID: k.CreatedBy,
		ExpiresAt:      k.ExpiresAt,
		RevokedAt:      k.RevokedAt,
		LastUsedAt:     k.LastUsedAt,
	}
}

// KeyNotFound is also the error for another organization's key.
func KeyNotFound(id api.ID) error {
	return api.Fail(api.NotFound, api.Details{"resource": "key", "keyId": id},
		"No key %s in this organization and environment.", id)
}

func keyOfPublic(r store.Reader, public string) (found *KeyRow, err error) {
	err = Keys.ScanIndex(r, "public", store.Prefix([]byte(public)), func(k *KeyRow) error {
		found = k
		return store.ErrStop
	})
	return found, err
}

// A Checksum is the start of the SHA-256 of a resource in JSON.
type Checksum [8]byte

// ChecksumOf returns the checksum of a resource. It does not depend on the order of its stored
// members.
func ChecksumOf(resource any) Checksum {
	data, err := json.Marshal(resource, json.Deterministic(true))
	if err != nil {
		panic(err) // resources can be written as JSON
	}
	sum := sha256.Sum256(data)
	return Checksum(sum[:8])
}

// Fixed returns the part of a key that never changes.
func (k *KeyRow) Fixed() KeyRow {
	fixed := KeyRow{APIKey: k.APIKey, Public: k.Public, Digest: k.Digest}
	fixed.RevokedAt, fixed.LastUsedAt = nil, nil
	return fixed
}
