package intake

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"bincard/server/api"
	"bincard/server/sheet"
)

const (
	// MappingsName is the name of the file with the mappings of a folder's files: a JSON array.
	MappingsName = ".columns.json"

	maxMappings = 1 << 20 // bytes
)

// A Mapping says what the columns of a sender's files are.
type Mapping struct {
	// Files is the pattern of the names of the files, in lowercase, as path.Match reads it.
	Files string `json:"files"`
	Kind  Kind   `json:"kind"`
	// Columns are the columns of the import by the sender's names, or sheet.Ignored.
	Columns map[string]string `json:"columns"`
}

// FindColumns returns the columns of the first mapping for a file, nil if there is none. open opens
// a file of its folder.
func FindColumns(open func(name string) (*os.File, error), kind Kind, name string) (map[string]string, error) {
	list, err := readMappings(open)
	for _, m := range list {
		if m.Kind == kind && m.matches(name) {
			return m.Columns, nil
		}
	}

	return nil, err
}

func (m *Mapping) matches(name string) bool {
	ok, err := path.Match(m.Files, strings.ToLower(name))
	return ok && err == nil
}

func readMappings(open func(name string) (*os.File, error)) (list []Mapping, err error) {
	f, err := open(MappingsName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}

	defer f.Close()
	info, err := f.Stat()
	if err == nil && (!info.Mode().IsRegular() || info.Size() > maxMappings) {
		err = errors.New(api.Textf("%s is not a file of at most %d MiB", MappingsName, maxMappings>>20))
	}
	if err != nil {
		return nil, err
	}

	data, err := io.ReadAll(io.LimitReader(f, maxMappings))
	if err == nil {
		err = json.Unmarshal(data, &list)
	}
	if err != nil {
		err = errors.New(api.Textf("%s is damaged: %s. Correct or delete it.", MappingsName, err))
	}

	return list, err
}

// SaveColumns saves what the columns of a file are, for files with a similar name in its folder. It
// returns the pattern of these.
func SaveColumns(file string, kind Kind, columns map[string]string) (pattern string, err error) {
	dir, name := filepath.Split(file)
	list, err := readMappings(func(name string) (*os.File, error) { return os.Open(dir + name) })
	if err != nil {
		return "", err
	}

	m := Mapping{patternOf(name), kind, columns}
	list = slices.DeleteFunc(list, func(x Mapping) bool { return x.Kind == kind && x.Files == m.Files })
	data, err := json.MarshalIndent(append([]Mapping{m}, list...), "", "  ")
	if err != nil {
		return "", err
	}

	temporary := fmt.Sprintf("%s%s.%s.tmp", dir, MappingsName, api.NewKey())
	if err := os.WriteFile(temporary, data, 0o644); err != nil {
		return "", err
	}
	if err := os.Rename(temporary, dir+MappingsName); err != nil {
		return "", errors.Join(err, os.Remove(temporary))
	}

	return m.Files, nil
}

var (
	numberPart  = regexp.MustCompile(`\d+(?:[-_.: ]*\d+)*`)
	patternSign = regexp.MustCompile(`[\\*?\[]`)
)

// patternOf returns the pattern of the names that differ from a name only in their numbers, such as
// a date.
func patternOf(name string) string {
	end := path.Ext(name)
	base := patternSign.ReplaceAllString(strings.TrimSuffix(name, end), `\$0`)
	return strings.ToLower(numberPart.ReplaceAllString(base, "*") + end)
}

// A Column is a column of a table.
type Column struct {
	Name string
	// Field is the column of the import that it is, sheet.Ignored, or "" if it is unknown.
	Field string
	// Values are the first ten, without the empty ones.
	Values []string
}

// Columns describes the columns of the table.
func (p *Plan) Columns() (list []Column) {
	required, optional := p.Kind.Columns()
	fields := map[string]string{sheet.Ignored: sheet.Ignored}
	for _, field := range slices.Concat(required, optional) {
		fields[sheet.Fold(field)] = field
	}

	for at, name := range p.table.Columns {
		if name == "" {
			continue
		}

		c := Column{Name: name, Field: fields[p.table.Meaning(name)]}
		for row := range min(10, p.table.Len()) {
			if value := p.table.Row(row).Cells[at]; value != "" {
				c.Values = append(c.Values, value)
			}
		}

		list = append(list, c)
	}

	return list
}

// nameColumns tells the table which column each translated name stands for, unless columns says
// what it is.
func (k Kind) nameColumns(table *sheet.Table, columns map[string]string) {
	table.Aliases = map[string]string{}
	add := func(column, names string) {
		for _, name := range strings.Fields(names) {
			table.Aliases[name] = sheet.Fold(column)
		}
	}

	given := map[string]string{}
	for name, column := range columns {
		given[sheet.Fold(name)] = cmp.Or(sheet.Fold(column), sheet.Ignored)
	}

	required, optional := k.Columns()
	for _, column := range append(required, optional...) {
		add(column, translated[column])
	}

	maps.Copy(table.Aliases, given)
	if !table.Has("reference") {
		add("reference", ownOrder[k])
		maps.Copy(table.Aliases, given)
	}
}
