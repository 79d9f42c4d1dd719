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
	if s.unsupported {
		return tui.Speech{Facts: []string{noSync}}
	}
	st := s.site.SyncStatus()
	glyphs := strings.NewReplacer(theme.GlyphPending+" ", "", theme.GlyphRefused+" ", "", theme.GlyphUnconfirmed+" ", "")
	facts := []string{glyphs.Replace(plainText(statusLine(theme.Plain(), st, s.env.Now(), 1000)))}
	facts = append(facts, worries(s.site)...)
	return tui.Speech{Facts: facts, Question: s.questionText(true), List: &tui.Listing{Len: s.rows.Len(), Noun: nameScreen, More: s.more,
		Line: func(row int) string {
			w := s.rows.Rows()[row]
			parts := []string{stateText(&w, s.env.Now()), workTitle(&w), actor(&w)}
			if words := reason(&w); words != "" {
				parts = append(parts, words)
			}
			return plainText(strings.Join(parts, "  "))
		},
		Activate: func(row int) tea.Cmd { return tui.Open(routeOf(s.rows.Rows()[row].Key)) }}}
}

// Speech is one piece of work in words.
func (s *workScreen) Speech() tui.Speech {
	if s.work == nil {
		return tui.Speech{Facts: []string{s.errText}}
	}
	facts := []string{stateText(s.work, s.env.Now())}
	if words := reason(s.work); words != "" {
		facts = append(facts, words)
	}
	for _, p := range workPairs(s.work, s.env.Now(), false) {
		facts = append(facts, strings.ToLower(p.Label)+" "+p.Value)
	}
	return tui.Speech{Facts: facts, Question: questionOf(s.work, true)}
}

// Speech asks what takes the place of the work, field by field.
func (s *replacementForm) Speech() tui.Speech {
	if s.form == nil {
		return tui.Speech{Facts: []string{s.errText}}
	}
	facts := []string{sprintf(saidWas, workTitle(s.work), s.describe(s.work, s.form.Values()))}
	if words := reason(s.work); words != "" {
		facts = append(facts, words)
	}
	return tui.Speech{Facts: facts, Question: s.question(), Form: s.form}
}

func plainText(text string) string { return strings.TrimSpace(widget.Clean(text)) }
