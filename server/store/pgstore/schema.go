package pgstore

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// schemaVersion is the version of the tables. A process refuses newer ones.
const schemaVersion = 1

// schema creates the tables. The partition leads every primary key, so that a database
// which distributes its rows can keep those of a partition together.
const schema = `
CREATE SCHEMA IF NOT EXISTS bincard;
CREATE TABLE IF NOT EXISTS bincard.schema_version (
	id      integer PRIMARY KEY DEFAULT 1 CHECK (id = 1), -- there is one row
	version integer NOT NULL
);
CREATE TABLE IF NOT EXISTS bincard.partitions (
	partition text COLLATE "C" PRIMARY KEY,
	version   bigint NOT NULL
);
CREATE TABLE IF NOT EXISTS bincard.rows (
	partition text COLLATE "C" NOT NULL,
	tbl       text COLLATE "C" NOT NULL,
	key       bytea NOT NULL,
	value     bytea NOT NULL,
	PRIMARY KEY (partition, tbl, key)
);
CREATE TABLE IF NOT EXISTS bincard.commits (
	partition text COLLATE "C" NOT NULL,
	version   bigint NOT NULL,
	batch     uuid NOT NULL,
	changes   bytea NOT NULL,
	at        timestamptz NOT NULL DEFAULT clock_timestamp(),
	PRIMARY KEY (partition, version)
);
`

// Codes of PostgreSQL's errors.
const (
	undefinedTable  = "42P01"
	invalidSchema   = "3F000"
	duplicateTable  = "42P07"
	duplicateSchema = "42P06"
	uniqueViolation = "23505"
)

// ErrNoTables means that the database has no tables of the store yet.
var ErrNoTables = errors.New("the database has no tables for Bincard; create them with 'bincard store init'")

// A SchemaError means that the tables are of a newer version of the program.
type SchemaError struct{ Version int }

func (e *SchemaError) Error() string {
	return fmt.Sprintf(
		"the database has tables of version %d, and this program knows version %d; use the newer program or a later one",
		e.Version,
		schemaVersion,
	)
}

// createTables creates the tables if they are missing, and reports whether it did. Several
// processes may call it at once.
func createTables(ctx context.Context, conn *pgx.Conn) (created bool, err error) {
	for tries := 1; ; tries++ {
		version, err := readVersion(ctx, conn)
		switch {
		case err == nil:
			return created, checkVersion(version)
		case !errors.Is(err, ErrNoTables):
			return false, err
		}

		err = pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, "SET LOCAL statement_timeout = 0;"+schema,
				pgx.QueryExecModeSimpleProtocol); err != nil {
				return err
			}
			_, err := tx.Exec(ctx, "INSERT INTO bincard.schema_version (version) VALUES ($1) ON CONFLICT DO NOTHING",
				schemaVersion)
			return err
		})

		// IF NOT EXISTS fails if another process creates the same at the same time.
		c := code(err)
		createdElsewhere := c == duplicateTable || c == duplicateSchema || c == uniqueViolation
		if err != nil && (!createdElsewhere || tries == 10) {
			return false, fmt.Errorf("cannot create the tables: %w", err)
		}

		created = err == nil
	}
}

// readVersion returns the version of the tables.
func readVersion(ctx context.Context, conn *pgx.Conn) (version int, err error) {
	err = conn.QueryRow(ctx, "SELECT version FROM bincard.schema_version").Scan(&version)
	switch c := code(err); {
	case c == undefinedTable, c == invalidSchema, errors.Is(err, pgx.ErrNoRows):
		return 0, ErrNoTables
	case err != nil:
		return 0, fmt.Errorf("cannot read the version of the tables: %w", err)
	}

	return version, nil
}

func checkVersion(version int) error {
	if version > schemaVersion {
		return &SchemaError{version}
	}
	return nil
}

// code returns the code of an error of PostgreSQL, or "".
func code(err error) string {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}
