package entry

import (
	"fmt"

	"bincard/tui"
)

// Speech is the form in words, or what came of it.
func (s *screen) Speech() tui.Speech {
	switch {
	case s.made != nil:
		said := tui.Speech{Facts: []string{s.made.Text}, Question: s.made.Short}
		for _, p := range s.made.Pairs {
			if p.Value != "" {
				said.Facts = append(said.Facts, p.Label+" "+p.Value)
			}
		}
		return said
	case s.waiting():
		return tui.Speech{Facts: []string{fmt.Sprintf(saidNoAnswerYet, s.form.Summary())}, Question: questionAgainOrBack}
	}
	return tui.Speech{Facts: []string{fmt.Sprintf(saidSaveEndsIt, s.making.Ask)}, Form: s.form}
}
