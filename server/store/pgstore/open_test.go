package pgstore_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"bincard/server/store"
	"bincard/server/store/pgstore"
	"bincard/server/store/pgstore/pgtest"
)

func TestOpen_Errors(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	url := server.Database(t)
	_, err := pgstore.Open(ctx, url, pgstore.Options{})
	require.ErrorIs(t, err, pgstore.ErrNoTables)
	server.Exec(t, "postgres", "CREATE ROLE clerk LOGIN PASSWORD 'secret-word'")
	server.Exec(t, "postgres", "ALTER DATABASE d1 CONNECTION LIMIT 20")
	server.RequirePasswords(t)
	dir := filepath.Dir(server.Socket())
	clerk := server.URLOf("clerk:secret-word", "d1")
	const rights = "Run 'bincard store init --role clerk' as the owner of the database"
	for _, c := range []struct {
		name, url, text string
		away            bool
	}{
		{"password", server.URLOf("clerk:secret-wort", "d1"), "the database rejected the password of the role clerk. Set PGPASSWORD, or add it to the file .pgpass", false},
		{"role", server.URLOf("nobody:secret-word", "d1"), "the database rejected the password of the role nobody.", false},
		{"database", server.URLOf("clerk:secret-word", "missing"), "there is no database missing on " + dir + ". Create it with 'createdb missing'", false},
		{"rights to create", clerk, "the role clerk may not do this: permission denied for database d1. " + rights, false},
		{"closed port", "postgres://clerk:secret-word@127.0.0.1:1/x", "the database x on 127.0.0.1 cannot be reached: dial tcp 127.0.0.1:1: connect: connection refused. Check its address, and that it runs", true},
		{"unknown host", "postgres://clerk:secret-word@db.invalid/x", "the database x on db.invalid cannot be reached: lookup db.invalid", true},
		{"scheme", "mysql://clerk:secret-word@h/x", "the store must be the URL of a PostgreSQL database, like postgres://user@host/database", false},
		{"keywords", "host=h password=secret-word", "the store must be the URL of a PostgreSQL database", false},
		{"no host", "postgres:secret-word", "the store must be the URL of a PostgreSQL database", false},
		{"port", "postgres://clerk:secret-word@h:port/x", "the database URL cannot be read; write it like postgres://user@host/database", false},
		{"escape", "postgres://clerk:secret-word%@h/x", "the database URL cannot be read", false},
		{"parameter", "postgres://clerk:secret-word@h/x?sslmode=always", "the database URL cannot be used: sslmode is invalid", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := pgstore.Open(ctx, c.url, pgstore.Options{Create: true})
			require.ErrorContains(t, err, c.text)
			require.NotContains(t, err.Error(), "secret-word")
			require.NotContains(t, err.Error(), "secret-wort")
			require.Equal(t, c.away, errors.Is(err, store.ErrUnavailable))
		})
	}

	// A role gets the rights that it needs, and no others.
	created, err := pgstore.Init(ctx, url, pgstore.InitOptions{})
	require.NoError(t, err)
	require.True(t, created)
	_, err = pgstore.Open(ctx, clerk, pgstore.Options{Create: true})
	require.ErrorContains(t, err, "the role clerk may not do this: permission denied for schema bincard. "+rights)
	server.Exec(t, "d1", "GRANT USAGE ON SCHEMA bincard TO clerk; GRANT SELECT ON ALL TABLES IN SCHEMA bincard TO clerk")
	_, err = pgstore.Open(ctx, clerk, pgstore.Options{})
	require.EqualError(t, err, "the role clerk may not read and write the table bincard.commits. "+rights)
	_, err = pgstore.Init(ctx, url, pgstore.InitOptions{Role: "nobody"})
	require.ErrorContains(t, err, "there is no role nobody. Create it with CREATE ROLE")
	created, err = pgstore.Init(ctx, url, pgstore.InitOptions{Role: "clerk"})
	require.NoError(t, err)
	require.False(t, created)
	s, err := pgstore.Open(ctx, clerk, pgstore.Options{Create: true, MaxConnections: 2})
	require.NoError(t, err)
	p := partition()
	for range 100 { // the lists of changes are trimmed
		mustIncrement(t, s, p)
	}
	requireCount(t, s, p, 100)
	require.NoError(t, s.Close())

	server.Exec(t, "d1", "UPDATE bincard.schema_version SET version = 7")
	_, err = pgstore.Open(ctx, url, pgstore.Options{Create: true})
	require.EqualError(t, err, "the database has tables of version 7, and this program knows version 1; use the newer program or a later one")

	server.BecomeStandby(t)
	_, err = pgstore.Open(ctx, url, pgstore.Options{Create: true})
	require.ErrorIs(t, err, pgstore.ErrStandby)
	status, err := pgstore.Inspect(ctx, clerk)
	require.NoError(t, err)
	require.True(t, status.Standby)
	require.Equal(t, "clerk", status.Role)
	require.Equal(t, 7, status.Tables)
	require.EqualValues(t, 1, status.Partitions)
	server.Kill()
	_, err = pgstore.Open(ctx, url, pgstore.Options{Create: true})
	require.ErrorIs(t, err, store.ErrUnavailable)
}

