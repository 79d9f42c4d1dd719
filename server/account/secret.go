package account

import (
	"crypto/rand"
	"hash/crc32"
	"math/big"
	"strings"

	"bincard/server/api"
)

// The secret of an API key is bc_live_ or bc_test_, 8 characters of public id, _, 32
// random bytes in base 62, and a checksum of 6 characters. The checksum distinguishes
// a mistyped key from a wrong one without reading the store.
const (
	base62Digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	publicLength = 8
	randomLength = 43 // 62^43 > 2^256
	sumLength    = 6  // 62^6 > 2^32
	headLength   = len("bc_live_")
	secretLength = headLength + publicLength + 1 + randomLength + sumLength
)

// NewSecret generates a secret and its public id.
func NewSecret(env api.Environment) (secret, public string) {
	public = strings.ToLower(rand.Text()[:publicLength])
	var random [32]byte
	rand.Read(random[:]) // never fails: it crashes the program instead
	s := "bc_" + string(env) + "_" + public + "_" + base62(random[:], randomLength)
	return s + checksum(s), public
}

// base62 encodes a big-endian number with width digits.
func base62(b []byte, width int) string {
	n, base, digit := new(big.Int).SetBytes(b), big.NewInt(62), new(big.Int)
	out := make([]byte, width)
	for i := width - 1; i >= 0; i-- {
		n.DivMod(n, base, digit)
		out[i] = base62Digits[digit.Int64()]
	}
	return string(out)
}

func checksum(s string) string {
	n := crc32.ChecksumIEEE([]byte(s))
	var out [sumLength]byte
	for i := sumLength - 1; i >= 0; i-- {
		out[i] = base62Digits[n%62]
		n /= 62
	}
	return string(out[:])
}

// ParseSecret returns the public id of a secret. formed reports whether s has the form
// of a secret, intact whether its checksum is right too.
func ParseSecret(s string) (public string, formed, intact bool) {
	if len(s) != secretLength || !hasKeyPrefix(s) || s[headLength+publicLength] != '_' {
		return "", false, false
	}

	public = s[headLength : headLength+publicLength]
	if !isBase62(public) || !isBase62(s[headLength+publicLength+1:]) {
		return "", false, false
	}

	end := len(s) - sumLength

	return public, true, checksum(s[:end]) == s[end:]
}

func hasKeyPrefix(s string) bool {
	return strings.HasPrefix(s, "bc_live_") || strings.HasPrefix(s, "bc_test_")
}

func isBase62(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}

	return true
}

// MaskKey returns a secret in a form that may be shown and logged, like
// bc_live_ab12cd34…; for anything else it returns "…".
func MaskKey(secret string) string {
	const shown = headLength + publicLength
	if len(secret) > shown && hasKeyPrefix(secret) && secret[shown] == '_' && isBase62(secret[headLength:shown]) {
		return secret[:shown] + "…"
	}
	return "…"
}
