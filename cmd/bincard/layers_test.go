package main

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/testenv"
)

// A layer is some packages, and what they may import of the project. Both are
// lists of patterns: a package, "x/..." for x and all packages below it, or "x/*"
// for the packages directly below x. A package belongs to the layer with the
// longest pattern that matches it. To import a layer with a pattern is to import
// any package that belongs to it.
type layer struct{ packages, imports string }

// Some parts of the layers below.
const (
	// storedData is what all parts of the ledger read.
	storedData = " server/api server/store/... server/account server/ledger/internal/journal server/ledger/internal/stored "
	// screenParts are what screens and kits are made of.
	screenParts = " server/api tui/... views/names views/count views/session views/submit views/labels views/panel "
	// kits are what several screens need.
	kits = " views/alerts views/catalog views/entry views/export views/listscreen " +
		"views/status views/stocktext "
)

// layers are the layers of the project, the lowest ones first. A package that is
// in none imports no other package of the project. Tests, and packages that
// import testing, may import anything.
var layers = []layer{
	// The contract: the operations of the service, with their inputs and outputs.
	{"server/api/...", "server/api/..."},

	// The stores of rows, which know nothing of what they store.
	{"server/store/...", "server/store/..."},
	{"server/store/boltstore", "server/store/..."},
	{"server/store/pgstore", "server/store/..."},

	// The ledger: what is stored, then what reads it, then what changes it.
	{"server/account", "server/api server/store/..."},
	{"server/ledger/internal/journal", "server/api server/store/..."},
	{"server/ledger/internal/stored", "server/api server/store/... server/account server/ledger/internal/journal"},
	{"server/ledger/replica", storedData},
	{"server/ledger/audit", storedData},
	{"server/ledger/internal/report", storedData + "server/ledger/replica"},
	{"server/ledger/internal/posting", storedData},
	{"server/ledger/internal/*", storedData + "server/ledger/internal/posting server/ledger/internal/report"},
	{"server/ledger", storedData + "server/api/role server/ledger/audit server/ledger/replica " +
		"server/ledger/internal/report server/ledger/internal/posting server/ledger/internal/*"},

	// The service: HTTP in front of any implementation of the contract, and what its
	// owner needs.
	{"server/httpapi/...", "server/api/... server/httpapi/... server/metrics server/memory"},
	{"server/local", "server/api/..."},
	{"server/sheet", "server/api"},
	{"server/intake", "server/api/... server/sheet"},
	{"server/inbox", "server/api/... server/metrics server/sheet server/intake server/memory"},
	{"server", "server/httpapi/... server/ledger server/ledger/audit server/metrics " +
		"server/store/... server/store/boltstore server/store/pgstore"},
	{"server/archive", "server server/ledger server/ledger/audit " +
		"server/store/... server/store/boltstore server/store/pgstore"},
	{"server/admin", "server server/account server/api/... server/archive server/ledger server/ledger/audit server/local server/store/..."},
	{"server/demo", "server server/api/..."},

	// What uses a service from elsewhere: the client, and the node that works offline.
	// Only the host of a node uses HTTP, with the service and with other processes.
	{"apiclient/...", "server/api/..."},
	{"offline/...", "offline/... server/account server/api/... server/ledger server/ledger/replica server/metrics " +
		"server/store/... server/store/boltstore"},
	{"offline/host", "offline/... apiclient/... server/api/... server/httpapi/... server/local server/metrics " +
		"server/store/... server/store/boltstore"},

	// The terminal, which knows no warehouse: what screens use, and the programs that
	// run screens.
	{"tui/...", "tui/... server/api/role"},
	{"tui/shell/internal/...", "tui/... tui/shell/internal/..."},
	{"tui/shell", "tui/... tui/shell/internal/..."},
	{"tui/plain", "tui/... tui/shell"},
	{"tui/remote", "tui/... tui/shell tui/plain"},

	// The screens, which know the contract and the terminal, but not each other.
	{"views/names", "server/api tui/i18n"},
	{"views/count", "server/api tui/i18n tui/scan tui/scan/gs1 views/names"},
	{"views/session", "server/api tui/... views/names views/count"},
	{"views/submit", "server/api tui/... views/names views/count views/session"},
	{"views/labels", "server/api tui/... views/names views/count views/session"},
	{"views/panel", "server/api tui/... views/names views/count views/session views/submit views/labels"},
	{kits, screenParts + kits},
	{"views/*", screenParts + kits},
	{"views", screenParts + "views/*"},

	// The programs.
	{"cmd/bincard/...", "..."},
}

