package stored

import (
	"errors"

	"bincard/server/api"
	"bincard/server/store"
)

// An InconsistencyError reports a reference to something that does not exist,
// which means that the data is damaged.
type InconsistencyError struct {
	Kind string // what is missing
	ID   api.ID
}

func (e *InconsistencyError) Error() string {
	return api.Textf("the ledger refers to %s %s, which does not exist", e.Kind, e.ID)
}

// ExplainInconsistency returns an error for users when the data is inconsistent,
// and nil otherwise.
func ExplainInconsistency(err error) *api.Error {
	var missing *InconsistencyError
	var panicked *store.PanicError
	what := ""
	switch {
	case errors.As(err, &missing):
		what = missing.Error()
	case errors.As(err, &panicked):
		what = api.Text("a row is invalid, or this is a bug in Bincard")
	default:
		return nil
	}

	return &api.Error{
		Code: api.InternalError,
		Err:  err,
		Message: api.Textf(
			"The ledger is inconsistent: %v. Nothing was changed. Run 'bincard verify'; if it reports problems, copy the data directory, then restore a backup.",
			what,
		),
	}
}
