package main

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/rogpeppe/go-internal/testscript"

	"bincard/server/store/pgstore/pgtest"
)

// scriptCondition evaluates the condition [postgres]: whether tests that need PostgreSQL
// run.
func scriptCondition(name string) (bool, error) {
	if name != "postgres" {
		return false, fmt.Errorf("unknown condition %q", name)
	}
	return pgtest.IsRequired(), nil
}

// A postgres runs the PostgreSQL servers of scripts, which end with the test.
type postgres struct {
	t       *testing.T
	servers sync.Map // *pgtest.Server by *testscript.TestScript
}

func newPostgres(t *testing.T) *postgres { return &postgres{t: t} }

// command gives the script a database, or a server of its own, which takes seconds:
//
//	postgres database NAME  creates an empty database, and sets NAME to its URL
//	postgres start          starts a server, and sets DB to a database's URL, and PGDIR to the socket's directory
//	postgres stop|restart
//	postgres standby        restarts the server as a standby
//	postgres passwords      requires passwords of all roles but the superuser
//	postgres run SQL        runs a statement in the database DB
func (p *postgres) command(ts *testscript.TestScript, _ bool, args []string) {
	switch args[0] {
	case "database":
		ts.Setenv(args[1], pgtest.Common(p.t).Database(p.t))
		return
	case "start":
		s := pgtest.Start(p.t)
		p.servers.Store(ts, s)
		ts.Setenv("DB", s.Database(p.t))
		ts.Setenv("PGDIR", filepath.Dir(s.Socket()))
		return
	case "run":
		conn, err := pgx.Connect(context.Background(), ts.Getenv("DB"))
		ts.Check(err)
		defer func() { _ = conn.Close(context.Background()) }()
		_, err = conn.Exec(context.Background(), args[1])
		ts.Check(err)
		return
	}

	found, ok := p.servers.Load(ts)
	if !ok {
		ts.Fatalf("postgres start comes first")
	}
	s := found.(*pgtest.Server)
	switch args[0] {
	case "stop":
		s.Kill()
	case "restart":
		s.Restart(p.t)
	case "standby":
		s.BecomeStandby(p.t)
	case "passwords":
		s.RequirePasswords(p.t)
	default:
		ts.Fatalf("postgres database, start, stop, restart, standby, passwords or run, not %s", args[0])
	}
}
