package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"bincard/cmd/bincard/cli"
	"bincard/server/built"
)

// TestMain makes this program available to scripts as bincard.
func TestMain(m *testing.M) {
	cli.TestClock = built.ClockVariable
	built.SetClock()
	testscript.Main(m, map[string]func(){
		"bincard": func() { os.Exit(run(os.Args[1:])) },
	})
}
