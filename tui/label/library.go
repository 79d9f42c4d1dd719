package label

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed templates
var builtin embed.FS

// Extension is the end of the names of template files.
const Extension = ".label"

// DefaultTemplate is the template of labels for which none is chosen, and PalletTemplate
// that of pallets.
const (
	DefaultTemplate = "70x40"
	PalletTemplate  = "100x150"
)

// A Library has the built-in templates and those of the company in Dir, which replace
// built-in ones of the same name. Dir need not exist.
type Library struct{ Dir string }

// Find returns the template with a name, or the one in a file if the name has a path or
// ends with Extension.
func (l Library) Find(name string) (*Template, error) {
	if strings.HasSuffix(name, Extension) || strings.ContainsRune(name, filepath.Separator) {
		return l.read(strings.TrimSuffix(filepath.Base(name), Extension), name)
	}

	names, err := l.Names()
	if err != nil {
		return nil, err
	}
	if !slices.Contains(names, name) {
		return nil, fmt.Errorf("there is no template %q: use one of %s, or a file that ends with %s", name,
			strings.Join(names, ", "), Extension)
	}

	t, err := l.read(name, filepath.Join(l.Dir, name+Extension))
	if !errors.Is(err, fs.ErrNotExist) {
		return t, err
	}

	text, err := builtin.ReadFile("templates/" + name + Extension)
	if err != nil {
		return nil, err
	}

	return Parse(name, name+Extension, string(text))
}

// read parses a file.
func (l Library) read(name, file string) (*Template, error) {
	info, err := os.Stat(file)
	if err == nil && (info.Size() > maxFile || !info.Mode().IsRegular()) {
		return nil, fmt.Errorf("%s is not a template: it has more than %d bytes or is not a file", file, maxFile)
	}

	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("cannot read the template: %w", err)
	}

	return Parse(name, file, string(text))
}

// Names returns the names of all templates in order.
func (l Library) Names() (names []string, err error) {
	files, err := fs.Glob(builtin, "templates/*"+Extension)
	if err == nil && l.Dir != "" {
		var own []string
		own, err = fs.Glob(os.DirFS(l.Dir), "*"+Extension)
		files = append(files, own...)
	}

	for _, file := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(file), Extension))
	}

	slices.Sort(names)

	return slices.Compact(names), err
}

// IsBuiltIn reports whether a template is not one of the company's.
func (t *Template) IsBuiltIn() bool { return t.File == t.Name+Extension }
