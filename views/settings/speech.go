package settings

import (
	"cmp"
	"errors"
	"fmt"

	"bincard/tui"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// Speech is the settings in words: a number changes one, save keeps them all.
func (s *settings) Speech() tui.Speech {
	out := tui.Speech{Facts: []string{aboutSettings}, Question: plainChange, List: &tui.Listing{Len: len(s.fields), Noun: plainNoun,
		Line:   func(row int) string { return s.fields[row].Label + ": " + s.rowText(row) },
		Select: func(row int) { s.form.Focus(s.fields[row].Name) }, Activate: s.changeRow}}
	if s.changed() {
		out.Facts = append(out.Facts, plainUnsaved)
	}
	if s.result != "" {
		out.Facts = append(out.Facts, s.result)
	}
	out.Facts = append(out.Facts, s.loaded.Notes...)
	return out
}

// rowText is what a field holds; of a key only as much as anybody may read.
func (s *settings) rowText(row int) string {
	f := s.fields[row]
	text := s.form.Value(f.Name)
	switch {
	case f.Secret && text != "":
		return plainNewKey
	case f.Secret:
		text = s.loaded.MaskedKey
	}
	return widget.Clean(cmp.Or(text, plainNone))
}

// changeRow asks for a field in one line: an empty one leaves it, "-" empties it.
func (s *settings) changeRow(row int) tea.Cmd {
	f := s.fields[row]
	if f.Kind == widget.ChoiceField {
		return tui.Choose(tui.Choice{Text: f.Label, Options: f.Options, OnChoice: func(i int) tea.Cmd {
			s.form.Fill(f.Name, f.Options[i])
			return nil
		}})
	}
	check := func(text string) error {
		switch {
		case text == "" || text == "-":
			return nil
		case f.Check != nil && f.Check(text) != nil:
			return f.Check(text)
		case !widget.NewForm(f).Fill(f.Name, text):
			return errors.New(plainUnfit)
		}
		return nil
	}
	return tui.Prompt(tui.Request{Text: fmt.Sprintf(plainAsk, f.Label, s.rowText(row)), Check: check, OnText: func(text string) tea.Cmd {
		s.result = ""
		switch text {
		case "":
		case "-":
			s.form.Fill(f.Name, "")
		default:
			s.form.Fill(f.Name, text)
		}
		return nil
	}})
}
