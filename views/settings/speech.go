package settings

import (
	"cmp"

	"bincard/tui"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// Speech describes the settings: a number changes one, save saves all.
func (s *settings) Speech() tui.Speech {
	t := s.T

	out := tui.Speech{
		Facts:    []string{t.Get("Appearance, sounds and connection of this terminal")},
		Question: t.Get("number to change, or save"),
		List: &tui.Listing{Len: len(s.fields), Noun: t.Get("settings"),
			Line:   func(row int) string { return s.fields[row].Label + ": " + s.rowText(row) },
			Select: func(row int) { s.form.Focus(s.fields[row].Name) }, Activate: s.changeRow},
	}

	if reason := s.readOnly(); reason != "" {
		out.Facts, out.Question = append(out.Facts, reason), ""
		out.List.Activate = func(int) tea.Cmd { return tui.Warn(reason) }
	}
	if s.changed() {
		out.Facts = append(out.Facts, t.Get(`Unsaved changes: type "save" to keep them`))
	}
	if s.result != "" {
		out.Facts = append(out.Facts, s.result)
	}
	for _, note := range s.loaded.Notes {
		out.Facts = append(out.Facts, s.T.Message(note))
	}

	return out
}

// rowText returns the value of a field; keys are masked.
func (s *settings) rowText(row int) string {
	f := s.fields[row]
	text := s.form.Text(f.Name)
	switch {
	case f.Secret && text != "":
		return s.T.Get("a new key, not saved yet")
	case f.Secret:
		text = s.loaded.MaskedKey
	}

	return widget.Clean(cmp.Or(text, s.T.GetC("none", "settings")))
}

// changeRow asks for the value of a field: empty keeps it, "-" clears it.
func (s *settings) changeRow(row int) tea.Cmd {
	f := s.fields[row]
	if f.Kind == widget.ChoiceField {
		return tui.Choose(tui.Choice{Text: f.Label, Options: f.Options, OnChoice: func(i int) tea.Cmd {
			s.form.Focus(f.Name)
			s.form.Choose(i)
			return nil
		}})
	}

	check := func(text string) error {
		switch {
		case text == "" || text == "-":
			return nil
		case f.Check != nil && f.Check(text) != nil:
			return f.Check(text)
		case !widget.NewForm(s.T, f).Fill(f.Name, text):
			return s.T.NewError("Not valid. Try again.")
		}

		return nil
	}

	return tui.Prompt(tui.Request{
		Text:  s.T.Get("%s (now %s). New value, or - for none", f.Label, s.rowText(row)),
		Check: check,
		OnText: func(text string) tea.Cmd {
			s.result = ""
			switch text {
			case "":
			case "-":
				s.form.Fill(f.Name, "")
			default:
				s.form.Fill(f.Name, text)
			}

			s.changeFields(s.values())

			return nil
		},
	})
}
