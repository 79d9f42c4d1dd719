package views_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// keyMeanings are the families of meanings that a function key may have, with the actions
// of each family.
var keyMeanings = map[string]map[string]string{
	"f3": {
		"filter":          "filter state all low show onlynew",
		"create":          "new announce another first product reserve",
		"choose the job":  "mode from way recount printer",
		"stage of orders": "allocate",
	},
	"f4": {
		"second filter":    "lot days filled show clear blind stock",
		"second choice":    "state to damaged edit kit size",
		"open what waits":  "unsent explain",
		"stage of orders":  "picking",
		"check the values": "test",
	},
	"f5": {
		"update":          "refresh reload try",
		"end the rest":    "close rest release stop",
		"stage of orders": "packing",
	},
	"f6": {
		"location": "location switch",
		"adjust":   "adjust record",
	},
	"f7": {
		"lot or serial":    "lot which trace serial expiring",
		"move":             "move",
		"retry":            "again retryall queue",
		"what a row is of": "document asof",
	},
	"f8": {
		"the way on that a message names":     "swap elsewhere expired over lot.record link skip item found other change",
		"take back":                           "undo drop dropall discard forget clear remove restart unlink",
		"add up, where nothing is taken back": "totals verify",
	},
	"f9": {
		"sort":           "sort order",
		"reason":         "reason",
		"tell a new key": "oldCancelKey",
	},
	"f10": {
		"export":      "export goon hand picture",
		"save":        "save apply go",
		"all lines":   "lines id", // closing all has the ID of its screen
		"save anyway": "keep insist stands",
	},
	"f11": {
		"several or all": "count several",
		"unknown codes":  "unknown",
		"reserve":        "reserve",
	},
}

// functionKey matches a function key that screens may use.
var functionKey = regexp.MustCompile(`^"(f[3-9]|f1[01])"$`)

// TestFunctionKeys_MeanTheSame fails when an action of a screen is on a function key of
// another meaning. Add the action to the family it belongs to, or choose another key.
func TestFunctionKeys_MeanTheSame(t *testing.T) {
	t.Parallel()
	allowed := map[string]bool{} // "f3 new", true if an action has it
	for key, families := range keyMeanings {
		for _, actions := range families {
			for _, name := range strings.Fields(actions) {
				require.NotContains(t, allowed, key+" "+name)
				allowed[key+" "+name] = false
			}
		}
	}
	require.NoError(t, filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, 0)
		require.NoError(t, err)
		for _, use := range keyUses(file) {
			_, ok := allowed[use.key+" "+use.action]
			require.True(t, ok, "%s: %s is %q, want one of %v", files.Position(use.at), use.key, use.action, keyMeanings[use.key])
			allowed[use.key+" "+use.action] = true
		}
		return nil
	}))
	for name, used := range allowed {
		require.True(t, used, "no action is %s", name)
	}
}

// A keyUse is a function key of an action.
type keyUse struct {
	key, action string
	at          token.Pos
}

// keyUses returns the function keys in a file, with the names of their actions.
func keyUses(file *ast.File) (uses []keyUse) {
	var outer []ast.Node
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			outer = outer[:len(outer)-1]
			return true
		}
		if lit, ok := n.(*ast.BasicLit); ok && functionKey.MatchString(lit.Value) && !textArgument(outer) {
			uses = append(uses, keyUse{strings.Trim(lit.Value, `"`), actionName(outer), lit.Pos()})
		}
		outer = append(outer, n)
		return true
	})
	return uses
}

// textArgument reports whether the innermost node is the call of a translator.
func textArgument(outer []ast.Node) bool {
	call, ok := outer[len(outer)-1].(*ast.CallExpr)
	if !ok {
		return false
	}
	of, ok := call.Fun.(*ast.SelectorExpr)
	return ok && of.Sel.Name == "Get"
}

// actionName returns the name of the action that the innermost nodes describe: the ID
// without its screen, or the first argument of a call.
func actionName(outer []ast.Node) string {
	for _, n := range slices.Backward(outer) {
		switch n := n.(type) {
		case *ast.CallExpr:
			return nameOf(n.Args[0])
		case *ast.CompositeLit:
			for _, e := range n.Elts {
				if field, ok := e.(*ast.KeyValueExpr); ok && strings.EqualFold(nameOf(field.Key), "id") {
					return nameOf(field.Value)
				}
			}
		case *ast.ValueSpec:
			return n.Names[0].Name
		}
	}
	return ""
}

// nameOf returns an identifier, or a string without what stands before its first dot.
func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.BinaryExpr:
		return nameOf(e.Y)
	case *ast.BasicLit:
		text, _ := strconv.Unquote(e.Value)
		_, after, ok := strings.Cut(text, ".")
		if !ok {
			return text
		}
		return after
	}
	return ""
}
