package widget

import "strings"

// FieldPrompt is the focused field of a form for line mode.
type FieldPrompt struct {
	Name, Label, Hint string
	Value, Problem    string
	Options           []string // of a choice
	Required          bool
}

// Prompt returns the focused field.
func (f *Form) Prompt() FieldPrompt {
	if len(f.fields) == 0 {
		return FieldPrompt{}
	}

	field := f.fields[f.focus]
	p := FieldPrompt{
		Name:     field.Name,
		Label:    Clean(field.Label),
		Hint:     field.Hint,
		Value:    Clean(field.text()),
		Problem:  field.problem,
		Required: field.Required,
	}

	if p.Problem != "" {
		p.Value = "" // it is no default
	}
	if field.Kind == ChoiceField {
		for _, o := range field.Options {
			p.Options = append(p.Options, Clean(o))
		}
	}

	return p
}

// Choose selects an option of the focused choice by its index and reports whether it
// exists.
func (f *Form) Choose(option int) bool {
	if len(f.fields) == 0 {
		return false
	}

	field := f.fields[f.focus]
	if field.Kind != ChoiceField || option < 0 || option >= len(field.Options) {
		return false
	}

	field.choice, field.problem = option, ""

	return true
}

// Summary returns the fields that are not empty in one line.
func (f *Form) Summary() string {
	var parts []string
	for _, field := range f.fields {
		if text := field.text(); text != "" {
			parts = append(parts, Clean(field.Label)+" "+Clean(text))
		}
	}

	return strings.Join(parts, "  ")
}
