package extract

import (
	"bincard/tui/i18n"
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strings"
)

// errorFolders are the folders with texts that Translator.Message translates. They do not
// import the terminal, so the texts are found by the shape of the code:
//
//   - the literal format of Fail, Text and Textf of package api, of Add of api.Problems, and
//     of i18n.Textf;
//   - the literal that a function passes on as one of these, wherever it is called;
//   - the literal format of fmt.Sprintf in methods called Error;
//   - the summaries of operations;
//   - the constants of the type Entitlement and of those whose names end in Status.
var errorFolders = []string{
	"server/api",
	"server/ledger",
	"server/account",
	"server/httpapi",
	"server/intake",
	"server/sheet",
	"offline",
	"apiclient",
	"server/store",
	"tui",
	"cmd/bincard",
	"views/session",
}

// formatArgs are the indexes of the arguments with a format or text, by function.
var formatArgs = map[string][]int{"Fail": {2}, "Add": {2}, "Text": {0}, "Textf": {0}}

// addErrors adds the texts of errors.
func (c collection) addErrors(root string) error {
	files, err := parse(root, errorFolders)
	if err != nil {
		return err
	}

	helpers := map[string][]int{}
	for found := true; found; {
		found = false
		for _, file := range files {
			found = addHelpers(helpers, file) || found
		}
	}

	for _, file := range files {
		ast.Inspect(file.tree, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				for _, arg := range formatsOf(helpers, file, n) {
					if text, ok := literal(arg); ok && strings.Trim(text, "%sv") != "" {
						c.add(text, i18n.ErrorContext, file.name)
					}
				}

			case *ast.FuncDecl:
				if n.Recv != nil && n.Name.Name == "Error" {
					c.addErrorMethod(n, file)
				}
			case *ast.KeyValueExpr:
				key, _ := n.Key.(*ast.Ident)
				if text, ok := literal(n.Value); ok && key != nil && key.Name == "Summary" &&
					file.tree.Name.Name == "api" {
					c.add(text, i18n.ErrorContext, file.name)
				}

			case *ast.ValueSpec:
				if kind, ok := n.Type.(*ast.Ident); ok &&
					(strings.HasSuffix(kind.Name, "Status") || kind.Name == "Entitlement") &&
					len(n.Values) == 1 {
					if text, ok := literal(n.Values[0]); ok {
						c.add(text, i18n.ErrorContext, file.name)
					}
				}
			}

			return true
		})
	}

	return nil
}

// addErrorMethod adds the formats of a method called Error.
func (c collection) addErrorMethod(f *ast.FuncDecl, file source) {
	ast.Inspect(f.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}

		sel, _ := call.Fun.(*ast.SelectorExpr)
		if text, ok := literal(call.Args[0]); ok && sel != nil && sel.Sel.Name == "Sprintf" &&
			strings.Count(text, " ") > 2 {
			c.add(text, i18n.ErrorContext, file.name)
		}

		return true
	})
}

// addHelpers adds the functions of a file that pass a parameter on as a format or text, and
// reports whether it found new ones.
func addHelpers(helpers map[string][]int, file source) (found bool) {
	for _, d := range file.tree.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil || formatArgs[f.Name.Name] != nil {
			continue
		}

		name, index := helperName(file, f.Name.Name), parameters(f)
		ast.Inspect(f.Body, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}

			for _, arg := range formatsOf(helpers, file, call) {
				ident, _ := arg.(*ast.Ident)
				if ident == nil {
					continue
				}
				if i, ok := index[ident.Name]; ok && !slices.Contains(helpers[name], i) {
					helpers[name], found = append(helpers[name], i), true
				}
			}

			return true
		})
	}

	return found
}

// parameters returns the indexes of a function's parameters by name.
func parameters(f *ast.FuncDecl) map[string]int {
	index, n := map[string]int{}, 0
	for _, field := range f.Type.Params.List {
		for _, name := range field.Names {
			index[name.Name] = n
			n++
		}
	}

	return index
}

// helperName is the name of a function, with its folder unless other packages may call it.
func helperName(file source, name string) string {
	if token.IsExported(name) {
		return name
	}
	return path.Dir(file.name) + "." + name
}

// formatsOf returns the arguments of a call with a format or text.
func formatsOf(helpers map[string][]int, file source, call *ast.CallExpr) (args []ast.Expr) {
	var name string
	switch f := call.Fun.(type) {
	case *ast.SelectorExpr:
		name = f.Sel.Name
	case *ast.Ident:
		name = f.Name
	}

	if folder, _, _ := strings.Cut(file.name, "/"); name != "Textf" &&
		(folder == "tui" || folder == "views" || folder == "cmd" || strings.HasPrefix(file.name, "server/store/")) {
		return nil // other functions have these names there
	}

	indexes := formatArgs[name]
	if indexes == nil {
		indexes = helpers[helperName(file, name)]
	}
	for _, i := range indexes {
		if i < len(call.Args) {
			args = append(args, call.Args[i])
		}
	}

	return args
}
