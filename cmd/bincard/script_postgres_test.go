package main

import (
	"fmt"
	"path/filepath"
	"sync"
	"testing"

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

// command controls the script's server:
//
//	postgres start        starts it and sets DB to a database's URL, and PGDIR to the socket's directory
//	postgres stop|restart
//	postgres standby      restarts it as a standby
//	postgres passwords    requires passwords of all roles but the superuser
//	postgres run SQL      runs a statement in the database
func (p *postgres) command(ts *testscript.TestScript, _ bool, args []string) {
	if args[0] == "start" {
		s := pgtest.Start(p.t)
		p.servers.Store(ts, s)
		ts.Setenv("DB", s.Database(p.t))
		ts.Setenv("PGDIR", filepath.Dir(s.Socket()))
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
	case "run":
		s.Exec(p.t, "d1", args[1])
	default:
		ts.Fatalf("postgres start, stop, restart, standby, passwords or run, not %s", args[0])
	}
}
