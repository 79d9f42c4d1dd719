package pgstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Options are the options of Open.
type Options struct {
	// Create creates the tables if they are missing.
	Create bool
	// MaxConnections limits the connections for reads and those for commits, each. If 0,
	// it is pool_max_conns of the URL, or else 16.
	MaxConnections int
	// CacheBytes is the most memory for rows; 64 MB if 0.
	CacheBytes int
	// Patience is how long a commit is tried again while the database cannot be
	// reached; 10 seconds if 0.
	Patience time.Duration
}

const (
	defaultConnections = 16
	defaultCacheBytes  = 64 << 20
	defaultPatience    = 10 * time.Second
	connectTimeout     = 5 * time.Second
	checkRetries       = 5
)

// ErrStandby means that the database is a standby, which cannot be written to.
var ErrStandby = errors.New("the database is a standby; connect to the primary")

// Open opens the store of a database by its URL. Errors do not have the URL's password.
func Open(ctx context.Context, url string, opts Options) (*Store, error) {
	if opts.CacheBytes <= 0 {
		opts.CacheBytes = defaultCacheBytes
	}
	if opts.Patience <= 0 {
		opts.Patience = defaultPatience
	}

	config, err := parse(url)
	if err != nil {
		return nil, err
	}

	err = check(ctx, config.ConnConfig, opts.Create)
	for range checkRetries {
		if code(err) != statementCanceled { // such as by a statement timeout on a busy machine
			break
		}
		err = check(ctx, config.ConnConfig, opts.Create)
	}

	if err != nil {
		return nil, explain(config.ConnConfig, err)
	}
	if opts.MaxConnections > 0 {
		config.MaxConns = int32(opts.MaxConnections) //nolint:gosec // a small number
	}

	s := &Store{opts: opts, groups: map[string]*group{}, closing: make(chan struct{}), cache: newCache(opts.CacheBytes)}
	config.ConnConfig.Tracer = &s.counters
	if s.reads, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return nil, fmt.Errorf("cannot connect to the database: %w", err)
	}
	if s.commits, err = pgxpool.NewWithConfig(ctx, config.Copy()); err != nil {
		s.reads.Close()
		return nil, fmt.Errorf("cannot connect to the database: %w", err)
	}

	return s, nil
}

// check connects once, and reports what would make every later connection useless.
func check(ctx context.Context, config *pgx.ConnConfig, create bool) error {
	conn, err := connect(ctx, config)
	if conn != nil {
		defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	}
	if err != nil {
		return err
	}

	if create {
		_, err = createTables(ctx, conn)
	} else {
		var version int
		if version, err = readVersion(ctx, conn); err == nil {
			err = checkVersion(version)
		}
	}

	if err != nil {
		return err
	}

	return checkRights(ctx, conn)
}

// connect connects to a database. For a standby, it returns ErrStandby and the connection.
func connect(ctx context.Context, config *pgx.ConnConfig) (*pgx.Conn, error) {
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("cannot connect to the database: %w", err)
	}

	var standby bool
	if err = conn.QueryRow(ctx, "SELECT pg_is_in_recovery()").Scan(&standby); err != nil {
		_ = conn.Close(context.WithoutCancel(ctx))
		return nil, fmt.Errorf("cannot query the database: %w", err)
	}
	if standby {
		return conn, ErrStandby
	}

	return conn, nil
}

// checkRights checks the rights to the tables.
func checkRights(ctx context.Context, conn *pgx.Conn) error {
	var missing *string
	err := conn.QueryRow(
		ctx,
		`SELECT min('bincard.' || t) FROM unnest(ARRAY['rows', 'partitions', 'commits']) AS t, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS r
		WHERE NOT has_table_privilege('bincard.' || t, r)`,
	).Scan(&missing)

	switch {
	case err != nil:
		return fmt.Errorf("cannot query the database: %w", err)
	case missing != nil:
		return &OpenError{
			text: fmt.Sprintf(
				"the role %s may not read and write the table %s. Run 'bincard store init --role %[1]s' as the owner of the database",
				conn.Config().User,
				*missing,
			),
		}
	}

	return nil
}