func TestInit_Citus(t *testing.T) {
	t.Parallel()
	server, name, url := newDatabase(t)
	_, err := pgstore.Init(ctx, url, pgstore.InitOptions{Citus: true})
	require.EqualError(t, err, "the database has no Citus. Install it, and run CREATE EXTENSION citus as a superuser")
	_, err = pgstore.Open(ctx, url, pgstore.Options{})
	require.ErrorIs(t, err, pgstore.ErrNoTables)

	// This function has the name of Citus's, and only records its calls.
	server.Exec(t, name, `CREATE TABLE distributed (name regclass PRIMARY KEY, distribution text, together text)`)
	server.Exec(t, name, `CREATE FUNCTION create_distributed_table(table_name regclass, distribution_column text, colocate_with text DEFAULT 'default') RETURNS void AS $$
		BEGIN
			IF EXISTS (SELECT FROM distributed WHERE name = table_name) THEN
				RAISE EXCEPTION 'table is already distributed' USING ERRCODE = 'invalid_table_definition';
			END IF;
			INSERT INTO distributed VALUES (table_name, distribution_column, colocate_with);
		END $$ LANGUAGE plpgsql`)
	for range 2 {
		_, err = pgstore.Init(ctx, url, pgstore.InitOptions{Citus: true})
		require.NoError(t, err)
	}
	conn, err := pgx.Connect(ctx, url)
	require.NoError(t, err)
	defer func() { _ = conn.Close(ctx) }()
	rows, err := conn.Query(ctx, "SELECT format('%s by %s with %s', name, distribution, together) FROM distributed ORDER BY 1")
	require.NoError(t, err)
	calls, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Equal(t, []string{"commits by partition with bincard.partitions", "partitions by partition with default", "rows by partition with bincard.partitions"}, calls)
}

func TestWithoutPassword(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]string{
		"postgres://clerk@h/x":                                  "postgres://clerk@h/x",
		"postgresql://clerk:pw@h:5432,i/x?sslmode=disable":      "",
		"postgres://clerk:pw@h/x":                               "postgres://clerk@h/x",
		"postgres://clerk:p%40w@h,i/x":                          "postgres://clerk@h,i/x",
		"postgres://clerk:p@w@h/x":                              "postgres://clerk@h/x",
		"postgres://:pw@h/x":                                    "postgres://@h/x",
		"postgres://h/x?user=clerk&password=pw&sslmode=disable": "postgres://h/x?sslmode=disable&user=clerk",
		"postgres://h/x?sslpassword=pw":                         "postgres://h/x",
	} {
		public, had, err := pgstore.WithoutPassword(url)
		if want == "" {
			require.Error(t, err, url)
			require.NotContains(t, err.Error(), "pw")
			continue
		}
		require.NoError(t, err, url)
		require.Equal(t, want, public)
		require.Equal(t, url != want, had)
	}
}

// Several processes create the tables at the same time.
func TestOpen_CreatesTablesOnce(t *testing.T) {
	t.Parallel()
	url := pgtest.Common(t).Database(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			s, err := pgstore.Open(context.Background(), url, pgstore.Options{Create: true, MaxConnections: 1})
			if err != nil {
				t.Error(err)
				return
			}
			_ = s.Close()
		})
	}
	wg.Wait()
}

// Over a network, a connection without TLS is only made if the URL asks for it.
func TestOpen_RequiresTLSOverNetwork(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	var plain atomic.Int64 // connections that went on without TLS
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			buf := make([]byte, 1024)
			n, _ := c.Read(buf)
			if n == 8 { // asks for TLS
				_, _ = c.Write([]byte("N"))
				n, _ = c.Read(buf)
			}
			// Only a startup message names a user: pgx may also cancel, on a connection of its own.
			if bytes.Contains(buf[:n], []byte("user\x00clerk")) {
				plain.Add(1)
			}
			_ = c.Close()
		}
	}()
	_, port, err := net.SplitHostPort(l.Addr().String())
	require.NoError(t, err)
	open := func(host, parameters string) error {
		_, err := pgstore.Open(ctx, "postgres://clerk:secret-word@"+host+":"+port+"/x"+parameters, pgstore.Options{})
		require.Error(t, err)
		return err
	}
	// 0.0.0.0 is this machine, but no loopback address.
	require.EqualError(t, open("0.0.0.0", ""), "the database x on 0.0.0.0 offers no TLS, so the network could read everything. Enable TLS there, or add sslmode=disable to the URL if the network is private")
	require.Zero(t, plain.Load())
	require.ErrorContains(t, open("0.0.0.0", "?sslmode=disable"), "cannot be reached")
	require.EqualValues(t, 1, plain.Load())
	require.ErrorContains(t, open("127.0.0.1", ""), "cannot be reached")
	require.Greater(t, plain.Load(), int64(1))
}

// The administrator limits how long a statement may take, and creating a table takes longer.
func TestOpen_CreatesTablesSlowly(t *testing.T) {
	t.Parallel()
	server, name, url := newDatabase(t)
	server.Exec(t, name, "CREATE FUNCTION public.slow() RETURNS event_trigger AS 'BEGIN PERFORM pg_sleep(0.6); END' LANGUAGE plpgsql")
	server.Exec(t, name, "CREATE EVENT TRIGGER slow ON ddl_command_start WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION public.slow()")
	server.Exec(t, "postgres", "ALTER DATABASE "+name+" SET statement_timeout = '500ms'")
	s, err := pgstore.Open(ctx, url, pgstore.Options{Create: true, MaxConnections: 1})
	require.NoError(t, err)
	require.NoError(t, s.Close())
}
