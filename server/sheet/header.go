package sheet

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"bincard/server/api"
)

// Fold normalizes a column name: "Reorder point", "reorder_point" and
// "reorderPoint" are the same column.
func Fold(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// Ignored is what an alias stands for whose column is not read.
const Ignored = "-"

// Meaning returns the folded column that a name stands for, or Ignored.
func (t *Table) Meaning(name string) string {
	name = Fold(name)
	return cmp.Or(t.Aliases[name], name)
}

// Index returns the index of a column, or -1.
func (t *Table) Index(name string) int {
	return slices.IndexFunc(t.Columns, func(c string) bool { return t.Meaning(c) == Fold(name) })
}

// Heading returns the other name that the header has for a column, or else its name.
func (t *Table) Heading(name string) string {
	if at := t.Index(name); at >= 0 && Fold(t.Columns[at]) != Fold(name) {
		return t.Columns[at]
	}
	return name
}

// Has reports whether all columns exist.
func (t *Table) Has(names ...string) bool {
	for _, n := range names {
		if t.Index(n) < 0 {
			return false
		}
	}

	return true
}

// CheckColumns checks the header against the required and optional columns.
// Unknown columns are problems too, since a misspelled one would otherwise be
// ignored.
func (t *Table) CheckColumns(required, optional []string) (problems []Problem) {
	note := func(text string) { problems = append(problems, Problem{Line: 1, Message: text}) }
	allowed := append(slices.Clone(required), optional...)
	var missing, unknown []string
	for _, n := range required {
		if !t.Has(n) {
			missing = append(missing, n)
		}
	}

	if len(missing) > 0 {
		note(columnsText(missing, "the column %s is missing; required: %s; optional: %s",
			"the columns %s are missing; required: %s; optional: %s",
			strings.Join(required, ", "), strings.Join(optional, ", ")))
	}

	seen := map[string]string{}
	for _, c := range t.Columns {
		name := t.Meaning(c)
		known := slices.ContainsFunc(allowed, func(n string) bool { return Fold(n) == name })
		switch first := seen[name]; {
		case name == Ignored, name == "": // without a name, no cell below it has a value
		case first != "" && Fold(first) != Fold(c):
			note(api.Textf("the column %s appears twice, also as %s", c, first))
		case first != "":
			note(api.Textf("the column %s appears twice", c))
		case !known:
			unknown = append(unknown, `"`+c+`"`)
		}

		seen[name] = c
	}

	switch {
	case len(unknown) > 0 && len(missing) > 0: // the allowed ones are named already
		note(columnsText(unknown, "the column %s is unknown", "the columns %s are unknown"))
	case len(unknown) > 0:
		note(columnsText(unknown, "the column %s is unknown; allowed: %s", "the columns %s are unknown; allowed: %s",
			strings.Join(allowed, ", ")))
	}

	return problems
}

// maxColumnNames is how many columns a problem names.
const maxColumnNames = 10

// columnsText formats a problem of one or of several columns, the first of which it names.
func columnsText(names []string, one, several string, rest ...any) string {
	if len(names) == 1 {
		return api.Textf(one, append([]any{names[0]}, rest...)...)
	}

	list := strings.Join(names[:min(len(names), maxColumnNames)], ", ")
	if len(names) > maxColumnNames {
		list += ", …"
	}

	return api.Textf(several, append([]any{list}, rest...)...)
}
