package entry

import (
	"fmt"

	"bincard/tui"
)

// Speech is the form in words, or what came of it.
func (s *screen) Speech() tui.Speech {
	switch {
	case s.created != nil:
		said := tui.Speech{Facts: []string{s.created.Text}, Question: s.created.Short}
		for _, p := range s.created.Pairs {
			if p.Value != "" {
				said.Facts = append(said.Facts, p.Label+" "+p.Value)
			}
		}
		return said
	case s.awaitingAnswer():
		return tui.Speech{Facts: []string{fmt.Sprintf(saidNoAnswerYet, s.form.Summary())}, Question: questionAgainOrBack}
	}
	return tui.Speech{Facts: []string{fmt.Sprintf(saidSaveEndsIt, s.config.Prompt)}, Form: s.form}
}
