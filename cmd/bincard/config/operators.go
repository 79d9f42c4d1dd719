package config

import (
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"bincard/tui"
)

// Roles of an operator; type Roles says what they may do.
const (
	Worker     = "worker"
	Supervisor = "supervisor"
)

// MinBadge is the minimum length of a badge in characters: a shorter code looks like
// typing.
const MinBadge = 4

// An Operator is a person who can work at a terminal.
type Operator struct {
	Name string `toml:"name"`
	// Badge is the badge's code.
	Badge string `toml:"badge,omitempty"`
	// PIN is a hash of HashPIN, or the PIN in plain text.
	PIN string `toml:"pin,omitempty"`
	// Role is Supervisor or Worker; Supervisor when omitted.
	Role string `toml:"role,omitempty"`
	// Language is a language code; the terminal's when omitted.
	Language string `toml:"language,omitempty"`
	// Company is the ID of an organization; all organizations when omitted.
	Company string `toml:"company,omitempty"`
	// Keys (public keys in the format of authorized_keys) and Password (a bcrypt hash)
	// are for sessions over SSH.
	Keys     []string `toml:"keys,omitempty"`
	Password string   `toml:"password,omitempty"`

	// Unknown holds the fields that this version does not know.
	Unknown map[string]any `toml:"-"`
}

const (
	pinScheme = "pbkdf2"
	pinRounds = 120_000
	// MinPIN is the minimum length of a PIN in characters.
	MinPIN = 4
)

// HashPIN returns the salted hash of a PIN.
func HashPIN(pin string) (string, error) {
	salt := make([]byte, 16)
	if _, err := rand.Read(salt); err != nil {
		return "", err
	}

	sum, err := pbkdf2.Key(sha256.New, pin, salt, pinRounds, 32)
	if err != nil {
		return "", err
	}

	return pinScheme + "$" + hex.EncodeToString(salt) + "$" + hex.EncodeToString(sum), nil
}

// CheckPIN reports whether a PIN matches the stored one, which is a hash or plain text.
func CheckPIN(stored, pin string) bool {
	parts := strings.Split(stored, "$")
	if len(parts) != 3 || parts[0] != pinScheme {
		return tui.SamePIN(stored, pin)
	}

	salt, err := hex.DecodeString(parts[1])
	if err != nil {
		return false
	}

	sum, err := pbkdf2.Key(sha256.New, pin, salt, pinRounds, 32)

	return err == nil && tui.SamePIN(hex.EncodeToString(sum), parts[2])
}
