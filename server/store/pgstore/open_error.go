package pgstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"bincard/server/store"
)

// An OpenError says why a database cannot be used, and what to do. It is a
// store.ErrUnavailable if the database may only be away.
type OpenError struct {
	text string
	away bool
	err  error
}

func (e *OpenError) Error() string { return e.text }
func (e *OpenError) Unwrap() error { return e.err }

// Is implements errors.Is.
func (e *OpenError) Is(target error) bool { return e.away && target == store.ErrUnavailable }

// Codes of PostgreSQL's errors that Open and Init explain.
const (
	invalidPassword      = "28P01"
	invalidAuthorization = "28000"
	missingDatabase      = "3D000"
	missingRights        = "42501"
	missingRole          = "42704"
	tooManyConnections   = "53300"
	statementCanceled    = "57014"
)

// explain returns an error of the database as an *OpenError. Others, and nil, stay as they
// are.
func explain(config *pgx.ConnConfig, err error) error {
	var known *OpenError
	var schema *SchemaError
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.As(err, &known), errors.As(err, &schema),
		errors.Is(err, ErrStandby), errors.Is(err, ErrNoTables):
		return err
	}

	var answer *pgconn.PgError
	plain := func(f *pgconn.FallbackConfig) bool { return f.TLSConfig == nil }
	if strings.Contains(err.Error(), "server refused TLS connection") &&
		!slices.ContainsFunc(config.Fallbacks, plain) { // pgconn has no type for it
		return &OpenError{
			text: fmt.Sprintf(
				"the database %s offers no TLS, so the network could read everything. Enable TLS there, or add sslmode=disable to the URL if the network is private",
				address(config),
			),
			err: err,
		}
	}

	if !errors.As(err, &answer) {
		return &OpenError{
			fmt.Sprintf(
				"the database %s cannot be reached: %s. Check its address, and that it runs",
				address(config),
				causeOf(err),
			),
			true,
			err,
		}
	}

	out := &OpenError{text: fmt.Sprintf("the database %s refused: %s", address(config), answer.Message), err: err}
	switch code := answer.Code; {
	case code == invalidPassword:
		out.text = fmt.Sprintf(
			"the database rejected the password of the role %s. Set PGPASSWORD, or add it to the file .pgpass",
			config.User,
		)
	case code == invalidAuthorization:
		out.text = fmt.Sprintf(
			"the database does not admit the role %s: %s. Create the role, or allow it in pg_hba.conf",
			config.User,
			answer.Message,
		)

	case code == missingDatabase:
		out.text = fmt.Sprintf(
			"there is no database %s. Create it with 'createdb %[2]s'",
			address(config),
			config.Database,
		)

	case code == missingRights:
		out.text = fmt.Sprintf(
			"the role %s may not do this: %s. Run 'bincard store init --role %[1]s' as the owner of the database",
			config.User, answer.Message)
	case code == tooManyConnections,
		code == statementCanceled,
		strings.HasPrefix(code, "57P"),
		strings.HasPrefix(code, "08"):
		out.text = fmt.Sprintf("the database %s cannot be used now: %s. Retry shortly", address(config), answer.Message)
		out.away = true
	}

	return out
}

// address returns where a database is.
func address(config *pgx.ConnConfig) string {
	return fmt.Sprintf("%s on %s", cmp.Or(config.Database, config.User), config.Host)
}

// causeOf returns why a database cannot be reached, in one line.
func causeOf(err error) string {
	var dial *net.OpError
	var name *net.DNSError
	switch {
	case errors.As(err, &name):
		return name.Error()
	case errors.Is(err, context.DeadlineExceeded), pgconn.Timeout(err):
		return "it does not answer"
	case errors.As(err, &dial):
		return dial.Error()
	}

	var connect *pgconn.ConnectError
	if errors.As(err, &connect) {
		err = connect.Unwrap()
	}

	first, _, _ := strings.Cut(err.Error(), "\n")

	return first
}
