package sheet

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
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

// fold normalizes the name of a column, and replaces another name of a column by its own.
func (t *Table) fold(name string) string {
	name = Fold(name)
	return cmp.Or(t.Aliases[name], name)
}

// Index returns the index of a column, or -1.
func (t *Table) Index(name string) int {
	return slices.IndexFunc(t.Columns, func(c string) bool { return t.fold(c) == Fold(name) })
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
		note(
			columnsText(
				missing,
			) + " missing; required: " + strings.Join(required, ", ") + "; optional: " + strings.Join(optional, ", "),
		)
	}

	seen := map[string]string{}
	for _, c := range t.Columns {
		name := t.fold(c)
		known := slices.ContainsFunc(allowed, func(n string) bool { return Fold(n) == name })
		switch first := seen[name]; {
		case name == "": // no cell below it has a value
		case first != "" && Fold(first) != Fold(c):
			note("the column " + c + " appears twice, also as " + first)
		case first != "":
			note("the column " + c + " appears twice")
		case !known:
			unknown = append(unknown, `"`+c+`"`)
		}

		seen[name] = c
	}

	switch {
	case len(unknown) > 0 && len(missing) > 0: // the allowed ones are named already
		note(columnsText(unknown) + " unknown")
	case len(unknown) > 0:
		note(columnsText(unknown) + " unknown; allowed: " + strings.Join(allowed, ", "))
	}

	return problems
}

// maxColumnNames is how many columns a problem names.
const maxColumnNames = 10

// columnsText begins a sentence about columns: "the columns a, b are".
func columnsText(names []string) string {
	if len(names) == 1 {
		return "the column " + names[0] + " is"
	}
	if n := len(names) - maxColumnNames; n > 0 {
		names = append(slices.Clone(names[:maxColumnNames]), fmt.Sprintf("and %d more", n))
	}
	return "the columns " + strings.Join(names, ", ") + " are"
}
