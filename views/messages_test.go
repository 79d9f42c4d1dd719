package views_test

import (
	"cmp"
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

// textFields lists the fields whose text is always shown to people.
var textFields = []string{"Label", "Short", "Help", "Title", "Question", "ShortQuestion", "Hint", "Ask", "Prompt", "Noun", "Empty", "EmptyText", "title", "noun"}

var (
	word  = regexp.MustCompile(`[A-Za-z]{2,}`)
	verbs = regexp.MustCompile(`%[-+0-9]*[a-z]`)
)

// rawTexts returns the untranslated texts in a file that people may read: values of the
// fields above, texts of several words, and concatenated texts.
func rawTexts(path string) (out []string, err error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, nil, 0)
	if err != nil {
		return nil, err
	}
	var above []ast.Node
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			above = above[:len(above)-1]
			return true
		}
		if call, ok := n.(*ast.CallExpr); ok && isLogged(call) {
			return false
		}
		above = append(above, n)
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			text, _ := strconv.Unquote(lit.Value)
			if plain := filepath.Base(path) == "plain.go"; forPeople(verbs.ReplaceAllString(text, ""), above[len(above)-2], n, plain) {
				out = append(out, files.Position(n.Pos()).String()+": "+lit.Value)
			}
		}
		return true
	})
	return out, nil
}

// isLogged reports whether call logs, or creates an error that only a bug can cause.
func isLogged(call *ast.CallExpr) bool {
	if f, ok := call.Fun.(*ast.SelectorExpr); ok && slices.Contains([]string{"Warn", "Error", "MustCompile"}, f.Sel.Name) {
		return true
	}
	if len(call.Args) > 0 {
		lit, ok := call.Args[0].(*ast.BasicLit)
		return ok && (strings.Contains(lit.Value, "%T") || strings.HasSuffix(lit.Value, `: %w"`))
	}
	return false
}

func forPeople(text string, parent, lit ast.Node, plain bool) bool {
	if !word.MatchString(text) {
		return false
	}
	switch p := parent.(type) {
	case *ast.ImportSpec, *ast.Field, *ast.CaseClause, *ast.IndexExpr:
		return false
	case *ast.CallExpr:
		if f, ok := p.Fun.(*ast.SelectorExpr); ok && slices.Contains([]string{"Get", "GetC", "Text", "Textf"}, f.Sel.Name) {
			return false
		}
	case *ast.BinaryExpr:
		return p.Op == token.ADD && strings.Contains(text, " ")
	case *ast.KeyValueExpr:
		if key, ok := p.Key.(*ast.Ident); ok && p.Value == lit && slices.Contains(textFields, key.Name) {
			return true
		}
	}
	return plain || len(word.FindAllString(text, -1)) > 1 && strings.Contains(strings.TrimSpace(text), " ")
}

// TestMessages_AreTranslated rejects text for people that is not passed to a
// translator.
func TestMessages_AreTranslated(t *testing.T) {
	t.Parallel()
	var out []string
	require.NoError(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		name := filepath.Base(path)
		if err != nil || d.IsDir() && name == "viewtest" {
			return cmp.Or(err, fs.SkipDir)
		}
		// The names of barcode symbologies and of the connection states in the header
		// are the same in every language.
		if filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") || name == "symbology.go" || path == filepath.Join("status", "header.go") {
			return nil
		}
		texts, err := rawTexts(path)
		out = append(out, texts...)
		return err
	}))
	require.Empty(t, out, "these are not translated")
}
