package account

import (
	"context"
	"time"

	"bincard/server/api"
	"bincard/server/store"
)

// A Revocation is a revoked key and what became of its descendants: the keys that it
// created, those that they created, and so on.
type Revocation struct {
	APIKey
	// Revoked are the descendants that were revoked with it.
	Revoked []api.ID `json:"revokedDescendantIds,omitzero"`
	// Remaining is the number of descendants that are still valid. It is nil from a process
	// of an earlier version, which does not revoke descendants.
	Remaining *int64 `json:"remainingDescendants,omitzero"`
}

// Result returns the revocation as the API shows it.
func (r *Revocation) Result() api.RevokedKey {
	return api.RevokedKey{
		Credential:           r.Credential(),
		RevokedDescendantIDs: r.Revoked,
		RemainingDescendants: r.Remaining,
	}
}

// Revoke returns the revocation of key at an instant. all are the keys of its organization.
func (k APIKey) Revoke(all []APIKey, descendants bool, at time.Time) Revocation {
	if k.RevokedAt == nil {
		k.RevokedAt = &at
	}

	r, valid := Revocation{APIKey: k}, validDescendants(all, k.ID, at)
	if descendants {
		r.Revoked, valid = valid, nil
	}

	r.Remaining = new(int64(len(valid)))

	return r
}

// validDescendants returns the descendants of a key that are not revoked or expired.
func validDescendants(all []APIKey, id api.ID, now time.Time) (valid []api.ID) {
	created := map[api.ID][]*APIKey{}
	for i := range all {
		if by := all[i].CreatedBy; by != nil {
			created[*by] = append(created[*by], &all[i])
		}
	}

	for creators := []api.ID{id}; len(creators) > 0; creators = creators[1:] {
		for _, k := range created[creators[0]] {
			creators = append(creators, k.ID)
			if k.RevokedAt == nil && (k.ExpiresAt == nil || k.ExpiresAt.After(now)) {
				valid = append(valid, k.ID)
			}
		}

		delete(created, creators[0])
	}

	return valid
}

// RevokeKey revokes a key of the organization at once, with its descendants if descendants
// is set. Revoking it again has no effect on the key itself.
func (a *Accounts) RevokeKey(
	ctx context.Context,
	organization, id api.ID,
	descendants bool,
) (revoked Revocation, err error) {
	var changed []*KeyRow
	err = a.store.Update(ctx, store.Partition{}, func(tx store.Tx) (err error) {
		row, err := Keys.Get(tx, id[:])
		if err != nil {
			return err
		}
		if row == nil || row.Organization != organization {
			return KeyNotFound(id)
		}

		var all []APIKey
		err = Keys.ScanIndex(tx, "organization", store.Prefix(organization[:]).Reversed(), func(k *KeyRow) error {
			all = append(all, k.APIKey)
			return nil
		})
		if err != nil {
			return err
		}

		now := api.Instant(a.now())
		revoked = row.Revoke(all, descendants, now)
		row.RevokedAt, changed = revoked.RevokedAt, []*KeyRow{row}
		for _, id := range revoked.Revoked {
			row, err := Keys.Get(tx, id[:])
			if err != nil {
				return err
			}
			row.RevokedAt, changed = &now, append(changed, row)
		}

		for _, row := range changed {
			if err := Keys.Put(tx, row); err != nil {
				return err
			}
		}

		return nil
	})
	if err != nil {
		return Revocation{}, err
	}

	revoked.APIKey = a.keyring.withLastUse(changed[0])
	for _, row := range changed {
		a.keyring.forget(row)
	}

	return revoked, nil
}
