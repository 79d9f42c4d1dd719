package widget

import (
	"bincard/tui/i18n"
	"strconv"
	"strings"
	"unicode"

	"bincard/tui/theme"

	tea "github.com/charmbracelet/bubbletea"
)

// Form is some fields, one of them focused. Tab, enter and the arrows go
// between them; enter on the last one submits. Faults stand beside their field.
type Form struct {
	t      *i18n.Translator
	fields []*Field
	focus  int
}

// NewForm makes a form of fields.
func NewForm(t *i18n.Translator, fields ...Field) *Form {
	f := &Form{t: t}
	for _, field := range fields {
		f.fields = append(f.fields, newField(field))
	}
	return f
}

func (f *Form) find(name string) *Field {
	for _, field := range f.fields {
		if field.Name == name {
			return field
		}
	}
	return nil
}

// Value is what a field holds, as text; a choice's option; a date in ISO.
func (f *Form) Value(name string) string {
	field := f.find(name)
	if field == nil {
		return ""
	}
	return field.value()
}

// Text is what a field holds as it is shown.
func (f *Form) Text(name string) string {
	field := f.find(name)
	if field == nil {
		return ""
	}
	return field.text()
}

// Number is a field's value as a number; 0 if it is empty or none.
func (f *Form) Number(name string) int64 {
	n, _ := strconv.ParseInt(strings.TrimPrefix(f.Value(name), "+"), 10, 64)
	return n
}

// Values are all values by name, for a draft.
func (f *Form) Values() map[string]string {
	values := map[string]string{}
	for _, field := range f.fields {
		values[field.Name] = field.value()
	}
	return values
}

// Fill sets a field, as a scan or a draft does, and reports whether it could.
func (f *Form) Fill(name, value string) bool {
	field := f.find(name)
	if field == nil {
		return false
	}
	field.problem = ""
	if field.Kind == ChoiceField {
		for i, v := range field.values() {
			if v == value {
				field.choice = i
				return true
			}
		}
		return false
	}
	field.input.Set(value)
	return field.input.Value() == value
}

// Hint changes what a field shows while it is empty.
func (f *Form) Hint(name, text string) {
	if field := f.find(name); field != nil {
		field.Hint = text
	}
}

// Focused is the name of the field that has the keys.
func (f *Form) Focused() string {
	if len(f.fields) == 0 {
		return ""
	}
	return f.fields[f.focus].Name
}

// Focus gives a field the keys.
func (f *Form) Focus(name string) {
	for i, field := range f.fields {
		if field.Name == name {
			f.focus = i
		}
	}
}

// SetProblem puts a fault beside a field, such as what the server refused, and goes there.
func (f *Form) SetProblem(name string, err error) {
	if field := f.find(name); field != nil && err != nil {
		field.problem = Clean(err.Error())
		f.Focus(name)
	}
}

// AcceptsKey reports whether a key belongs to the form: text, and the ways between fields.
func (f *Form) AcceptsKey(k tea.KeyMsg) bool {
	switch k.Type {
	case tea.KeyTab, tea.KeyShiftTab, tea.KeyEnter, tea.KeyUp, tea.KeyDown:
		return true
	case tea.KeyLeft, tea.KeyRight, tea.KeySpace:
		if len(f.fields) > 0 && f.fields[f.focus].Kind == ChoiceField {
			return true
		}
	}
	if len(f.fields) == 0 {
		return false
	}
	field := f.fields[f.focus]
	if field.Kind == ChoiceField {
		return k.Type == tea.KeyRunes && !k.Alt && len(k.Runes) == 1 && unicode.IsLetter(k.Runes[0])
	}
	return field.input.AcceptsKey(k)
}

// Key handles a key the form Types; submit is true when enter was pressed on
// the last field and every field is sound.
func (f *Form) Key(k tea.KeyMsg) (submit bool) {
	if len(f.fields) == 0 {
		return false
	}
	switch k.Type {
	case tea.KeyTab, tea.KeyDown:
		f.step(1)
	case tea.KeyShiftTab, tea.KeyUp:
		f.step(-1)
	case tea.KeyEnter:
		if field := f.fields[f.focus]; !field.validate(f.t) {
			return false
		}
		if f.focus == len(f.fields)-1 {
			return f.Validate()
		}
		f.step(1)
	default:
		f.fields[f.focus].key(k)
	}
	return false
}

func (f *Form) step(n int) {
	f.fields[f.focus].validate(f.t)
	f.focus = (f.focus + n + len(f.fields)) % len(f.fields)
}

// Validate checks every field, marks the faults and goes to the first one.
func (f *Form) Validate() bool {
	first := -1
	for i, field := range f.fields {
		if !field.validate(f.t) && first < 0 {
			first = i
		}
	}
	if first >= 0 {
		f.focus = first
	}
	return first < 0
}

// View paints the fields below each other, the focused one with its cursor and
// the mark of the question.
func (f *Form) View(t theme.Theme, width int) string {
	label := 0
	for _, field := range f.fields {
		label = max(label, Width(field.Label))
	}
	label = min(label, max(4, width/2-2))
	lines := make([]string, len(f.fields))
	for i, field := range f.fields {
		lines[i] = field.line(t, label, width, i == f.focus)
	}
	return strings.Join(lines, "\n")
}
