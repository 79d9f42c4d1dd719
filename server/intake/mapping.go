package intake

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
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

// A Folder opens a file by its name in the folder.
type Folder func(name string) (*os.File, error)

// Columns returns the columns of the first mapping that matches the name of a file, or nil.
func (f Folder) Columns(kind Kind, name string) (map[string]string, error) {
	list, err := f.mappings()
	if err != nil {
		return nil, err
	}
	for _, m := range list {
		if m.Kind == kind && m.matches(name) {
			return m.Columns, nil
		}
	}

	return nil, nil
}

func (m *Mapping) matches(name string) bool {
	ok, err := path.Match(m.Files, strings.ToLower(name))
	return ok && err == nil
}

func (f Folder) mappings() (list []Mapping, err error) {
	file, err := f(MappingsName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}

	defer file.Close()
	info, err := file.Stat()
	if err == nil && (!info.Mode().IsRegular() || info.Size() > maxMappings) {
		err = errors.New(api.Textf("%s is not a file of at most %d MiB", MappingsName, maxMappings>>20))
	}
	if err != nil {
		return nil, err
	}

	data, err := io.ReadAll(io.LimitReader(file, maxMappings))
	if err == nil {
		err = json.Unmarshal(data, &list)
	}
	if err != nil {
		err = errors.New(api.Textf("%s is damaged: %s. Correct or delete it.", MappingsName, err))
	}

	return list, err
}

// AddColumns returns the new content of the file with the mappings: the columns apply to files whose
// names match the pattern, which is made from the name of one of them.
func (f Folder) AddColumns(kind Kind, name string, columns map[string]string) (data []byte, pattern string, err error) {
	list, err := f.mappings()
	if err != nil {
		return nil, "", err
	}

	m := Mapping{patternOf(name), kind, columns}
	list = slices.DeleteFunc(list, func(x Mapping) bool { return x.Kind == kind && x.Files == m.Files })
	data, err = json.MarshalIndent(append([]Mapping{m}, list...), "", "  ")

	return data, m.Files, err
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

	var rows []sheet.Row
	for i := range min(10, p.table.Len()) {
		rows = append(rows, p.table.Row(i))
	}

	for at, name := range p.table.Columns {
		if name == "" {
			continue
		}

		c := Column{Name: name, Field: fields[p.table.Meaning(name)]}
		for _, row := range rows {
			if value := row.Cells[at]; value != "" {
				c.Values = append(c.Values, value)
			}
		}

		list = append(list, c)
	}

	return list
}

// nameColumns tells the table which column each translated name stands for. The names in columns
// take precedence.
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
