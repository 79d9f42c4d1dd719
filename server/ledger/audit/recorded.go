package audit

import (
	"github.com/go-json-experiment/json"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
)

// record keeps the checksum of the resource that an entry has created or changed.
func (v *verification) record(name string, e *journal.Entry) {
	switch e.Spec {
	case api.CreateProduct.Spec.ID, api.ChangeProduct.Spec.ID, api.ArchiveProduct.Spec.ID, api.SetShelves.Spec.ID,
		api.LinkBarcode.Spec.ID, api.UnlinkBarcode.Spec.ID:
		record(v, name, e, func(p *api.Product) (api.ID, any) { return p.ID, p })
	case api.CreateLocation.Spec.ID, api.ChangeLocation.Spec.ID, api.CreateOwner.Spec.ID, api.CreateChannel.Spec.ID:
		record(v, name, e, func(p *api.Place) (api.ID, any) { return p.ID, p })
	case api.CreateOperator.Spec.ID, api.ChangeOperator.Spec.ID:
		record(v, name, e, func(o *api.Operator) (api.ID, any) { return o.ID, o })
	case api.CreateKey.Spec.ID:
		record(v, name, e, func(k *account.KeyRow) (api.ID, any) { return k.ID, k.Fixed() })
	}
}

func record[T any](v *verification, name string, e *journal.Entry, resource func(*T) (api.ID, any)) {
	x := new(T)
	if err := json.Unmarshal(e.Document, x); err != nil {
		v.reportFault(name, "has a document that cannot be read: %v", err)
		return
	}
	id, fixed := resource(x)
	v.recorded[id] = account.ChecksumOf(fixed)
}

// checkRecorded checks that a row is as the last entry about it says. There is none about
// what was created with the organization or by a command; its row has a checksum, unless an
// earlier version has created it.
func (v *verification) checkRecorded(name string, id api.ID, row any, sum account.Checksum) {
	switch want, ok := v.recorded[id]; {
	case ok && want != account.ChecksumOf(row):
		v.reportFault(name, "differs from its journal entry")
	case sum != (account.Checksum{}) && sum != account.ChecksumOf(row):
		v.reportFault(name, "differs from its checksum")
	}
}
