package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"bincard/cmd/bincard/cli"
	"bincard/server/testenv"
)

// TestMain makes this program available to scripts as bincard.
func TestMain(m *testing.M) {
	cli.TestClock = testenv.ClockVariable
	testenv.SetClock()
	testscript.Main(m, map[string]func(){
		"bincard": func() { os.Exit(run(os.Args[1:])) },
	})
}
