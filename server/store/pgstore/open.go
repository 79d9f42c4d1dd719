package pgstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Options are the options of Open.
type Options struct {
	// Create creates the tables if they are missing.
	Create bool
	// MaxConnections limits the connections for reads and those for commits, each; 16
	// if 0.
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
)

// ErrStandby means that the database is a standby, which cannot be written to.
var ErrStandby = errors.New("the database is a standby; connect to the primary")

// Open opens the store of a database by its URL. Errors do not have the URL's password.
func Open(ctx context.Context, url string, opts Options) (*Store, error) {
	if opts.MaxConnections <= 0 {
		opts.MaxConnections = defaultConnections
	}
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
	if err := check(ctx, config.ConnConfig, opts.Create); err != nil {
		return nil, err
	}
	config.MaxConns = int32(opts.MaxConnections) //nolint:gosec // a small number
	s := &Store{opts: opts, groups: map[string]*group{}, closing: make(chan struct{})}
	if s.reads, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return nil, fmt.Errorf("cannot connect to the database: %w", err)
	}
	if s.commits, err = pgxpool.NewWithConfig(ctx, config.Copy()); err != nil {
		s.reads.Close()
		return nil, fmt.Errorf("cannot connect to the database: %w", err)
	}
	s.cache = newCache(opts.CacheBytes)
	return s, nil
}

// parse parses a URL.
func parse(url string) (*pgxpool.Config, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		var parseErr *pgconn.ParseConfigError
		if errors.As(err, &parseErr) { // it quotes the URL without the password
			return nil, fmt.Errorf("the database URL cannot be used; write it like postgres://user@host/database: %w", err)
		}
		return nil, fmt.Errorf("the database URL cannot be used: %w", err)
	}
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = connectTimeout
	}
	if config.ConnConfig.DefaultQueryExecMode == pgx.QueryExecModeCacheStatement { // pgx's default
		// Poolers that share connections between transactions do not know named
		// statements.
		config.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
	}
	return config, nil
}

// check connects once, and reports what would make every later connection useless.
func check(ctx context.Context, config *pgx.ConnConfig, create bool) error {
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return fmt.Errorf("cannot connect to the database: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	var standby bool
	if err := conn.QueryRow(ctx, "SELECT pg_is_in_recovery()").Scan(&standby); err != nil {
		return fmt.Errorf("cannot query the database: %w", err)
	}
	if standby {
		return ErrStandby
	}
	if create {
		return createTables(ctx, conn)
	}
	version, err := readVersion(ctx, conn)
	if err != nil {
		return err
	}
	return checkVersion(version)
}
