// Package extract finds the messages in the source that package i18n translates.
//
// In the terminal, a message is the literal argument of Get, GetC or NewError of a translator, or two of GetN,
// which is a variable named t or english, a field or method named T, or a field named Translator;
// and of i18n.Text, which marks a message in a table. The values of an i18n.Texts and of an
// i18n.TableOf are messages too.
//
// The texts of the service are in errors.go.
package extract

import (
	"bincard/tui/i18n"
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// folders are the folders with messages of the terminal.
var folders = []string{"tui", "views"}

// A collection has the messages found, by text and context.
type collection map[[2]string]*i18n.Message

func (c collection) add(text, context, file string) { c.addPlural(text, "", context, file) }

func (c collection) addPlural(text, plural, context, file string) {
	key := [2]string{text, context}
	if c[key] == nil {
		c[key] = &i18n.Message{Text: text, Context: context}
	}
	c[key].Plural = cmp.Or(c[key].Plural, plural)
	if m := c[key]; !slices.Contains(m.Files, file) {
		m.Files = append(m.Files, file)
	}
}

// addValues adds the values of a map.
func (c collection) addValues(table ast.Expr, context, file string) {
	list, _ := table.(*ast.CompositeLit)
	for _, entry := range list.Elts {
		if text, ok := literal(entry.(*ast.KeyValueExpr).Value); ok {
			c.add(text, context, file)
		}
	}
}

// A source is a file of the source.
type source struct {
	name string // "views/inbounds/list.go"
	tree *ast.File
}

// Messages returns the messages below a folder, by text.
func Messages(root string) ([]i18n.Message, error) {
	found := collection{}
	files, err := parse(root, folders)
	if err != nil {
		return nil, err
	}

	for _, file := range files {
		ast.Inspect(file.tree, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if text, context, ok := message(n); ok {
					found.add(text, context, file.name)
				}
				switch fun, _ := n.Fun.(*ast.SelectorExpr); {
				case fun == nil:
				case fun.Sel.Name == "TableOf":
					context, _ := literal(n.Args[0])
					found.addValues(n.Args[1], context, file.name)
				case fun.Sel.Name == "GetN" && isTranslator(fun.X):
					one, _ := literal(n.Args[1])
					many, _ := literal(n.Args[2])
					found.addPlural(one, many, "", file.name)
				}
			case *ast.CompositeLit:
				if kind, ok := n.Type.(*ast.IndexExpr); ok {
					if sel, ok := kind.X.(*ast.SelectorExpr); ok && sel.Sel.Name == "Texts" {
						found.addValues(n, "", file.name)
					}
				}
			}

			return true
		})
	}

	if err := found.addErrors(root); err != nil {
		return nil, err
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

// parse parses the files in folders, except tests.
func parse(root string, folders []string) (files []source, err error) {
	set := token.NewFileSet()
	for _, folder := range folders {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}

			tree, err := parser.ParseFile(set, path, nil, 0)
			if err != nil {
				return err
			}

			name, err := filepath.Rel(root, path)
			files = append(files, source{filepath.ToSlash(name), tree})

			return err
		})
		if err != nil {
			return nil, err
		}
	}

	return files, nil
}

// message returns the text and the context that a call translates.
func message(call *ast.CallExpr) (text, context string, ok bool) {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || len(call.Args) == 0 {
		return "", "", false
	}

	switch sel.Sel.Name {
	case "Get", "GetC", "NewError":
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

// literal returns the text of a string literal, or of several that are added.
func literal(x ast.Expr) (string, bool) {
	switch x := x.(type) {
	case *ast.BasicLit:
		if x.Kind == token.STRING {
			text, err := strconv.Unquote(x.Value)
			return text, err == nil
		}
	case *ast.BinaryExpr:
		left, ok := literal(x.X)
		right, also := literal(x.Y)
		return left + right, ok && also && x.Op == token.ADD
	}

	return "", false
}
