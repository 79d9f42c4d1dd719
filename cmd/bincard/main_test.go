package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets scripts run this program as bincard.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"bincard": func() { os.Exit(run(os.Args[1:])) },
	})
}
