package pgstore

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// A URLError means that a text is not the URL of a database. It does not quote the text,
// which may have a password.
type URLError struct{ text string }

func (e *URLError) Error() string { return e.text }

// passwordParameters are the parameters of a URL that are secrets.
var passwordParameters = []string{"password", "sslpassword"}

// parseURL parses the URL of a database.
func parseURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil {
		return nil, &URLError{
			"the database URL cannot be read; write it like postgres://user@host/database, and special characters of names and passwords as %XX",
		}
	}

	if u.Scheme != "postgres" && u.Scheme != "postgresql" || u.Opaque != "" {
		return nil, &URLError{"the store must be the URL of a PostgreSQL database, like postgres://user@host/database"}
	}

	return u, nil
}

// WithoutPassword returns a URL without its password, and whether it had one.
func WithoutPassword(text string) (public string, had bool, err error) {
	u, err := parseURL(text)
	if err != nil {
		return "", false, err
	}
	if _, set := u.User.Password(); set {
		u.User, had = url.User(u.User.Username()), true
	}

	query := u.Query()
	for _, name := range passwordParameters {
		if query.Has(name) {
			query.Del(name)
			u.RawQuery, had = query.Encode(), true
		}
	}

	return u.String(), had, nil
}

// requireTLS removes the attempts to connect over a network without TLS, which are made when
// the server offers none.
func requireTLS(config *pgconn.Config) {
	config.Fallbacks = slices.DeleteFunc(config.Fallbacks, func(f *pgconn.FallbackConfig) bool {
		ip, err := netip.ParseAddr(f.Host)
		local := strings.HasPrefix(f.Host, "/") || f.Host == "localhost" || err == nil && ip.IsLoopback()
		return f.TLSConfig == nil && !local
	})
}

// parse parses a URL.
func parse(text string) (*pgxpool.Config, error) {
	u, err := parseURL(text)
	if err != nil {
		return nil, err
	}

	config, err := pgxpool.ParseConfig(text)
	if err != nil {
		// The error quotes the URL. Its cause does not.
		if cause := errors.Unwrap(err); cause != nil {
			return nil, &URLError{fmt.Sprintf("the database URL cannot be used: %v", cause)}
		}
		return nil, &URLError{"the database URL cannot be used; check its parameters"}
	}

	if !u.Query().Has("pool_max_conns") {
		config.MaxConns = defaultConnections
	}

	config.ConnConfig.OnNotice = noteWarning
	if !u.Query().Has("sslmode") && os.Getenv("PGSSLMODE") == "" {
		requireTLS(&config.ConnConfig.Config)
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
