// Package extract finds the messages in the source that package i18n translates.
//
// A message is the literal argument of Get or GetC of a translator, which is a variable
// named t or english, a field or method named T, or a field named Translator; and of
// i18n.Text, which marks a message in a table.
package extract

import (
	"bincard/tui/i18n"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// folders are the folders with messages.
var folders = []string{"tui", "views"}

// Messages returns the messages below a folder, by text.
func Messages(root string) ([]i18n.Message, error) {
	found := map[[2]string]*i18n.Message{}
	files := token.NewFileSet()
	for _, folder := range folders {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(files, path, nil, 0)
			if err != nil {
				return err
			}
			name, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				text, context, ok := message(call)
				if !ok {
					return true
				}
				key := [2]string{text, context}
				if found[key] == nil {
					found[key] = &i18n.Message{Text: text, Context: context}
				}
				if m, file := found[key], filepath.ToSlash(name); !slices.Contains(m.Files, file) {
					m.Files = append(m.Files, file)
				}
				return true
			})
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	var out []i18n.Message
	for _, m := range found {
		out = append(out, *m)
	}
	slices.SortFunc(out, func(a, b i18n.Message) int {
		return strings.Compare(a.Text+"\x00"+a.Context, b.Text+"\x00"+b.Context)
	})
	return out, nil
}

// message returns the text and the context that a call translates.
func message(call *ast.CallExpr) (text, context string, ok bool) {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || len(call.Args) == 0 {
		return "", "", false
	}
	switch sel.Sel.Name {
	case "Get", "GetC":
		if !isTranslator(sel.X) {
			return "", "", false
		}
	case "Text":
		if x, ok := sel.X.(*ast.Ident); !ok || x.Name != "i18n" {
			return "", "", false
		}
	default:
		return "", "", false
	}
	text, ok = literal(call.Args[0])
	if ok && sel.Sel.Name == "GetC" && len(call.Args) > 1 {
		context, _ = literal(call.Args[1])
	}
	return text, context, ok && text != ""
}

func isTranslator(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name == "t" || x.Name == "english"
	case *ast.SelectorExpr:
		return x.Sel.Name == "t" || x.Sel.Name == "T" || x.Sel.Name == "Translator"
	case *ast.CallExpr:
		sel, ok := x.Fun.(*ast.SelectorExpr)
		return ok && sel.Sel.Name == "T"
	}
	return false
}

func literal(x ast.Expr) (string, bool) {
	lit, ok := x.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(lit.Value)
	return text, err == nil
}
