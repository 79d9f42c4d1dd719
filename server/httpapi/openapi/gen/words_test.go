package gen_test

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/httpapi/openapi/gen"
)

var update = flag.Bool("update", false, "update words.json, then on a second run the other files")

func TestWords_AreUpToDate(t *testing.T) {
	t.Parallel()
	want, err := json.Marshal(comments(t, "../../../api"), json.Deterministic(true), jsontext.WithIndent(" "))
	require.NoError(t, err)
	want = append(want, '\n')
	if *update {
		require.NoError(t, os.WriteFile("words.json", want, 0o644))
	}
	got, err := os.ReadFile("words.json")
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "go test ./server/httpapi/openapi/gen -update updates it")
}

// files parses the Go files of a directory, except tests.
func files(t *testing.T, dir string) (out []*ast.File) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), dir+"/"+e.Name(), nil, parser.ParseComments)
		require.NoError(t, err)
		out = append(out, f)
	}
	return out
}

func comments(t *testing.T, dir string) map[string]string {
	words := map[string]string{}
	for _, f := range files(t, dir) {
		for _, d := range f.Decls {
			decl, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, s := range decl.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					typeWords(words, s, docOf(s.Doc, decl.Doc))
				case *ast.ValueSpec:
					if id := operationID(s); id != "" {
						note(words, id, s.Names[0].Name, docOf(s.Doc, decl.Doc))
					}
				}
			}
		}
	}
	return words
}

func TestFaults_HasEveryCode(t *testing.T) {
	t.Parallel()
	have := map[string]bool{
		string(api.Undecided): true, string(api.AtRisk): true, // only programs on a node get them
	}
	for _, f := range gen.Faults() {
		have[string(f.Code)] = true
	}
	found := 0
	for _, f := range files(t, "../../../api") {
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.ValueSpec); ok {
				if code := codeOf(s); code != "" {
					require.True(t, have[code], "package gen does not say what %s means", code)
					found++
				}
			}
			return true
		})
	}
	require.Equal(t, len(have), found)
}

func docOf(own, group *ast.CommentGroup) *ast.CommentGroup {
	if own != nil {
		return own
	}
	return group
}

func typeWords(words map[string]string, s *ast.TypeSpec, doc *ast.CommentGroup) {
	if !s.Name.IsExported() {
		return
	}
	note(words, s.Name.Name, s.Name.Name, doc)
	fields, ok := s.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, f := range fields.Fields.List {
		for _, n := range f.Names {
			if f.Tag != nil {
				note(words, s.Name.Name+"."+n.Name, n.Name, docOf(f.Doc, f.Comment))
			}
		}
	}
}

// nilWord matches the Go word for null.
var nilWord = regexp.MustCompile(`\bnil\b`)

// note adds a comment as a description: on one line, and without the Go name at its
// beginning.
func note(words map[string]string, key, name string, doc *ast.CommentGroup) {
	text := strings.TrimSpace(strings.Join(strings.Fields(doc.Text()), " "))
	for _, article := range []string{"", "A ", "An "} {
		if rest, ok := strings.CutPrefix(text, article+name+" "); ok {
			text = strings.TrimPrefix(strings.TrimPrefix(rest, "is "), "are ")
			break
		}
	}
	text = nilWord.ReplaceAllString(text, "null")
	if text != "" {
		words[key] = strings.ToUpper(text[:1]) + text[1:]
	}
}

// codeOf returns the value of a constant of type Code.
func codeOf(s *ast.ValueSpec) (code string) {
	if name, ok := s.Type.(*ast.Ident); ok && name.Name == "Code" {
		if lit, ok := s.Values[0].(*ast.BasicLit); ok {
			code, _ = strconv.Unquote(lit.Value)
		}
	}
	return code
}

// operationID returns the ID in a declaration operation[I, O](Spec{ID: …}).
func operationID(s *ast.ValueSpec) (id string) {
	for _, v := range s.Values {
		ast.Inspect(v, func(n ast.Node) bool {
			if kv, ok := n.(*ast.KeyValueExpr); ok {
				if k, ok := kv.Key.(*ast.Ident); ok && k.Name == "ID" {
					if lit, ok := kv.Value.(*ast.BasicLit); ok {
						id, _ = strconv.Unquote(lit.Value)
					}
				}
			}
			return id == ""
		})
	}
	return id
}
