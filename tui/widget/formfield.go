package widget

import (
	"strconv"
	"strings"
	"time"

	"bincard/tui/i18n"

	tea "github.com/charmbracelet/bubbletea"
)

// FieldKind is the type of a field's value.
type FieldKind int

// The kinds of fields.
const (
	TextField   FieldKind = iota
	NumberField           // a whole number, negative only if Signed
	DateField             // a form that i18n.ParseTime knows; Value returns ISO
	ChoiceField           // one of Options, chosen with left, right, space or the first letter
)

// DateClock is the layout of the value of a date with a time.
const DateClock = "2006-01-02 15:04"

// A Field is one field of a Form.
type Field struct {
	Name     string // the name in Value, Fill and Focus
	Label    string
	Kind     FieldKind
	Options  []string // of a choice, as displayed
	Values   []string // the value of each option in Value and Fill; Options if nil
	Signed   bool
	Clock    bool      // a time may follow a date: 2027-03-31 14:00
	Now      time.Time // for dates such as "tomorrow"; zero for none of them
	Required bool
	Secret   bool                    // paint dots in place of a text
	Hint     string                  // painted while the focused field is empty; of a secret also without focus
	Check    func(text string) error // runs after the check of the kind; may be nil

	t       *i18n.Translator
	input   Input
	choice  int
	problem string
	// selected makes the next text replace the value.
	selected bool
}

func newField(t *i18n.Translator, field Field) *Field {
	field.t = t
	switch field.Kind {
	case NumberField:
		field.input.Limit = 12
	case DateField:
		field.Hint = t.DateExample(field.Clock)
	}
	return &field
}

func (f *Field) value() string {
	if f.Kind == ChoiceField {
		if values := f.values(); f.choice < len(values) {
			return values[f.choice]
		}
		return ""
	}

	text := strings.TrimSpace(f.input.Value())
	if f.Kind == DateField {
		if at, layout, ok := f.parseTime(text); ok {
			return at.Format(layout)
		}
	}

	return text
}

// values returns the possible values of a choice.
func (f *Field) values() []string {
	if f.Values != nil {
		return f.Values
	}
	return f.Options
}

// text returns the value as it is displayed.
func (f *Field) text() string {
	if f.Kind == ChoiceField && f.choice < len(f.Options) {
		return f.Options[f.choice]
	}
	return f.value()
}

func (f *Field) key(k tea.KeyMsg) {
	f.problem = ""
	if f.Kind != ChoiceField {
		if f.selected && k.Type == tea.KeyRunes {
			f.input.Set("")
		}
		f.selected = false
		f.input.Key(k)
		return
	}

	n := len(f.Options)
	if n == 0 {
		return
	}

	switch k.Type {
	case tea.KeyLeft:
		f.choice = (f.choice + n - 1) % n
	case tea.KeyRight, tea.KeySpace:
		f.choice = (f.choice + 1) % n
	case tea.KeyRunes:
		for i := 1; i <= n; i++ {
			at := (f.choice + i) % n
			if strings.HasPrefix(strings.ToLower(f.Options[at]), strings.ToLower(string(k.Runes))) {
				f.choice = at
				return
			}
		}
	}
}

func (f *Field) validate(t *i18n.Translator) bool {
	err := f.check(t)
	f.problem = ""
	if err != nil {
		f.problem = Clean(err.Error())
	}
	return err == nil
}

func (f *Field) check(t *i18n.Translator) error {
	text := strings.TrimSpace(f.value())
	if text == "" {
		if f.Required {
			return t.NewError("required")
		}
		return nil
	}

	switch f.Kind {
	case NumberField:
		if !f.isNumber(text) {
			return t.NewError("%q is not a whole number", text)
		}
	case DateField:
		if _, _, ok := f.parseTime(text); !ok {
			return t.NewError("not a date, use %s", t.DateExample(f.Clock))
		}
	}

	if f.Check != nil {
		return f.Check(text)
	}

	return nil
}

// isNumber reports whether a text is a whole number, with a sign only if Signed.
func (f *Field) isNumber(text string) bool {
	digits := text
	if f.Signed && (strings.HasPrefix(text, "-") || strings.HasPrefix(text, "+")) {
		digits = text[1:]
	}
	_, err := strconv.ParseInt(digits, 10, 64)
	return err == nil && strings.Trim(digits, "0123456789") == ""
}

// takesScan reports whether a scanned text can be the field's value.
func (f *Field) takesScan(text string) bool {
	switch f.Kind {
	case NumberField:
		return f.isNumber(text)
	case DateField:
		_, _, ok := f.parseTime(text)
		return ok
	case TextField, ChoiceField:
	}

	return true
}

