package admin

import (
	"bincard/server/archive"
	"bincard/server/local"
)

// A failure is a local.Failure that may be damage of the ledger.
type failure struct {
	local.Failure
	Damaged bool `json:"unsound,omitzero"`
}

func failureOf(err error) *failure {
	return &failure{Failure: local.FailureOf(err), Damaged: archive.IsDamage(err)}
}

// err returns the error, as far as clients distinguish it.
func (f *failure) err() error {
	if f.Damaged {
		return &archive.DamageError{Words: f.Message}
	}
	return f.Err()
}
