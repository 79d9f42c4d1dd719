package outbox

import (
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// speech describes the sync status and the work in words.
func (s *list) speech(out *tui.Speech) {
	if s.Unsupported {
		*out = tui.Speech{Facts: []string{noQueueText(s.Site)}}
		return
	}

	st := s.Site.SyncStatus()
	glyphs := strings.NewReplacer(widget.GlyphPending+" ", "", widget.GlyphRefused+" ", "", widget.GlyphUnconfirmed+" ",
		"")
	facts := []string{glyphs.Replace(plainText(statusLine(s.T, widget.PlainTheme(), st, s.Now(), 1000)))}
	facts = append(facts, worries(s.Site)...)
	*out = tui.Speech{
		Facts:    facts,
		Question: s.questionText(true),
		List: &tui.Listing{Len: s.List.Len(), Noun: s.T.Get("Sync"), More: s.More,
			Line: func(row int) string {
				w := s.List.Rows()[row].(*api.Work)
				parts := []string{stateText(s.T, w, s.Now()), workTitle(s.T, w), actor(s.T, w)}
				if why := reason(s.T, w); why != "" {
					parts = append(parts, why)
				}
				return plainText(strings.Join(parts, "  "))
			},
			Activate: func(row int) tea.Cmd { return tui.Open(routeOf(s.List.Rows()[row].(*api.Work).Key)) }},
	}
}

// Speech describes the operation in words.
func (s *workScreen) Speech() tui.Speech {
	if s.work == nil {
		return tui.Speech{Facts: []string{s.errText}}
	}

	facts := []string{stateText(s.T, s.work, s.Now())}
	if why := reason(s.T, s.work); why != "" {
		facts = append(facts, why)
	}
	for _, p := range workPairs(s.T, s.work, s.Now(), false) {
		facts = append(facts, strings.ToLower(p.Label)+" "+p.Value)
	}

	return tui.Speech{Facts: facts, Question: questionOf(s.T, s.work, true)}
}

// Speech describes the form in words.
func (s *replacementForm) Speech() tui.Speech {
	if s.form == nil {
		return tui.Speech{Facts: []string{s.errText}}
	}

	facts := []string{
		s.T.Get("was %s, now %s", workTitle(s.T, s.work), s.describe(s.work, s.form.Values())),
	}
	if why := reason(s.T, s.work); why != "" {
		facts = append(facts, why)
	}

	return tui.Speech{Facts: facts, Question: s.question(), Form: s.form}
}

func plainText(text string) string { return strings.TrimSpace(widget.Clean(text)) }
