// Names reports declarations and files whose names contain a retired word. Each of these
// words has a common term in its place.
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// retired maps words that no name may contain to the terms to use.
var retired = map[string]string{
	"abroad": "wrong location", "anew": "again", "astray": "wrong location, or never arrived",
	"calm": "quiet", "christen": "record the remote id", "dress": "expand", "ear": "session", "errand": "job",
	"foretell": "predict", "gist": "header", "harvest": "merge", "herald": "sender", "hurry": "drain",
	"knock": "pending connection", "mortal": "may crash", "papers": "document info",
	"agenda": "schedule", "barred": "denied", "beyond": "outside, or a field of the operation",
	"deed": "operation title", "desk": "what it administers", "doubted": "unknown outcome", "era": "epoch", "hear": "input", "horizon": "as-of sequence",
	"keeper": "draft saver", "lotted": "lot field", "nobody": "null service", "paper": "document kind", "passer": "filter", "portion": "lot quantity",
	"risen": "up since", "spoken": "user message", "standing": "status, or balance at", "talk": "dialog", "tally": "matcher",
	"tell": "output", "told": "result, or notified", "typist": "text input",
	"parcel": "in transit, or request", "rouse": "wake", "rumour": "waiters", "seat": "context", "seeker": "finder", "soil": "mark dirty",
	"stray": "unknown code", "strays": "unknown codes", "surplus": "over-receipt", "tariff": "plan", "thaw": "check editable, or checkpoint",
	"tour": "cursor", "voucher": "document", "wares": "items", "ware": "item", "wish": "policy", "worknode": "node handle", "wrist": "narrow",
}

func main() {
	var found []string
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "bin"):
			return filepath.SkipDir
		case !strings.HasSuffix(path, ".go"):
			return nil
		}

		if word := retiredIn(strings.TrimSuffix(d.Name(), ".go")); word != "" {
			found = append(found, fmt.Sprintf("%s: the file name says %q; say %s", path, word, retired[word]))
		}

		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, name := range declared(file) {
			if word := retiredIn(name.Name); word != "" {
				found = append(found, fmt.Sprintf("%s: %s says %q; say %s", files.Position(name.Pos()), name.Name, word, retired[word]))
			}
		}

		for at, text := range texts(file) {
			for _, phrase := range retiredPhrase.FindAllString(text, -1) {
				found = append(found, fmt.Sprintf("%s: %q is a retired phrase; say it plainly", files.Position(at), phrase))
			}
		}

		return nil
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, line := range found {
		fmt.Println(line)
	}
	if len(found) > 0 {
		os.Exit(1)
	}
}

// retiredPhrase matches words and phrases that no comment or text may contain. The theme
// had a British name, which old settings still have.
var retiredPhrase = regexp.MustCompile(`(?i)\b(anew|all the same|fulfil|tells whether|the books|the bench|wrist|vouchers?|errands?|astray|rumou?rs?|gist|mended)\b|\bcolour([^-]|$)`)

// texts returns the comments and the string literals of a file by their position.
func texts(file *ast.File) map[token.Pos]string {
	out := map[token.Pos]string{}
	for _, group := range file.Comments {
		out[group.Pos()] = group.Text()
	}

	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			out[lit.Pos()] = lit.Value
		}
		return true
	})

	return out
}

// declared returns the names of the functions, types, constants, variables, methods and
// fields that a file declares.
func declared(file *ast.File) (names []*ast.Ident) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			names = append(names, n.Name)
			return false // skip local names
		case *ast.TypeSpec:
			names = append(names, n.Name)
		case *ast.ValueSpec:
			names = append(names, n.Names...)
		case *ast.Field:
			names = append(names, n.Names...)
		}

		return true
	})

	return names
}

var boundary = regexp.MustCompile(`[A-Z]?[a-z]+|[A-Z]+`)

// retiredIn returns the first retired word in a name, or "".
func retiredIn(name string) string {
	for _, word := range boundary.FindAllString(name, -1) {
		if _, ok := retired[strings.ToLower(word)]; ok {
			return strings.ToLower(word)
		}
	}

	return ""
}