// parseTime parses a date, and the time that may follow it if the field has a Clock.
func (f *Field) parseTime(text string) (at time.Time, layout string, ok bool) {
	at, onlyDay, ok := f.t.ParseTime(text, f.Now)
	if onlyDay {
		return at, time.DateOnly, ok
	}
	return at, DateClock, ok && f.Clock
}

// understood returns the date in the form of the language if it was typed in another one, or "".
func (f *Field) understood() string {
	text := strings.TrimSpace(f.input.Value())
	if shown := f.t.TimeText(f.value()); f.Kind == DateField && shown != text && f.value() != text {
		return shown
	}
	return ""
}

// line paints the field. On narrow screens a value that does not fit beside its label is
// below it. A problem that does not fit beside the value is below too.
func (f *Field) line(t Theme, label, width int, focused bool) string {
	room, narrow := max(1, width-label-4), width < 30
	name, gap, wanted := Left(f.Label, label), "  ", f.wanted(focused)
	if own := Width(f.Label); narrow && (own > label || wanted > room) { // without the column of the other fields
		name, gap, room = Clip(f.Label, width-2), " ", max(1, width-min(own, width-2)-3)
	}

	value := f.valueView(t, room, focused)
	var rest []string
	if narrow && wanted > room && (focused || room < 8 || f.Kind == ChoiceField || wanted <= width-2) {
		rest = append(rest, "  "+f.valueView(t, width-2, focused))
		name, value = Left(f.Label, width-4), ""
	}
	if day := f.understood(); focused && day != "" && wanted > room && (len(rest) == 0 || wanted > width-2) {
		rest = append(rest, "  "+t.Muted.Render(day))
	}

	switch indent := 2; {
	case f.problem == "":
	case !narrow && Width(value)+3+Width(f.problem) <= room:
		value += " " + t.Refused(f.problem)
	default:
		if room >= 30 {
			indent = label + 4
		}

		for i, line := range Wrap(f.problem, max(1, width-indent-2)) {
			if i == 0 {
				line = t.Refused(line)
			} else {
				line = t.Error.Render("  " + line)
			}

			rest = append(rest, strings.Repeat(" ", indent)+line)
		}
	}

	lines := append([]string{"  " + t.Muted.Render(name) + gap + value}, rest...)
	if focused {
		lines[0] = QuestionMarker + t.Accent.Render(GlyphAsk) + " " + t.Strong.Render(name) + gap + value
		lines[len(rest)] = FieldMarker + lines[len(rest)]
	}

	return strings.Join(lines, "\n")
}

// wanted returns the width that the value needs.
func (f *Field) wanted(focused bool) int {
	switch {
	case f.Kind == ChoiceField && focused:
		return Width(f.text()) + 4
	case f.Kind == ChoiceField:
		return Width(f.text()) + 2
	case f.Secret && !focused && f.input.Value() == "":
		return Width(f.Hint)
	case !focused && f.Kind == DateField:
		return Width(f.t.TimeText(f.value()))
	case !focused:
		return Width(f.input.Value())
	case f.understood() != "":
		return Width(f.input.Value()) + Width(f.understood()) + 3
	case f.Kind == DateField && f.problem == "":
		return max(11, Width(f.Hint)+2)
	case f.input.Value() == "" && f.problem != "":
		return 1
	case f.input.Value() == "":
		return Width(f.Hint) + 2
	}

	return Width(f.input.Value()) + 1
}

func (f *Field) valueView(t Theme, room int, focused bool) string {
	switch {
	case f.Kind == ChoiceField && focused:
		return Clip("‹ "+Clean(f.text())+" ›", room)
	case f.Kind == ChoiceField:
		return Clip("  "+Clean(f.text()), room)
	case focused && f.input.Value() == "" && f.Hint != "" && f.problem == "":
		return Clip("█ "+t.Muted.Render(f.Hint), room)
	case f.Secret && focused:
		return f.input.Masked(room)
	case f.Secret && f.input.Value() == "":
		return t.Muted.Render(Clip(f.Hint, room))
	case f.Secret:
		return Clip(strings.Repeat("•", len([]rune(f.input.Value()))), room)
	case focused && f.understood() != "" && f.wanted(true) <= room:
		return f.input.View(room) + "  " + t.Muted.Render(f.understood())
	case focused:
		return f.input.View(room)
	case f.Kind == DateField:
		return Clip(Clean(f.t.TimeText(f.value())), room)
	}

	return Clip(Clean(f.input.Value()), room)
}
