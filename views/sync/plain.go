package sync

import (
	"strings"

	"bincard/tui"
	"bincard/tui/theme"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// Speech is the desk in words: how the line is, and the work as rows.
func (s *list) Speech() tui.Speech {
	if s.none {
		return tui.Speech{Facts: []string{noSync}}
	}
	st := s.site.Stands()
	glyphs := strings.NewReplacer(theme.GlyphPending+" ", "", theme.GlyphRefused+" ", "", theme.GlyphUnconfirmed+" ", "")
	facts := []string{glyphs.Replace(bare(standing(theme.Plain(), st, s.env.Now(), 1000)))}
	facts = append(facts, worries(s.site)...)
	return tui.Speech{Facts: facts, Question: s.ask(true), List: &tui.Listing{Len: s.rows.Len(), Noun: nameScreen, More: s.more,
		Line: func(row int) string {
			w := s.rows.Rows()[row]
			parts := []string{state(&w, s.env.Now()), deed(&w), who(&w)}
			if words := reason(&w); words != "" {
				parts = append(parts, words)
			}
			return bare(strings.Join(parts, "  "))
		},
		Activate: func(row int) tea.Cmd { return tui.Open(routeOf(s.rows.Rows()[row].Key)) }}}
}

// Speech is one piece of work in words.
func (s *one) Speech() tui.Speech {
	if s.work == nil {
		return tui.Speech{Facts: []string{s.fault}}
	}
	facts := []string{state(s.work, s.env.Now())}
	if words := reason(s.work); words != "" {
		facts = append(facts, words)
	}
	for _, p := range factsOf(s.work, s.env.Now(), false) {
		facts = append(facts, strings.ToLower(p.Label)+" "+p.Value)
	}
	return tui.Speech{Facts: facts, Question: askOf(s.work, true)}
}

// Speech asks what takes the place of the work, field by field.
func (s *sheet) Speech() tui.Speech {
	if s.form == nil {
		return tui.Speech{Facts: []string{s.fault}}
	}
	facts := []string{sprintf(saidWas, deed(s.work), s.words(s.work, s.form.Values()))}
	if words := reason(s.work); words != "" {
		facts = append(facts, words)
	}
	return tui.Speech{Facts: facts, Question: s.ask(), Form: s.form}
}

func bare(text string) string { return strings.TrimSpace(widget.Clean(text)) }
