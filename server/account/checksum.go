package account

import (
	"crypto/sha256"

	"github.com/go-json-experiment/json"
)

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
