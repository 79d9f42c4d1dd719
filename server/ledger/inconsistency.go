package ledger

import (
	"errors"
	"fmt"

	"bincard/server/api"
	"bincard/server/store"
)

// An InconsistencyError tells that the ledger speaks of something that is not there: its
// rows do not fit together, which only damage does.
type InconsistencyError struct {
	Kind string // what is missing
	ID   api.ID
}

func (e *InconsistencyError) Error() string {
	return fmt.Sprintf("the ledger refers to %s %s, which does not exist", e.Kind, e.ID)
}

// explainInconsistency says in words that rows do not fit together, and what to do; nil where
// that is not what happened.
func explainInconsistency(err error) *api.Error {
	var gap *InconsistencyError
	var panicked *store.PanicError
	what := ""
	switch {
	case errors.As(err, &gap):
		what = gap.Error()
	case errors.As(err, &panicked):
		what = "a row is invalid, or this is a bug in Bincard"
	default:
		return nil
	}
	return &api.Error{Code: api.InternalError, Err: err,
		Message: "The ledger is inconsistent: " + what + ". Nothing was changed. Run 'bincard verify'; if it reports problems, copy the data directory, then restore a backup."}
}
