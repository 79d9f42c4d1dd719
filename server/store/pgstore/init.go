package pgstore

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// InitOptions are the options of Init.
type InitOptions struct {
	// Role is an existing role that may read and write the tables afterwards.
	Role string
	// Citus distributes the tables by partition, with Citus.
	Citus bool
}

// Init creates the tables in a database, if they are missing, and reports whether it did.
// The role of the URL owns the tables.
func Init(ctx context.Context, url string, opts InitOptions) (created bool, err error) {
	config, err := parse(url)
	if err != nil {
		return false, err
	}

	conn, err := connect(ctx, config.ConnConfig)
	if conn != nil {
		defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	}
	if err != nil {
		return false, explain(config.ConnConfig, err)
	}
	if opts.Citus {
		if err := requireCitus(ctx, conn); err != nil {
			return false, explain(config.ConnConfig, err)
		}
	}

	created, err = createTables(ctx, conn)
	if err == nil && opts.Citus {
		err = distribute(ctx, conn)
	}
	if err == nil && opts.Role != "" {
		err = grant(ctx, conn, opts.Role)
	}

	return created, explain(config.ConnConfig, err)
}

// grant lets a role read and write the rows. It may not change the tables.
func grant(ctx context.Context, conn *pgx.Conn, role string) error {
	name := pgx.Identifier{role}.Sanitize()
	_, err := conn.Exec(ctx, `GRANT USAGE ON SCHEMA bincard TO `+name+`;
		GRANT SELECT ON bincard.schema_version TO `+name+`;
		GRANT SELECT, INSERT, UPDATE, DELETE ON bincard.rows, bincard.partitions, bincard.commits TO `+name, pgx.QueryExecModeSimpleProtocol)
	if code(err) == missingRole {
		return &OpenError{
			text: fmt.Sprintf("there is no role %s. Create it with CREATE ROLE %s LOGIN, and a password", role, name),
			err:  err,
		}
	}

	if err != nil {
		return fmt.Errorf("cannot grant rights to the role: %w", err)
	}

	return nil
}

// requireCitus checks that a database has Citus.
func requireCitus(ctx context.Context, conn *pgx.Conn) error {
	var found bool
	const query = "SELECT EXISTS (SELECT FROM pg_proc WHERE proname = 'create_distributed_table')"
	if err := conn.QueryRow(ctx, query).Scan(&found); err != nil {
		return fmt.Errorf("cannot query the database: %w", err)
	}
	if !found {
		return &OpenError{text: "the database has no Citus. Install it, and run CREATE EXTENSION citus as a superuser"}
	}

	return nil
}

// distributedAlready is the code of Citus for a table that is distributed.
const distributedAlready = "42P16"

// distribute distributes the tables that are not distributed. The rows of a partition stay
// together, so that a commit is within one node of the database.
func distribute(ctx context.Context, conn *pgx.Conn) error {
	for _, statement := range []string{
		"SELECT create_distributed_table('bincard.partitions', 'partition')",
		"SELECT create_distributed_table('bincard.rows', 'partition', colocate_with => 'bincard.partitions')",
		"SELECT create_distributed_table('bincard.commits', 'partition', colocate_with => 'bincard.partitions')",
	} {
		_, err := conn.Exec(ctx, statement)
		if e := (*pgconn.PgError)(nil); errors.As(err, &e) && e.Code == distributedAlready {
			continue
		}
		if err != nil {
			return fmt.Errorf("cannot distribute the tables: %w", err)
		}
	}

	return nil
}
