package pgstore

import (
	"context"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

const diskFull = "53100"

// isCertain reports whether a failed commit has certainly not happened: the database said
// so itself and kept the connection.
func isCertain(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && e.SeverityUnlocalized == "ERROR"
}

// isTransient reports whether the same can be tried again: the database cannot be reached,
// changes its role, or has ended the transaction because of another.
func isTransient(err error) bool {
	var e *pgconn.PgError
	switch {
	case errors.Is(err, errTrimmed):
		return false
	case errors.Is(err, ErrStandby), errors.Is(err, errNotCommitted):
		return true
	case errors.As(err, &e):
		return transientCodes[e.Code] || strings.HasPrefix(e.Code, "08") || strings.HasPrefix(e.Code, "57P")
	}

	return !errors.Is(err, context.Canceled) // the connection failed
}

var transientCodes = map[string]bool{
	"40001": true, // serialization failure
	"40P01": true, // deadlock
	"55P03": true, // lock not available
	"57014": true, // canceled, or statement timeout
	"25P03": true, // idle in transaction for too long
	"25006": true, // read only: it has become a standby
	"53300": true, // too many connections
}
