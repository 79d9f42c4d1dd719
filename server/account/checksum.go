package account

import (
	"crypto/sha256"

	"github.com/go-json-experiment/json"
)

// A Checksum is the start of the SHA-256 of a resource in JSON.
type Checksum [8]byte

// ChecksumOf returns the checksum of a resource, whatever version has written it.
func ChecksumOf(resource any) Checksum {
	data, err := json.Marshal(resource, json.Deterministic(true))
	if err != nil {
		panic(err) // it was read from JSON
	}
	sum := sha256.Sum256(data)
	return Checksum(sum[:8])
}

// Fixed returns what does not change of a key.
func (k *KeyRow) Fixed() KeyRow {
	fixed := KeyRow{APIKey: k.APIKey, Public: k.Public, Digest: k.Digest}
	fixed.RevokedAt, fixed.LastUsedAt = nil, nil
	return fixed
}
