package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestImportsGoOneWay holds the direction of imports for what each room reaches,
// over any number of steps.
func TestImportsGoOneWay(t *testing.T) {
	t.Parallel()
	rooms := []struct {
		room    string
		reaches []string // the only rooms it may reach, itself aside
	}{
		{"server/api", nil},
		{"server/store", nil},
		{"server/ledger", []string{"server/api", "server/store"}},
		{"server/httpapi", []string{"server/api"}},
		{"server/archive", []string{"server"}},
		{"server/local", []string{"server"}},
		{"server/sheet", nil},
		{"server/intake", []string{"server/api", "server/sheet"}},
		{"apiclient", []string{"server/api"}},
		{"offline", []string{"server/api", "server/store", "server/ledger"}},
		{"tui", nil},
		{"views", []string{"server/api", "tui"}},
	}
	for _, r := range rooms {
		t.Run(r.room, func(t *testing.T) {
			t.Parallel()
			allowed := append(slices.Clone(r.reaches), r.room)
			for _, dep := range reached(t, "bincard/"+r.room) {
				room := strings.TrimPrefix(dep, "bincard/")
				ok := slices.ContainsFunc(allowed, func(a string) bool { return room == a || strings.HasPrefix(room, a+"/") })
				require.True(t, ok, "%s reaches %s", r.room, dep)
			}
		})
	}
}

// reached lists the project's packages that the packages of a room import. What
// supports tests and suites is no part of the room.
func reached(t *testing.T, room string) []string {
	t.Helper()
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}} {{.Imports}}", room+"/...").CombinedOutput()
	require.NoError(t, err, string(out))
	args := []string{"list", "-deps"}
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		path, imports, _ := strings.Cut(line, " ")
		if !slices.Contains(strings.Fields(strings.Trim(imports, "[]")), "testing") {
			args = append(args, path)
		}
	}
	out, err = exec.Command("go", args...).CombinedOutput()
	require.NoError(t, err, string(out))
	var deps []string
	for _, p := range strings.Fields(string(out)) {
		if strings.HasPrefix(p, "bincard/") {
			deps = append(deps, p)
		}
	}
	return deps
}
