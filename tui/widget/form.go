package widget

import (
	"bincard/tui/i18n"
	"strconv"
	"strings"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"
)

// Form is a list of fields, one of which has the focus. Tab, enter and the arrow keys move
// the focus; enter on the last field submits. Problems are painted beside their field.
type Form struct {
	t      *i18n.Translator
	fields []*Field
	focus  int
}

// NewForm returns a form with these fields.
func NewForm(t *i18n.Translator, fields ...Field) *Form {
	f := &Form{t: t}
	for _, field := range fields {
		f.fields = append(f.fields, newField(f.t, field))
	}
	return f
}

// Change replaces the fields. A field keeps what was typed into the one of the same name.
func (f *Form) Change(fields ...Field) {
	before, focused := *f, f.Focused()
	f.fields, f.focus = nil, 0
	for _, field := range fields {
		field := newField(f.t, field)
		if old := before.find(field.Name); old != nil {
			field.input, field.choice, field.problem = old.input, old.choice, old.problem
		}
		f.fields = append(f.fields, field)
	}

	f.Focus(focused)
}

func (f *Form) find(name string) *Field {
	for _, field := range f.fields {
		if field.Name == name {
			return field
		}
	}

	return nil
}

// Value returns the value of a field as text: of a choice its entry in Values, of a date
// the ISO form.
func (f *Form) Value(name string) string {
	field := f.find(name)
	if field == nil {
		return ""
	}
	return field.value()
}

// Text returns the value of a field as it is displayed.
func (f *Form) Text(name string) string {
	field := f.find(name)
	if field == nil {
		return ""
	}
	return field.text()
}

// Number returns the value of a field as a number, or 0 if it is not a number.
func (f *Form) Number(name string) int64 {
	n, _ := strconv.ParseInt(strings.TrimPrefix(f.Value(name), "+"), 10, 64)
	return n
}

// Names returns the names of the fields, in order.
func (f *Form) Names() (names []string) {
	for _, field := range f.fields {
		names = append(names, field.Name)
	}
	return names
}

// Values returns all values by field name, for a draft.
func (f *Form) Values() map[string]string {
	values := map[string]string{}
	for _, field := range f.fields {
		values[field.Name] = field.value()
	}
	return values
}

// Fill sets a field, as from a scan or a draft, and reports whether the field accepted the
// whole value.
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

	if field.Kind == DateField {
		value = f.t.TimeText(value)
	}

	field.input.Set(value)

	return field.input.Value() == value
}

// Select makes the next key replace the text of a field, if it is text.
func (f *Form) Select(name string) {
	if field := f.find(name); field != nil {
		field.selected = true
	}
}

// Scan sets a field from a scan and reports whether the field accepted it. If not, nothing
// changes.
func (f *Form) Scan(name, value string) bool {
	field := f.find(name)
	if field == nil || !field.takesScan(strings.TrimSpace(value)) {
		return false
	}

	before, choice := field.input.Value(), field.choice
	if f.Fill(name, value) {
		return true
	}

	field.choice = choice
	field.input.Set(before)

	return false
}

// Hint sets the hint of a field.
func (f *Form) Hint(name, text string) {
	if field := f.find(name); field != nil {
		field.Hint = text
	}
}

// Focused returns the name of the field that has the focus.
func (f *Form) Focused() string {
	if len(f.fields) == 0 {
		return ""
	}
	return f.fields[f.focus].Name
}

// Focus moves the focus to a field.
func (f *Form) Focus(name string) {
	for i, field := range f.fields {
		if field.Name == name {
			f.focus = i
		}
	}
}

// SetProblem paints an error beside a field, such as a refusal of the server, and moves the
// focus there.
func (f *Form) SetProblem(name string, err error) {
	if field := f.find(name); field != nil && err != nil {
		field.problem = Clean(err.Error())
		f.Focus(name)
	}
}

// AcceptsKey reports whether the form handles a key: text, or a key that moves the focus.
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

// Key handles a key that the form accepts. It returns true for enter on the last field if
// all fields are valid.
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

// Validate checks every field, paints the problems and moves the focus to the first one. It
// reports whether all fields are valid.
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
// QuestionMarker.
func (f *Form) View(t Theme, width int) string {
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
