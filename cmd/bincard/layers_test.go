package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestImports_FollowLayers checks which layers each layer imports, directly or
// indirectly.
func TestImports_FollowLayers(t *testing.T) {
	t.Parallel()
	readLayer := []string{"server/api", "server/store", "server/account", "server/ledger/internal/stored", "server/ledger/internal/journal"}
	ledgerParts := []string{"server/ledger/internal/journal", "server/ledger/internal/expiry", "server/ledger/internal/stored",
		"server/ledger/internal/bitmap", "server/ledger/internal/feed", "server/ledger/internal/report", "server/ledger/replica", "server/ledger/audit"}
	screenParts := []string{"views/names", "views/count", "views/session", "views/submit"}
	layers := []struct {
		path    string
		imports []string // the layers it may import besides itself
	}{
		{"server/api", nil},
		{"server/store", nil},
		{"server/account", []string{"server/api", "server/store"}},
		{"server/ledger", append(ledgerParts, "server/api", "server/store", "server/account")},
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
		{"server/inbox", []string{"server/api", "server/intake", "server/sheet"}},
		{"apiclient", []string{"server/api"}},
		{"offline", []string{"server/api", "server/store", "server/account", "server/ledger"}},
		// The host of a node also uses HTTP, with the service and with other processes.
		{"offline/host", []string{"offline", "server/api", "server/store", "server/account", "server/ledger", "server/local", "server/httpapi", "apiclient"}},
		{"cmd/bincard/shared", []string{"server", "apiclient"}},
		{"tui", nil},
		// The screens are made of these parts, which know no screen.
		{"views/names", []string{"server/api", "tui"}},
		{"views/count", []string{"server/api", "tui"}},
		{"views/session", []string{"server/api", "tui", "views/names", "views/count"}},
		{"views/submit", []string{"server/api", "tui", "views/names", "views/count", "views/session"}},
		{"views/labels", []string{"server/api", "tui", "views/names", "views/count", "views/session"}},
		{"views/panel", append([]string{"server/api", "tui", "views/catalog", "views/labels"}, screenParts...)},
		{"views", append([]string{"server/api", "tui", "views/labels", "views/panel"}, screenParts...)},
	}
	imports := projectImports(t)
	for _, layer := range layers {
		t.Run(layer.path, func(t *testing.T) {
			t.Parallel()
			allowed := append(slices.Clone(layer.imports), layer.path)
			var nested []string // layers inside this one with their own rules
			for _, other := range layers {
				if other.path != layer.path && within(other.path, layer.path) {
					nested = append(nested, other.path)
				}
			}
			deps := importsOf(imports, layer.path, nested)
			require.NotEmpty(t, deps)
			for _, dep := range deps {
				ok := slices.ContainsFunc(allowed, func(a string) bool { return within(dep, a) }) &&
					(!slices.Contains(nested, dep) || slices.Contains(layer.imports, dep))
				require.True(t, ok, "%s must not import %s", layer.path, dep)
			}
		})
	}
}

// TestImports_ScreensUseOnlyKits checks that the packages below views import no screen:
// only package views and the commands do. Every package that is not a kit is a screen.
func TestImports_ScreensUseOnlyKits(t *testing.T) {
	t.Parallel()
	kits := []string{"names", "count", "session", "submit", "panel", "export", "filestore", "status", "catalog", "alerts", "stocktext", "paging", "preview", "listscreen", "listsort", "entry", "labels", "viewtest"}
	isScreen := func(path string) bool {
		name, below := strings.CutPrefix(path, "views/")
		return below && !slices.Contains(kits, name)
	}
	imports := projectImports(t)
	for _, kit := range kits {
		require.Contains(t, imports, "views/"+kit)
	}
	for path, list := range imports {
		for _, dep := range list {
			dep = strings.TrimPrefix(dep, "bincard/")
			require.False(t, path != "views" && within(path, "views") && isScreen(dep), "%s must not import the screen %s", path, dep)
		}
	}
}

// TestImports_OnlyProgramsUseShell checks that the screens and package tui do not import
// the shell that runs them. Test support may.
func TestImports_OnlyProgramsUseShell(t *testing.T) {
	t.Parallel()
	programs := []string{"cmd/bincard", "tui/shell", "tui/plain", "tui/remote", "tui/picture"}
	imports := projectImports(t)
	for path, list := range imports {
		if slices.Contains(list, "testing") || slices.ContainsFunc(programs, func(p string) bool { return within(path, p) }) {
			continue
		}
		require.NotContains(t, reachable(imports, path), "tui/shell", "%s must not import the shell", path)
	}
}

// projectImports returns the imports of each package of the project.
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

// importsOf returns the packages of a layer and the project's packages that they import,
// directly or indirectly. It skips the layers in nested and test support, which imports
// testing.
func importsOf(imports map[string][]string, layer string, nested []string) (deps []string) {
	for path, list := range imports {
		inner := slices.ContainsFunc(nested, func(a string) bool { return within(path, a) })
		if within(path, layer) && !inner && !slices.Contains(list, "testing") {
			deps = append(deps, reachable(imports, path)...)
		}
	}
	slices.Sort(deps)
	return slices.Compact(deps)
}

// reachable returns a package and the project's packages that it imports, directly or
// indirectly.
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

func within(path, layer string) bool { return path == layer || strings.HasPrefix(path, layer+"/") }
