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
	readLayer := []string{"server/api", "server/store", "server/account", "server/ledger/internal/stored", "server/ledger/internal/journal"}
	rooms := []struct {
		room    string
		reaches []string // the only rooms it may reach, itself aside
	}{
		{"server/api", nil},
		{"server/store", nil},
		{"server/account", []string{"server/api", "server/store"}},
		{"server/ledger", []string{"server/api", "server/store", "server/account"}},
		{"server/ledger/internal/journal", []string{"server/api", "server/store"}},
		{"server/ledger/internal/expiry", []string{"server/api", "server/store"}},
		{"server/ledger/internal/stored", []string{"server/api", "server/store", "server/account", "server/ledger/internal/journal"}},
		{"server/ledger/internal/bitmap", readLayer},
		{"server/ledger/internal/feed", readLayer},
		{"server/ledger/replica", append([]string{"server/ledger/internal/bitmap"}, readLayer...)},
		{"server/ledger/audit", append([]string{"server/ledger/internal/bitmap"}, readLayer...)},
		{"server/ledger/internal/report", append([]string{"server/ledger/internal/bitmap", "server/ledger/replica"}, readLayer...)},
		{"server/httpapi", []string{"server/api"}},
		{"server/archive", []string{"server"}},
		{"server/local", []string{"server/api"}},
		{"server/admin", []string{"server"}},
		{"server/sheet", nil},
		{"server/intake", []string{"server/api", "server/sheet"}},
		{"apiclient", []string{"server/api"}},
		{"offline", []string{"server/api", "server/store", "server/account", "server/ledger"}},
		// The host of a node also speaks HTTP, to the service and to other processes.
		{"offline/host", []string{"offline", "server/api", "server/store", "server/account", "server/ledger", "server/local", "server/httpapi", "apiclient"}},
		{"tui", nil},
		{"views", []string{"server/api", "tui"}},
	}
	imports := projectImports(t)
	for _, r := range rooms {
		t.Run(r.room, func(t *testing.T) {
			t.Parallel()
			allowed := append(slices.Clone(r.reaches), r.room)
			var apart []string // rooms within this one that have rules of their own
			for _, other := range rooms {
				if other.room != r.room && within(other.room, r.room) {
					apart = append(apart, other.room)
				}
			}
			deps := importsOf(imports, r.room, apart)
			require.NotEmpty(t, deps)
			for _, dep := range deps {
				ok := slices.ContainsFunc(allowed, func(a string) bool { return within(dep, a) }) && !slices.Contains(apart, dep)
				require.True(t, ok, "%s reaches %s", r.room, dep)
			}
		})
	}
}

// TestImports_OnlyProgramsRunTheShell checks that screens and the contract in tui do
// not reach the program that runs them. Test support may.
func TestImports_OnlyProgramsRunTheShell(t *testing.T) {
	t.Parallel()
	programs := []string{"cmd/bincard", "tui/shell", "tui/plain", "tui/remote", "tui/picture"}
	imports := projectImports(t)
	for path, list := range imports {
		if slices.Contains(list, "testing") || slices.ContainsFunc(programs, func(p string) bool { return within(path, p) }) {
			continue
		}
		require.NotContains(t, reachable(imports, path), "tui/shell", "%s runs the shell", path)
	}
}

// projectImports lists what each package of the project imports. Test support
// and test suites import testing and are left out.
func projectImports(t *testing.T) map[string][]string {
	t.Helper()
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "bincard/...").CombinedOutput()
	require.NoError(t, err, string(out))
	all := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		all[strings.TrimPrefix(fields[0], "bincard/")] = fields[1:]
	}
	return all
}

// importsOf lists the packages of the project that the packages of a room import,
// directly or not, and the room's own. Rooms apart within it do not count to it.
func importsOf(imports map[string][]string, room string, apart []string) (deps []string) {
	for path, list := range imports {
		inner := slices.ContainsFunc(apart, func(a string) bool { return within(path, a) })
		if within(path, room) && !inner && !slices.Contains(list, "testing") {
			deps = append(deps, reachable(imports, path)...)
		}
	}
	slices.Sort(deps)
	return slices.Compact(deps)
}

// reachable lists a package and the packages of the project that it imports, directly
// or not.
func reachable(imports map[string][]string, path string) (deps []string) {
	var visit func(path string)
	visit = func(path string) {
		if slices.Contains(deps, path) {
			return
		}
		deps = append(deps, path)
		for _, dep := range imports[path] {
			if dep, ours := strings.CutPrefix(dep, "bincard/"); ours {
				visit(dep)
			}
		}
	}
	visit(path)
	return deps
}

func within(path, room string) bool { return path == room || strings.HasPrefix(path, room+"/") }