// modules are the packages of other modules that some packages are limited to.
var modules = map[string]string{
	"server/api":            "github.com/go-json-experiment/json/... github.com/google/uuid golang.org/x/text/unicode/norm",
	"server/api/appendjson": "github.com/go-json-experiment/json/... github.com/google/uuid",
	"views/names":           "",
	"views/count":           "",
}

// TestImports_FollowLayers checks the imports of all packages.
func TestImports_FollowLayers(t *testing.T) {
	t.Parallel()

	imports := projectImports(t)
	for _, l := range layers {
		for _, pattern := range strings.Fields(l.packages + " " + l.imports) {
			layer, _ := layerOf(pattern)
			require.True(t, pattern == "..." || layer == pattern || imports[pattern] != nil, "there is no package or layer %s", pattern)
		}
	}

	var faults []string
	for pkg, list := range imports {
		if servesTests(list) {
			continue
		}
		_, patterns := layerOf(pkg)
		allowed := strings.Fields(patterns)

		for _, imported := range list {
			dep, ours := strings.CutPrefix(imported, "bincard/")
			layer, _ := layerOf(dep)
			only, limited := modules[pkg]
			switch {
			case !ours && limited && strings.Contains(imported, ".") && !matchesAny(only, imported):
				faults = append(faults, fmt.Sprintf("%s must not import the module %s", pkg, imported))
			case !ours:
			case servesTests(imports[dep]):
				faults = append(faults, fmt.Sprintf("%s must not import %s, which is for tests", pkg, dep))
			case !slices.Contains(allowed, "...") && !slices.Contains(allowed, dep) && !slices.Contains(allowed, layer):
				faults = append(faults, fmt.Sprintf("%s must not import %s", pkg, dep))
			}
		}
	}
	slices.Sort(faults)
	require.Empty(t, strings.Join(faults, "\n"))
}

// servesTests reports whether a package with these imports is only for tests.
func servesTests(imports []string) bool {
	return slices.Contains(imports, "testing") || slices.Contains(imports, "github.com/stretchr/testify/require")
}

// layerOf returns the pattern by which a package belongs to a layer, and what that
// layer may import; "" if it is in none. A pattern belongs to its layer, too.
func layerOf(pkg string) (longest, imports string) {
	for _, l := range layers {
		for _, pattern := range strings.Fields(l.packages) {
			switch {
			case pattern == pkg:
				return pattern, l.imports
			case matches(pattern, pkg) && len(pattern) > len(longest):
				longest, imports = pattern, l.imports
			}
		}
	}
	return longest, imports
}

func matchesAny(patterns, pkg string) bool {
	return slices.ContainsFunc(strings.Fields(patterns), func(p string) bool { return matches(p, pkg) })
}

func matches(pattern, pkg string) bool {
	if root, below := strings.CutSuffix(pattern, "/..."); below {
		return pkg == root || strings.HasPrefix(pkg, root+"/")
	}
	if root, below := strings.CutSuffix(pattern, "/*"); below {
		return path.Dir(pkg) == root
	}
	return pattern == pkg
}

// projectImports returns the imports of each package of the project on any system,
// without those of its tests.
func projectImports(t *testing.T) map[string][]string {
	t.Helper()

	all := map[string][]string{}
	root := os.DirFS("../..")
	for _, folder := range testenv.Folders {
		require.NoError(t, fs.WalkDir(root, folder, func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && d.Name() == "testdata":
				return fs.SkipDir
			case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
				return nil
			}

			text, err := fs.ReadFile(root, name)
			if err != nil {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
			if err != nil {
				return err
			}

			pkg := path.Dir(name)
			all[pkg] = append(all[pkg], "") // also if it imports nothing
			for _, s := range file.Imports {
				imported, err := strconv.Unquote(s.Path.Value)
				if err != nil {
					return err
				}
				all[pkg] = append(all[pkg], imported)
			}
			return nil
		}))
	}
	return all
}
