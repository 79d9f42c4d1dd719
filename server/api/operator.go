package api

import (
	"cmp"
	"crypto/ed25519"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"bincard/server/api/role"
)

// A Role is what a person, or a key, is trusted with.
type Role string

const (
	// Worker does what role.Rules allow.
	Worker Role = "worker"
	// Supervisor does everything, and approves what workers do.
	Supervisor Role = "supervisor"
)

// Values lists the roles.
func (Role) Values() []string { return []string{string(Worker), string(Supervisor)} }

// Allows reports whether the role covers needs without an approval.
func (r *Rules) Allows(is Role, needs ...role.Need) bool {
	return is == Supervisor || is == Worker && r.Worker.Permissions().Allow(needs...)
}

// An Operator is a person who works with the organization's stock.
type Operator struct {
	ID             ID          `json:"id"`
	OrganizationID ID          `json:"organizationId"`
	Environment    Environment `json:"environment"`
	Name           string      `json:"name"`
	Role           Role        `json:"role"`
	// Language is a language code, such as de.
	Language string `json:"language,omitzero"`
	// Badge is the public key of the badge, which finds its operator.
	Badge string `json:"badge,omitzero"`
	// PIN is the public key of the PIN, which the badge needs, too.
	PIN string `json:"pin,omitzero"`
	// Removed operators keep their name. Their work needs an approval.
	Removed bool `json:"removed,omitzero"`
	// Version is what If-Match of a change names.
	Version   int64     `json:"version"`
	CreatedAt time.Time `json:"createdAt"`
	UpdatedAt time.Time `json:"updatedAt"`
}

// MaxOperators is how many operators an organization can have.
const MaxOperators = 2000

// A secret, which is a badge or a PIN, makes a private key. An operator has a salt or, so that
// the badges of few operators are tried, the start of a hash; then the public key.
const (
	secretRounds = 120_000
	hintLength   = 3
	saltLength   = 32
	publicLength = 2 * ed25519.PublicKeySize
)

// NewBadge returns the public key of a badge with a code. Capitals make no difference.
func NewBadge(organization ID, code string) string {
	badge, _ := badgeOf(organization, code)
	return badge
}

// NewPIN returns the public key of a PIN, which is another one each time.
func NewPIN(pin string) string {
	salt := make([]byte, saltLength/2)
	_, _ = rand.Read(salt) // it never fails
	public, _ := pinOf(hex.EncodeToString(salt), pin)

	return public
}

// OpenBadge returns the private key of the badge, nil unless it has the code.
func (o *Operator) OpenBadge(code string) ed25519.PrivateKey {
	if strings.HasPrefix(o.Badge, badgeHint(o.OrganizationID, code)) {
		if badge, key := badgeOf(o.OrganizationID, code); badge == o.Badge {
			return key
		}
	}
	return nil
}

// OpenPIN returns the private key of the PIN, nil if it is another one.
func (o *Operator) OpenPIN(pin string) ed25519.PrivateKey {
	if o.PIN == "" {
		return nil
	}
	if public, key := pinOf(o.PIN[:saltLength], pin); public == o.PIN {
		return key
	}
	return nil
}

func badgeHint(organization ID, code string) string {
	sum := sha256.Sum256([]byte(organization.String() + strings.ToLower(code)))
	return hex.EncodeToString(sum[:])[:hintLength]
}

func badgeOf(organization ID, code string) (public string, key ed25519.PrivateKey) {
	key = secretKey(organization.String(), strings.ToLower(code))
	return badgeHint(organization, code) + publicOf(key), key
}

func pinOf(salt, pin string) (public string, key ed25519.PrivateKey) {
	key = secretKey(salt, pin)
	return salt + publicOf(key), key
}

func secretKey(salt, secret string) ed25519.PrivateKey {
	seed, err := pbkdf2.Key(sha256.New, secret, []byte(salt), secretRounds, ed25519.SeedSize)
	if err != nil {
		panic(err) // the parameters are valid
	}
	return ed25519.NewKeyFromSeed(seed)
}

func publicOf(key ed25519.PrivateKey) string { return hex.EncodeToString(key[ed25519.SeedSize:]) }

// ProofHeader is the HTTP header with Proof.
const ProofHeader = "X-Operator-Proof"

// Prove adds the Proof of a write by the private key of the person whose role counts.
func (r *Request) Prove(organization ID, env Environment, key ed25519.PrivateKey) {
	if text, err := r.proven(organization, env); err == nil {
		r.Proof = base64.StdEncoding.EncodeToString(ed25519.Sign(key, text))
	}
}

