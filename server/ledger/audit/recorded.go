package audit

import (
	"crypto/sha256"

	"github.com/go-json-experiment/json"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
)

// A checksum is the start of the SHA-256 of a resource in JSON.
type checksum [8]byte

// record keeps the checksum of the resource that an entry has created or changed.
func (v *verification) record(name string, e *journal.Entry) {
	switch e.Spec {
	case api.CreateProduct.Spec.ID, api.ArchiveProduct.Spec.ID, api.LinkBarcode.Spec.ID, api.UnlinkBarcode.Spec.ID:
		record(v, name, e, func(p *api.Product) (api.ID, any) { return p.ID, p })
	case api.CreateLocation.Spec.ID, api.CreateOwner.Spec.ID, api.CreateChannel.Spec.ID:
		record(v, name, e, func(p *api.Place) (api.ID, any) { return p.ID, p })
	case api.CreateKey.Spec.ID:
		record(v, name, e, func(k *account.KeyRow) (api.ID, any) { return k.ID, fixedKey(k) })
	}
}

func record[T any](v *verification, name string, e *journal.Entry, resource func(*T) (api.ID, any)) {
	x := new(T)
	if err := json.Unmarshal(e.Document, x); err != nil {
		v.reportFault(name, "has a document that cannot be read: %v", err)
		return
	}
	id, fixed := resource(x)
	v.recorded[id] = checksumOf(fixed)
}

// checkRecorded checks that a row is as the last entry about it says. There is none about
// what was created with the organization or by a command.
func (v *verification) checkRecorded(name string, id api.ID, row any) {
	if want, ok := v.recorded[id]; ok && want != checksumOf(row) {
		v.reportFault(name, "differs from its journal entry")
	}
}

// checksumOf returns the checksum of a resource, whatever version has written it.
func checksumOf(resource any) checksum {
	data, err := json.Marshal(resource, json.Deterministic(true))
	if err != nil {
		panic(err) // it was read from JSON
	}
	sum := sha256.Sum256(data)
	return checksum(sum[:8])
}

// fixedKey returns what does not change of a key.
func fixedKey(k *account.KeyRow) account.KeyRow {
	fixed := account.KeyRow{APIKey: k.APIKey, Public: k.Public, Digest: k.Digest}
	fixed.RevokedAt, fixed.LastUsedAt = nil, nil
	return fixed
}