// ProvenBy reports whether the operator signed the write: with the PIN, or with the badge of an
// operator without one.
func (r *Request) ProvenBy(o *Operator) bool {
	public := cmp.Or(o.PIN, o.Badge)
	key, _ := hex.DecodeString(public[max(0, len(public)-publicLength):])
	signature, _ := base64.StdEncoding.DecodeString(r.Proof)
	text, err := r.proven(r.Caller.Organization, r.Caller.Environment)

	return err == nil && len(key) == ed25519.PublicKeySize && ed25519.Verify(key, text, signature)
}

// proven returns what a Proof signs: a proof is of one write by the same people.
func (r *Request) proven(organization ID, env Environment) ([]byte, error) {
	print, err := r.Spec.Fingerprint(r.Input)
	return fmt.Appendf(nil, "bincard proof\n%s\n%s\n%s\n%s\n%x\n%s\n%s", organization, env, r.Spec.ID, r.IdempotencyKey,
		print, r.Operator, r.ApprovedBy), err
}

// CreateOperatorInput describes a new operator.
type CreateOperatorInput struct {
	Name     string `json:"name,omitzero" required:"true" text:"name" maxLength:"100"`
	Role     Role   `json:"role,omitzero" required:"true"`
	Language string `json:"language,omitzero" maxLength:"10"`
	Badge    string `json:"badge,omitzero" maxLength:"100" doc:"public key of the badge"`
	PIN      string `json:"pin,omitzero" maxLength:"100" doc:"public key of the PIN; one of the two is needed"`
}

func (in *CreateOperatorInput) validate(p *Problems) {
	if in.Badge == "" && in.PIN == "" {
		p.Add("badge", "required", "is required, or a PIN")
	}
	checkOperator(p, in.Name, in.Badge, in.PIN)
}

func checkOperator(p *Problems, name, badge, pin string) {
	if claimsApproval(name) {
		p.Add("name", "pattern", "must be a name without \"approved by\"")
	}
	for _, x := range []struct {
		field, text string
		prefix      int
	}{{"badge", badge, hintLength}, {"pin", pin, saltLength}} {
		if x.text != "" && len(x.text) != x.prefix+publicLength {
			p.Add(x.field, "pattern", "must be a public key as terminals make it")
		}
	}
}

// ChangeOperatorInput changes an operator. What it omits stays.
type ChangeOperatorInput struct {
	OperatorID ID     `json:"-" path:"operatorId"`
	Name       string `json:"name,omitzero" text:"name" maxLength:"100"`
	Role       Role   `json:"role,omitzero"`
	Language   string `json:"language,omitzero" maxLength:"10"`
	Badge      string `json:"badge,omitzero" maxLength:"100" doc:"public key of the badge"`
	PIN        string `json:"pin,omitzero" maxLength:"100" doc:"public key of the PIN"`
	Removed    *bool  `json:"removed,omitzero" doc:"whether the operator may no longer work"`
}

func (in *ChangeOperatorInput) validate(p *Problems) { checkOperator(p, in.Name, in.Badge, in.PIN) }

// ListOperatorsInput pages through the operators.
type ListOperatorsInput struct {
	Page
}

var (
	// ListOperators returns the operators, newest first, also those that were removed.
	ListOperators = operation[ListOperatorsInput, List[Operator]](Spec{
		ID: "listOperators", Method: "GET", Path: "/operators", Scope: InventoryRead,
		Summary: "List operators", Extension: true})
	// CreateOperator creates an operator.
	CreateOperator = operation[CreateOperatorInput, Operator](Spec{
		ID: "createOperator", Method: "POST", Path: "/operators", Scope: InventoryWrite, Status: 201,
		Direction: DirectionNone, AllLocations: true, Permission: role.ManageOperators,
		Conflicts: []Code{AlreadyExists},
		Example:   Example{"name": "Ben", "badge": "5e0" + strings.Repeat("5e0c", 16)},
		Summary:   "Create an operator", Extension: true})
	// ChangeOperator changes or removes an operator. If-Match is the version that was read.
	ChangeOperator = operation[ChangeOperatorInput, Operator](Spec{
		ID: "changeOperator", Method: "PATCH", Path: "/operators/{operatorId}", Scope: InventoryWrite,
		Direction: DirectionNone, AllLocations: true, Permission: role.ManageOperators,
		Conflicts: []Code{AlreadyExists},
		Example:   Example{"removed": true},
		Summary:   "Change or remove an operator", Extension: true})
)
